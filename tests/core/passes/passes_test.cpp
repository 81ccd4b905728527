// Each pass on small games: what it makes of them, and where it must not fire. The counter-examples are the verified
// defects of the published transformations.
#include "core/passes/passes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<std::string> pragmas(const std::string& text, const std::string& pass) {
  const ir::Game g = transformed(text, {pass});
  std::vector<std::string> lines;
  for (const ir::Pragma& p : g.pragmas) lines.push_back(rg::print_pragma(g, p, g.node_names()));
  return lines;
}

// --- Every pass: before and after. ---

TEST(StripCasts, RemovesThemAtEveryDepth) {
  EXPECT_THAT(after("begin, end: T(m[T(x)]) == T(f[T(2)]);", {"strip-casts"}),
              ElementsAre("begin, end: m[x] == f[2];"));
}
TEST(StripCasts, KeepsWhatTheTypesNeed) {
  const char* const text =
      "type A = { 1 }; type B = { 1, 4 }; var a: A = 1; type C = { 4, 5 }; var c: C = 4; begin, end: a == B(c);";
  EXPECT_THAT(after(text, {"strip-casts"}), ElementsAre("begin, end: a == B(c);"));
}

TEST(SkipEdges, MergesNodesInBothDirections) {
  EXPECT_THAT(after("begin, p: x == 1; p, q: ; q, end: $ t;", {"skip-edges"}).size(), 2U);
  EXPECT_THAT(after("begin, u: ; u, v: x == 1; u, w: x == 2; v, end: ; w, end: ;", {"skip-edges"}),
              UnorderedElementsAre("begin, end: x == 1;", "begin, end: x == 2;"));
}
TEST(SkipEdges, KeepsTagsBesideAnEmptyEdge) {  // defect 14
  keeps("begin, s: player = p; s, a: ; s, a: $ t; a, b: ; b, end: player = keeper;", "skip-edges");
}
TEST(SkipEdges, KeepsTheTargetOfACheckApart) {
  EXPECT_THAT(after("begin, q: ? s -> t; s, t: x == 1; s, n: x == 2; t, n: ; n, t: y == 2; q, end: player = keeper;",
                    {"skip-edges"})
                  .size(),
              6U);
}
TEST(SkipEdges, KeepsTheStartOfACheckApart) {
  keeps(
      "begin, a: player = p; a, y: ; a, t: x == 1; y, t: x == 2; t, u: $ k; u, v: ? y -> t; u, v: $ m;"
      "v, end: player = keeper;",
      "skip-edges");
}
TEST(SkipEdges, EndsNoMoveEarly) {
  EXPECT_THAT(after("begin, q: player = p; q, end: ;", {"skip-edges"}),
              ElementsAre("begin, q: player = p;", "q, end: ;"));
}
TEST(SkipEdges, MakesNoTagOnALoop) {
  for (const char* text :
       {"begin, n: player = p; n, e: $ k; e, end: player = keeper; s, t: ; t, s: $ m;",
        "begin, n: player = p; n, e: ? s -> u; e, end: player = keeper; s, t: ; t, s: $ m; s, u: ;"}) {
    keeps(text, "skip-edges");
  }
}
TEST(SkipEdges, EndsOnACycleOfEmptyEdges) {  // defect 8
  keeps("begin, q: player = p; q, r: ? s -> t; q, r: $ k; s, a: ; a, s: ; a, t: x == 1; r, end: player = keeper;",
        "skip-edges");
}

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
TEST(FuseAssignments, NeedsOneVariableOnAllWays) {
  keeps(
      "begin, s: player = p; s, a: $ k; s, b: $ l; a, m: y = n[y]; b, m: x = n[x]; m, t: x == 1; t, end: player = "
      "keeper;",
      "fuse-assignments");
}
TEST(FuseAssignments, KeepsTheTargetOfACheck) {
  keeps(
      "begin, s: player = p; s, a: $ k; a, m: x = n[x]; q, m: x = n[y]; m, t: x == 3; t, u: ? q -> m; u, v: $ l;"
      "v, end: player = keeper;",
      "fuse-assignments");
}
TEST(JoinExclusive, KeepsTheStartOfACheck) {
  keeps(
      "begin, n: player = p; n, a: x == 1; a, z: y == 2; n, z: x != 1; n, z: y != 2; z, w: ? a -> z; z, w: $ q;"
      "w, end: player = keeper;",
      "join-exclusive");
}
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
TEST(InlineAssignments, KeepsWhatFlowsIntoAMerge) {
  keeps(
      "begin, n: player = p; n, a: x = 3; a, m: x == 3; n, m: $ l; m, t: x == 1; t, e: $ z; m, u: x == 3; u, e: $ w;"
      "e, end: player = keeper;",
      "inline-assignments");
}
TEST(KnownConditions, AnAssignmentThatReadsItsVariableSaysNothing) {
  keeps(
      "begin, n: player = p; n, a: x = f[x]; a, b: x == f[x]; b, e: $ k; a, c: x != f[x]; c, e: $ m; e, end: player = "
      "keeper;",
      "known-conditions");
}
TEST(PropagateValues, EqualSetsMayHoldDifferentValues) {
  keeps(
      "begin, n: player = p; n, a: x = T(*); a, b: y = T(*); b, c: x != y; c, d: $$ x; d, e: $$ y; e, end: player = "
      "keeper;",
      "propagate-values");
}
TEST(NeverWritten, LeavesWhatIsShown) {
  keeps("begin, n: player = p; n, e: $$ y; e, end: player = keeper;", "never-written");
  EXPECT_THAT(after("begin, n: player = p; n, e: $$ y; e, end: player = keeper;", {"never-written", "prune"}),
              testing::Contains("n, e: $$ y;"));
}

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
TEST(MergeNodes, KeepsTargetsThatAnotherCheckCanReachApart) {
  keeps(
      "begin, s: player = p; s, a: ? c -> d; s, a: ! c -> e; c, e: x == 1; c, d: x == 2; e, d: ; a, b: $ k; s, b: $ l; "
      "b, end: player = keeper;",
      "merge-nodes");
}
TEST(MergeNodes, KeepsTheInitialValueOfALoopThroughBegin) {  // defects 1 and 3
  const char* const text =
      "begin, s: player = p; s, a: x == 1; a, t0: $ go; t0, t: x = 2; t, s: player = p; s, z: x == 2; z, w: $ fin; w, "
      "end: player = keeper;";
  keeps(text, "merge-nodes");
  keeps(
      "begin, s: player = p; s, a: x == 1; a, b: $ go; b, begin: x = 2; s, z: x == 2; z, w: $ fin; w, end: player = "
      "keeper;",
      "propagate-values");
}

