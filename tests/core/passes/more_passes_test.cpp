// The passes that go beyond the published ones, each on small games: what it makes of them, and where it must not fire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

TEST(FilterChoices, TakesTheMembersThatPass) {
  const char* const text =
      "begin, q: player = p; q, a: x = T(*); a, b: f[x] != 2; b, c: $$ x; c, end: player = keeper;";
  EXPECT_THAT(after(text, {"filter-choices"}), ElementsAre("begin, q: player = p;", "q, a: x = T_1(*);", "a, b: ;",
                                                           "b, c: $$ x;", "c, end: player = keeper;"));
  EXPECT_THAT(rg::print(transformed(text, {"filter-choices"})), HasSubstr("type T_1 = { 2, 3 };"));
  keeps(text, "filter-choices");
}
TEST(FilterChoices, UsesATypeThatIsThere) {
  EXPECT_THAT(after("begin, a: x = T(*); a, end: x != 3;", {"filter-choices"}),
              ElementsAre("begin, a: x = U(*);", "a, end: ;"));
}
TEST(FilterChoices, DropsAChoiceThatNeverPasses) {
  EXPECT_THAT(after("begin, a: x = U(*); a, end: x == 3; begin, end: ;", {"filter-choices"}),
              UnorderedElementsAre("a, end: x == 3;", "begin, end: ;"));
}
TEST(FilterChoices, LeavesOtherVariablesAndOtherWays) {
  leaves("begin, a: x = T(*); a, end: x == y;", "filter-choices");
  leaves("begin, a: x = T(*); a, end: x == 1; a, end: x == 2;", "filter-choices");
  leaves("begin, a: x = T(*); begin, a: ; a, end: x == 1;", "filter-choices");
  leaves("begin, a: m[1] = T(*); a, end: m[1] == 1;", "filter-choices");
  // A check that starts between the two does not make the choice.
  const char* const check =
      "begin, q: player = p; q, a: x = T(*); a, b: x != 1; b, c: $$ x; q, c: ? a -> b; c, end: player = keeper;";
  leaves(check, "filter-choices");
  keeps(check, "filter-choices");
}

TEST(HoistConditions, TestsBeforeTheChoice) {
  EXPECT_THAT(after("begin, a: x = T(*); a, b: y = 1; b, c: z == 1; c, end: f[x] == y;", {"hoist-conditions"}),
              ElementsAre("begin, a: z == 1;", "a, b: x = T(*);", "b, c: y = 1;", "c, end: f[x] == y;"));
  EXPECT_THAT(after("begin, a: x = T(*); a, end: ? s -> t; s, t: y == 1;", {"hoist-conditions"}),
              ElementsAre("begin, a: ? s -> t;", "a, end: x = T(*);", "s, t: y == 1;"));
}
TEST(HoistConditions, LeavesWhatIsRead) {
  leaves("begin, a: x = T(*); a, end: x == 1;", "hoist-conditions");
  leaves("begin, a: m[1] = 2; a, end: m[y] == 1;", "hoist-conditions");
  leaves("begin, a: x = T(*); a, end: ? s -> t; s, s1: y == 1; s1, t: x == 1;", "hoist-conditions");
  leaves("begin, a: player = p; a, end: y == 1;", "hoist-conditions");
  // A cycle that nothing leads into, around which a condition could go for ever.
  leaves("begin, end: z == 1; a, b: x = T(*); b, a: y == 1;", "hoist-conditions");
  // Two ways in, two ways out, a check in between.
  leaves("begin, a: x = T(*); begin, a: x = 1; a, end: y == 1;", "hoist-conditions");
  leaves("begin, a: x = T(*); a, end: y == 1; a, end: y == 2;", "hoist-conditions");
  const char* const check =
      "begin, q: player = p; q, a: y = T(*); a, b: x == 1; b, c: $$ y; q, c: ? a -> b; c, end: player = keeper;";
  leaves(check, "hoist-conditions");
  keeps(check, "hoist-conditions");
}

