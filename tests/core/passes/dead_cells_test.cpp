// dead-cells on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(DeadCells, DropsWhatIsWrittenAgain) {
  EXPECT_THAT(after("begin, a: m[x] = 1; a, b: y = 2; b, c: m[x] = y; c, end: m[1] == 2;", {"dead-cells"}),
              ElementsAre("begin, a: ;", "a, b: y = 2;", "b, c: m[x] = y;", "c, end: m[1] == 2;"));
}

TEST(DeadCells, DropsWhatNothingReads) {
  EXPECT_THAT(after("begin, a: m[1] = 2; a, b: m[x] = 1; b, end: m[2] == 1;", {"dead-cells"}),
              ElementsAre("begin, a: ;", "a, b: m[x] = 1;", "b, end: m[2] == 1;"));
  EXPECT_THAT(after("begin, a: m[1] = f[m[1]]; a, b: m[x] = f[m[x]]; b, begin: ; b, end: m[2] == 1;", {"dead-cells"}),
              ElementsAre("begin, a: ;", "a, b: m[x] = f[m[x]];", "b, begin: ;", "b, end: m[2] == 1;"));
  EXPECT_THAT(
      after("var w: N = { :{ :1 } }; begin, a: w[1][x] = 2; a, b: w[x][2] = 2; b, end: w[2][1] == 1;", {"dead-cells"}),
      ElementsAre("begin, a: ;", "a, b: ;", "b, end: w[2][1] == 1;"));
}

TEST(DeadCells, KeepsWhatComputesAnother) {
  leaves("begin, a: m[1] = 2; a, b: m[x] = f[m[1]]; b, end: m[2] == 1;", "dead-cells");
  leaves("begin, a: m[1] = 2; a, b: x = m[1]; b, end: x == 1;", "dead-cells");
  leaves("begin, a: m[1] = 2; a, b: m[m[1]] = f[m[m[1]]]; b, end: m[2] == 1;", "dead-cells");
  leaves("begin, a: m[x] = 2; a, b: m[x] = f[m[x]]; b, end: m[2] == 1;", "dead-cells");
  leaves("begin, a: m[1] = 2; a, b: n = m; b, end: n[1] == 2;", "dead-cells");
  leaves("begin, a: m[1] = 2; a, end: n[m[y]] == 2;", "dead-cells");
}

TEST(DeadCells, KeepsWhatMayBeRead) {
  leaves("begin, a: m[x] = 1; a, b: x = 2; b, c: m[x] = y; c, end: m[1] == 2;", "dead-cells");
  leaves("begin, a: m[x] = 1; a, b: m[y] == 2; b, c: m[x] = y; c, end: m[1] == 2;", "dead-cells");
  leaves("begin, a: m[x] = 1; a, c: m[x] = m[y]; c, end: m[1] == 2;", "dead-cells");
  leaves("begin, a: m[x] = 1; a, b: ? s -> t; b, c: m[x] = y; c, end: m[1] == 2; s, t: m[1] == 1;", "dead-cells");
  leaves("begin, a: m[x] = 1; a, c: m[x] = y; a, c: ; c, end: m[1] == 2;", "dead-cells");
  leaves("begin, a: goals[p] = 9; a, end: ;", "dead-cells");
  leaves("begin, a: visible[p] = 0; a, b: $ t; b, c: visible[p] = 1; c, d: $ u; d, end: ;", "dead-cells");
}

TEST(DeadCells, KeepsWhatAMoveOfRandomWrote) {
  leaves(
      "begin, q: player = random; q, a: x = T(*); a, b: m[x] = 2; b, c: $$ x; c, r: player = p; r, s: m = n; s, t: $ "
      "u; t, "
      "end: player = keeper;",
      "dead-cells");
}

}  // namespace
}  // namespace rgtrans::passes
