// inline-checks on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

TEST(InlineChecks, TakesAChainAndTheOppositeOfOneCondition) {
  EXPECT_THAT(after("begin, q: ? s -> t; s, r: x == 1; r, t: y == 2; q, end: ;", {"inline-checks", "prune"}).size(),
              3U);
  EXPECT_THAT(after("begin, q: ! s -> t; s, t: x == 1; q, end: ;", {"inline-checks", "prune"}),
              UnorderedElementsAre("begin, q: x != 1;", "q, end: ;"));
}

TEST(InlineChecks, LeavesACheckWithoutAWayToItsEnd) {
  keeps(
      "begin, a: player = p; a, c: x = T(*); c, b: $$ x; b, a: player = p; a, q: ? s -> t; s, u: x == 1; s, v: x == 2; "
      "q, end: ;",
      "inline-checks");
}

TEST(InlineChecks, SeesTagVariables) {
  keeps("begin, s: player = p; s, a: ? c -> d; c, e: x = 2; e, d: m[x] == 1; a, b: $$ x; b, end: player = keeper;",
        "inline-checks");
}

TEST(InlineChecks, LeavesACheckOfItsOwnStart) {
  keeps("begin, s: player = p; s, a: ? q -> q; q, r: x == 2; r, q: ; a, b: $ k; b, end: player = keeper;",
        "inline-checks");
}

TEST(InlineChecks, LeavesPlayerAssignments) {
  keeps(
      "begin, s: player = p; s, a: ? c -> d; c, e: player = keeper; e, d: x == 1; a, b: $ k; b, end: player = keeper;",
      "inline-checks");
}

TEST(InlineChecks, TakesASmallGraphOfExclusiveConditions) {
  const char* const text =
      "begin, q: player = p; q, q1: x = T(*); q1, q2: $$ x; q2, r: ? s -> t; s, u: x == 1; s, v: x == 2; u, t: y == 2; "
      "v, t: "
      "y == 1; r, end: player = keeper; q2, r: $ no;";
  const auto lines = after(text, {"inline-checks", "prune"});
  EXPECT_THAT(lines, testing::Each(Not(HasSubstr("?"))));
  EXPECT_EQ(lines.size(), 9U);
  keeps(text, "inline-checks");
}

TEST(InlineChecks, GoesOnWhereAnotherCheckForTheSameGoalIsAsked) {
  const std::string text =
      "begin, q: player = p; q, k: ? a -> t; a, b: x = f[x]; b, t: ? s -> t; s, u: x = d[x][y]; u, s: x != 1;"
      "u, t: y == x; k, l: $ yes; q, l: ! a -> t; l, end: player = keeper;";
  EXPECT_THAT(after(text, {"inline-checks"}), testing::Contains("b, s: ;"));
  keeps(text, "inline-checks");
  // Other walks pass: a move, a check for another node, or the check itself.
  for (const char* other : {"l, b: ;", "l, m: ? a -> u;", "u, b: ;"})
    EXPECT_THAT(after(text + other, {"inline-checks"}), testing::Contains("b, t: ? s -> t;")) << other;
}

TEST(InlineChecks, LeavesWhatCouldBothBeOpenAndCycles) {
  leaves("begin, r: ? s -> t; s, u: x == 1; s, v: y == 2; u, t: y == 2; v, t: x == 1; r, end: ;", "inline-checks");
  leaves("begin, r: ? s -> t; s, u: x == 1; s, v: x != 1; u, v: y == 2; v, u: y == 3; v, t: y == 1; r, end: ;",
         "inline-checks");
}

// A check forgets y; as a part of the move, y would tell the results of random's moves apart.
TEST(InlineChecks, LeavesAssignmentsOutOfMovesOfRandom) {
  leaves(
      "begin, q: player = random; q, a: x = T(*); a, b: $$ x; b, c: ? s -> t; s, u: y = x; u, t: y != 3; c, d: x = 1;"
      "d, o: player = p; o, r: $ 1; r, end: player = keeper;",
      "inline-checks");
}

}  // namespace
}  // namespace rgtrans::passes
