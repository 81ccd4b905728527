// The analyses on small games. Each test includes a case that a simpler analysis gets wrong.
#include "core/analysis/analysis.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontends/rg/rg.hpp"

namespace rgtrans::analysis {
namespace {

class Analysis : public testing::Test {
 protected:
  void load(const std::string& edges) {
    game = rg::parse_game(
        "type Player = { p }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type M = T -> T;"
        "const f: M = { 1: 2, 2: 3, :1 }; const g: M = { 1: 3, :2 };"
        "var x: T = 1; var y: T = 2; var m: M = { :1 };" +
        edges);
    cache.emplace(game);
  }
  ir::NodeId node(const char* name) { return game.find_node(game.symbols.intern(name)); }
  ir::VarId variable(const char* name) { return game.find_variable(game.symbols.intern(name)); }
  bool live(const char* v, const char* n) { return cache->liveness().live(variable(v), node(n)); }
  std::vector<std::string> values(const char* v, const char* n) {
    std::vector<std::string> names;
    for (SymbolId s : cache->values().sets().of(cache->values().values(game.variable_ref(variable(v)), node(n)))) {
      names.push_back(game.symbols.str(s));
    }
    std::ranges::sort(names);
    return names;
  }
  using Names = std::vector<std::string>;

  ir::Game game;
  std::optional<Cache> cache;
};

TEST_F(Analysis, FlowEntersChecksAndTellsWhereMovesPass) {
  load("begin, a: ? s -> t; s, t: x == 1; a, end: ; lost, end: ;");
  EXPECT_TRUE(cache->flow().reached(node("s")));
  EXPECT_FALSE(cache->flow().main(node("s")));
  EXPECT_TRUE(cache->flow().main(node("a")));
  EXPECT_FALSE(cache->flow().reached(node("lost")));
}

TEST_F(Analysis, LivenessIsStrongAndSeesTagVariablesIndicesAndGoals) {
  load(
      "begin, a: x = f[x]; a, b: m[y] = T(*); b, c: m[1] == 2; c, d: $$ y; d, e: goals[p] = 9; e, end: player = "
      "keeper;");
  EXPECT_FALSE(live("x", "begin"));
  EXPECT_TRUE(live("y", "begin"));
  EXPECT_TRUE(live("y", "c"));
  EXPECT_FALSE(live("y", "d"));
  EXPECT_TRUE(live("goals", "e"));
  EXPECT_TRUE(live("m", "b"));
}

TEST_F(Analysis, LivenessOfACheckReachesTheAskingEdge) {
  load("begin, a: x = 2; a, b: ? s -> t; s, t: x == 1; b, end: player = keeper;");
  EXPECT_TRUE(live("x", "a"));
  EXPECT_FALSE(live("x", "b"));
}

TEST_F(Analysis, VersionsAgreeExactlyWhereNothingWasWritten) {
  load("begin, a: x = 2; a, b: y == 1; a, b: y == 2; b, c: x == 2; c, begin: y = 3; c, end: ;");
  const Versions& versions = cache->versions();
  EXPECT_EQ(versions.at(variable("x"), node("a")), versions.at(variable("x"), node("c")));
  // begin merges the initial value with the value from c.
  EXPECT_NE(versions.at(variable("y"), node("begin")), variable("y").value);
  EXPECT_EQ(versions.at(variable("y"), node("begin")), versions.at(variable("y"), node("c")));
  EXPECT_EQ(versions.row(versions.at(variable("y"), node("c"))).kind, Versions::Kind::merge);
}

TEST_F(Analysis, VersionsChangeWhereAVariableIsDead) {
  load("begin, a: x = y; a, b: y = 1; a, c: y = 2; b, d: ; c, d: ; d, e: $$ x; e, end: player = keeper;");
  EXPECT_NE(cache->versions().at(variable("y"), node("a")), cache->versions().at(variable("y"), node("d")));
}

// Each merge is in the dominance frontier of all preceding nodes of the chain.
TEST_F(Analysis, VersionsOfALongChainWhoseWaysMeetNeedLittleMemory) {
  constexpr int kLength = 60'000;
  std::string edges = "begin, c0: x = 2;";
  for (int i = 0; i < kLength; ++i) {
    edges += fmt::format("c{0}, m{0}: y == 1; c{0}, c{1}: {2}; m{0}, m{1}: ;", i, i + 1,
                         i == kLength / 2 ? "x = 3" : "y == 2");
  }
  load(edges + fmt::format("c{0}, m{0}: y == 1; m{0}, end: ;", kLength));
  const Versions& versions = cache->versions();
  const auto x = [&](const std::string& name) { return versions.at(variable("x"), node(name.c_str())); };
  EXPECT_EQ(x("c0"), x(fmt::format("m{}", kLength / 2)));
  EXPECT_EQ(x(fmt::format("c{}", kLength / 2 + 1)), x(fmt::format("c{}", kLength)));
  EXPECT_NE(x("c0"), x(fmt::format("c{}", kLength)));
  const Version met = x(fmt::format("m{}", kLength / 2 + 1));
  EXPECT_EQ(versions.row(met).kind, Versions::Kind::merge);
  EXPECT_NE(met, x("c0"));
}

TEST_F(Analysis, DominatorsFollowTheFlow) {
  load("begin, a: ; a, b: ; a, c: ; b, d: ; c, d: ; d, end: ;");
  const Flow& flow = cache->flow();
  EXPECT_EQ(cache->dominators().parent(flow.index(node("d"))), flow.index(node("a")));
  EXPECT_TRUE(cache->dominators().dominates(flow.index(node("begin")), flow.index(node("end"))));
  EXPECT_FALSE(cache->dominators().dominates(flow.index(node("b")), flow.index(node("d"))));
}

TEST_F(Analysis, ValueSetsFollowConditionsAndKeepTheInitialValue) {
  load("begin, a: x == 1; a, b: x = f[x]; b, begin: x = f[x]; begin, c: x != 1; c, end: $$ x;");
  EXPECT_EQ(values("x", "begin"), (Names{"1", "3"}));
  EXPECT_EQ(values("x", "a"), (Names{"1"}));
  EXPECT_EQ(values("x", "b"), (Names{"2"}));
  EXPECT_EQ(values("x", "c"), (Names{"3"}));
}

TEST_F(Analysis, ValueSetsKnowWhatCannotBeReached) {
  load("begin, a: x == 2; a, end: ; begin, end: ;");
  EXPECT_FALSE(cache->values().possible(node("a")));
}

TEST_F(Analysis, KnownConditionsMeetOverAllWays) {
  load(
      "begin, a: m[x] == 1; begin, b: m[x] == 1; a, c: y = 1; b, c: m[y] = 2; a, d: y = 3; b, d: y = 2; c, end: ; d, "
      "end: ;");
  KnownConditions known(game, cache->flow());
  const ir::Label condition = game.graph.label(ir::EdgeId(0U));
  EXPECT_EQ(known.ask(condition, node("d")), Truth::yes);
  EXPECT_EQ(known.ask(negated(condition), node("d")), Truth::no);
  EXPECT_EQ(known.ask(condition, node("c")), Truth::unknown);
}

TEST_F(Analysis, KnownChecksAreForgottenWhenTheyReadWhatIsWritten) {
  load("begin, a: ? s -> t; s, t: m[x] == 1; a, b: y = 1; b, c: x = 2; c, end: ;");
  KnownConditions known(game, cache->flow());
  const ir::Label condition = game.graph.label(ir::EdgeId(0U));
  EXPECT_EQ(known.ask(condition, node("b")), Truth::yes);
  EXPECT_EQ(known.ask(condition, node("c")), Truth::unknown);
}

// The check assigns x before it reads it.
TEST_F(Analysis, InputsOfACheckAreReadBeforeTheyAreAssigned) {
  load("begin, a: ? s -> t; s, u: x = T(*); u, t: m[x] == y; t, end: $$ x; a, b: x = 2; b, c: y = 2; c, end: ;");
  const ir::Label condition = game.graph.label(ir::EdgeId(0U));
  CheckInputs inputs(game);
  const Bits& found = inputs.of(std::get<ir::Reachability>(condition));
  EXPECT_TRUE(found.test(variable("m").value) && found.test(variable("y").value));
  EXPECT_FALSE(found.test(variable("x").value));
  KnownConditions known(game, cache->flow(), {.lost = {}, .inputs = &inputs});
  EXPECT_EQ(known.ask(condition, node("b")), Truth::yes);
  EXPECT_EQ(known.ask(condition, node("c")), Truth::unknown);
  EXPECT_EQ(known.at(node("b")).size(), 2U);
}

TEST_F(Analysis, AStoreThatMayBeLostTellsNothing) {
  load("begin, a: m[x] = 2; a, end: ;");
  Bits lost;
  lost.insert(0);
  EXPECT_TRUE(KnownConditions(game, cache->flow(), {.lost = lost}).at(node("a")).empty());
  EXPECT_EQ(KnownConditions(game, cache->flow()).at(node("a")).size(), 1U);
}

TEST_F(Analysis, TagCountsHaveBounds) {
  load("begin, a: player = p; a, b: $ k; a, b: ; b, c: $ l; c, c: $ m; c, end: player = keeper;");
  const TagCounts counts(game, cache->flow());
  EXPECT_TRUE(counts.fixed(node("a")));
  EXPECT_EQ(counts.at(node("b")).least, 0U);
  EXPECT_EQ(counts.at(node("b")).most, 1U);
  EXPECT_EQ(counts.at(node("c")).most, TagCounts::kUnbounded);
  EXPECT_EQ(counts.at(node("end")).most, 0U);
}

TEST_F(Analysis, ExclusiveEdges) {
  load("begin, a: x = T(*); a, b: x == 1; a, c: x == 2; a, d: x != 1; b, end: ; c, end: ; d, end: ;");
  Exclusive exclusive(game, cache->values());
  EXPECT_TRUE(exclusive.never_both(ir::EdgeId(1U), ir::EdgeId(2U)));
  EXPECT_TRUE(exclusive.never_both(ir::EdgeId(1U), ir::EdgeId(3U)));
  EXPECT_FALSE(exclusive.never_both(ir::EdgeId(2U), ir::EdgeId(3U)));
}

TEST_F(Analysis, ConditionsExcludeEachOtherForAllValues) {
  load(
      "begin, a: x = T(*); a, a0: y = T(*); a0, b: f[x] == 2; a0, c: g[x] == 2; a0, d: x == y; a0, e: f[x] == g[y];"
      "a0, i: f[x] == y; b, end: ; c, end: ; d, end: ; e, end: ; i, end: ;");
  HeldValues held(game);
  Exclusive by_sides(game, held);
  Exclusive by_values(game, held, Exclusive::kTries);
  const auto edge = [](std::uint32_t number) { return ir::EdgeId(number); };
  EXPECT_FALSE(by_sides.never_both(edge(2), edge(3)));
  EXPECT_TRUE(by_values.never_both(edge(2), edge(3)));   // x is 1; x is 2 or 3
  EXPECT_TRUE(by_values.never_both(edge(4), edge(5)));   // f and g differ everywhere
  EXPECT_FALSE(by_values.never_both(edge(5), edge(6)));  // x is 1, y is 2 or 3
  EXPECT_FALSE(by_values.never_both(edge(2), edge(4)));
}

TEST(Bits, GrowBeyondAWord) {
  Bits bits(200);
  bits.set(3);
  bits.set(199);
  EXPECT_TRUE(bits.test(199));
  EXPECT_EQ(bits.count(), 2U);
  bits.reset(199);
  std::vector<std::size_t> members;
  bits.for_each([&](std::size_t i) { members.push_back(i); });
  EXPECT_EQ(members, std::vector<std::size_t>{3});
}

}  // namespace
}  // namespace rgtrans::analysis
