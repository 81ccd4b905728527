// Evaluation of claims during play. Of each kind, a true claim passes and a wrong one stops the play. The claims of
// passes, pragmas and the interpreter hold on random games, and a proof with a planted mistake is found.
#include "backends/claims/claims.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/core/passes/small_games.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::claims {
namespace {

using ir::EdgeId;
using ir::NodeId;
using passes::game;
using testing::HasSubstr;

// Three choices, of which 2 goes a way of its own; then y is 1 or 3, and is stored below x.
constexpr const char* kGame =
    "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: x != 2; b, d: x == 2; c, e: y = x; d, e: y = 1;"
    "e, g: m[x] = y; g, h: ? u -> v; u, v: y == 1; u, w: y == 3; w, v: ; h, end: player = keeper;";

class Claimed {
 public:
  explicit Claimed(const std::string& text = kGame) : game_(game(text)) { game_.claims.want(); }

  [[nodiscard]] EdgeId edge(const std::string& text) const {
    const auto names = game_.node_names();
    for (const EdgeId id : game_.graph.edges())
      if (rg::print_edge(game_, id, names) == text) return id;
    ADD_FAILURE() << "there is no edge " << text;
    return {};
  }
  [[nodiscard]] NodeId node(const std::string& name) const { return game_.find_node(game_.symbols.find(name)); }
  [[nodiscard]] ir::VarId variable(const std::string& name) const {
    return game_.find_variable(game_.symbols.find(name));
  }
  [[nodiscard]] SymbolId symbol(const std::string& name) const { return game_.symbols.find(name); }
  ir::ExprId read(const std::string& name) { return game_.variable_ref(variable(name)); }
  ir::Compare equal(const std::string& name, const std::string& value, bool negated = false) {
    return {read(name), game_.symbol(symbol(value)), negated};
  }
  ir::Game& operator*() { return game_; }

  // The message that a play gives for a claim; "" if the claim holds.
  [[nodiscard]] std::string says(ir::ClaimContent content) const {
    ir::Game claimed = game_;
    claimed.claims.add("test", std::move(content));
    std::vector<std::unique_ptr<Follower>> followers;
    followers.push_back(make_follower(std::make_shared<const ir::Game>(std::move(claimed))));
    const auto reasoner = assert_proofs(make_interpreter(game_), std::move(followers));
    try {
      reasoner->playouts({.count = 30, .seed = 3});
    } catch (const ProofError& error) {
      return error.diagnostics().front().message + "; " + error.diagnostics().front().hint;
    }
    return "";
  }
  void expect(ir::ClaimContent right, ir::ClaimContent wrong, const std::string& message) const {
    EXPECT_EQ(says(std::move(right)), "");
    EXPECT_THAT(says(std::move(wrong)), HasSubstr(message));
  }