TEST(InlineAssignments, SubstitutesForward) {
  EXPECT_THAT(
      after("begin, a: x = m[y]; a, b: x != 2; b, c: y = x; c, d: $$ y; d, end: player = keeper;",
            {"inline-assignments"}),
      ElementsAre("begin, a: ;", "a, b: m[y] != 2;", "b, c: y = m[y];", "c, d: $$ y;", "d, end: player = keeper;"));
}
TEST(InlineAssignments, SeesCellWrites) {  // defect 4
  keeps("begin, s: player = p; s, a: m = n; a, b: m[1] = 1; b, c: m[2] == 2; c, d: $ k; d, end: player = keeper;",
        "inline-assignments");
}
TEST(InlineAssignments, SeesIndicesOfAnyAssignments) {  // defect 5
  keeps("begin, s: player = p; s, a: y = 2; a, b: m[y] = T(*); b, c: m[2] == 3; c, d: $ k; d, end: player = keeper;",
        "inline-assignments");
}
TEST(InlineAssignments, KeepsWhatChangesInBetween) {
  EXPECT_THAT(after("begin, a: x = m[y]; a, b: y = 1; b, c: $$ y; c, d: m[x] == 1; d, end: player = keeper;",
                    {"inline-assignments"})[0],
              "begin, a: x = m[y];");
}

