// The steps of lowering: the circuit, groups of facts that exclude each other, updates by move.
#include "frontends/gdl/lower/lower.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/gdl/circuit/circuit.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/circuit/exclusion.hpp"
#include "frontends/gdl/circuit/refute.hpp"
#include "frontends/gdl/circuit/restriction.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lower/updates.hpp"
#include "tests/support/gdl_same_tree.hpp"

namespace rgtrans::gdl {
namespace {

using ::testing::ElementsAre;

TEST(GdlCircuit, LeavesOfOneVariableMeet) {
  Circuit circuit;
  const std::uint32_t v = circuit.add_variable(5);
  const std::uint32_t w = circuit.add_variable(2);
  const Wire low = circuit.leaf(v, {0, 1});
  const Wire middle = circuit.leaf(v, {1, 2});
  const Wire high = circuit.leaf(v, {2, 3, 4});
  const Wire flag = circuit.leaf(w, {0});
  EXPECT_EQ(high, invert(low));
  EXPECT_EQ(circuit.conjunction({low, middle}), circuit.leaf(v, {1}));
  EXPECT_EQ(circuit.conjunction({low, flag, high}), kNever);
  EXPECT_EQ(circuit.disjunction({low, high}), kAlways);
  EXPECT_EQ(circuit.disjunction({low, middle}), circuit.leaf(v, {0, 1, 2}));
  EXPECT_EQ(circuit.conjunction({flag, low}), circuit.conjunction({low, flag}));
  EXPECT_EQ(circuit.conjunction({}), kAlways);
  EXPECT_EQ(circuit.disjunction({}), kNever);
  EXPECT_EQ(circuit.leaf(w, {1}), invert(flag));
}

TEST(GdlCircuit, AlternativesThatDifferInOneVariableAreUnited) {
  Circuit circuit;
  const std::uint32_t v = circuit.add_variable(3);
  const std::uint32_t w = circuit.add_variable(4);
  const Wire a = circuit.leaf(v, {0});
  const auto at = [&](std::uint32_t i) { return circuit.leaf(w, {i}); };
  EXPECT_EQ(factor(circuit, {{a, at(0)}, {a, at(1)}, {a, at(2)}, {a, at(3)}}), a);
  EXPECT_EQ(factor(circuit, {{a, at(0)}, {a, at(1)}}), circuit.conjunction({a, circuit.leaf(w, {0, 1})}));
  EXPECT_EQ(factor(circuit, {}), kNever);
  EXPECT_EQ(factor(circuit, {{a}, {}}), kAlways);
}

TEST(GdlCircuit, RestrictionsFollowTheChosenValue) {
  Circuit circuit;
  const std::uint32_t state = circuit.add_variable(3);
  const std::uint32_t move = circuit.add_variable(6);
  const Wire next = circuit.disjunction(
      {circuit.leaf(move, {4}), circuit.conjunction({circuit.leaf(state, {0}), invert(circuit.leaf(move, {1}))})});
  Restriction restriction(circuit, {next});
  restriction.postpone(move);
  restriction.run();
  EXPECT_EQ(restriction(next), circuit.leaf(state, {0}));
  restriction.choose(move, 4);
  EXPECT_EQ(restriction(next), kAlways);
  restriction.choose(move, 1);
  EXPECT_EQ(restriction(next), kNever);
  restriction.choose(move, 0);
  EXPECT_EQ(restriction(next), circuit.leaf(state, {0}));
  EXPECT_TRUE(restriction.changed().empty());
}

struct Grounded {
  explicit Grounded(const std::string& text, const LowerOptions& lowering = {}) {
    GroundOptions options;
    options.cone = true;
    program = ground(sources->add("game.kif", text), diagnostics, options);
    if (!diagnostics.has_errors()) game = lower(program, sources, lowering, diagnostics, &names);
    if (!diagnostics.has_errors()) ir::verify(game, diagnostics);
  }
  // Sizes of the groups with facts of this functor.
  [[nodiscard]] std::vector<std::size_t> sizes(std::string_view functor) const {
    std::vector<std::size_t> result;
    for (const FactGroup& group : names.groups)
      if (program.symbols.str(program.terms.symbol(program.facts[group.facts[0]])) == functor)
        result.push_back(group.facts.size());
    return result;
  }

