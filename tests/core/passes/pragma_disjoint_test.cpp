// pragma-disjoint on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(PragmaDisjoint, KnowsSwitchesAndOpposites) {
  EXPECT_THAT(pragmas("begin, a: x = T(*); a, b: x == 1; a, c: 2 == x; a, d: x == 3; b, end: ; c, end: ; d, end: ;",
                      "pragma-disjoint"),
              ElementsAre("@disjointExhaustive a : b c d;"));
  EXPECT_THAT(pragmas("begin, b: m[y] == 1; begin, c: m[y] != 1; b, end: ; c, end: ;", "pragma-disjoint"),
              ElementsAre("@disjointExhaustive begin : b c;"));
}

TEST(PragmaDisjoint, RefusesOverlappingLookups) {
  EXPECT_TRUE(pragmas("begin, i: x = T(*); i, a: y = T(*); a, b: x == f[y]; a, c: x == h[y]; b, end: ; c, end: ;",
                      "pragma-disjoint")
                  .empty());
}

TEST(PragmaDisjoint, RefusesGroupsOfAlternatives) {
  EXPECT_TRUE(pragmas("begin, i: x = T(*); i, s: y = T(*); s, a: x == 1; s, a: y != 1; s, b: x != 1; s, b: y == 1; a, "
                      "end: ; b, end: ;",
                      "pragma-disjoint")
                  .empty());
}

}  // namespace
}  // namespace rgtrans::passes