TEST(DeadStores, RemovesThem) {
  EXPECT_THAT(
      after("begin, a: x = 2; a, b: y = f[y]; b, c: x = 3; c, d: $$ x; d, end: player = keeper;", {"dead-stores"}),
      ElementsAre("begin, a: ;", "a, b: ;", "b, c: x = 3;", "c, d: $$ x;", "d, end: player = keeper;"));
}
TEST(DeadStores, KeepsGoalsAndTagVariables) {  // defects 2 and 6
  EXPECT_EQ(after("begin, q: player = keeper; q, end: goals[p] = 9;", {"dead-stores"}).back(), "q, end: goals[p] = 9;");
  const char* const text =
      "begin, s: player = p; s, b: x = T(*); b, c: $$ x; c, d: $ k; s, d: $ l; d, end: player = keeper;";
  keeps(text, "dead-stores");
  keeps(text, "unused-variables");
}

TEST(FuseAssignments, MeltsWhereWaysComeTogether) {
  EXPECT_THAT(
      after("begin, a: x = f[y]; begin, a: x = h[y]; a, b: m[x] == 2; b, end: player = keeper;", {"fuse-assignments"}),
      UnorderedElementsAre("begin, b: m[f[y]] == 2;", "begin, b: m[h[y]] == 2;", "b, end: player = keeper;"));
}
TEST(FuseAssignments, LeavesAVariableThatIsReadLater) {
  EXPECT_EQ(after("begin, a: x = f[y]; a, b: m[x] == 2; b, c: $$ x; c, end: player = keeper;", {"fuse-assignments"})[0],
            "begin, a: x = f[y];");
}

TEST(ComposeMaps, LooksUpOnce) {
  ir::Game g = game("begin, end: x = f[h[y]];");
  OptimizeOptions options;
  options.passes = {"compose-maps"};
  optimize(g, options);
  EXPECT_THAT(edges(g), ElementsAre("begin, end: x = f_h[y];"));
  EXPECT_THAT(rg::print(g), testing::HasSubstr("const f_h: T -> T = { 1: 1, :3 };"));
}
TEST(ComposeMaps, LeavesVariables) {
  EXPECT_THAT(after("begin, end: x = f[m[y]];", {"compose-maps"}), ElementsAre("begin, end: x = f[m[y]];"));
}