  std::shared_ptr<Sources> sources = std::make_shared<Sources>();
  Diagnostics diagnostics{sources};
  GroundProgram program;
  LoweredNames names;
  ir::Game game{sources};
};

// No fact for an empty cell, so that a group has a value for "none".
constexpr const char* kMarks =
    "(role x) (role o) (init (control x)) (i 1) (i 2) (i 3) (<= (legal ?r (mark ?a)) (true (control ?r)) (i ?a) (not "
    "(taken ?a))) (<= (taken ?a) (true (cell ?a ?r))) (<= (legal x noop) (true (control o))) (<= (legal o noop) (true "
    "(control x))) (<= (next (cell ?a ?r)) (does ?r (mark ?a))) (<= (next (cell ?a ?v)) (true (cell ?a ?v))) (<= (next "
    "(control o)) (true (control x))) (<= (next (control x)) (true (control o))) (<= open (i ?a) (not (taken ?a))) (<= "
    "terminal (not open)) (<= (goal ?r 100) (true (cell 1 ?r)) (role ?r)) (<= (goal ?r 0) (role ?r) (not (true (cell 1 "
    "?r))))";

TEST(GdlExclusion, CellsAreVariables) {
  const Grounded marks(kMarks);
  ASSERT_FALSE(marks.diagnostics.has_errors());
  EXPECT_THAT(marks.sizes("control"), ElementsAre(2));
  EXPECT_THAT(marks.sizes("cell"), ElementsAre(2, 2, 2));
  auto play = make_interpreter(marks.game);
  EXPECT_EQ(play->perft(1), 3U);
  EXPECT_EQ(play->perft(3), 6U);
}

TEST(GdlLowering, OdditiesOfPlayoutsAreWarnings) {
  const Grounded game(
      "(role a) (role b) (legal a go) (legal a stay) (<= (legal b go) (not (true on))) (<= (next on) (does a stay)) "
      "(<= "
      "(next over) (does a go)) (<= terminal (true over)) (<= (goal a 30) (true over)) (<= (goal a 70) (true over))");
  ASSERT_FALSE(game.diagnostics.has_errors());
  std::string text;
  for (const Diagnostic& d : game.diagnostics.all()) text += d.message + "\n";
  EXPECT_THAT(text, ::testing::HasSubstr("the role b has no legal move though the game is not over"));
  EXPECT_THAT(text, ::testing::AnyOf(::testing::HasSubstr("in the initial state"), ::testing::HasSubstr("after ")));
  EXPECT_THAT(text, ::testing::HasSubstr("without a goal value for b"));
  EXPECT_THAT(text, ::testing::HasSubstr("several goal values for a"));
}

// Both can hold after fourteen steps of one kind in a row, which no playout meets.
TEST(GdlExclusion, WhatPlayoutsDoNotRefuteIsNotBelieved) {
  std::string text =
      "(role r) (legal r a) (legal r b) (legal r c) (legal r d) (init (at 0)) (init (p x)) (init (clock 0)) (next (p "
      "x)) "
      "(<= (next (at 0)) (does r ?m) (distinct ?m a)) (<= (next (at ?y)) (true (at ?x)) (does r a) (s ?x ?y)) (<= "
      "(next "
      "(p y)) (true (at 14))) (<= (next (clock ?y)) (true (clock ?x)) (t ?x ?y)) (<= terminal (true (clock 40))) (<= "
      "both (true (p x)) (true (p y))) (<= (goal r 100) both) (<= (goal r 0) (not both)) ";
  for (int i = 0; i < 40; ++i) text += "(t " + std::to_string(i) + " " + std::to_string(i + 1) + ") ";
  for (int i = 0; i < 14; ++i) text += "(s " + std::to_string(i) + " " + std::to_string(i + 1) + ") ";
  const Grounded game(text + "(s 14 14)");
  ASSERT_FALSE(game.diagnostics.has_errors());
  EXPECT_THAT(game.sizes("at"), ElementsAre(15));
  for (const std::size_t size : game.sizes("p")) EXPECT_EQ(size, 1U);
}

// A number of stones from 0 to `most`: a move adds one, another takes one away where the lamp is on, and the lamp goes
// on and off by a third. `taking` is the body of the rule for one stone less.
std::string stones(int most, const std::string& taking) {
  std::string text =
      "(role r) (legal r put) (legal r take) (legal r switch) (init (stones 0)) (init (clock 0)) (<= (next on) (does r "
      "switch) (not (true on))) (<= (next on) (true on) (not (does r switch))) (<= (next (stones ?y)) (true (stones "
      "?x)) (does r put) (s ?x ?y)) (<= (next (stones ?x)) (true (stones ?x)) (does r switch)) (<= less (does r take) "
      "(true on)) (<= (next (stones ?x)) (true (stones ?x)) (does r take) (not less)) (<= (next (stones ?x)) (true "
      "(stones ?y)) (s ?x ?y) " +
      taking +
      ") (<= (next (clock ?y)) (true (clock ?x)) (s ?x ?y)) (<= terminal (true (clock 6))) (<= (goal r 100) (true "
      "(stones 2))) (<= (goal r 0) (not (true (stones 2)))) ";
  for (int i = 0; i < most; ++i) text += "(s " + std::to_string(i) + " " + std::to_string(i + 1) + ") ";
  return text;
}

TEST(GdlExclusion, WhatIsCountedIsOneVariable) {
  constexpr int kMost = 100;
  const Grounded game(stones(kMost, "less"));
  ASSERT_FALSE(game.diagnostics.has_errors());
  ASSERT_EQ(game.sizes("stones").size(), 1U);
  // One table for each thing that can happen to the number, not one test for each number.
  EXPECT_LT(game.game.graph.edge_count(), 60U);
  auto play = make_interpreter(game.game);
  EXPECT_EQ(play->perft(1), 3U);
  EXPECT_EQ(play->perft(4), 81U);
}

// One stone less beside the same number as before.
TEST(GdlExclusion, ANumberThatCanBecomeTwoIsNone) {
  const Grounded game(stones(20, "(true on)"));
  ASSERT_FALSE(game.diagnostics.has_errors());
  EXPECT_GT(game.sizes("stones").size(), 1U);
}

// Stones on a row of points: how many white and black ones lie from a point on decides who wins.
std::string counted(int points, const std::string& second_colour = "") {
  std::string text = R"(
    (role r) (colour w) (colour b)
    (legal r pass)
    (<= (legal r (put ?c ?i)) (colour ?c) (true (at ?i e)))
    (<= (next (at ?i ?c)) (does r (put ?c ?i)))
    (<= (next (at ?i ?c)) (true (at ?i ?c)) (does r pass))
    (<= (next (at ?i ?c)) (true (at ?i ?c)) (does r (put ?d ?j)) (distinct ?i ?j))
    (<= (count ?i ?m ?b) (true (at ?i w)) (s ?i ?j) (count ?j ?n ?b) (s ?n ?m))
    (<= (count ?i ?w ?m) (true (at ?i b)) (s ?i ?j) (count ?j ?w ?n) (s ?n ?m))
    (<= (count ?i ?w ?b) (true (at ?i e)) (s ?i ?j) (count ?j ?w ?b))
    (<= (less ?x ?y) (s ?x ?y))
    (<= (less ?x ?y) (s ?x ?z) (less ?z ?y))
    (<= (goal r 100) (count 0 ?w ?b) (less ?b ?w))
    (<= (goal r 50) (count 0 ?n ?n))
    (<= (goal r 0) (count 0 ?w ?b) (less ?w ?b))
    (init (clock 0))
    (<= (next (clock ?y)) (true (clock ?x)) (s ?x ?y))
    (<= terminal (true (clock 3)))
  )";
  for (int i = 0; i < points; ++i) text += fmt::format("(init (at {} e)) (s {} {}) ", i, i, i + 1);
  text += fmt::format("(count {} 0 0) ", points);
  if (!second_colour.empty()) text += "(<= (next (at ?i w)) (true (at ?i b)) " + second_colour + ")";
  return text;
}

TEST(GdlComputed, AnAmountIsOneVariableForEachPlace) {
  constexpr int kPoints = 14;
  const Grounded game(counted(kPoints));
  ASSERT_FALSE(game.diagnostics.has_errors());
  EXPECT_GE(game.names.computed, kPoints - 1U);
  // A few lookups for each of them, not some tests for each pair of numbers.
  EXPECT_LT(game.game.graph.edge_count(), 600U);
  // All places share the tables for one stone more.
  EXPECT_LT(game.game.constants().size(), 12U);
  auto play = make_interpreter(game.game);
  EXPECT_EQ(play->perft(1), 1U + 2 * kPoints);
  EXPECT_EQ(play->perft(2), 1U + 2 * kPoints + 2 * kPoints * (1U + 2 * (kPoints - 1)));
}

// A point that can hold two stones counts for both: then there is more than one amount.
TEST(GdlComputed, SeveralAmountsAreNoVariable) {
  const Grounded game(counted(14, "(does r pass)"));
  ASSERT_FALSE(game.diagnostics.has_errors());
  EXPECT_EQ(game.names.computed, 0U);
}

// Both hold at 120 only, where random playouts do not come.
TEST(GdlComputed, WhatNoPlayoutRefutesHasToBeShown) {
  std::string text = R"(
    (role r) (init (clock 0))
    (legal r go)
    (<= (legal r (see ?s)) (side ?s) (not (true (clock 3))))
    (<= (legal r (hear ?s)) (side ?s) (not (true (clock 5))))
    (<= (next (clock ?y)) (true (clock ?x)) (tick ?x ?y))
    (<= (side left) (true (clock ?x)) (early ?x))
    (<= (side right) (true (clock ?x)) (late ?x))
    (<= terminal (true (clock 130)))
    (goal r 100)
  )";
  for (int i = 0; i < 130; ++i)
    text += fmt::format("(tick {} {}) ({} {}) ", i, i + 1, i <= 100 ? "early" : "late", i <= 100 ? i : i + 1);
  LowerOptions options;
  options.derived = {1, 1};
  options.claims = true;
  for (const bool both : {true, false}) {
    const Grounded game(text + (both ? "(early 120)" : ""), options);
    ASSERT_FALSE(game.diagnostics.has_errors());
    EXPECT_EQ(game.names.computed, both ? 0U : 1U);
    // What was not shown is not claimed.
    EXPECT_EQ(std::ranges::count(game.game.claims.list(), "classes of derived atoms", &ir::Claim::rewrite),
              both ? 0 : 1);
  }
}

