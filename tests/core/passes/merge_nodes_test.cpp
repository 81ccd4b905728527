// merge-nodes on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::UnorderedElementsAre;

TEST(MergeNodes, TellsACheckFromItsOpposite) {
  keeps(
      "begin, n: player = p; n, m: x = T(*); m, a: x == 1; m, b: x != 1; a, e: ? s -> t; b, e: ! s -> t; s, t: y == 2;"
      "e, d: $$ x; d, end: player = keeper;",
      "merge-nodes");
}

TEST(MergeNodes, KeepsATargetApartThatAnotherCheckPasses) {
  keeps(
      "begin, n: player = p; n, a: ? s1 -> t1; n, b: ? s2 -> t2; a, c: $ k; b, c: $ m; c, end: player = keeper;"
      "s1, t2: y == 2; t2, t1: x == 2; t1, t1: x == 2; s2, t2: y == 2;",
      "merge-nodes");
}

TEST(MergeNodes, FindsEqualFutures) {
  EXPECT_THAT(
      after("begin, a: x == 1; begin, b: x == 2; a, c: y = 1; b, d: y = 1; c, end: $ k; d, end: $ k;", {"merge-nodes"}),
      UnorderedElementsAre("begin, a: x == 1;", "begin, a: x == 2;", "a, c: y = 1;", "c, end: $ k;"));
}

TEST(MergeNodes, FindsEqualCycles) {
  EXPECT_EQ(
      after("begin, a: x == 1; begin, b: x == 2; a, a: $ s; b, b: $ s; a, end: $ k; b, end: $ k;", {"merge-nodes"})
          .size(),
      4U);
}

TEST(MergeNodes, MakesNoTagOnALoop) {
  keeps("begin, n: player = p; n, a: x == 2; n, e: $ k; e, end: player = keeper; a, b: $ s; b, a: $ s;", "merge-nodes");
}

TEST(MergeNodes, KeepsTargetsThatAnotherCheckCanReachApart) {
  keeps(
      "begin, s: player = p; s, a: ? c -> d; s, a: ! c -> e; c, e: x == 1; c, d: x == 2; e, d: ; a, b: $ k; s, b: $ l; "
      "b, end: player = keeper;",
      "merge-nodes");
}

TEST(MergeNodes, KeepsTheInitialValueOfALoopThroughBegin) {
  const char* const text =
      "begin, s: player = p; s, a: x == 1; a, t0: $ go; t0, t: x = 2; t, s: player = p; s, z: x == 2; z, w: $ fin; w, "
      "end: player = keeper;";
  keeps(text, "merge-nodes");
  keeps(
      "begin, s: player = p; s, a: x == 1; a, b: $ go; b, begin: x = 2; s, z: x == 2; z, w: $ fin; w, end: player = "
      "keeper;",
      "propagate-values");
}

TEST(MergeNodes, WorksInLargeGames) {
  ir::Game g = game(large_game());
  OptimizeOptions options;
  options.passes = {"merge-nodes"};
  optimize(g, options);
  EXPECT_EQ(g.graph.edge_count(), 3 * 7000U);
}

}  // namespace
}  // namespace rgtrans::passes
