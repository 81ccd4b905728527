// Small descriptions whose meaning is known, and hostile ones.
#include "frontends/gdl/gdl.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <ctime>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/gdl/network/machine.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans::gdl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

struct Result {
  std::shared_ptr<Sources> sources = std::make_shared<Sources>();
  Diagnostics diagnostics{sources};
  GroundProgram program;
  [[nodiscard]] std::string messages() const { return render(diagnostics.all(), *sources); }
};

Result read(const std::string& text, const GroundOptions& options = {}) {
  Result result;
  const auto& file = result.sources->add("game.kif", text);
  result.program = ground(file, result.diagnostics, options);
  return result;
}

// A game that is read without errors and played.
struct Play {
  explicit Play(const std::string& text)
      : result(read(text)), network(result.program), machine(result.program, network) {
    EXPECT_FALSE(result.diagnostics.has_errors()) << result.messages();
  }
  std::vector<std::string> legal(std::uint32_t role = 0) {
    std::vector<std::uint32_t> moves;
    machine.legal(role, moves);
    std::vector<std::string> out;
    for (const std::uint32_t m : moves) out.push_back(result.program.text(result.program.moves[m].term));
    return out;
  }
  std::vector<std::string> facts() {
    std::vector<std::string> out;
    for (std::uint32_t f = 0; f < result.program.facts.size(); ++f)
      if (machine.fact(f)) out.push_back(result.program.text(result.program.facts[f]));
    return out;
  }
  std::vector<std::string> goals(std::uint32_t role = 0) {
    std::vector<std::string> out;
    for (const TermId g : machine.goals(role)) out.push_back(result.program.text(g));
    return out;
  }
  // Every role makes its first legal move, or the one of that name.
  void step(const std::string& name = {}) {
    std::vector<std::uint32_t> joint, moves;
    for (std::uint32_t r = 0; r < result.program.roles.size(); ++r) {
      machine.legal(r, moves);
      ASSERT_FALSE(moves.empty());
      const auto named = std::ranges::find_if(
          moves, [&](std::uint32_t m) { return result.program.text(result.program.moves[m].term) == name; });
      joint.push_back(named == moves.end() ? moves[0] : *named);
    }
    machine.step(joint);
  }
  Result result;
  Network network;
  NetworkMachine machine;
};

// --- Reading. ---

// Statements about `base` that are no declarations of facts are left out, if no rule asks for them.
TEST(GdlReading, BaseOfTwoArgumentsIsARelation) {
  const std::string text =
      "(role r) (goal r 100) (legal r stay) (base a 1) (base b 2) (<= terminal (true (at ?x))) "
      "(<= (next (at ?x)) (does r (go ?x))) ";
  EXPECT_THAT(Play(text + "(<= (legal r (go ?x)) (base ?y ?x) (distinct ?y a))").legal(),
              UnorderedElementsAre("stay", "(go 2)"));
  EXPECT_THAT(Play(text + "(<= (legal r (go ?x)) (not (base a ?x)) (value ?x)) (value 1) (value 2)").legal(),
              UnorderedElementsAre("stay", "(go 2)"));
  EXPECT_THAT(Play(text + "(<= (legal r (go ?x)) (value ?x)) (value 1) (value 2)").legal(),
              UnorderedElementsAre("stay", "(go 1)", "(go 2)"));
}

// --- Rule splitting. ---

// Numbers 0 to 99 twice over: every rule below has a million instances and more, unless it is taken apart.
std::string many_numbers() {
  std::string text = "(role r) (role s) (init z) (<= terminal (true t)) (<= (next t) (true z)) (goal r 50) (goal s 50)";
  for (int i = 0; i < 100; ++i)
    text += " (n " + std::to_string(i) + ") (succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  return text + "(<= (legal ?r (say ?x)) (role ?r) (n ?x)) (<= (next (said ?r ?x)) (does ?r (say ?x)))";
}