// What two phases ask once each is a check; it reads amounts that were computed before.
TEST(GdlComputed, ChecksReadComputedVariables) {
  std::string text =
      "(role x) (role y) (init (control x)) (<= (next (control x)) (true (control y))) (<= (next (control y)) (true "
      "(control x))) (<= (legal ?r pass) (role ?r)) (<= (legal ?r (flip ?i)) (true (control ?r)) (lamp ?i)) (<= (legal "
      "?r "
      "win) (true (control ?r)) special) (<= (next (on ?i)) (true (on ?i)) (not (flipped ?i))) (<= (next (on ?i)) (not "
      "(true (on ?i))) (flipped ?i)) (<= (flipped ?i) (does ?r (flip ?i))) (<= (next over) (does ?r win)) (<= (next "
      "(clock "
      "?y)) (true (clock ?x)) (s ?x ?y)) (init (clock 0)) (<= terminal (true over)) (<= terminal (true (clock 5))) (<= "
      "(goal ?r 50) (role ?r)) (count 9 0) (<= (count ?i ?m) (lamp ?i) (true (on ?i)) (s ?i ?j) (count ?j ?n) (s ?n "
      "?m)) "
      "(<= (count ?i ?n) (lamp ?i) (not (true (on ?i))) (s ?i ?j) (count ?j ?n)) (<= special (true (on ?i)) (count ?i "
      "2) "
      "(s ?i ?j) (not (true (on ?j))))";
  for (int i = 0; i < 9; ++i) text += fmt::format("(s {} {}) (lamp {}) ", i, i + 1, i);
  LowerOptions options;
  options.derived = {1, 1};
  const Grounded game(text, options);
  ASSERT_FALSE(game.diagnostics.has_errors());
  EXPECT_GT(game.names.computed, 4U);
  const Grounded plain(text);
  EXPECT_EQ(plain.names.computed, 0U);
  bool checks = false;
  for (const ir::EdgeId e : game.game.graph.edges())
    checks = checks || std::holds_alternative<ir::Reachability>(game.game.graph.label(e));
  EXPECT_TRUE(checks);
  for (unsigned depth = 1; depth <= 5; ++depth)
    EXPECT_EQ(make_interpreter(game.game)->perft(depth), make_interpreter(plain.game)->perft(depth)) << depth;
}

