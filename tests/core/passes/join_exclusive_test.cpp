// join-exclusive on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::UnorderedElementsAre;

TEST(JoinExclusive, KeepsTheStartOfACheck) {
  keeps(
      "begin, n: player = p; n, a: x == 1; a, z: y == 2; n, z: x != 1; n, z: y != 2; z, w: ? a -> z; z, w: $ q;"
      "w, end: player = keeper;",
      "join-exclusive");
}

TEST(JoinExclusive, JoinsATautology) {
  EXPECT_THAT(
      after("begin, a: x == 1; a, b: y == 2; begin, b: x != 1; begin, b: y != 2; b, end: ;", {"join-exclusive"}),
      UnorderedElementsAre("begin, b: ;", "b, end: ;"));
}

TEST(JoinExclusive, LeavesTwoChains) {
  const char* const text =
      "begin, s: player = p; s, a: x == 1; a, t: y == 1; s, b: x != 1; b, t: y != 1; s, t: $ l; t, w: $ k; w, end: "
      "player = keeper;";
  EXPECT_EQ(after(text, {"join-exclusive"}).size(), 8U);
  keeps(text, "join-exclusive");
}

TEST(JoinExclusive, LeavesOtherTargets) {
  keeps(
      "begin, s: player = p; s, a: x == 1; a, t: y == 2; s, t: x != 1; s, u: y != 2; u, t: $ u; t, w: $ k; w, end: "
      "player = keeper;",
      "join-exclusive");
}

}  // namespace
}  // namespace rgtrans::passes