TEST(GdlSplitting, IndependentConditions) {
  Play game(many_numbers() +
            "(<= (next both) (does r (say ?x)) (does s (say ?y)) (distinct ?x 3) (distinct ?y 4))"
            "(<= (next third) (true (said r ?x)) (true (said s ?y)) (true (said r ?u)) (not (true (said s ?u))))");
  EXPECT_LT(game.result.program.body_count(), 5'000U);
  game.step("(say 5)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("t", "both", "(said r 5)", "(said s 5)"));
  game.step("(say 3)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("(said r 3)", "(said s 3)"));
}

TEST(GdlSplitting, Chains) {
  Play game(many_numbers() +
            "(<= (next (sum ?z)) (true (said r ?x)) (true (said s ?y)) (add ?x ?y ?z))"
            "(<= (add 0 ?y ?y) (n ?y)) (<= (add ?x1 ?y ?z1) (add ?x ?y ?z) (succ ?x ?x1) (succ ?z ?z1))"
            "(<= (next far) (true (said r ?a)) (succ ?a ?b) (true (said s ?b)) (succ ?b ?c) (not (true (said r ?c))))");
  EXPECT_LT(game.result.program.body_count(), 30'000U);
  game.step("(say 7)");
  game.step("(say 8)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("(said r 8)", "(said s 8)", "(sum 14)"));
}

// What nothing asks for is not made: near/4 has a hundred million tuples, of which one row matters.
TEST(GdlSplitting, Demand) {
  Play game(many_numbers() +
            "(<= (near ?a ?b ?c ?d) (n ?a) (n ?b) (true (said ?r ?c)) (n ?d) (not (true (said ?r ?d))))"
            "(<= (next close) (true (said r ?x)) (small ?x) (near ?x ?x 5 6)) (small 1) (small 2)");
  EXPECT_LT(game.result.program.body_count(), 20'000U);
  game.step("(say 1)");
  game.step("(say 9)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("(said r 9)", "(said s 9)"));
}

// A rule of a thousand literals is grounded as it is.
TEST(GdlSplitting, LongRules) {
  std::string rule = "(<= (next end) (true (said r 0))";
  for (int i = 0; i < 1'000; ++i)
    rule += " (succ ?x" + std::to_string(i % 90) + " ?x" + std::to_string(i % 90 + 1) + ")";
  Play game(many_numbers() + rule + ")");
  game.step("(say 0)");
  game.step("(say 0)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("(said r 0)", "(said s 0)", "end"));
}

// A test on values that nothing in its part binds ranges over all they can be.
TEST(GdlSplitting, Inequalities) {
  Play game(many_numbers() +
            "(<= (next (kept ?x)) (true (said ?r ?x)) (does ?p (say ?y)) (does ?q (say ?z)) (distinct ?x ?y)"
            "    (distinct ?x ?z))");
  EXPECT_LT(game.result.program.body_count(), 60'000U);
  game.step("(say 1)");
  game.step("(say 2)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("(said r 2)", "(said s 2)", "(kept 1)"));
}

// --- Meaning. ---

TEST(Gdl, RuleWithoutBodyIsAFact) {
  Play game("(role r) (<= (legal r a)) (<= (goal r 100)) (<= (next done) (does r a)) (<= terminal (true done))");
  EXPECT_FALSE(game.machine.terminal());
  EXPECT_THAT(game.goals(), ElementsAre("100"));
  game.step();
  EXPECT_TRUE(game.machine.terminal());
  EXPECT_THAT(game.goals(), ElementsAre("100"));
}

TEST(Gdl, LegalInBodies) {
  Play game("(role r) (init p) (<= (legal r a) (true p)) (<= can (legal r ?m)) (<= terminal (not can)) (goal r 50)");
  EXPECT_FALSE(game.machine.terminal());
  game.step();
  EXPECT_TRUE(game.machine.terminal());
}

TEST(Gdl, UndefinedRelationIsFalse) {
  Play game(
      "(role r) (<= (legal r a) nothing) (<= (legal r b) (not nothing)) (<= terminal (true x)) (<= (next x) (does r "
      "b)) (goal r 1)");
  EXPECT_THAT(game.legal(), ElementsAre("b"));
  EXPECT_THAT(game.result.messages(), HasSubstr("no fact or rule defines 'nothing/0'"));
}

TEST(Gdl, InitIsNotTheNextOfTheEmptyState) {
  Play game(
      "(role r) (legal r n) (init alpha) (<= (next beta) (not (true alpha))) (<= terminal (true beta)) (goal r 0)");
  EXPECT_THAT(game.facts(), ElementsAre("alpha"));
  game.step();
  EXPECT_THAT(game.facts(), IsEmpty());
  game.step();
  EXPECT_THAT(game.facts(), ElementsAre("beta"));
}

TEST(Gdl, RoleVariableInHead) {
  Play game(
      "(role x) (role y) (role z) (cell 1 1) (<= (legal ?p ?p) (cell 1 1)) (<= terminal (true t)) (<= (next t) (does x "
      "x)) (goal x 0)");
  EXPECT_THAT(game.legal(0), ElementsAre("x"));
  EXPECT_THAT(game.legal(1), ElementsAre("y"));
  EXPECT_THAT(game.legal(2), ElementsAre("z"));
}

TEST(Gdl, FunctionTermsInRecursion) {
  Play game(
      "(role r) (r 0 0) (q 0) (<= (r ?x (f ?x)) (r ?y ?x) (q ?y)) (<= (legal r go) (r (f 0) (f (f 0)))) (<= terminal "
      "(true t)) (<= (next t) "
      "(does r go)) (goal r 0)");
  EXPECT_THAT(game.legal(), ElementsAre("go"));
}

TEST(Gdl, RepeatedVariables) {
  Play game(
      "(role r) (legal r (draw 1 1 1 2)) (<= (h ?x ?y ?z ?y) (does r (draw ?x ?y ?z ?y))) (<= (next box) (h 1 1 1 2)) "
      "(<= (next t) (does r ?m)) (<= "
      "terminal (true t)) (goal r 0)");
  game.step();
  EXPECT_THAT(game.facts(), ElementsAre("t"));
}

TEST(Gdl, PositiveCyclesWithoutSupport) {
  Play game(
      "(role r) (q 0) (q 1) (init z) (<= (p) (a)) (<= (a) (b)) (<= (b) (p)) (<= (a) (p)) (<= (s ?x) (s ?x) (q ?x)) (<= "
      "(legal r go) (not p) (not (s 1))) "
      "(<= terminal (not (true z))) (goal r 0)");
  EXPECT_THAT(game.legal(), ElementsAre("go"));
}

TEST(Gdl, MutualRecursionWithoutDirection) {
  Play game(
      "(role p) (r 1 2) (<= (r ?x ?y) (s ?x ?y)) (<= (s ?x ?y) (r ?y ?x) (r 1 2)) (<= (init (f ?x ?y)) (r ?x ?y)) (<= "
      "(init (g ?x ?y)) (s ?x ?y)) (legal p "
      "n) (<= terminal (true (f 1 2))) (goal p 0)");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("(f 1 2)", "(f 2 1)", "(g 2 1)", "(g 1 2)"));
}

TEST(Gdl, LeftRecursion) {
  Play game(
      "(role p) (init (heap a 2)) (init (heap b 0)) (init (heap c 5)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) "
      "(succ 4 5) (<= (smaller ?x ?y) (succ "
      "?x ?y)) (<= (smaller ?x ?y) (smaller ?z ?y) (succ ?x ?z)) (<= (legal p (reduce ?h ?n)) (true (heap ?h ?m)) "
      "(smaller ?n ?m)) (<= (next done) (does p "
      "?m)) (<= terminal (true done)) (goal p 0)");
  EXPECT_EQ(game.legal().size(), 7U);
}

TEST(Gdl, DistinctBeforeItsVariablesAreBound) {
  Play game(
      "(role r) (p a) (p b) (q a) (q b) (<= (legal r (m ?x ?y)) (distinct ?x ?y) (p ?x) (q ?y)) (<= terminal (true t)) "
      "(<= (next t) (does r ?m)) (goal r 0)");
  EXPECT_THAT(game.legal(), UnorderedElementsAre("(m a b)", "(m b a)"));
}

// A rule stands for all its instances: (not (p x ?v)) holds when it holds for any term, and of those there are
// infinitely many.
TEST(Gdl, VariablesOfTestsOnly) {
  const std::string rules =
      "(role r) (p a) (p b) (p r) (p 0) (p n) (<= (next x) (not (p ?v))) (<= (next y) (not (true ?v)) (not (true x)))"
      "(<= (legal r n) (not (does2 ?v ?w)) (distinct ?v ?w)) (<= terminal (true t)) (<= (goal r 0) (p ?g))";
  Play infinite(rules + "(init (f a))");
  EXPECT_THAT(infinite.result.messages(), HasSubstr("variable ?v occurs in tests only"));
  infinite.step();
  EXPECT_THAT(infinite.facts(), UnorderedElementsAre("x", "y"));
  // Here a, b, r, 0, n and the facts x, y, t are all terms.
  Play finite(rules);
  finite.step();
  EXPECT_THAT(finite.facts(), UnorderedElementsAre("x", "y"));
  Play none("(role r) (legal r r) (p r) (<= (next r) (not (p ?v))) (<= terminal (true r)) (<= (goal r r) (p r))");
  none.step();
  EXPECT_THAT(none.facts(), IsEmpty());
}

TEST(Gdl, NegatedDistinctIsEquality) {
  Play game(
      "(role r) (p a) (p b) (<= (legal r (m ?x)) (p ?x) (not (distinct ?x a))) (<= (legal r (n ?y)) (not (distinct b "
      "?y))) (<= (legal r k) (not (distinct a "
      "b))) (<= terminal (true t)) (<= (next t) (does r ?m)) (goal r 0)");
  EXPECT_THAT(game.legal(), UnorderedElementsAre("(m a)", "(n b)"));
}

// The front end has names of its own for equality and for parts of rules; a description may use the same words.
TEST(Gdl, AnyWordCanBeARelation) {
  Play game(
      "(role r) (#= 1 2) (#5 3 4) (init #=) (<= (legal r ?y) (#= ?x ?y)) (<= (legal r ?y) (#5 ?x ?y)) (<= (legal r 7) "
      "(not (#= 1 1))) (<= (legal r 8) (not (#= 1 2))) (<= terminal (not (true #=))) (goal r 0)");
  EXPECT_THAT(game.legal(), UnorderedElementsAre("2", "4", "7"));
}

TEST(Gdl, EqualitiesInLargeDisjunctions) {
  std::string alternatives = "(not (distinct ?x ?y))";
  for (int i = 0; i < 300; ++i) alternatives += fmt::format(" (and (q {}) (distinct ?x ?y))", i);
  Play game("(role r) (p 1) (p 2) (<= (legal r (m ?x ?y)) (p ?x) (p ?y) (or " + alternatives +
            ")) (<= terminal (true t)) (goal r 0)");
  EXPECT_THAT(game.legal(), UnorderedElementsAre("(m 1 1)", "(m 2 2)"));
}

TEST(Gdl, DisjunctionsAndDeMorgan) {
  Play game(
      "(role r) (init a) (p 1) (p 2) (<= (legal r (m ?x)) (p ?x) (or (not (true a)) (and (true a) (or (distinct ?x 1) "
      "(true b))))) (<= (legal r n) (not (or "
      "(true a) (true b)))) (<= (legal r k) (not (not (true a)))) (<= terminal (true t)) (<= (next t) (does r (m ?x))) "
      "(goal r 0)");
  EXPECT_THAT(game.legal(), UnorderedElementsAre("(m 2)", "k"));
}

TEST(Gdl, WholeFactsAndMovesAsVariables) {
  Play game(
      "(role r) (init (p 1)) (init q) (<= (next ?f) (true ?f) (not (gone ?f))) (<= (gone ?f) (does r (drop ?f))) (<= "
      "(legal r (drop ?f)) (true ?f) (ok ?f)) (ok (p 1)) (ok q) (<= "
      "(next (did ?m)) (does r ?m)) (<= terminal (true (did (drop q)))) (goal r 0)");
  EXPECT_THAT(game.legal(), UnorderedElementsAre("(drop (p 1))", "(drop q)"));
  game.step("(drop (p 1))");
  EXPECT_THAT(game.facts(), UnorderedElementsAre("q", "(did (drop (p 1)))"));
}

TEST(Gdl, ParenthesesAndCase) {
  Play game("(ROLE r) (INIT (p)) (<= (LEGAL r (a)) (TRUE p)) (<= (terminal) (Not (true p))) (GOAL r 7)");
  EXPECT_THAT(game.legal(), ElementsAre("a"));
  EXPECT_THAT(game.goals(), ElementsAre("7"));
}

TEST(Gdl, NegationThroughGroundStrata) {
  Play game(
      "(role r) (init p) (legal r n) (<= (goal r 0) (true p)) (<= (goal r 100) (not (goal r 0))) (<= terminal (not "
      "(true p)))");
  EXPECT_THAT(game.goals(), ElementsAre("0"));
  game.step();
  EXPECT_THAT(game.goals(), ElementsAre("100"));
}

TEST(Gdl, DynamicRecursionIsALeastFixpoint) {
  Play game(
      "(role r) (init (edge a b)) (init (edge b a)) (init (edge c d)) (<= (reach b) (true (edge a b)) (start)) (<= "
      "(start) (true (on))) (<= (reach ?y) (reach "
      "?x) (true (edge ?x ?y))) (legal r n) (<= (next (on)) (does r n)) (<= (next (edge ?x ?y)) (true (edge ?x ?y)) "
      "(not (true on))) (<= terminal (reach a)) "
      "(goal r 0)");
  EXPECT_FALSE(game.machine.terminal());
  game.step();
  EXPECT_TRUE(game.machine.terminal());
  game.step();
  EXPECT_FALSE(game.machine.terminal());
}

TEST(Gdl, Infix) {
  Play game(
      "role(r) init(cell(a)) legal(r, mark(X)) :- true(cell(X)) & ~true(taken(X))\n; a comment\nnext(taken(X)) :- "
      "does(r, mark(X)) terminal :- "
      "true(taken(a)) goal(r, 100)");
  EXPECT_THAT(game.legal(), ElementsAre("(mark a)"));
  game.step();
  EXPECT_TRUE(game.machine.terminal());
}

TEST(Gdl, GroundDescriptionMeansTheSame) {
  const std::string text =
      "(role x) (role o) (init (control x)) (i 1) (i 2) (<= (init (cell ?a b)) (i ?a)) (<= (legal ?r (mark ?a)) (true "
      "(control ?r)) (true (cell ?a b))) (<= "
      "(legal x noop) (true (control o))) (<= (legal o noop) (true (control x))) (<= (next (cell ?a ?r)) (does ?r "
      "(mark ?a))) (<= (next (cell ?a ?v)) (true "
      "(cell ?a ?v)) (distinct ?v b)) (<= (next (cell ?a b)) (true (cell ?a b)) (does ?r (mark ?c)) (distinct ?a ?c)) "
      "(<= (next (control o)) (true (control "
      "x))) (<= (next (control x)) (true (control o))) (<= open (true (cell ?a b))) (<= terminal (not open)) (<= (goal "
      "?r 100) (true (cell 1 ?r)) (role ?r)) "
      "(<= (goal ?r 0) (role ?r) (not (true (cell 1 ?r))))";
  Result first = read(text);
  ASSERT_FALSE(first.diagnostics.has_errors()) << first.messages();
  std::string printed;
  print_ground(first.program, [&](std::string_view piece) { printed += piece; });
  Result second = read(printed);
  ASSERT_FALSE(second.diagnostics.has_errors()) << second.messages() << printed;
  const JointPerft a = joint_perft(first.program, 4);
  const JointPerft b = joint_perft(second.program, 4);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t d = 0; d < a.rows.size(); ++d) {
    EXPECT_EQ(a.rows[d].leaves, b.rows[d].leaves);
    EXPECT_EQ(a.rows[d].distinct, b.rows[d].distinct);
  }
  EXPECT_EQ(a.rows[2].leaves, 2U);
  std::string dot;
  print_network(first.program, [&](std::string_view piece) { dot += piece; });
  EXPECT_THAT(dot, HasSubstr("digraph"));
}

// --- Lowering. ---

ir::Game lower_text(const std::string& text, Result& result, const FrontendOptions& options = {}) {
  const auto& file = result.sources->add("game.kif", text);
  ir::Game game = frontend().load(file, result.diagnostics, options);
  if (!result.diagnostics.has_errors()) ir::verify(game, result.diagnostics);
  return game;
}

constexpr const char* kMatchingPennies =
    "(role even) (role odd) (side h) (side t) (<= (legal ?r ?s) (role ?r) (side ?s)) (next done) (<= (next same) (does "
    "even ?x) (does odd ?x)) (<= terminal "
    "(true done)) (<= (goal even 100) (true same)) (<= (goal odd 0) (true same)) (<= (goal even 0) (not (true same))) "
    "(<= (goal odd 100) (not (true same)))";

TEST(GdlLowering, SimultaneousMovesAreHiddenThenRevealed) {
  Result result;
  const ir::Game game = lower_text(kMatchingPennies, result);
  ASSERT_FALSE(result.diagnostics.has_errors()) << result.messages();
  const auto play = make_interpreter(game);
  const auto keeper = [&] {
    std::string seen;
    while (!play->terminal() && play->mover() == play->info().keeper()) {
      EXPECT_EQ(play->move_count(), 1U);
      seen = play->observed_move_text(0, 1);
      play->apply(0);
    }
    return seen;
  };
  keeper();
  ASSERT_EQ(play->mover(), 0U);
  ASSERT_EQ(play->move_count(), 2U);
  EXPECT_EQ(play->observed_move_text(0, 1), "");
  EXPECT_NE(play->observed_move_text(0, 0), "");
  play->apply(0);
  keeper();
  ASSERT_EQ(play->mover(), 1U);
  ASSERT_EQ(play->move_count(), 2U);
  play->apply(0);
  EXPECT_EQ(keeper(), "h h");
  EXPECT_TRUE(play->terminal());
  EXPECT_EQ(play->goal(0), "100");
  EXPECT_EQ(play->goal(1), "0");
}

TEST(GdlLowering, ForcedMovesDisappear) {
  const std::string text =
      "(role x) (role o) (init (control x)) (i 1) (i 2) (<= (legal ?r (mark ?a)) (true (control ?r)) (i ?a)) (<= "
      "(legal x noop) (true (control o))) (<= "
      "(legal o noop) (true (control x))) (<= (next (control o)) (true (control x))) (<= (next (control x)) (true "
      "(control o))) (<= (next (last ?a)) (does ?r "
      "(mark ?a))) (<= terminal (true (last 2)) (true (control x))) (goal x 100) (goal o 0)";
  Result result;
  const ir::Game game = lower_text(text, result);
  ASSERT_FALSE(result.diagnostics.has_errors()) << result.messages();
  EXPECT_EQ(make_interpreter(game)->perft(2), 4U);
  Result kept;
  FrontendOptions options;
  options.values["keep-forced"] = "";
  const ir::Game full = lower_text(text, kept, options);
  EXPECT_EQ(make_interpreter(full)->perft(4), 4U);
}

TEST(GdlLowering, NonLinearRecursion) {
  // Two paths meet: (both ?x ?y) needs two atoms of its own component.
  const std::string text =
      "(role r) (n 1) (n 2) (n 3) (init (e 1 2)) (init (e 2 3)) (<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) "
      "(path ?x ?y) (path ?y ?z)) (<= (legal r "
      "(go ?x ?y)) (path ?x ?y)) (<= (next (e ?x ?y)) (does r (go ?y ?x))) (<= (next (e ?x ?y)) (true (e ?x ?y))) (<= "
      "(next (count 1)) (not (true (count "
      "1)))) (<= terminal (path 3 1)) (goal r 100)";
  Result result;
  const ir::Game game = lower_text(text, result);
  ASSERT_FALSE(result.diagnostics.has_errors()) << result.messages();
  Result reference = read(text);
  const JointPerft perft = joint_perft(reference.program, 3);
  const auto play = make_interpreter(game);
  for (unsigned d = 1; d <= 3; ++d) EXPECT_EQ(play->perft(d), perft.rows[d].leaves);
}

// --- Mistakes. ---

TEST(GdlErrors, Syntax) {
  EXPECT_THAT(read("(role x) (<= (legal x a) (true p)\n(role y)\n").messages(), HasSubstr("never closed"));
  EXPECT_THAT(read("(role x) (<= (legal x a) (true p)\n(role y)\n").messages(), HasSubstr("line 2"));
  EXPECT_THAT(read("(role x))\n(legal x a)").messages(), HasSubstr("')' without a '(' before it"));
  EXPECT_THAT(read("").messages(), HasSubstr("the description is empty"));
  EXPECT_THAT(read("; only a comment").messages(), HasSubstr("the description is empty"));
  EXPECT_THAT(read("()").messages(), HasSubstr("an empty list"));
  EXPECT_THAT(read("(?x a)").messages(), HasSubstr("a variable cannot be a relation"));
  EXPECT_THAT(read("(role x) (<= (next ?) (true p))").messages(), HasSubstr("needs a name"));
  EXPECT_THAT(read("(role x) (<= (true p) (true q))").messages(), HasSubstr("cannot be the head"));
  EXPECT_THAT(read("(role x) (<= (legal x a) (next p))").messages(), HasSubstr("cannot be used in the body"));
  EXPECT_THAT(read("(role x) (goal x)").messages(), HasSubstr("'goal' takes 2 arguments, not 1"));
  EXPECT_THAT(read("role(x) legal(x, a").messages(), HasSubstr("expected ',' or ')'"));
  EXPECT_THAT(read("role(x) legal(x, a) :- & p").messages(), HasSubstr("expected a sentence"));
  EXPECT_THAT(read(std::string(100'000, '(')).messages(), HasSubstr("nesting is deeper"));
  EXPECT_THAT(read("role(x) p :- " + std::string(100'000, '~') + "q").messages(), HasSubstr("nesting is deeper"));
}

TEST(GdlErrors, ManyAtOnce) {
  const Result result = read("(role x)\n(<= (legal x ?m) (true p))\n(<= (next ?q) (true p))\n(goal x)\n");
  EXPECT_GE(result.diagnostics.error_count(), 1U);
  EXPECT_THAT(result.messages(), HasSubstr("game.kif:4"));
  const Result unsafe = read("(role x)\n(<= (legal x ?m) (true p))\n(<= (next ?q) (true p))\n");
  EXPECT_EQ(unsafe.diagnostics.error_count(), 2U);
  EXPECT_THAT(unsafe.messages(), HasSubstr("variable ?m"));
}

TEST(GdlErrors, Dependencies) {
  EXPECT_THAT(read("(role x) (<= (init p) (q)) (<= (q) (true r)) (legal x a)").messages(),
              HasSubstr("'init' depends on the state"));
  EXPECT_THAT(read("(role x) (<= (legal x a) (q)) (<= (q) (does x a))").messages(), HasSubstr("depends on 'does'"));
  EXPECT_THAT(read("(role x) (init p) (<= (legal x a) (not q)) (<= (q) (not s) (true p)) (<= (s) (not q) (true p)) (<= "
                   "terminal q)")
                  .messages(),
              HasSubstr("its own negation"));
  EXPECT_THAT(read("(role x) (<= (init p) (not q)) (<= (q) (not s)) (<= (s) (not q))").messages(),
              HasSubstr("negation through recursion"));
  EXPECT_THAT(read("(legal x a)").messages(), HasSubstr("no role"));
}

TEST(GdlErrors, InfiniteTerms) {
  const Result result = read("(role x) (p 0) (<= (p (s ?x)) (p ?x)) (<= (legal x ?m) (p ?m)) (<= terminal (true t))");
  EXPECT_THAT(result.messages(), HasSubstr("ever larger terms"));
  const Result dynamic =
      read("(role x) (init (c 0)) (<= (next (c (s ?x))) (true (c ?x))) (legal x a) (<= terminal (true t))");
  EXPECT_THAT(dynamic.messages(), HasSubstr("ever larger terms"));
}

TEST(GdlErrors, Limits) {
  std::string text = "(role x) (<= terminal (true t))";
  for (int i = 0; i < 60; ++i) text += " (n " + std::to_string(i) + ")";
  text += "(<= (legal x (m ?a ?b ?c)) (n ?a) (n ?b) (n ?c))";
  GroundOptions options;
  options.max_rules = 1000;
  EXPECT_THAT(read(text, options).messages(), HasSubstr("more than 1000 rules"));
  options.max_rules = 100'000'000;
  options.max_memory = 5'000'000;
  EXPECT_THAT(read(text, options).messages(), HasSubstr("MiB"));
}

// `count` rules: a chain of facts, a chain of relations, and facts.
std::string many_rules(std::size_t count) {
  std::string text = "(role x) (legal x a) (init (p 0)) (<= (legal x b) (q0))";
  const std::size_t third = count / 3;
  text += "(<= terminal (true (p " + std::to_string(third - 1) + ")))\n";
  for (std::size_t i = 0; i < third; ++i) {
    const std::string here = std::to_string(i), next = std::to_string(i + 1);
    text += "(<= (next (p " + next + ")) (true (p " + here + ")))\n";
    text += "(<= (q" + here + ") (q" + next + "))\n";
    text += "(f " + here + ")\n";
  }
  return text + "(<= (goal x 0) (f 7))";
}

TEST(GdlErrors, MillionRules) {
  const Result result = read(many_rules(kMillion));
  EXPECT_FALSE(result.diagnostics.has_errors()) << result.messages().substr(0, 1000);
  EXPECT_EQ(result.program.facts.size(), kMillion / 3 + 1);
}

// Ten times the rules must not take much more than ten times as long. Processor time, since other programs may run.
TEST(GdlErrors, ManyRulesTakeLinearTime) {
  const auto seconds = [](const std::string& text) {
    const std::clock_t start = std::clock();
    read(text);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const std::string small = many_rules(kMillion / 50);
  const std::string large = many_rules(kMillion / 5);
  const double base = std::min(seconds(small), seconds(small));
  EXPECT_LT(seconds(large), 40 * base + 0.2);
}

TEST(GdlErrors, UnsafeRules) {
  const std::string rest = "(role r) (legal r n) (p 1) (<= terminal (true t)) (goal r 0)";
  const Result head = read(rest + "\n(<= (next (f ?x)) (p 1))");
  EXPECT_THAT(head.messages(), HasSubstr("game.kif:2:5"));
  EXPECT_THAT(head.messages(), HasSubstr("variable ?x of the rule for 'next' is not bound by any positive sentence"));
  const Result negated = read(rest + "\n(<= (next (f ?x)) (not (p ?x)))");
  EXPECT_THAT(negated.messages(), HasSubstr("variable ?x"));
  EXPECT_TRUE(negated.diagnostics.has_errors());
  const Result only_distinct = read(rest + "\n(<= (next (f ?x)) (distinct ?x 1))");
  EXPECT_TRUE(only_distinct.diagnostics.has_errors());
}

TEST(GdlErrors, UnstratifiedNegation) {
  const std::string rest = "(role r) (legal r n) (<= terminal (true t)) (goal r 0) (init z)\n";
  const Result direct = read(rest + "(<= (next x) p)\n(<= p (not q) (true z))\n(<= q (not p) (true z))");
  EXPECT_THAT(direct.messages(), HasSubstr("depends on its own negation through this rule"));
  EXPECT_THAT(direct.messages(), HasSubstr("game.kif:"));
  const Result initial = read(rest + "(<= (init x) p)\n(<= p (not q))\n(<= q (not p))");
  EXPECT_THAT(initial.messages(), HasSubstr("negation through recursion"));
}

TEST(GdlErrors, NothingToRead) {
  for (const char* text : {"", "   \n\n", "; only a comment", "; a\r; b\r"})
    EXPECT_THAT(read(text).messages(), HasSubstr("the description is empty")) << text;
}

TEST(GdlErrors, HostileBytesAndNesting) {
  // None of these may crash or hang; that they are errors is all that is asked.
  for (const std::string& text :
       {std::string(100'000, '('), std::string(100'000, ')'), std::string("(\0)", 3), std::string("(role ?)"),
        std::string("(<= ?x ?y)"), std::string("p(") + std::string(100'000, 'a'),
        std::string("p(a) :- ") + std::string(1000, '~'), std::string("(<= (p) (or))"), std::string("()"),
        std::string("(<= (next (f ?x)) (or ") + std::string(300, '(')}) {
    EXPECT_TRUE(read(text).diagnostics.has_errors()) << text.substr(0, 40);
  }
  // Words are any bytes.
  EXPECT_FALSE(read("\xff\xfe(role \xc3)").diagnostics.has_errors());
  // 2^40 alternatives, each named by a relation of its own.
  std::string rule = "(<= (next x)";
  for (int i = 0; i < 40; ++i)
    rule += " (or (true (a " + std::to_string(i) + ")) (true (b " + std::to_string(i) + ")))";
  const Result many = read("(role r) (legal r n) (init (a 0)) (<= terminal (true x)) (goal r 0)" + rule + ")");
  EXPECT_FALSE(many.diagnostics.has_errors()) << many.messages();
}

// --- Slips: legal, but hardly meant. ---

std::string slips(const std::string& from, const std::string& to) {
  std::string text =
      "(role x) (role y) (init (sum 0)) (init (control x)) (succ 0 1) (succ 1 2)\n"
      "(<= (legal ?p go) (true (control ?p)))\n(<= (legal x noop) (true (control y)))\n"
      "(<= (legal y noop) (true (control x)))\n(<= (next (sum ?n)) (true (sum ?m)) (succ ?m ?n) (does ?p go))\n"
      "(<= (next (control x)) (true (control y)))\n(<= (next (control y)) (true (control x)))\n"
      "(<= terminal (true (sum 2)))\n(<= (goal x 100) terminal)\n(<= (goal y 0) terminal)\n";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return read(text).messages();
}

TEST(GdlSlips, NoneInAnOrdinaryGame) { EXPECT_EQ(slips("", ""), ""); }

TEST(GdlSlips, AreTold) {
  EXPECT_THAT(slips("(legal ?p go)", "(legall ?p go)"),
              AllOf(HasSubstr("game.kif:2:"), HasSubstr("'legall/2' is defined but never used"),
                    HasSubstr("did you mean legal?")));
  EXPECT_THAT(slips("(next (sum", "(next (sun"),
              AllOf(HasSubstr("nothing asks for the fact 'sun'"), HasSubstr("did you mean sum?")));
  EXPECT_THAT(slips("terminal (true (sum 2))", "terminal (true (sun 2))"),
              AllOf(HasSubstr("no rule for init or next makes the fact 'sun' true"), HasSubstr("did you mean sum?")));
  EXPECT_THAT(slips("(next (sum ?n))", "(next (sum ?n ?m))"), testing::Not(HasSubstr("is asked for")))
      << "init makes the other one";
  EXPECT_THAT(slips("terminal (true (sum 2))", "terminal (true (sum 2 0))"),
              HasSubstr("the fact 'sum' is asked for with 2 arguments, but made with 1 argument"));
  EXPECT_THAT(slips("(does ?p go)", "(does ?p goo)"),
              AllOf(HasSubstr("no role ever has a move 'goo'"), HasSubstr("did you mean go?")));
  EXPECT_THAT(slips("(legal x noop)", "(legal z noop)"),
              AllOf(HasSubstr("there is no role 'z'"), HasSubstr("the roles are x, y")));
  EXPECT_THAT(slips("(succ ?m ?n)", "(suc ?m ?n)"), HasSubstr("did you mean succ?"));
}

}  // namespace
}  // namespace rgtrans::gdl