TEST(GdlExclusion, SentencesWithManyArgumentsAreOneVariable) {
  const Grounded game(
      "(role r) (legal r left) (legal r right) (init (row a b c d e f)) (init (clock 0)) (<= (next (row ?b ?c ?d ?e ?f "
      "?a)) (does r left) (true (row ?a ?b ?c ?d ?e ?f))) (<= (next (row ?f ?a ?b ?c ?d ?e)) (does r right) (true (row "
      "?a ?b ?c ?d ?e ?f))) (<= (next (clock ?y)) (true (clock ?x)) (s ?x ?y)) (s 0 1) (s 1 2) (s 2 3) (<= terminal "
      "(true (clock 3))) (<= (goal r 100) (true (row d e f a b c))) (<= (goal r 0) (not (true (row d e f a b c))))");
  ASSERT_FALSE(game.diagnostics.has_errors());
  EXPECT_THAT(game.sizes("row"), ElementsAre(6));
  EXPECT_EQ(make_interpreter(game.game)->perft(3), 8U);
}

// Who chooses and who places are sentences of two relations, one of which always holds.
TEST(GdlGroups, RelationsThatTakeTurnsAreOneVariable) {
  const Grounded game(
      "(role x) (role o) (init (choose x)) (n 1) (n 2) (<= (legal ?r (pick ?n)) (true (choose ?r)) (n ?n)) (<= (legal "
      "?r (place ?n)) (true (place ?r)) (n ?n)) (<= (legal ?r noop) (role ?r) (not (true (choose ?r))) (not (true "
      "(place ?r)))) (<= (next (place o)) (true (choose x))) (<= (next (choose o)) (true (place o))) (<= (next (place "
      "x)) (true (choose o))) (<= (next (choose x)) (true (place x))) (<= (next (last ?n)) (does ?r (place ?n))) (<= "
      "terminal (true (choose x)) (true (last 2))) (<= (goal ?r 100) (role ?r) (true (last 2))) (<= (goal ?r 0) (role "
      "?r) (not (true (last 2))))");
  ASSERT_FALSE(game.diagnostics.has_errors());
  ASSERT_EQ(game.names.turns.phases.size(), 4U);
  for (const auto& phase : game.names.turns.phases)
    EXPECT_EQ(std::ranges::count(phase.forced, TurnStructure::kDecides), 1);
}

