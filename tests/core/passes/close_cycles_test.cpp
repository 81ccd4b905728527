// close-cycles on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(CloseCycles, MakesAChoiceOfAWalkAround) {
  EXPECT_THAT(after("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;",
                    {"close-cycles", "prune"}),
              UnorderedElementsAre("begin, q: player = p;", HasSubstr("old_x_1 = x;"), HasSubstr("x = { 1, 2, 3 }(*);"),
                                   HasSubstr("reach_x_1[old_x_1][x] == 1;"), HasSubstr("$$ x;"), HasSubstr(": ;"),
                                   "o, end: player = keeper;"));
  keeps("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;", "close-cycles");
  keeps("begin, q: player = p; q, l: x = h[y]; l, k: x = f[x]; k, l: x != 3; k, o: $$ x; o, end: player = keeper;",
        "close-cycles");
}
TEST(CloseCycles, LeavesWhatReadsMore) {
  leaves("begin, q: player = p; q, l: ; l, l: x = d[y][x]; l, o: $$ x; o, end: player = keeper;", "close-cycles");
  leaves("begin, q: player = p; q, l: ; l, k: x = f[x]; k, l: $ go; l, o: $$ x; o, end: player = keeper;",
         "close-cycles");
}
TEST(CloseCycles, LeavesChecksAndMovesOfRandom) {
  leaves("begin, q: ? l -> t; l, l: x = f[x]; l, t: x == 2; q, end: player = keeper;", "close-cycles");
  leaves("begin, q: player = random; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;", "close-cycles");
}

}  // namespace
}  // namespace rgtrans::passes