 private:
  ir::Game game_;
};

TEST(Claims, ConditionsThatHoldOrExcludeEachOther) {
  Claimed g;
  g.expect(ir::Holds{g.node("c"), {}, {g.equal("x", "1"), g.equal("x", "3")}},
           ir::Holds{g.node("c"), {}, {g.equal("x", "1")}},
           "test relied on a claim that does not hold: condition holds: at node c: x == 1; the sides are 3 and 1");
  g.expect(ir::Holds{g.edge("e, g: m[x] = y;"), {g.equal("x", "2")}, {g.equal("y", "1")}},
           ir::Holds{g.edge("e, g: m[x] = y;"), {g.equal("x", "3")}, {g.equal("y", "1")}}, "if x == 3, then y == 1");
  g.expect(ir::Holds{g.node("e"), {g.equal("x", "2"), g.equal("y", "3")}, {}},
           ir::Holds{g.node("e"), {g.equal("x", "2"), g.equal("y", "1")}, {}}, "conditions exclude each other");
}

TEST(Claims, EdgesThatCanAlwaysOrNeverBeTaken) {
  Claimed g(std::string(kGame) + "d, e: x != 2; c, e: x != 2;");
  g.expect(ir::Passable{g.edge("c, e: x != 2;"), true}, ir::Passable{g.edge("b, c: x != 2;"), true},
           "edge is always passable: `b, c: x != 2;`");
  g.expect(ir::Passable{g.edge("d, e: x != 2;"), false}, ir::Passable{g.edge("g, h: ? u -> v;"), false},
           "edge is never passable");
  g.expect(ir::Unreached{g.edge("d, e: x != 2;")}, ir::Unreached{g.node("d")}, "a walk comes to the node");
  g.expect(ir::Unreached{g.node("u"), true}, ir::Unreached{g.node("u"), false}, "a walk comes to the node");
}

TEST(Claims, ValuesOfExpressionsAndVariables) {
  Claimed g;
  const SymbolId one = g.symbol("1"), two = g.symbol("2"), three = g.symbol("3");
  g.expect(ir::OneOf{g.node("e"), g.read("y"), {one, three}}, ir::OneOf{g.node("e"), g.read("y"), {one}}, "it is 3");
  g.expect(ir::OnlyHolds{g.variable("m"), {one, three}}, ir::OnlyHolds{g.variable("m"), {three}},
           "m holds 3; it holds 1");
  g.expect(ir::OnlyHolds{g.variable("y"), {one, two, three}}, ir::OnlyHolds{g.variable("y"), {one, two}}, "it holds 3");
}

TEST(Claims, EdgesThatExcludeEachOther) {
  Claimed g;
  const EdgeId c = g.edge("b, c: x != 2;"), d = g.edge("b, d: x == 2;");
  g.expect(ir::Alternatives{{c, d}, true, true}, ir::Alternatives{{c}, true, true}, "0 of 1 can be taken");
  Claimed h(
      "begin, s: player = p; s, a: x = T(*); a, b: x != 1; a, c: x != 2; b, d: $ 1; c, d: $ 2; d, end: player = "
      "keeper;");
  EXPECT_THAT(h.says(ir::Alternatives{{h.edge("a, b: x != 1;"), h.edge("a, c: x != 2;")}, true, false}),
              HasSubstr("2 of 2 can be taken"));
}

// A dropped value may be copied, and read where the claim allows it.
TEST(Claims, ValuesThatNobodyReads) {
  const std::string text =
      "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: y = x; c, d: x = 1; d, e: m[y] = 2; e, f: y = 2;"
      "f, g: z = 2; g, h: z == 2; h, end: player = keeper;";
  Claimed g(text);
  const EdgeId copy = g.edge("b, c: y = x;"), reset = g.edge("c, d: x = 1;"), index = g.edge("d, e: m[y] = 2;");
  g.expect(ir::Unread{reset, {}, {}}, ir::Unread{g.edge("f, g: z = 2;"), {}, {}}, "it is read by g, h: z == 2;");
  EXPECT_EQ(g.says(ir::Unread{copy, {}, {}}), "");
  EXPECT_THAT(g.says(ir::Unread{g.edge("s, a: x = T(*);"), {}, {}}), HasSubstr("it is read by a, b: $$ x;"));
  EXPECT_EQ(g.says(ir::Unread{g.edge("s, a: x = T(*);"), {}, {g.edge("a, b: $$ x;")}}), "");
  g.expect(ir::Unread{index, g.variable("x"), {}}, ir::Unread{index, g.variable("goals"), {}}, "value is not read");
  // The value goes through a copy.
  Claimed h("begin, s: player = p; s, a: x = T(*); a, b: y = x; b, c: y == 1; b, c: y != 1; c, end: player = keeper;");
  EXPECT_THAT(h.says(ir::Unread{h.edge("s, a: x = T(*);"), {}, {}}), HasSubstr("it is read by b, c: y == 1;"));
}

TEST(Claims, EdgesThatLeaveAConditionAlone) {
  Claimed g;
  const EdgeId store = g.edge("d, e: y = 1;");
  g.expect(ir::Unaffected{store, g.equal("x", "2")}, ir::Unaffected{store, g.equal("y", "1")},
           "edge leaves a condition alone");
  const ir::Reachability check{g.node("u"), g.node("v"), false};
  g.expect(ir::Unaffected{g.edge("e, g: m[x] = y;"), check}, ir::Unaffected{store, check}, "? u -> v");
}

TEST(Claims, LabelsWithTheSameEffect) {
  Claimed g;
  const EdgeId copy = g.edge("c, e: y = x;"), test = g.edge("b, d: x == 2;"), tag = g.edge("a, b: $$ x;");
  g.expect(ir::SameEffect{copy, ir::Assign{g.read("y"), g.read("x")}},
           ir::SameEffect{copy, ir::Assign{g.read("y"), (*g).symbol(g.symbol("1"))}}, "label has the same effect");
  EXPECT_THAT(g.says(ir::SameEffect{copy, ir::Empty{}}), HasSubstr("as an empty edge"));
  // A check of which a front end claims that it always holds.
  const EdgeId open = g.edge("w, v: ;");
  g.expect(ir::SameEffect{open, ir::Reachability{g.node("w"), g.node("v"), false}},
           ir::SameEffect{open, ir::Reachability{g.node("w"), g.node("a"), false}}, "label has the same effect");
  g.expect(ir::SameEffect{test, ir::Compare{(*g).symbol(g.symbol("2")), g.read("x"), false}},
           ir::SameEffect{test, g.equal("x", "3")}, "as x == 3");
  g.expect(ir::SameEffect{tag, ir::TagVariable{g.variable("x")}}, ir::SameEffect{tag, ir::Tag{g.symbol("1")}},
           "as $ 1");
}

TEST(Claims, TagsThatComeBefore) {
  Claimed g;
  const EdgeId tag = g.edge("a, b: $$ x;"), later = g.edge("e, g: m[x] = y;");
  g.expect(ir::TagsBefore{tag, 0, true}, ir::TagsBefore{tag, 1, true}, "there are 0");
  g.expect(ir::TagsBefore{later, 2, false}, ir::TagsBefore{later, 0, false}, "there are 1");
}

TEST(Claims, ArrivalsAndLabelings) {
  Claimed g(
      "begin, s: player = p; s, a: x = T(*); a, b: y = 1; a, c: y = 1; b, d: ; c, d: z = 2; d, e: $ 1; e, f: $$ x;"
      "s, q: $ 2; q, q1: $ 2; s, r: $ 2; r, q1: $ 2; q1, f: ; f, end: player = keeper;");
  EXPECT_EQ(g.says(ir::Once{g.node("a"), false, true, {}}), "");
  EXPECT_EQ(g.says(ir::Once{g.node("d"), false, true, {}}), "");  // z distinguishes them
  EXPECT_THAT(g.says(ir::Once{g.node("q1"), false, true, {}}), HasSubstr("a second walk arrives in the same state"));
  EXPECT_EQ(g.says(ir::Once{g.node("q1"), false, false, ir::Reachability{g.node("a"), g.node("d"), false}}), "");
  g.expect(ir::ToldApart{g.node("d"), {g.variable("x"), g.variable("z")}}, ir::ToldApart{g.node("e"), {}},
           "two arrivals differ in something else");
  EXPECT_THAT(g.says(ir::Distinct{g.node("s")}), HasSubstr("two walks read alike"));
  EXPECT_EQ(Claimed().says(ir::Distinct{Claimed().node("s")}), "");
}

TEST(Claims, NodesWithTheSameFuture) {
  Claimed g(
      "begin, s: player = p; s, a: x = T(*); a, b: $ 1; a, c: $ 2; a, d: $ 3; b, e: y = x; c, e: y = x; d, e: y = 1;"
      "e, end: player = keeper;");
  g.expect(ir::SameFuture{g.node("b"), g.node("c")}, ir::SameFuture{g.node("b"), g.node("d")},
           "nodes have the same future");
  Claimed h(
      "begin, s: player = p; s, a: ? u -> t; u, v: x == 1; u, w: x == 1; v, t: y == 2; w, t: y == 1;"
      "a, end: player = keeper;");
  EXPECT_THAT(h.says(ir::SameFuture{h.node("v"), h.node("w")}), HasSubstr("nodes have the same future"));
}

TEST(Claims, ColumnsThatDetermineAValue) {
  Claimed g(
      "begin, s: player = p; s, a: $ 1; a, b: m[x] = 2; b, c: m[y] = 3; c, d: m[x] = 2; d, e: m[x] = 1; e, end: player "
      "= keeper;");
  const EdgeId first = g.edge("a, b: m[x] = 2;"), again = g.edge("c, d: m[x] = 2;"), other = g.edge("d, e: m[x] = 1;");
  g.expect(ir::Determined{{first, again, g.edge("b, c: m[y] = 3;")}}, ir::Determined{{first, other}},
           "2 and 1 are written to one cell");
}

TEST(Claims, PatternsOfTags) {
  Claimed g(
      "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: x != 2; b, d: x == 2; c, e: ; d, e: goals[p] = 9;"
      "e, end: player = keeper;");
  const SymbolId name = g.symbol("player");  // any name will do for the value of the tag
  const ir::ExprId bound = (*g).symbol(name);
  const ir::TypeId type = (*g).variable(g.variable("x")).type;
  ir::SimpleApply right{g.node("s"), g.node("b"), {{name, type}}, {{g.read("x"), bound}}, true};
  ir::SimpleApply wrong = right;
  wrong.effects[0].rhs = (*g).symbol(g.symbol("2"));
  g.expect(ir::KnownEffect{right}, ir::KnownEffect{wrong}, "tags have a known effect");
}

// A claim about what a pass made itself is about nothing in the version before it.
TEST(Claims, AboutWhatIsNotThereAreRetired) {
  Claimed g;
  (*g).claims.add("test", ir::Unreached{EdgeId(1000U)});
  (*g).claims.add("test", ir::Unreached{g.node("d")});
  Follower::Counts counts;
  make_follower(std::make_shared<const ir::Game>(*g))->count(counts);
  EXPECT_EQ(counts.retired, 1U);
  EXPECT_EQ(counts.claims["no walk comes here"], 2U);
}

// The message names the rewrite, the claim and the state.
TEST(Claims, MessagesSayWhere) {
  Claimed g;
  ir::Game before = *g;
  (*g).claims.add("some-pass", ir::Unreached{g.node("d")}, before.graph.where(g.edge("d, e: y = 1;")));
  (*g).keep_stage(before);
  EXPECT_TRUE((*g).claims.empty());
  const auto reasoner = assert_proofs(make_interpreter(*g), *g);
  try {
    reasoner->perft(1);
    FAIL();
  } catch (const ProofError& error) {
    const Diagnostic& diagnostic = error.diagnostics().front();
    EXPECT_TRUE(diagnostic.where.known());
    EXPECT_THAT(diagnostic.message, HasSubstr("some-pass relied on a claim that does not hold"));
    EXPECT_EQ(diagnostic.notes.front().message, "in the state after //");
  }
}

// The claims of the optimizer, the pragmas and the interpreter about random games.
TEST(Claims, OfThePassesHold) {
  Follower::Counts counts;
  for (std::uint64_t seed = 1; seed <= test::random_count(corpus::full() ? 40 : 15); ++seed) {
    test::Choices choices(seed);
    ir::Game g = rg::parse_game(test::random_game(choices));
    g.claims.want();
    passes::optimize(g, {});
    auto followers = followers_of(g);
    for (const auto& follower : followers) follower->count(counts);
    const auto reasoner = assert_proofs(make_interpreter(g), std::move(followers));
    try {
      reasoner->playouts({.count = 3, .seed = seed, .max_moves = 12});
    } catch (const ProofError& error) {
      FAIL() << "seed " << seed << ": " << error.what();
    } catch (const Error&) {
      // A game that is not proper.
    }
  }
  EXPECT_GT(counts.claims.size(), 8U);
}

// The rewrites of passes that are run by name.
std::set<std::string> rewrites(const std::string& text, const std::string& pass) {
  ir::Game g = game(text);
  g.claims.want();
  passes::OptimizeOptions options;
  options.passes = std::vector<std::string>{pass};
  passes::optimize(g, options);
  std::set<std::string> result;
  for (const auto& version : g.stages)
    for (const ir::Claim& claim : version->claims.list())
      result.insert(claim.rewrite + ": " + std::string(ir::kind_of(claim)));
  assert_proofs(make_interpreter(g), g)->playouts({.count = 20, .seed = 1});
  return result;
}

TEST(Claims, OfPassesThatJoinSplitAndClose) {
  EXPECT_EQ(rewrites("begin, s: player = p; s, a: y = 1; s, b: y = 1; a, c: $ 1; b, c: $ 2; c, end: player = keeper;",
                     "join-prefixes"),
            std::set<std::string>{"join-prefixes: label has the same effect"});
  EXPECT_EQ(rewrites("begin, s: player = p; s, a: m[1] = 2; a, b: m[1] == 2; b, c: $ 1; c, end: player = keeper;",
                     "split-maps"),
            std::set<std::string>{"split-maps: values of an expression"});
  EXPECT_EQ(
      rewrites("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;", "close-cycles"),
      std::set<std::string>{"close-cycles: values of an expression"});
}

// Walks enter the loop with different values of x, and the loop leads from one of them to the others.
TEST(Claims, OfLoopsThatWalksEnterInSeveralStates) {
  ir::Game g = game(
      "begin, s: player = p; s, l: x = T(*); l, m: x != 3; m, l: x = f[x]; l, o: x == 3; o, e: $ 1;"
      "e, end: player = keeper;");
  g.claims.want();
  const auto reasoner = assert_proofs(make_interpreter(g), g);
  EXPECT_NO_THROW(reasoner->playouts({.count = 5, .seed = 1}));
}

// Walks pass the node where the conditions exclude each other with different values of x, and lose them before they
// meet.
TEST(Claims, OfMergesThatWalksEnterInSeveralStates) {
  ir::Game g = game(
      "begin, s: player = p; s, a: x = T(*); a, b: x == 1; a, c: x != 1; b, d: x = 2; c, d: x = 2; d, e: $ 1;"
      "e, end: player = keeper;");
  g.claims.want();
  const auto reasoner = assert_proofs(make_interpreter(g), g);
  EXPECT_NO_THROW(reasoner->playouts({.count = 5, .seed = 1}));
}

// Claims in the author's language are evaluated in plays of the rules, by the same reasoner.
TEST(Claims, AboutTheRulesOfADescription) {
  const std::string text =
      "(role p) (init (at 1)) (succ 1 2) (succ 2 3) (legal p go) (legal p stay)"
      "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does p go)) (<= (next (at ?x)) (true (at ?x)) (does p stay))"
      "(<= terminal (true (at 3))) (goal p 100)";
  const Frontend& language = frontend_for("gdl", "game.kif", text);
  FrontendOptions options;
  options.claims = true;
  Diagnostics diagnostics;
  const ir::Game read = load_text("game.kif", text, language, diagnostics, options);
  const auto says = [&](const std::string& rules) -> std::string {
    ir::Game claimed = read;
    claimed.claims.add("test", ir::RuleClaim{"a fact does not hold", rules});
    const auto play = assert_proofs(make_interpreter(claimed), claimed,
                                    rule_reader(language, *claimed.sources()->file_of(1), options));
    const auto copy = play->clone();
    try {
      copy->playouts({.count = 3, .seed = 1});
    } catch (const ProofError& error) {
      return error.diagnostics().front().message;
    }
    return "";
  };
  EXPECT_EQ(says("(<= violated (true (at 4)))\n"), "");
  EXPECT_THAT(
      says("(<= violated (true (at 2)))\n"),
      HasSubstr("test relied on a claim that does not hold: a fact does not hold:\n(<= violated (true (at 2)))"));
  // Without a way to play the rules nobody asks.
  EXPECT_EQ(follow_rules(read, {}), nullptr);
}

// A pass that believes something wrong about the game.
TEST(Claims, FindAWrongPass) {
  Claimed g;
  ir::Game before = *g;
  const EdgeId test = g.edge("b, c: x != 2;");
  (*g).claims.add("mutant", ir::Passable{test, true});
  (*g).graph.set_label(test, ir::Empty{});
  (*g).keep_stage(before);
  const auto reasoner = assert_proofs(make_interpreter(*g), *g);
  EXPECT_THROW(reasoner->playouts({.count = 50, .seed = 1}), ProofError);
}

}  // namespace
}  // namespace rgtrans::claims