TEST(GdlRefuter, AssumesThatMovesAreLegal) {
  GroundOptions options;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  const GroundProgram program = ground(sources->add("game.kif", kMarks), diagnostics, options);
  ASSERT_FALSE(diagnostics.has_errors());
  const Network network(program);
  const std::vector<FactGroup> groups = find_groups(program, network);
  Conditions conditions(program, groups);
  CircuitRefuter refuter(conditions, Effort("a test", 1'000'000));
  const auto does = [&](std::string_view role, std::string_view move) {
    for (std::uint32_t m = 0; m < program.moves.size(); ++m)
      if (program.text(program.roles[program.moves[m].role]) == role && program.text(program.moves[m].term) == move)
        return conditions.atoms[program.move_begin() + m];
    return kNever;
  };
  EXPECT_TRUE(refuter.impossible({does("x", "(mark 1)"), does("o", "(mark 2)")}, 3));
  EXPECT_FALSE(refuter.impossible({does("x", "(mark 1)"), does("o", "noop")}, 3));
}

TEST(GdlUpdates, OnlyWhatAMoveChangesIsListed) {
  const Grounded marks(kMarks);
  Conditions conditions(marks.program, marks.names.groups);
  const StepPlan plan = plan_steps(marks.program, conditions, marks.names.groups, marks.names.turns);
  ASSERT_EQ(plan.phases.size(), 2U);
  for (const PhasePlan& phase : plan.phases) {
    EXPECT_TRUE(phase.dispatch);
    ASSERT_EQ(phase.common.size(), 1U);
    EXPECT_TRUE(phase.common[0].by_rule);
    for (const auto& updates : phase.by_move) EXPECT_EQ(updates.size(), 1U);
  }
}

