// compact-comparisons on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::UnorderedElementsAre;

TEST(CompactComparisons, OneInequalityIsNotEverything) {
  keeps("begin, n: player = p; n, m: x = T(*); m, e: x == 2; m, e: x != 1; e, f: $$ x; f, end: player = keeper;",
        "compact-comparisons");
  keeps("begin, n: player = p; n, m: x = T(*); m, e: x == 1; m, e: x != 1; e, f: $$ x; f, end: player = keeper;",
        "compact-comparisons");
  keeps(
      "begin, n: player = p; n, m: x = T(*); m, e: x != 1; m, a: ; a, e: x != 1; m, e: x != 1; e, f: $$ x;"
      "f, end: player = keeper;",
      "compact-comparisons");
}

TEST(CompactComparisons, UsesTheMissingSymbols) {
  EXPECT_THAT(after("begin, a: x = T(*); a, b: x == 1; a, b: 2 == x; b, end: $$ x;", {"compact-comparisons"}),
              UnorderedElementsAre("begin, a: x = T(*);", "a, b: x != 3;", "b, end: $$ x;"));
}

TEST(CompactComparisons, LeavesASwitch) {
  EXPECT_EQ(after("begin, a: x = T(*); a, b: x == 1; a, c: x == 2; b, end: $$ x; c, end: $ k;", {"compact-comparisons"})
                .size(),
            5U);
}

}  // namespace
}  // namespace rgtrans::passes