TEST(SplitMaps, MakesVariablesOfCells) {
  const char* const text =
      "begin, q: player = p; q, a: n[2] == 2; a, b: n[1] = T(*); b, c: n[1] == n[2]; c, end: player = keeper;";
  EXPECT_THAT(after(text, {"split-maps"}), ElementsAre("begin, q: player = p;", "q, a: n_2 == 2;", "a, b: n_1 = T(*);",
                                                       "b, c: n_1 == n_2;", "c, end: player = keeper;"));
  const std::string printed = rg::print(transformed(text, {"split-maps"}));
  EXPECT_THAT(printed, HasSubstr("var n_1: T = 3;"));
  EXPECT_THAT(printed, HasSubstr("var n_2: T = 2;"));
  EXPECT_THAT(printed, Not(HasSubstr("var n:")));
  keeps(text, "split-maps");
}
TEST(SplitMaps, LeavesOtherKeysWholesAndGoals) {
  leaves("begin, a: m[1] = 2; a, end: m[x] == 2;", "split-maps");
  leaves("begin, a: m[1] = 2; a, end: m == n;", "split-maps");
  leaves("begin, a: m[1] = 2; a, end: m = n;", "split-maps");
  leaves("begin, a: m[m[1]] = 2; a, end: ;", "split-maps");
  leaves("begin, a: goals[p] = 9; a, end: ;", "split-maps");
}

