// pragma-unique on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(PragmaUnique, KnowsLoopsAndStraightLines) {
  EXPECT_THAT(
      pragmas("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;", "pragma-unique"),
      ElementsAre("@repeat l : x;", "@unique begin end q o;"));
}

// With a single walk from each state, no node has a second arrival.
TEST(PragmaUnique, KnowsThatOneWalkComesToNoNodeTwice) {
  EXPECT_THAT(
      pragmas("begin, a: x == 1; begin, b: x != 1; a, c: y = 1; b, c: y = 2; c, d: y == 1; c, d: y != 1; d, e: x "
              "= 1; e, end: player = keeper;",
              "pragma-unique"),
      ElementsAre("@unique begin end a b c d e;"));
}

TEST(PragmaUnique, SeesTwoWaysThatMeet) {
  EXPECT_THAT(pragmas("begin, a: x == 1; begin, b: y == 2; a, c: ; b, c: ; c, end: player = keeper;", "pragma-unique"),
              ElementsAre("@repeat c :;", "@unique begin end a b;"));
}

TEST(PragmaUnique, SeesChoicesThatNobodyRemembers) {
  EXPECT_THAT(pragmas("begin, a: x = T(*); a, b: x != 1; b, c: x = 1; c, end: player = keeper;", "pragma-unique"),
              ElementsAre("@repeat b :;", "@unique begin end a c;"));
}

// A condition on each path determines x, but the conditions differ.
TEST(PragmaUnique, SeesWhatTwoWaysTellDifferently) {
  EXPECT_THAT(pragmas("begin, a: x = T(*); a, b: x == 1; a, c: x == y; b, d: ; c, d: ; d, e: f[x] == 1; e, end: player "
                      "= keeper;",
                      "pragma-unique"),
              ElementsAre("@repeat e :;", "@repeat d : x;", "@unique begin end a b c;"));
}

// Both variables are tags on both paths, but in different orders.
TEST(PragmaUnique, SeesThatTagsTellDifferentVariables) {
  const std::string start = "begin, a: x = T(*); a, b: y = T(*); b, c: $$ x; c, e: $$ y; ";
  const std::string end = "e, g: x == 1; g, h: y == 2; h, end: player = keeper;";
  EXPECT_THAT(pragmas(start + "b, d: $$ x; d, e: $$ y; " + end, "pragma-unique"), testing::Contains("@repeat e :;"));
  EXPECT_THAT(pragmas(start + "b, d: $$ y; d, e: $$ x; " + end, "pragma-unique"),
              testing::Contains("@repeat e : x y;"));
}

// The moves `2 1` come to n in two ways: x = 2 with a tag behind it, and x = 1 with a tag before it.
TEST(PragmaUnique, SeesThatEqualTagsStandAtDifferentPlaces) {
  const std::string start = "begin, p: $ 2; begin, p: ; p, e: x = T(*); e, q: $$ x; ";
  const std::string ways = "q, n: y == 1; q, n: f[y] == 1; q, n: $ 1; ";
  const std::string end = "n, h: x == 1; n, k: x == 2; h, end: player = keeper; k, l: $ 2; l, end: player = keeper;";
  EXPECT_THAT(pragmas(start + ways + end, "pragma-unique"), testing::Contains("@repeat n : x;"));
  // The same for a value that was computed from the tag.
  const std::string later = "q, r: z = f[x]; r, n: y == 1; r, n: f[y] == 1; r, n: $ 1; ";
  EXPECT_THAT(pragmas(start + later + "n, h: z == 1; n, k: z == 2; h, end: player = keeper; k, end: player = keeper;",
                      "pragma-unique"),
              testing::Contains("@repeat n : z;"));
}

// All arrivals at h with the same tags use one edge. Later arrivals at n still have x of an earlier or of the last one.
TEST(PragmaUnique, SeesValuesOfAnEarlierArrival) {
  EXPECT_THAT(pragmas("begin, h: x = f[x]; h, n: ; n, a: $$ x; a, n: ; a, h: x = f[x]; n, o: $ 1; o, end: player = "
                      "keeper;",
                      "pragma-unique"),
              testing::Contains("@repeat n : x;"));
}

}  // namespace
}  // namespace rgtrans::passes
