// prune on small games: what it makes of them, and where it must not fire.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(Prune, KeepsExactlyWhatMatters) {
  EXPECT_THAT(after("begin, q: ? s -> t; s, t: x == 1; s, d: ; q, end: ; lost, end: ; q, dead: ;", {"prune"}),
              ElementsAre("begin, q: ? s -> t;", "s, t: x == 1;", "q, end: ;"));
}

TEST(Prune, SettlesChecksWithAFixedAnswer) {
  EXPECT_THAT(after("begin, a: ? s -> t; begin, b: ! s -> t; a, end: ; b, end: ; s, s: ;", {"prune"}),
              ElementsAre("begin, b: ;", "b, end: ;"));
  EXPECT_THAT(after("begin, a: ? q -> q; begin, b: ! q -> q; a, end: ; b, end: ;", {"prune"}),
              ElementsAre("begin, a: ;", "a, end: ;"));
}

TEST(Prune, KeepsAWalkBehindAnotherTarget) {
  keeps(
      "begin, s: player = p; s, a: ? c -> d; c, e: x == 1; e, d: ; s, b: ? c -> e; a, b: $ one; b, end: player = "
      "keeper;",
      "prune");
}

}  // namespace
}  // namespace rgtrans::passes