TEST(DeadCells, DropsWhatIsWrittenAgain) {
  EXPECT_THAT(after("begin, a: m[x] = 1; a, b: y = 2; b, c: m[x] = y; c, end: m[1] == 2;", {"dead-cells"}),
              ElementsAre("begin, a: ;", "a, b: y = 2;", "b, c: m[x] = y;", "c, end: m[1] == 2;"));
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

TEST(KnownConditions, CarriesWhatACellHolds) {
  EXPECT_THAT(after("begin, a: m[x] = y; a, b: f[m[x]] == 1; b, c: n[1] == 2; c, end: z = n[1];", {"known-conditions"}),
              ElementsAre("begin, a: m[x] = y;", "a, b: f[y] == 1;", "b, c: n[1] == 2;", "c, end: z = 2;"));
  leaves("begin, a: m[x] = y; a, b: m[z] = 3; b, end: f[m[x]] == 1;", "known-conditions");
  leaves("begin, a: m[x] = y; a, b: y = 3; b, end: f[m[x]] == 1;", "known-conditions");
}

TEST(MirrorVariables, ReadsTheOtherOne) {
  EXPECT_THAT(after("begin, a: x = T(*); a, b: y = x; b, c: x == 1; c, end: $$ y;", {"mirror-variables"}),
              ElementsAre("begin, a: x = T(*);", "a, b: y = x;", "b, c: x == 1;", "c, end: $$ x;"));
  const char* const lockstep =
      "var w: T = 1; begin, q: player = p; q, l1: x = f[x]; l1, l2: w = f[w]; l2, q2: $ on; q2, q: player = p;"
      "l2, o2: w != 2; o2, o: $ no; o, end: player = keeper;";
  EXPECT_THAT(after(lockstep, {"mirror-variables"}), testing::Contains("l2, o2: x != 2;"));
  keeps(lockstep, "mirror-variables");
}
TEST(MirrorVariables, LeavesWhatMayDiffer) {
  leaves("begin, a: x = T(*); a, b: y = x; b, c: x = 1; c, end: $$ y;", "mirror-variables");
  leaves("begin, a: x = T(*); a, b: y = x; begin, b: ; b, end: $$ y;", "mirror-variables");
  leaves("begin, a: x = T(*); a, end: $$ y;", "mirror-variables");
  leaves("begin, a: x = T(*); a, b: z = x; b, end: $$ z;", "mirror-variables");  // of another type
}

TEST(JoinAlternatives, SimplifiesAFormula) {
  EXPECT_THAT(after("begin, a: x == 1; a, z1: y == 2; begin, b: x == 1; b, z1: y != 2; z1, end: $ t;",
                    {"join-alternatives", "skip-edges"}),
              UnorderedElementsAre("begin, a: x == 1;", "a, end: $ t;"));
  EXPECT_THAT(
      after("begin, a: x == 1; a, z1: y == 2; begin, z1: y == 2; z1, end: $ t;", {"join-alternatives", "skip-edges"}),
      UnorderedElementsAre("begin, z1: y == 2;", "z1, end: $ t;"));
  // (x and y) or (not x) or (not y): always.
  EXPECT_THAT(after("begin, a: x == 1; a, z1: y == 2; begin, z1: x != 1; begin, z1: y != 2; z1, end: $ t;",
                    {"join-alternatives", "skip-edges"}),
              UnorderedElementsAre("begin, end: $ t;"));
}
TEST(JoinAlternatives, LeavesOtherFormulas) {
  // Not a tautology: both may fail.
  leaves("begin, a: x == 1; a, z1: y == 2; begin, b: x != 1; b, z1: y != 2; z1, end: $ t;", "join-alternatives");
  leaves("begin, z1: x == 1; begin, z2: x != 1; z1, end: $ t; z2, end: $ u;", "join-alternatives");
  leaves("begin, a: x == 1; a, z1: y == 2; begin, z1: y == 2; begin, z1: ? begin -> a; z1, end: $ t;",
         "join-alternatives");
}

TEST(NarrowTypes, TakesWhatCanBeHeld) {
  const char* const text = "begin, q: player = p; q, a: x = U(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_THAT(rg::print(transformed(text, {"narrow-types"})), HasSubstr("var x: U = 1;"));
  EXPECT_THAT(rg::print(transformed("var w: T = 3; begin, a: w = U(*); a, end: $$ w;", {"narrow-types"})),
              HasSubstr("var w: U = 1;"));
  EXPECT_THAT(rg::print(transformed("begin, a: m[x] = 2; a, end: m[y] == 1;", {"narrow-types"})),
              HasSubstr("var m: T -> U = { :1 };"));
  keeps(text, "narrow-types");
}
TEST(NarrowTypes, KeepsWhatIsNeeded) {
  // One member of many is not worth a type.
  EXPECT_THAT(rg::print(transformed("type W = { 1, 2, 3, 4, 5 }; type V = { 1, 2, 3, 4, 5, 6 }; var w: V = 1;"
                                    "begin, a: w = W(*); a, end: $$ w;",
                                    {"narrow-types"})),
              HasSubstr("var w: V = 1;"));
  // The initial value is read; a whole type is chosen; a label that would not be well-typed.
  EXPECT_THAT(rg::print(transformed("var w: T = 3; begin, a: w = U(*); begin, a: ; a, end: $$ w;", {"narrow-types"})),
              HasSubstr("var w: T = 3;"));
  EXPECT_THAT(rg::print(transformed("begin, a: x = T(*); a, end: $$ x;", {"narrow-types"})),
              HasSubstr("var x: T = 1;"));
  EXPECT_THAT(rg::print(transformed("begin, a: x = U(*); a, end: x == 3;", {"narrow-types"})),
              HasSubstr("var x: T = 1;"));
}

TEST(MergeVariables, SharesWithALargerType) {
  const char* const text =
      "begin, q: player = p; q, a: z = U(*); a, b: $$ z; b, c: x = T(*); c, d: $$ x; d, end: player = keeper;";
  const std::string printed = rg::print(transformed(text, {"merge-variables"}));
  EXPECT_THAT(printed, HasSubstr("var x: T"));
  EXPECT_THAT(printed, Not(HasSubstr("var z")));
  keeps(text, "merge-variables");
}

TEST(ComposeMaps, TakesInEveryArgument) {
  EXPECT_THAT(after("begin, a: x = d[y][f[z]]; a, b: x = d[f[y]][z]; b, end: x = f[d[y][z]];", {"compose-maps"}),
              ElementsAre("begin, a: x = d_f[y][z];", "a, b: x = d_f_2[y][z];", "b, end: x = f_d[y][z];"));
  keeps(
      "begin, q: player = p; q, a: y = T(*); a, b: $$ y; b, c: z = U(*); c, e: $$ z; e, g: x = d[f[y]][h[z]]; g, i: $$ "
      "x; "
      "i, end: player = keeper;",
      "compose-maps");
  leaves("begin, a: x = d[y][m[z]]; a, end: x = m[f[z]];", "compose-maps");
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
TEST(InlineChecks, LeavesWhatCouldBothBeOpenAndCycles) {
  leaves("begin, r: ? s -> t; s, u: x == 1; s, v: y == 2; u, t: y == 2; v, t: x == 1; r, end: ;", "inline-checks");
  leaves("begin, r: ? s -> t; s, u: x == 1; s, v: x != 1; u, v: y == 2; v, u: y == 3; v, t: y == 1; r, end: ;",
         "inline-checks");
}

TEST(Explain, SaysWhatAnIteratorLacks) {
  auto explained = [](const std::string& text, const char* node) {
    ir::Game g = game("const ok: T -> T -> { 0, 1 } = { 1: { 2: 1, :0 }, :{ :0 } }; " + text);
    return explain_pragmas(g, g.find_node(g.symbols.intern(node)));
  };
  EXPECT_THAT(explained("begin, a: x = T(*); a, end: ok[y][x] == 1;", "begin"), HasSubstr("@iterator: yes"));
  EXPECT_THAT(explained("begin, a: x = T(*); a, end: ok[x][y] == 1;", "begin"),
              HasSubstr("@iterator: no, the choice is not"));
  EXPECT_THAT(explained("begin, end: y == 1;", "begin"), HasSubstr("@iterator: no, a choice"));
}

// 7000 choices of two equal ways each.
std::string large_game() {
  std::string text;
  for (int i = 0; i < 7000; ++i) {
    const std::string n = std::to_string(i), next = i == 6999 ? "end" : "n" + std::to_string(i + 1);
    const std::string at = i == 0 ? "begin" : "n" + n;
    text += at + ", a" + n + ": $ 1; " + at + ", b" + n + ": $ 2; a" + n + ", " + next + ": x = 2; b" + n + ", " +
            next + ": x = 2;";
  }
  return text;
}

TEST(Pipeline, SaysWhatItLeavesOutOfLargeGames) {
  ir::Game g = game(large_game());
  const OptimizeReport report = optimize(g, {});
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("merge-nodes: nodes that are equal only because of loops")));
  EXPECT_THAT(render_timings(report), HasSubstr("\nmerge-nodes: nodes that"));
  EXPECT_EQ(g.graph.edge_count(), 14000U) << "the assignments are dead, the tags stay";

  ir::Game small = game("begin, a: $ 1; begin, b: $ 2; a, end: x = 2; b, end: x = 2;");
  EXPECT_THAT(optimize(small, {}).notes, testing::IsEmpty());
}

