// propagate-values on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(PropagateValues, EqualSetsMayHoldDifferentValues) {
  keeps(
      "begin, n: player = p; n, a: x = T(*); a, b: y = T(*); b, c: x != y; c, d: $$ x; d, e: $$ y; e, end: player = "
      "keeper;",
      "propagate-values");
}

TEST(PropagateValues, FoldsAndSettles) {
  EXPECT_THAT(
      after("begin, a: y = T(*); a, b: y == f[x]; b, c: x != 2; b, d: x == 3; c, end: $$ x;", {"propagate-values"}),
      ElementsAre("begin, a: y = T(*);", "a, b: y == 2;", "b, c: ;", "c, end: $ 1;"));
}

TEST(PropagateValues, NeverTouchesTheRootOfALeftSide) {
  EXPECT_THAT(after("begin, a: m[x] = 3; a, end: m[1] == 3;", {"propagate-values"})[0], "begin, a: m[1] = 3;");
}

TEST(PropagateValues, LeavesGamesTheirWayToTheEnd) {
  const std::string endless = "begin, a: player = p; a, b: $ 1; b, begin: ; b, c: ";
  keeps(endless + "m[1] == 2; c, end: player = keeper;", "propagate-values");
  keeps(endless + "1 != 1; c, end: player = keeper;", "self-comparisons");
  keeps(endless + "x == 1; c, d: x != 1; d, end: player = keeper;", "known-conditions");
}

TEST(PropagateValues, LeavesSingletonTypesToTheirValues) {
  keeps(
      "type One = { one }; var u: One = one; var v: One = one; begin, s: player = p; s, a: u = One(*); a, b: $$ u; b, "
      "c: u == v; c, end: player = keeper;",
      "propagate-values");
}

}  // namespace
}  // namespace rgtrans::passes