// Every lamp goes on and off by itself, unless it is held; only lamps that are off can be held.
TEST(GdlUpdates, WhatChangesByItselfIsListedOnce) {
  std::string text =
      "(role r) (init (clock 0)) (legal r noop) (<= (legal r (hold ?i)) (lamp ?i) (not (true (on ?i)))) (<= (next (on "
      "?i)) (lamp ?i) (not (true (on ?i))) (not (does r (hold ?i)))) (<= (next (clock ?y)) (true (clock ?x)) (s ?x "
      "?y)) "
      "(s 0 1) (s 1 2) (s 2 3) (<= terminal (true (clock 3))) (<= (goal r 100) (true (on 1))) (<= (goal r 0) (not "
      "(true "
      "(on 1)))) ";
  for (int i = 1; i <= 8; ++i) text += "(lamp " + std::to_string(i) + ") ";
  const Grounded game(text);
  ASSERT_FALSE(game.diagnostics.has_errors());
  Conditions conditions(game.program, game.names.groups);
  const StepPlan plan = plan_steps(game.program, conditions, game.names.groups, game.names.turns);
  ASSERT_EQ(plan.phases.size(), 1U);
  EXPECT_TRUE(plan.phases[0].dispatch);
  EXPECT_EQ(std::ranges::count_if(plan.phases[0].common, [](const Update& u) { return u.unless.size() == 1; }), 8);
  for (const auto& updates : plan.phases[0].by_move) EXPECT_LE(updates.size(), 1U);
  // All are off, and go on but for the one that is held; then that one can be held again, or goes on while the others
  // go off.
  auto play = make_interpreter(game.game);
  EXPECT_EQ(play->perft(1), 9U);
  EXPECT_EQ(play->perft(2), 1U + 8 * 2);
  EXPECT_EQ(play->perft(3), 9U + 8 * (8 + 9));
}

// Two roles move at once, and facts change with both moves.
std::string toggled(const std::string& fact, int i, const char* x) {
  return fmt::format(
      "(init ({0}{1})) (<= (next ({0}{1})) (true ({0}{1})) (does x {2})) (<= (next ({0}{1})) (does x a) (does y a))",
      fact, i, x);
}

// A conjunction that several rules need is stored in a flag. Rules read the flag, but a check cannot, and reads the
// facts themselves.
std::string kept_and_checked(const std::string& asked) {
  std::string text =
      "(role x) (role y) (legal x a) (legal x b) (legal y a) (legal y b) (init last)" + asked + "(<= all";
  for (int i = 1; i <= 20; ++i) text += fmt::format(" (true (p{}))", i);
  text += ") (init flag) (<= (next flag) all (does x a))";
  for (int i = 1; i <= 20; ++i) text += toggled("p", i, "b");
  return text +
         "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (s ?x ?y)) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6)"
         "(<= terminal (true (step 6))) (<= (goal y 100) (true flag)) (<= (goal y 0) (not (true flag)))"
         "(<= (goal x 50) (true last)) (<= (goal x 0) (not (true last)))";
}

TEST(GdlUpdates, AGateIsAskedForInsideAndOutsideOfACheck) {
  std::string text =
      "(<= (next last) both) (<= (next last) some (true q)) (<= some all) (<= some (true r)) (<= both some";
  for (int i = 1; i <= 18; ++i) text += fmt::format(" (true (t{}))", i);
  text +=
      ") (<= (goal x 100) both)"
      "(<= (next r) (true r) (does y b)) (<= (next r) (does x b) (does y b) (not (true r)))"
      "(init q) (<= (next q) (true q) (does x a)) (<= (next q) (not (true q)) (does y a))";
  for (int i = 1; i <= 18; ++i)
    text += fmt::format(
        "(init (t{0})) (<= (next (t{0})) (true (t{0})) (does y a)) (<= (next (t{0})) (does y b) (does x b))", i);
  EXPECT_EQ(same_tree(kept_and_checked(text), 3), "");
}

TEST(GdlUpdates, GatesThatAreTooDeepAreChecks) {
  constexpr int kDeep = 230;
  std::string text = "(<= (next last) d1)";
  for (int i = 1; i <= kDeep; ++i) text += toggled("e", i, i % 2 == 0 ? "a" : "b");
  for (int i = 1; i < kDeep; i += 2)
    text += fmt::format("(<= d{0} (true (e{0})) d{1}) (<= d{1} (not (true (e{1})))) (<= d{1} {2})", i, i + 1,
                        i + 2 < kDeep ? fmt::format("d{}", i + 2) : "all");
  EXPECT_EQ(same_tree(kept_and_checked(text), 2), "");
}

}  // namespace
}  // namespace rgtrans::gdl