TEST(MergeNodes, WorksInLargeGames) {
  ir::Game g = game(large_game());
  OptimizeOptions options;
  options.passes = {"merge-nodes"};
  optimize(g, options);
  EXPECT_EQ(g.graph.edge_count(), 3 * 7000U);
}

TEST(Pipeline, LooksOnlyAtWhatChanged) {
  // Casts come only from the input: after its first run strip-casts looks at changed edges alone, and finds nothing.
  ir::Game g = game("begin, a: T(x) == 1; a, b: y = x; b, c: $$ y; c, d: x == 1; d, end: player = keeper;");
  const std::size_t at = g.graph.journal().size();
  g.graph.set_label(ir::EdgeId(1U), ir::Empty{});
  EXPECT_THAT(
      std::vector<ir::EdgeId>(g.graph.journal().begin() + static_cast<std::ptrdiff_t>(at), g.graph.journal().end()),
      ElementsAre(ir::EdgeId(1U)));
  const std::uint64_t shape = g.graph.shape_changes();
  g.graph.set_label(ir::EdgeId(2U), ir::Empty{});
  EXPECT_EQ(g.graph.shape_changes(), shape);
  g.graph.remove_edge(ir::EdgeId(2U));
  EXPECT_GT(g.graph.shape_changes(), shape);
}

// A game in which keeper can get stuck is improper, but it must not become another game: the move that leads there is
// legal, and who makes it hangs in every version.
TEST(Prune, KeepsMovesAfterWhichThePlayHangs) {
  for (const int level : {0, 1, 2}) {
    ir::Game hanging = game(
        "begin, choose: player = p; choose, a: $ good; choose, b: $ bad; a, judge: player = keeper;"
        "b, dead: player = keeper; dead, dead2: T(1) == T(2); dead2, end: player = keeper;"
        "judge, won: goals[p] = 9; won, end: player = keeper;");
    OptimizeOptions options;
    options.level = level;
    optimize(hanging, options);
    const auto play = make_interpreter(hanging);
    play->move_count();
    play->apply(0);
    ASSERT_EQ(play->move_count(), 2U) << "-O" << level;
    const std::size_t bad = play->move_text(0) == "bad" ? 0 : 1;
    EXPECT_EQ(play->move_text(bad), "bad");
    play->apply(bad);
    EXPECT_FALSE(play->terminal());
    EXPECT_EQ(play->move_count(), 0U);
  }
}

}  // namespace
}  // namespace rgtrans::passes
