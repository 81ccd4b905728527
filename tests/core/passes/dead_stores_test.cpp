// dead-stores on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(DeadStores, RemovesThem) {
  EXPECT_THAT(
      after("begin, a: x = 2; a, b: y = f[y]; b, c: x = 3; c, d: $$ x; d, end: player = keeper;", {"dead-stores"}),
      ElementsAre("begin, a: ;", "a, b: ;", "b, c: x = 3;", "c, d: $$ x;", "d, end: player = keeper;"));
}

TEST(DeadStores, KeepsGoalsAndTagVariables) {
  EXPECT_EQ(after("begin, q: player = keeper; q, end: goals[p] = 9;", {"dead-stores"}).back(), "q, end: goals[p] = 9;");
  const char* const text =
      "begin, s: player = p; s, b: x = T(*); b, c: $$ x; c, d: $ k; s, d: $ l; d, end: player = keeper;";
  keeps(text, "dead-stores");
  keeps(text, "unused-variables");
}

}  // namespace
}  // namespace rgtrans::passes