TEST(PropagateValues, FoldsAndSettles) {
  EXPECT_THAT(
      after("begin, a: y = T(*); a, b: y == f[x]; b, c: x != 2; b, d: x == 3; c, end: $$ x;", {"propagate-values"}),
      ElementsAre("begin, a: y = T(*);", "a, b: y == 2;", "b, c: ;", "c, end: $ 1;"));
}
TEST(PropagateValues, NeverTouchesTheRootOfALeftSide) {  // defect 20
  EXPECT_THAT(after("begin, a: m[x] = 3; a, end: m[1] == 3;", {"propagate-values"})[0], "begin, a: m[1] = 3;");
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

TEST(ShrinkChecks, StopsBeforeWhatIsAlwaysLegal) {
  EXPECT_THAT(after("begin, b: ? s -> t; s, q: x == 1; q, t: y = 2; b, end: ;", {"shrink-checks"})[0],
              "begin, b: ? s -> q;");
}
TEST(ShrinkChecks, NeverPassesItsOwnStart) {  // defect 7
  keeps(
      "begin, s: player = p; s, a: ? r -> t; r, t: ; t, w: ; w, u: x == 2; u, t: ; a, b: $ k; b, end: player = keeper;",
      "shrink-checks");
}

TEST(InlineChecks, TakesAChainAndTheOppositeOfOneCondition) {
  EXPECT_THAT(after("begin, q: ? s -> t; s, r: x == 1; r, t: y == 2; q, end: ;", {"inline-checks", "prune"}).size(),
              3U);
  EXPECT_THAT(after("begin, q: ! s -> t; s, t: x == 1; q, end: ;", {"inline-checks", "prune"}),
              UnorderedElementsAre("begin, q: x != 1;", "q, end: ;"));
}
TEST(InlineChecks, SeesTagVariables) {  // defect 9
  keeps("begin, s: player = p; s, a: ? c -> d; c, e: x = 2; e, d: m[x] == 1; a, b: $$ x; b, end: player = keeper;",
        "inline-checks");
}
TEST(InlineChecks, LeavesACheckOfItsOwnStart) {  // defect 10
  keeps("begin, s: player = p; s, a: ? q -> q; q, r: x == 2; r, q: ; a, b: $ k; b, end: player = keeper;",
        "inline-checks");
}
TEST(InlineChecks, LeavesPlayerAssignments) {  // defect 10b
  keeps(
      "begin, s: player = p; s, a: ? c -> d; c, e: player = keeper; e, d: x == 1; a, b: $ k; b, end: player = keeper;",
      "inline-checks");
}

TEST(JoinPrefixes, SharesTheFirstEdge) {
  EXPECT_THAT(after("begin, a: x = 2; begin, b: x = 2; a, end: y == 1; b, end: y == 2;", {"join-prefixes"}),
              UnorderedElementsAre("begin, a: x = 2;", "a, end: y == 1;", "a, end: y == 2;"));
}
TEST(JoinPrefixes, LeavesTheStartOfACheck) {  // defect 13
  keeps(
      "begin, s: player = p; s, a: x == 1; s, b: x == 1; a, c: x == 2; b, t: y == 2; c, t: ; t, w: ? a -> t; t, w: $ "
      "one; w, v: $ two; v, end: player = keeper;",
      "join-prefixes");
}

TEST(JoinExclusive, JoinsATautology) {
  EXPECT_THAT(
      after("begin, a: x == 1; a, b: y == 2; begin, b: x != 1; begin, b: y != 2; b, end: ;", {"join-exclusive"}),
      UnorderedElementsAre("begin, b: ;", "b, end: ;"));
}
TEST(JoinExclusive, LeavesTwoChains) {  // defect 11
  const char* const text =
      "begin, s: player = p; s, a: x == 1; a, t: y == 1; s, b: x != 1; b, t: y != 1; s, t: $ l; t, w: $ k; w, end: "
      "player = keeper;";
  EXPECT_EQ(after(text, {"join-exclusive"}).size(), 8U);
  keeps(text, "join-exclusive");
}
TEST(JoinExclusive, LeavesOtherTargets) {  // defect 12
  keeps(
      "begin, s: player = p; s, a: x == 1; a, t: y == 2; s, t: x != 1; s, u: y != 2; u, t: $ u; t, w: $ k; w, end: "
      "player = keeper;",
      "join-exclusive");
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

TEST(ReorderConditions, BringsCommonOnesForward) {
  EXPECT_THAT(after("begin, a: x == 1; a, c: y == 2; begin, b: x == 2; b, d: y == 2; c, end: $ k; d, end: $ l;",
                    {"reorder-conditions"}),
              ElementsAre("begin, a: y == 2;", "a, c: x == 1;", "begin, b: y == 2;", "b, d: x == 2;", "c, end: $ k;",
                          "d, end: $ l;"));
}
TEST(ReorderConditions, NeverMovesTags) {  // defect 16
  const char* const text = "begin, a: $ a; a, end: $ b; begin, b: $ c; b, end: $ b;";
  EXPECT_EQ(after(text, {"reorder-conditions"}), after(text, {}));
}

TEST(SelfPasses, RemoveWhatDoesNothing) {
  EXPECT_THAT(after("begin, a: m[x] = T(m[x]); a, end: ;", {"self-assignments"})[0], "begin, a: ;");
  EXPECT_THAT(after("begin, a: x == x; begin, b: x != x; a, end: ; b, end: ;", {"self-comparisons"}),
              ElementsAre("begin, a: ;", "a, end: ;", "b, end: ;"));
  EXPECT_THAT(after("begin, begin: x == 1; begin, end: ;", {"self-loops"}), ElementsAre("begin, end: ;"));
  EXPECT_THAT(after("begin, begin: x = f[x]; begin, end: ;", {"self-loops"}).size(), 2U);
  EXPECT_THAT(after("begin, q: ? s -> t; q, end: $ real; s, t: $ dummy;", {"check-tags"}),
              ElementsAre("begin, q: ? s -> t;", "q, end: $ real;", "s, t: ;"));
}

TEST(Unused, RemovesDeclarations) {
  ir::Game g = game("begin, a: y = 2; a, end: m[f[1]] = T(*);");
  OptimizeOptions options;
  options.passes = {"unused-variables", "unused-constants", "unused-types"};
  optimize(g, options);
  EXPECT_THAT(rg::print(g), testing::Not(testing::HasSubstr("var y")));
  // defect 18: a constant that is only an index on the left of an any-assignment
  ir::Game k = game("begin, a: m[f[1]] = T(*); a, end: m[2] == 3;");
  optimize(k, options);
  EXPECT_THAT(rg::print(k), testing::HasSubstr("const f"));
}
TEST(Unused, SingletonTypesAreLeftToValues) {  // defect 17
  keeps(
      "type One = { one }; var u: One = one; var v: One = one; begin, s: player = p; s, a: u = One(*); a, b: $$ u; b, "
      "c: u == v; c, end: player = keeper;",
      "propagate-values");
}

TEST(MergeVariables, SharesBetweenLifetimes) {
  ir::Game g =
      game("begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: y = T(*); c, d: $$ y; d, end: player = keeper;");
  OptimizeOptions options;
  options.passes = {"merge-variables"};
  optimize(g, options);
  EXPECT_THAT(rg::print(g), testing::Not(testing::HasSubstr("var y")));
  EXPECT_THAT(edges(g)[4], "c, d: $$ x;");
}
TEST(MergeVariables, KeepsWhatIsNeededTogether) {
  keeps("begin, s: player = p; s, a: x = T(*); a, b: y = f[x]; b, c: $$ y; c, d: $$ x; d, end: player = keeper;",
        "merge-variables");
}

TEST(NeverWritten, BecomesAConstant) {
  ir::Game g = game("begin, a: m[x] == 1; a, end: x = 2;");
  OptimizeOptions options;
  options.passes = {"never-written"};
  optimize(g, options);
  EXPECT_THAT(rg::print(g), testing::HasSubstr("const m: M = { :1 };"));
  EXPECT_THAT(rg::print(g), testing::HasSubstr("var x"));
}

// --- Passes that run only when named. ---

TEST(RedundantTags, DropsWhatEveryMoveHas) {
  const char* const text =
      "begin, q: player = p; q, a: $ one; q, b: $ two; a, c: $ done; b, c: $ done; c, end: player = keeper;";
  EXPECT_THAT(after(text, {"redundant-tags"}),
              UnorderedElementsAre("begin, q: player = p;", "q, a: $ one;", "q, b: $ two;", "a, c: ;", "b, c: ;",
                                   "c, end: player = keeper;"));
}
TEST(RedundantTags, KeepsTagsThatCount) {  // defect 15
  const char* const text =
      "begin, b: player = p; b, c: $ y; c, d: x = 2; b, d: x = 1; d, e: $ y; e, g: $ y; g, i: player = keeper; i, end: "
      "player = keeper;";
  EXPECT_EQ(after(text, {"redundant-tags"}), after(text, {}));
}
TEST(RedundantTags, LeavesGamesWithArtificialTagsAlone) {
  // Without y both moves would be q.
  const char* const text =
      "@artificialTag t; begin, b: player = p; b, c: $ t; c, d: $ y; d, e: $ q; b, f: $ q; f, e: $ y;"
      "e, end: player = keeper;";
  EXPECT_EQ(after(text, {"redundant-tags"}), after(text, {}));
}
TEST(ArtificialTags, AreDropped) {
  EXPECT_THAT(after("@artificialTag t; begin, a: $ t; a, end: $ u;", {"artificial-tags"}),
              ElementsAre("begin, a: ;", "a, end: $ u;"));
}
TEST(Forms, Expand) {
  EXPECT_THAT(after("begin, end: z = U(*);", {"expand-any"}), ElementsAre("begin, end: z = 1;", "begin, end: z = 2;"));
  EXPECT_THAT(after("begin, end: $$ z;", {"expand-tags"}).size(), 4U);
  keeps("begin, s: player = p; s, a: z = U(*); a, b: $$ z; b, end: player = keeper;", "expand-tags");
  keeps("begin, s: player = p; s, a: z = U(*); a, b: $$ z; b, end: player = keeper;", "explicit-casts");
  keeps("begin, s: player = p; s, a: z = U(*); a, b: $$ z; b, end: player = keeper;", "mangle-symbols");
  keeps(
      "var o: T -> N = { :{ :{ :1 } } }; begin, s: player = p; s, a: o[1][1][1] = 2; a, b: $$ z; "
      "b, end: player = keeper;",
      "normalize-types");
}

// --- Pragmas. ---

TEST(PragmaDisjoint, KnowsSwitchesAndOpposites) {
  EXPECT_THAT(pragmas("begin, a: x = T(*); a, b: x == 1; a, c: 2 == x; a, d: x == 3; b, end: ; c, end: ; d, end: ;",
                      "pragma-disjoint"),
              ElementsAre("@disjointExhaustive a : b c d;"));
  EXPECT_THAT(pragmas("begin, b: m[y] == 1; begin, c: m[y] != 1; b, end: ; c, end: ;", "pragma-disjoint"),
              ElementsAre("@disjointExhaustive begin : b c;"));
}
TEST(PragmaDisjoint, RefusesOverlappingLookups) {  // defect 21
  EXPECT_TRUE(pragmas("begin, i: x = T(*); i, a: y = T(*); a, b: x == f[y]; a, c: x == h[y]; b, end: ; c, end: ;",
                      "pragma-disjoint")
                  .empty());
}
TEST(PragmaDisjoint, RefusesGroupsOfAlternatives) {  // defect 22
  EXPECT_TRUE(pragmas("begin, i: x = T(*); i, s: y = T(*); s, a: x == 1; s, a: y != 1; s, b: x != 1; s, b: y == 1; a, "
                      "end: ; b, end: ;",
                      "pragma-disjoint")
                  .empty());
}
TEST(PragmaUnique, KnowsLoopsAndStraightLines) {
  EXPECT_THAT(
      pragmas("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;", "pragma-unique"),
      ElementsAre("@repeat l : x;", "@unique begin end q o;"));
}
// One walk from each state: no node is a second arrival's.
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
TEST(PragmaTagIndex, CountsTags) {
  EXPECT_THAT(pragmas("begin, a: player = p; a, b: $ k; b, c: $ l; a, c: ; c, d: $ e; d, end: player = keeper;",
                      "pragma-tag-index"),
              ElementsAre("@tagIndex a : 0;", "@tagIndex b : 1;", "@tagMaxIndex c : 2;"));
}
TEST(PragmaSimpleApply, BindsTheTagOfAChoice) {
  EXPECT_THAT(pragmas("begin, q: player = p; q, a: x = T(*); a, b: m[x] == 1; b, c: $$ x; c, d: y = x; d, e: $$ y; e, "
                      "end: player = keeper;",
                      "pragma-simple-apply")[1],
              "@simpleApplyExhaustive q c [x_1: T] x = T(x_1);");
}
TEST(PragmaSimpleApply, LeavesAnotherChoiceAlone) {  // defect 23
  const auto lines = pragmas(
      "begin, q: player = p; q, a: x = T(*); a, b: y = T(*); b, c: $$ y; c, d: $$ x; d, e: $$ y; e, end: player = "
      "keeper;",
      "pragma-simple-apply");
  for (const std::string& line : lines) EXPECT_THAT(line, testing::Not(testing::HasSubstr("x = T(y_1)")));
}
TEST(PragmaIterator, KnowsAFilteredChoice) {
  EXPECT_THAT(pragmas("const r: T -> Bool = { 1: 1, :0 }; begin, a: x = T(*); a, b: r[x] == 1; b, end: $$ x;",
                      "pragma-iterator"),
              ElementsAre("@iterator begin a b : x;"));
  EXPECT_TRUE(pragmas("const r: T -> Bool = { 1: 1, :0 }; begin, a: x = T(*); a, b: r[y] == 1; b, end: $$ x;",
                      "pragma-iterator")
                  .empty());
}

// --- The pipeline and its tools. ---

TEST(Pipeline, UnknownPassesAreNamed) {
  ir::Game g = game("begin, end: ;");
  OptimizeOptions options;
  options.passes = {"merge-node"};
  EXPECT_THROW(optimize(g, options), Error);
}
TEST(Pipeline, StopsAfterSoManyRuns) {
  ir::Game g = game("begin, end: T(x) == 1;");
  OptimizeOptions options;
  options.stop_after = 1;
  EXPECT_EQ(optimize(g, options).pass_runs, 1U);
}
TEST(Pipeline, TwiceChangesNothing) {
  ir::Game g = game(
      "begin, s: player = p; s, a: x = T(*); a, b: m[x] == 1; b, c: $$ x; c, d: m[x] = 2; d, e: player = keeper; e, s: "
      "player = p; e, end: player = keeper;");
  optimize(g);
  const std::string once = rg::print(g);
  optimize(g);
  EXPECT_EQ(rg::print(g), once);
}
TEST(Pipeline, LevelZeroDoesNothing) {
  ir::Game g = game("begin, a: ; a, end: ;");
  OptimizeOptions options;
  options.level = 0;
  EXPECT_EQ(optimize(g, options).pass_runs, 0U);
}

class NaivePlay final : public Play {
 public:
  explicit NaivePlay(const ir::Game& game) : evaluator_(game), state_(evaluator_.initial()) {}
  void reset() override { state_ = evaluator_.initial(); }
  [[nodiscard]] bool terminal() const override { return evaluator_.final(state_); }
  [[nodiscard]] std::string mover() const override { return evaluator_.mover(state_); }
  [[nodiscard]] std::string goals() const override { return evaluator_.goals(state_); }
  std::vector<std::string> moves() override {
    all_ = evaluator_.moves(state_);
    std::vector<std::string> texts;
    for (const auto& [tags, states] : all_) texts.push_back(tags);
    return texts;
  }
  void apply(std::size_t index) override {
    moves();
    state_ = naive::State(*std::next(all_.begin(), static_cast<std::ptrdiff_t>(index))->second.begin());
  }

 private:
  naive::Evaluator evaluator_;
  naive::State state_;
  std::map<std::string, std::set<naive::State>> all_;
};

TEST(VerifyEach, AcceptsTheRealPassesAndFindsADifference) {
  const Engine engine = [](const ir::Game& g) { return std::make_unique<NaivePlay>(g); };
  const char* const text =
      "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: x != 2; b, d: x == 2; c, e: goals[p] = 9; d, e: ; e, "
      "end: player = keeper;";
  ir::Game g = game(text);
  OptimizeOptions options;
  options.verify_each = engine;
  EXPECT_NO_THROW(optimize(g, options));
  ir::Game other = game(text);
  other.graph.set_label(ir::EdgeId(5U), ir::Empty{});
  EXPECT_EQ(compare_by_walks(engine, game(text), other, Effect::none),
            "after // 1/ the result is p:0  instead of p:9 ");
  // Walks that are recorded once tell the same about each later version.
  RecordedWalks walks(engine, {.walks = 50});
  std::size_t made = 0;
  EXPECT_EQ(walks.compare(game(text), g, Effect::none, &made), "");
  EXPECT_EQ(made, 50U);
  EXPECT_EQ(walks.compare(g, game(text), Effect::none, &made), "");
  EXPECT_EQ(walks.compare(game(text), other, Effect::none, &made), "after // 1/ the result is p:0  instead of p:9 ");
}

TEST(Explain, SaysWhy) {
  ir::Game g = game("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;");
  const std::string text = explain_pragmas(g, g.find_node(g.symbols.intern("l")));
  EXPECT_THAT(text, testing::HasSubstr("@unique: no, "));
  EXPECT_THAT(text, testing::HasSubstr("@repeat: yes; x can tell"));
}

}  // namespace
}  // namespace rgtrans::passes
