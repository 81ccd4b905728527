// join-prefixes on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::UnorderedElementsAre;

TEST(JoinPrefixes, SharesTheFirstEdge) {
  EXPECT_THAT(after("begin, a: x = 2; begin, b: x = 2; a, end: y == 1; b, end: y == 2;", {"join-prefixes"}),
              UnorderedElementsAre("begin, a: x = 2;", "a, end: y == 1;", "a, end: y == 2;"));
}

TEST(JoinPrefixes, LeavesTheStartOfACheck) {
  keeps(
      "begin, s: player = p; s, a: x == 1; s, b: x == 1; a, c: x == 2; b, t: y == 2; c, t: ; t, w: ? a -> t; t, w: $ "
      "one; w, v: $ two; v, end: player = keeper;",
      "join-prefixes");
}

}  // namespace
}  // namespace rgtrans::passes
