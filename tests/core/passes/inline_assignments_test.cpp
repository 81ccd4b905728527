// inline-assignments on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(InlineAssignments, KeepsWhatFlowsIntoAMerge) {
  keeps(
      "begin, n: player = p; n, a: x = 3; a, m: x == 3; n, m: $ l; m, t: x == 1; t, e: $ z; m, u: x == 3; u, e: $ w;"
      "e, end: player = keeper;",
      "inline-assignments");
}

TEST(InlineAssignments, SubstitutesForward) {
  EXPECT_THAT(
      after("begin, a: x = m[y]; a, b: x != 2; b, c: y = x; c, d: $$ y; d, end: player = keeper;",
            {"inline-assignments"}),
      ElementsAre("begin, a: ;", "a, b: m[y] != 2;", "b, c: y = m[y];", "c, d: $$ y;", "d, end: player = keeper;"));
}

TEST(InlineAssignments, SeesCellWrites) {
  keeps("begin, s: player = p; s, a: m = n; a, b: m[1] = 1; b, c: m[2] == 2; c, d: $ k; d, end: player = keeper;",
        "inline-assignments");
}

TEST(InlineAssignments, SeesIndicesOfAnyAssignments) {
  keeps("begin, s: player = p; s, a: y = 2; a, b: m[y] = T(*); b, c: m[2] == 3; c, d: $ k; d, end: player = keeper;",
        "inline-assignments");
}

TEST(InlineAssignments, KeepsWhatChangesInBetween) {
  EXPECT_THAT(after("begin, a: x = m[y]; a, b: y = 1; b, c: $$ y; c, d: m[x] == 1; d, end: player = keeper;",
                    {"inline-assignments"})[0],
              "begin, a: x = m[y];");
}

// The results of random's moves are counted, and y tells two of them apart.
TEST(InlineAssignments, KeepsResultsOfMovesOfRandom) {
  const std::string text =
      "begin, q: player = random; q, a: x = T(*); a, b: $$ x; b, c: y = x; c, d: y != 3; d, e: x = 1; e, o: player = p;"
      "o, r: $ 1; r, end: player = keeper;";
  EXPECT_THAT(after(text, {"inline-assignments"}), testing::IsSupersetOf({"b, c: y = x;", "c, d: x != 3;"}));
}

}  // namespace
}  // namespace rgtrans::passes
