// known-conditions on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(KnownConditions, AnAssignmentThatReadsItsVariableSaysNothing) {
  keeps(
      "begin, n: player = p; n, a: x = f[x]; a, b: x == f[x]; b, e: $ k; a, c: x != f[x]; c, e: $ m; e, end: player = "
      "keeper;",
      "known-conditions");
}

TEST(KnownConditions, RemovesWhatWasTested) {
  EXPECT_THAT(after("begin, a: m[x] == 1; a, b: y = T(*); b, c: m[x] == 1; b, d: m[x] == 2; c, end: $$ y;",
                    {"known-conditions"}),
              ElementsAre("begin, a: m[x] == 1;", "a, b: y = T(*);", "b, c: ;", "c, end: $$ y;"));
}

TEST(KnownConditions, ForgetsWhatWasWritten) {
  EXPECT_EQ(after("begin, a: m[x] == 1; a, b: m[y] = 2; b, end: m[x] == 1;", {"known-conditions"}).back(),
            "b, end: m[x] == 1;");
}

TEST(KnownConditions, CarriesWhatACellHolds) {
  EXPECT_THAT(after("begin, a: m[x] = y; a, b: f[m[x]] == 1; b, c: n[1] == 2; c, end: z = n[1];", {"known-conditions"}),
              ElementsAre("begin, a: m[x] = y;", "a, b: f[y] == 1;", "b, c: n[1] == 2;", "c, end: z = 2;"));
  leaves("begin, a: m[x] = y; a, b: m[z] = 3; b, end: f[m[x]] == 1;", "known-conditions");
  leaves("begin, a: m[x] = y; a, b: y = 3; b, end: f[m[x]] == 1;", "known-conditions");
}

}  // namespace
}  // namespace rgtrans::passes
