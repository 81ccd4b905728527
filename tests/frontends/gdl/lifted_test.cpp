// The lifted form: how facts are stored, what cannot be lifted, and games of ours beside their ground programs.
#include "frontends/gdl/lifted/lifted.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/ir/parts.hpp"
#include "core/support/effort.hpp"
#include "core/support/reach.hpp"
#include "frontends/gdl/gdl.hpp"
#include "tests/support/gdl_lift.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string source(const char* game) {
  return read_file(corpus::fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl" / game);
}

// A game with the given rules, beside what it needs to be one.
std::string with(const std::string& rules) {
  return "(role r) (<= terminal (true (step 3))) (init (step 1)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) "
         "(succ 1 2) (succ 2 3) (goal r 100) " +
         rules;
}

// Whether there is such a label inside of a check.
template <class Wanted>
bool checks_have(const ir::Game& game, const Wanted& wanted) {
  const ir::Automaton& g = game.graph;
  std::vector<std::uint32_t> begins;
  for (const ir::EdgeId edge : g.edges())
    if (const auto* check = std::get_if<ir::Reachability>(&g.label(edge))) begins.push_back(check->from.value);
  bool found = false;
  reached_from(g.node_bound(), begins, [&](std::uint32_t n, auto&& reach) {
    for (const ir::EdgeId edge : g.out_edges(ir::NodeId(n))) {
      reach(g.target(edge).value);
      found = found || wanted(g.label(edge));
    }
  });
  return found;
}

bool checks_ask_for_the_move(const ir::Game& game) {
  const ir::VarId does = game.find_variable(game.symbols.find("does"));
  return checks_have(game, [&](const ir::Label& label) { return ir::reads(game, label, does); });
}

TEST(GdlLifted, BoardsAreMaps) {
  const Lifted game = lift(source("breakthrough-6x6.kif"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains(HasSubstr(": 1 -> 2")));
  EXPECT_LT(game.game->graph.edge_count(), 250U);
}

// A board that is told by two columns: what moves go from and to are cells of it, and a step is a function of cells.
constexpr const char* kWalker =
    "(init (at 1 1 man)) (init (at 3 3 man)) (legal r stay) (<= (legal r (go ?x ?y ?u ?v)) (true (at ?x ?y man)) (step "
    "?x ?y ?u ?v) "
    "(not (true (at ?u ?v man)))) (<= (next (at ?u ?v ?p)) (does r (go ?x ?y ?u ?v)) (true (at ?x ?y ?p))) "
    "(<= (next (at ?a ?b ?p)) (true (at ?a ?b ?p)) (does r (go ?x ?y ?u ?v)) (or (distinct ?a ?x) (distinct ?b ?y)) "
    "(or (distinct ?a ?u) (distinct ?b ?v))) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (number 1) (number 2) (number "
    "3)"
    "(<= (step ?x ?y ?u ?y) (succ ?x ?u) (number ?y)) (<= (step ?x ?y ?x ?v) (number ?x) (succ ?v ?y)) ";

TEST(GdlLifted, PairsOfColumnsAreCells) {
  const Lifted game = lift(with(kWalker));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("at: 1 -> 2"));
  EXPECT_EQ(beside_ground(with(kWalker), game, 60), "");
  // The three places of a step that leads off the board are no cells.
  const ir::VarId at = game.game->find_variable(game.game->symbols.find("at"));
  ASSERT_TRUE(at.valid());
  EXPECT_LE(game.game->members(game.game->types.from(game.game->resolve(game.game->variable(at).type))).size(), 16U);
}

// Places beside the board are told apart where a rule needs that: no man may stand there, but there are two of them.
TEST(GdlLifted, PlacesBesideTheBoardAreToldApartWhereThatMatters) {
  for (const char* rule :
       {"(<= (legal r (wait ?x ?y)) (true (at ?x ?y man)) (succ ?u ?x) (succ ?x ?w) (not (true (at ?u ?y man))) "
        "(not (true (at ?w ?y man))))",
        "(<= (legal r (wait ?x ?y)) (true (at ?x ?y man)) (succ ?u ?x) (near ?y ?v) (not (true (at ?u ?v man))) "
        "(far ?u ?v ?x)) (near 1 0) (near 1 4) (near 3 0) (near 3 4) (far 0 0 1) (far 2 4 3) (far 2 0 1)"}) {
    const std::string text = with(std::string(kWalker) + rule);
    const Lifted game = lift(text);
    ASSERT_TRUE(game.game) << game.why;
    EXPECT_EQ(beside_ground(text, game, 60), "");
  }
}

// What is said of some columns alone says that they are no coordinates.
TEST(GdlLifted, GroupsAreNoCoordinates) {
  const Lifted game = lift(
      with("(init (in 1 1)) (init (in 2 3)) (<= (legal r (put ?x ?g)) (true (in ?x ?g))) (<= (legal r (move ?x ?h)) "
           "(true (in ?x ?g)) (group ?h)) (<= (next (in ?x ?h)) (does r (move ?x ?h))) (<= (next (in ?x ?g)) "
           "(true (in ?x ?g)) (not (moved ?x))) (<= (moved ?x) (does r (move ?x ?h))) (<= (next (in ?x ?g)) "
           "(does r (put ?x ?g))) (group 1) (group 2) (group 3) (group 4) (group 5)"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Not(Contains(HasSubstr("in: 1 -> Bool"))));
}

TEST(GdlLifted, ArgumentsOfMovesAreKeptBySort) {
  const Lifted result = lift(R"(
(role r) (n 1) (n 2) (n 3) (kind rook) (kind king)
(<= (legal r (drop ?k ?x)) (kind ?k) (n ?x))
(<= (legal r (carry ?x ?y ?k)) (true (at ?x ?k)) (n ?y))
(<= (next (at ?x ?k)) (does r (drop ?k ?x)))
(<= (next (at ?y ?k)) (does r (carry ?x ?y ?k)))
(<= terminal (true (at 3 king)))
(goal r 100)
)");
  ASSERT_TRUE(result.game) << result.why;
  // Two cells and a piece; no variable holds both.
  std::vector<std::size_t> sizes;
  for (const ir::Variable& variable : result.game->variables())
    if (result.game->symbols.str(variable.name).starts_with("argument"))
      sizes.push_back(result.game->types.members(result.game->resolve(variable.type)).size());
  EXPECT_THAT(sizes, testing::UnorderedElementsAre(2, 3, 3));
}

TEST(GdlLifted, CountersAreScalars) {
  const Lifted game = lift(with("(legal r noop)"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("step: -> 1"));
}

// Eight questions can each be answered in four ways, and the contradiction depends on none of them.
TEST(GdlLifted, ChoicesThatDoNotMatterAreNotTriedAgain) {
  std::string rules =
      "(place a) (place b) (init (at a)) (init (hour 1)) (<= (legal r (go ?p)) (place ?p)) "
      "(<= (legal r stay) (true (at a))) ";
  std::string questions;
  for (int q = 0; q < 8; ++q) {
    questions += fmt::format("known{} ", q);
    for (int v = 0; v < 4; ++v) {
      rules +=
          fmt::format("(init (told{0} {1} a)) (init (told{0} {1} b)) (<= known{0} (true (told{0} {1} ?p))) ", q, v);
      rules += fmt::format("(<= (next (told{0} {1} ?p)) (does r (go ?p)) (true (told{0} {1} a))) ", q, v);
    }
  }
  for (int h = 1; h <= 6; ++h) {
    rules += fmt::format("(<= (next (hour {})) (true (hour {}))) ", h % 6 + 1, h);
    if (h < 6) rules += fmt::format("(<= day (true (hour {}))) ", h);
  }
  const Lifted game = lift(with(rules + "(<= (next (at ?p)) (does r (go ?p)) day " + questions +
                                ") (<= (next (at ?p)) (true (at ?p)) (true (hour 6)))"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("at: -> 1"));
}

// Of a static relation with thousands of tuples it counts that none says a place differs from itself.
TEST(GdlLifted, PlacesDifferAsLargeRelationsSay) {
  std::string rules = "(init (at 1 1 man)) (init (at 2 2 man)) (init (at 1 2 none)) (init (at 2 1 none)) ";
  for (int c = 1; c <= 9; ++c) rules += fmt::format("(number {}) ", c);
  rules +=
      "(<= (apart ?a ?b ?x ?y) (number ?a) (number ?b) (number ?x) (number ?y) (distinct ?a ?x)) "
      "(<= (apart ?a ?b ?x ?y) (number ?a) (number ?b) (number ?x) (number ?y) (distinct ?b ?y)) "
      "(<= (legal r (go ?x ?y ?u ?v)) (true (at ?x ?y man)) (true (at ?u ?v none))) "
      "(<= (next (at ?x ?y none)) (does r (go ?x ?y ?u ?v))) (<= (next (at ?u ?v man)) (does r (go ?x ?y ?u ?v))) "
      "(<= (next (at ?a ?b ?p)) (true (at ?a ?b ?p)) (does r (go ?x ?y ?u ?v)) (apart ?a ?b ?x ?y) "
      "(apart ?a ?b ?u ?v)) ";
  const Lifted game = lift(with(rules));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Not(Contains(HasSubstr("Bool"))));
  EXPECT_EQ(beside_ground(with(rules), game, 60), "");
}

// Neither argument tells the other: nothing says that such facts exclude each other.
TEST(GdlLifted, WhatIsNotProvedStaysBool) {
  const Lifted game =
      lift(with("(key k) (key l) (thing a) (thing b) (<= (legal r (put ?k ?x)) (key ?k) (thing ?x)) "
                "(<= (next (on ?k ?x)) (does r (put ?k ?x))) (<= (next (on ?k ?x)) (true (on ?k ?x))) "
                "(<= (legal r both) (true (on ?k a)) (true (on ?k b)))"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("on: 1 2 -> Bool"));
  EXPECT_THAT(game.names.notes,
              Contains(HasSubstr("the other columns do not determine its last column: the rules at game.kif:1:226 and "
                                 "game.kif:1:270 may give two")));
}

// Facts, moves and static relations with terms inside; a fact and a move that are variables as a whole.
// A piece has a kind and an owner, and both are told by the cell: it is empty before something is put there.
TEST(GdlLifted, KeysAreAsShortAsCanBeShown) {
  const Lifted game =
      lift(with("(cell 1) (cell 2) (kind a) (kind b) (side u) (side v)"
                "(<= (legal r (put ?x ?k ?s)) (cell ?x) (kind ?k) (side ?s) (not (taken ?x)))"
                "(<= (taken ?x) (true (at ?x ?k ?s)))"
                "(<= (next (at ?x ?k ?s)) (true (at ?x ?k ?s))) (<= (next (at ?x ?k ?s)) (does r (put ?x ?k ?s)))"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("at: 1 -> 2 3"));
}

// No fact with any value is one test: the cell is empty.
// Two roles take turns in two parts: `lay` a stone where there is none, then `turn` over.
std::string two_parts(const std::string& rules) {
  return "(role a) (role b) (init (lays a)) (index 1) (index 2) (index 3) (index 4) (next_to 1 2) (next_to 2 3) "
         "(next_to 3 4)"
         "(other a b) (other b a) (<= (legal ?p noop) (role ?p) (not (true (lays ?p))) (not (true (turns ?p))))"
         "(<= (next (turns ?p)) (true (lays ?p))) (<= (next (lays ?q)) (true (turns ?p)) (other ?p ?q))"
         "(<= free (index ?x) (not (covered ?x))) (<= terminal (not free)) (goal a 50) (goal b 50)"
         "(<= (covered ?x) (true (stone ?x ?any))) (<= (legal ?p skip) (true (turns ?p)))"
         "(<= (legal ?p (lay ?x)) (true (lays ?p)) (index ?x) (not (covered ?x)))"
         "(<= (next (stone ?x ?p)) (does ?p (lay ?x)))" +
         rules;
}

// That one holds tells that the other does not, so that what both moves hand on is no second value.
TEST(GdlLifted, ScalarsMayExcludeEachOther) {
  const std::string text = two_parts(
      "(<= (next (stone ?x ?s)) (true (stone ?x ?s)) (role ?any) (does ?any skip))"
      "(<= (next (stone ?x ?s)) (does ?p (lay ?y)) (true (stone ?x ?s)))");
  const Lifted game = lift(text);
  EXPECT_THAT(game.names.notes, Contains("stone: 1 -> 2"));
  EXPECT_THAT(game.names.notes, Contains("lays: -> 1"));
  EXPECT_EQ(beside_ground(text, game, 20), "");
}

// Stones are there before and after: no value excludes another, and a fact excludes nothing that may hold beside it.
TEST(GdlLifted, WhatIsSupposedAndNotShownIsForgotten) {
  const std::string text = two_parts("(<= (next (stone ?x ?s)) (true (stone ?x ?s)))");
  const Lifted game = lift(text);
  EXPECT_THAT(game.names.notes, testing::Not(Contains("stone: -> 1 2")));
  EXPECT_EQ(beside_ground(text, game, 20), "");
}

// A stone slides over free cells only, which the recursion says of the cell that it keeps.
TEST(GdlLifted, WhatBeginsRecursionIsKnownOfWhatItKeeps) {
  const std::string text =
      "(role a) (role b) (init (turn a move)) (init (stone 1 a)) (init (stone 6 b)) (step 1 2) (step 2 3) (step 3 4)"
      "(step 4 5) (step 5 6) (other a b) (other b a) (<= (step ?y ?x) (up ?x ?y)) (up 1 2) (up 2 3)"
      "(<= (slide ?x ?y) (step ?x ?y) (not (covered ?y)))"
      "(<= (slide ?x ?z) (step ?x ?y) (not (covered ?y)) (slide ?y ?z))"
      "(<= (covered ?x) (true (stone ?x ?any))) (<= (legal ?p noop) (true (turn ?q ?any)) (other ?p ?q))"
      "(<= (legal ?p (go ?x ?y)) (true (turn ?p move)) (true (stone ?x ?p)) (slide ?x ?y))"
      "(<= (legal ?p stay) (true (turn ?p move))) (<= (legal ?p rest) (true (turn ?p wait)))(<= (legal ?p pause) (true "
      "(turn ?p wait)))"
      "(<= (next (stone ?y ?p)) (does ?p (go ?x ?y))) (<= (left ?x) (does ?p (go ?x ?y)))"
      "(<= (next (stone ?x ?s)) (true (stone ?x ?s)) (not (left ?x)))"
      "(<= (next (turn ?p wait)) (true (turn ?p move))) (<= (next (turn ?q move)) (true (turn ?p wait)) (other ?p ?q))"
      "(init (count 1)) (<= (next (count ?y)) (true (count ?x)) (up_to ?x ?y)) (up_to 1 2) (up_to 2 3) (up_to 3 4)"
      "(up_to 4 5) (up_to 5 6) (<= terminal (true (count 6))) (goal a 50) (goal b 50)";
  const Lifted game = lift(text);
  EXPECT_THAT(game.names.notes, Contains("stone: 1 -> 2"));
  // One column of the scalar tells who decides, so that arguments of moves are no maps over the players.
  EXPECT_THAT(game.names.notes, Contains("turn: -> 1 2"));
  EXPECT_EQ(
      game.game->types.kind(game.game->variable(game.game->find_variable(game.game->symbols.find("argument_1"))).type),
      ir::TypeKind::alias);
  EXPECT_EQ(beside_ground(text, game, 20), "");
}

// A cell has one label, because a cell with a label has a stone, and stones are laid on free cells.
TEST(GdlLifted, FactsMayImplyOthers) {
  const std::string text = two_parts(
      "(<= (next (stone ?x ?s)) (true (stone ?x ?s))) (init (number 1)) (<= (next (number ?y)) (true (number ?x)) "
      "(succ ?x ?y))"
      "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)"
      "(<= (next (label ?k ?x)) (does ?p (lay ?x)) (true (number ?k)))"
      "(<= (next (label ?k ?x)) (joined ?e) (true (label ?e ?x)) (true (number ?k)))"
      "(<= (next (label ?k ?x)) (true (label ?k ?x)) (not (joined ?k)))"
      "(<= (joined ?k) (does ?p (lay ?x)) (next_to ?x ?y) (true (label ?k ?y)))"
      "(<= terminal (true (label ?k 1)) (true (label ?k 3)))");
  const Lifted game = lift(text);
  EXPECT_THAT(game.names.notes, Contains("label: 2 -> 1"));
  EXPECT_EQ(beside_ground(text, game, 20), "");
}

// What a static relation says is compared with what it is denied of the same values, in whatever order.
TEST(GdlLifted, StaticRelationsAreDeniedInAnotherOrder) {
  const std::string rules =
      "(init (pit a 0)) (init (pit b 0)) (init (pit c 0)) (place a) (place b) (place c) (facing a b) (facing c c) "
      "(<= (legal r (put ?p)) (place ?p)) (<= (legal r (take ?p)) (true (pit ?p 1))) "
      "(<= (next (pit ?p 1)) (does r (put ?q)) (facing ?q ?p)) "
      "(<= (next (pit ?p ?n)) (does r (put ?q)) (true (pit ?p ?n)) (not (facing ?p ?q)))";
  const std::string symmetric = with(rules + "(facing b a)");
  const Lifted shown = lift(symmetric);
  ASSERT_TRUE(shown.game) << shown.why;
  EXPECT_THAT(shown.names.notes, Contains("pit: 1 -> 2"));
  EXPECT_EQ(beside_ground(symmetric, shown, 60), "");
  const Lifted several = lift(with(rules));
  ASSERT_TRUE(several.game) << several.why;
  EXPECT_THAT(several.names.notes, Contains("pit: 2 1 -> Bool"));
  EXPECT_EQ(beside_ground(with(rules), several, 60), "");
}

// Who lays is whose turn it is, and lays whatever happens: nobody has to ask what has been chosen.
TEST(GdlLifted, WhoseTurnItIsTellsWhoMoves) {
  const std::string text = with(
      "(role s) (init (control r)) (<= (next (control s)) (true (control r))) (<= (next (control r)) (true (control "
      "s)))"
      "(<= (legal ?p (lay ?x)) (true (control ?p)) (cell ?x)) (<= (legal r noop) (true (control s))) (cell 1) (cell 2)"
      "(<= (legal s noop) (true (control r))) (<= (next (at ?x ?p)) (does ?p (lay ?x)))"
      "(<= (next (last s ?x)) (does s (lay ?x))) (goal s 0) (<= terminal (true (at 1 ?p)) (true (at 2 ?p)))"
      "(<= terminal (true (last ?p 1)) (true (at 1 ?p)))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  const ir::VarId does = game.game->find_variable(game.game->symbols.find("does"));
  for (const ir::EdgeId edge : game.game->graph.edges())
    if (const auto* compare = std::get_if<ir::Compare>(&game.game->graph.label(edge)))
      game.game->for_each_variable(compare->lhs, [&](ir::VarId v) { EXPECT_NE(v, does); });
  EXPECT_EQ(beside_ground(text, game, 20), "");
}

TEST(GdlLifted, FactsThatAreDeniedWithAllValuesAreOneQuestion) {
  const auto text = [](const std::string& denied) {
    return with(
        "(cell 1) (cell 2) (kind a) (kind b) (side u) (side v)"
        "(<= (legal r (put ?x ?k ?s)) (cell ?x) (kind ?k) (side ?s) (not (taken ?x)))"
        "(<= (taken ?x) (true (at ?x ?k ?s)))"
        "(<= (legal r (look ?x)) (cell ?x) " +
        denied +
        ")"
        "(<= (next (at ?x ?k ?s)) (true (at ?x ?k ?s))) (<= (next (at ?x ?k ?s)) (does r (put ?x ?k ?s)))");
  };
  const std::string some = "(not (true (at ?x a u))) (not (true (at ?x b u))) (not (true (at ?x b v)))";
  const std::string all = some + "(not (true (at ?x a v)))";
  const Lifted few = lift(text(some)), every = lift(text(all));
  ASSERT_TRUE(few.game && every.game) << few.why << every.why;
  EXPECT_THAT(every.names.notes, Contains("at: 1 -> 2 3"));
  EXPECT_LT(every.game->graph.edge_count(), few.game->graph.edge_count());
  EXPECT_EQ(beside_ground(text(some), few, 40), "");
  EXPECT_EQ(beside_ground(text(all), every, 40), "");
}

// What a step does to whole groups is a join: it begins with the neighbours of the move, not with each cell that could
// get a new group.
TEST(GdlLifted, JoinsBeginWhereTheyAreCheap) {
  std::string text = with(
      "(<= (legal r (join ?x)) (cell ?x)) "
      "(<= (joined ?h ?g) (does r (join ?g)) (beside ?g ?y) (true (in ?y ?h))) (<= (left ?h) (joined ?h ?g)) "
      "(<= (next (in ?x ?g)) (true (in ?x ?h)) (joined ?h ?g)) (<= (next (in ?x ?x)) (does r (join ?x))) "
      "(<= (next (in ?x ?h)) (true (in ?x ?h)) (not (left ?h))) (<= (legal r (look ?x ?h)) (true (in ?x ?h)))");
  for (int i = 1; i <= 12; ++i) {
    text += fmt::format("(cell {0}) (init (in {0} {0})) (init (in {0} {1})) ", i, i % 12 + 1);
    if (i < 12) text += fmt::format("(beside {0} {1}) (beside {1} {0}) ", i, i + 1);
  }
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("in: 1 2 -> Bool"));
  EXPECT_THAT(
      game.names.notes,
      Contains("in: the other columns do not determine its last column, because the initial state has several values"));
  EXPECT_FALSE(checks_have(*game.game, [&](const ir::Label& l) {
    const auto* any = std::get_if<ir::AssignAny>(&l);
    return any != nullptr && game.game->members(any->type).size() >= 12;
  }));
  EXPECT_EQ(beside_ground(text, game, 60), "");
}

// Of two static relations the one about more variables has only the tuples that the other one has, too.
TEST(GdlLifted, StaticRelationsAboutTheSameAreOneTable) {
  const auto tests = [](const std::string& rest) {
    std::string text =
        with("(init (at 1)) (<= (legal r (go ?x ?y)) (true (at ?x)) (near ?x ?y)" + rest +
             ") (<= (next (at ?y)) (does r (go ?x ?y))) (<= (near ?x ?y) (cell ?x) (cell ?y) (close ?x ?y)) "
             "(<= (far ?x ?y) (cell ?x) (cell ?y) (distinct ?x ?y))");
    for (int i = 1; i <= 13; ++i)
      text +=
          fmt::format("(cell {0}) (close {0} {0}) (close {0} {1}) (close {0} {2}) ", i, i % 13 + 1, (i + 4) % 13 + 1);
    const Lifted game = lift(text);
    EXPECT_TRUE(game.game) << game.why;
    EXPECT_EQ(beside_ground(text, game, 30), "");
    std::size_t count = 0;
    const ir::Automaton& g = game.game->graph;
    for (const ir::EdgeId e : g.edges()) count += std::holds_alternative<ir::Compare>(g.label(e)) ? 1 : 0;
    return count;
  };
  const std::size_t plain = tests("");
  EXPECT_EQ(tests("(far ?x ?y)"), plain);
  EXPECT_EQ(tests("(far ?y ?x) (far ?x ?y)"), plain);
}

// What a relation tells is computed once, not asked for each value, where its rules exclude each other.
TEST(GdlLifted, ValuesThatAreToldAreComputedOnce) {
  const auto text = [](const std::string& second) {
    std::string rules = with(
        "(<= (legal r (say ?x ?v)) (cell ?x) (number ?v) (value ?x ?v)) (<= (legal r (put ?x)) (cell ?x)) "
        "(<= (value ?x ?v) (left ?x ?a) (right ?x ?b) (sum ?a ?b ?v)) "
        "(<= (left ?x ?n) (true (at ?x ?n))) (<= (left ?x 1) (cell ?x) " +
        second +
        ") (<= (right ?x ?n) (true (at ?x ?m)) (sum ?m 1 ?n)) (<= (right ?x 0) (not (some ?x)) (cell ?x)) "
        "(<= (some ?x) (true (at ?x ?n))) "
        "(<= (next (at ?x ?n)) (true (at ?x ?n)) (not (set ?x))) (<= (set ?x) (does r (put ?x))) "
        "(<= (next (at ?x ?n)) (true (at ?x ?m)) (set ?x) (sum ?m 1 ?n))");
    for (int i = 0; i < 10; ++i) {
      rules += fmt::format("(number {}) (cell c{}) ", i, i);
      if (i % 3 > 0) rules += fmt::format("(init (at c{} {})) ", i, i);
      for (int j = 0; j + i < 10; ++j) rules += fmt::format("(sum {} {} {}) ", i, j, i + j);
    }
    return rules;
  };
  const auto chosen = [](const ir::Game& game) {
    std::size_t count = 0;
    for (const ir::EdgeId e : game.graph.edges())
      count += std::holds_alternative<ir::AssignAny>(game.graph.label(e)) ? 1 : 0;
    return count;
  };
  const std::string told = text("(not (some ?x))");
  const std::string open = text("(cell ?x)");
  const Lifted a = lift(told), b = lift(open);
  ASSERT_TRUE(a.game && b.game) << a.why << b.why;
  EXPECT_EQ(chosen(*a.game), 2U);
  EXPECT_EQ(beside_ground(told, a, 30), "");
  EXPECT_EQ(beside_ground(open, b, 30), "");
}

// Stones in a line from the move on are followed one by one, where the line ends. On a ring each stone is asked for.
TEST(GdlLifted, RelationsThatEndAreFollowedFromTheMove) {
  std::string line = with(
      "(<= (legal r (hit ?x)) (cell ?x)) "
      "(<= (struck ?y ?k) (does r (hit ?x)) (behind ?x ?y) (true (stone ?y ?k))) "
      "(<= (struck ?z ?k) (struck ?y ?k) (behind ?y ?z) (true (stone ?z ?k))) (<= (gone ?x) (struck ?x ?k)) "
      "(<= (next (stone ?x ?k)) (true (stone ?x ?k)) (not (gone ?x))) "
      "(<= (next (mark ?x)) (gone ?x)) (<= (legal r (look ?x)) (true (mark ?x))) ");
  for (int i = 1; i <= 20; ++i) {
    line += fmt::format("(cell {}) ", i);
    if (i < 20) line += fmt::format("(behind {} {}) ", i, i + 1);
    line += fmt::format("(init (stone {} {})) ", i, i % 7 < 4 ? "a" : "b");
  }
  const std::string ring = line + "(behind 20 1)";
  const Lifted on_line = lift(line), on_ring = lift(ring);
  ASSERT_TRUE(on_line.game && on_ring.game) << on_line.why << on_ring.why;
  EXPECT_FALSE(checks_ask_for_the_move(*on_line.game));
  EXPECT_TRUE(checks_ask_for_the_move(*on_ring.game));
  EXPECT_EQ(beside_ground(line, on_line, 60), "");
  EXPECT_EQ(beside_ground(ring, on_ring, 60), "");
}

// Cells that are turned are found once: the frame fails there, and only there another colour can come.
TEST(GdlLifted, CausesAreAskedWhereFramesFail) {
  const std::string text = with(
      "(cell 1) (cell 2) (cell 3) (succ 3 1) (color a) (color b) (init (at 1 a)) (init (at 2 b)) (init (at 3 b))"
      "(<= (legal r (paint ?c)) (color ?c)) (<= (legal r (turn ?x)) (cell ?x))"
      "(<= (turned ?x) (does r (turn ?y)) (succ ?y ?x))"
      "(<= (turned ?x) (does r (paint ?c)) (true (at ?x a)))"
      "(<= (next (at ?x ?c)) (true (at ?x ?c)) (not (turned ?x)))"
      "(<= (next (at ?x ?c)) (turned ?x) (other ?x ?c))"
      "(<= (other ?x a) (true (at ?x b))) (<= (other ?x b) (true (at ?x a)))");
  EXPECT_EQ(beside_ground(text, lift(text), 40), "");
}

std::size_t edges_of(const std::string& text) {
  const Lifted game = lift(text);
  EXPECT_TRUE(game.game) << game.why;
  EXPECT_EQ(beside_ground(text, game, 30), "");
  return game.game ? game.game->graph.edge_count() : 0;
}

// A condition that does not ask for the move is looked into where it tells what is caused: nobody tries all cells.
TEST(GdlLifted, CausesLookIntoConditions) {
  std::string text = with(
      "(<= (legal r (jump ?x ?y)) (true (at ?x a)) (over ?x ?z ?y)) (<= (next (mark ?z)) (does r (jump ?x ?y)) "
      "(over ?x ?z ?y)) (<= (next (at ?z ?c)) (true (at ?z ?c))) (<= (legal r (look ?z)) (true (mark ?z)))"
      "(<= (over ?x ?z ?y) (behind ?x ?z) (behind ?z ?y) (true (at ?z a)))");
  for (int i = 1; i <= 20; ++i) {
    text += fmt::format("(init (at {} {})) ", i, i % 3 == 0 ? "b" : "a");
    if (i < 20) text += fmt::format("(behind {} {}) ", i, i + 1);
  }
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(beside_ground(text, game, 30), "");
  for (const ir::Constant& constant : game.game->constants())
    EXPECT_THAT(game.game->symbols.str(constant.name), ::testing::Not(::testing::StartsWith("behind_At"))) << "a loop";
}

// A frame fails where its condition fails for all that the rest of it can be about.
TEST(GdlLifted, FramesHandOnForAnyOfSeveral) {
  const std::string text = with(
      "(init (go 1)) (init (go 2)) (sign 1 a) (sign 2 b) (init (f a)) (init (f b)) (init (f c)) (role_of 1) "
      "(role_of 2) (<= (next (go ?p)) (true (go ?p)) (not (does r (end ?p)))) (<= (legal r (end ?p)) (role_of ?p)) "
      "(<= (next (f ?s)) (true (f ?s)) (true (go ?p)) (not (sign ?p ?s))) (<= (legal r (look ?s)) (true (f ?s)))");
  EXPECT_EQ(beside_ground(text, lift(text), 60), "");
}

// What rules ask of static relations is one table where the rest of them is the same.
TEST(GdlLifted, RulesThatDifferInTablesAreOne) {
  const auto text = [](const std::string& conditions) {
    return with(
        "(piece a) (piece b) (row 1) (row 2) (row 3) (init (mark a)) (fits a 1) (fits b 3) (fits a 2) (fits b 2) "
        "(<= (legal r (go ?p ?y)) (piece ?p) (row ?y)) (<= (legal r (hit ?p)) (true (mark ?p)))"
        "(<= (next (mark ?p)) (does r (go ?p ?y)) " +
        conditions + ")");
  };
  EXPECT_EQ(edges_of(text("(or (distinct ?p a) (distinct ?y 3)) (or (distinct ?p b) (distinct ?y 1))")),
            edges_of(text("(fits ?p ?y)")));
}

// The cell between two others is told by both, though by none of the relations alone.
TEST(GdlLifted, RelationsTellTogether) {
  const auto text = [](const std::string& between) {
    std::string rules = with(
        "(<= (legal r (jump ?x ?y)) (true (at ?x)) (far ?x ?y)) (<= (next (at ?y)) (does r (jump ?x "
        "?y))) (<= (next (hit ?z)) (does r (jump ?x ?y)) (far ?x ?y) " +
        between + ") (<= (legal r (look ?z)) (true (hit ?z))) (init (at 1)) (init (at 8)) ");
    for (int i = 1; i <= 8; ++i)
      rules +=
          fmt::format("(near {0} {1}) (near {1} {0}) (far {0} {2}) (far {2} {0}) (mid {0} {1} {2}) (mid {2} {1} {0}) ",
                      i, i + 1, i + 2);
    return rules + "(near 9 10) (near 10 9)";
  };
  const std::string by_two = text("(near ?x ?z) (near ?z ?y)");
  EXPECT_THAT(lift(by_two).names.notes, Contains("hit: -> 1"));
  EXPECT_LE(edges_of(by_two), edges_of(text("(mid ?x ?z ?y)")) + 1);
}

// Rules that say the same of either player are one, in which the one who has moved is asked for.
TEST(GdlLifted, RulesAboutRolesAreOne) {
  const auto text = [](const std::string& rules) {
    return "(role w) (role b) (init (control w)) (init (count w 5)) (init (count b 5)) (<= (next (control w)) (true "
           "(control b))) (<= (next (control b)) (true (control w))) (<= (legal ?p noop) (role ?p) (not (true (control "
           "?p)))) (<= (legal ?p (hit ?n)) (true (control ?p)) (strength ?n)) (strength 1) (strength 2) (<= terminal "
           "(true (count ?p 0))) (<= (goal ?p 100) (role ?p) (not (true (count ?p 0)))) (<= (goal ?p 0) (true (count "
           "?p "
           "0))) (foe w b) (foe b w) (less 5 1 4) (less 4 1 3) (less 3 1 2) (less 2 1 1) (less 1 1 0) (less 5 2 3) "
           "(less "
           "4 2 2) (less 3 2 1) (less 2 2 0) (less 1 2 0) (<= (next (count ?p ?c)) (does ?p (hit ?n)) (true (count ?p "
           "?c)))" +
           rules;
  };
  EXPECT_EQ(edges_of(text("(<= (next (count b ?m)) (does w (hit ?n)) (true (count b ?c)) (less ?c ?n ?m))"
                          "(<= (next (count w ?m)) (does b (hit ?n)) (true (count w ?c)) (less ?c ?n ?m))")),
            edges_of(text(
                "(<= (next (count ?q ?m)) (does ?p (hit ?n)) (distinct ?p ?q) (true (count ?q ?c)) (less ?c ?n ?m))")));
}

// Where another move was made, the causes of one move are left out together.
TEST(GdlLifted, CausesAskOnceForTheMove) {
  const std::string text =
      "(role w) (role b) (init (control w)) (<= (next (control w)) (true (control b))) (<= (next (control b)) (true "
      "(control w))) (<= (legal ?p noop) (role ?p) (not (true (control ?p)))) (<= (legal ?p (go ?x)) (true (control "
      "?p)) "
      "(cell ?x)) (<= (legal ?p (stay ?x)) (true (control ?p)) (true (mark ?x))) (cell 1) (cell 2) (cell 3) (init (a "
      "1)) "
      "(init (b 2)) (init (c 3)) (init (c 2)) (<= (next (a ?x)) (true (b ?x))) (<= (next (b ?x)) (true (c ?x))) (<= "
      "(next "
      "(c ?x)) (true (a ?x))) (<= (next (mark ?x)) (does ?p (go ?x)) (true (a ?x))) (<= (next (mark ?x)) (does ?p (go "
      "?x)) (true (b ?x))) (<= (next (mark ?x)) (does ?p (go ?x)) (true (c ?x))) (init (step 1)) (<= (next (step ?y)) "
      "(true (step ?x)) (succ ?x ?y)) (succ 1 2) (succ 2 3) (succ 3 4) (<= terminal (true (step 4))) (goal w 50) (goal "
      "b "
      "50)";
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(beside_ground(text, game, 30), "");
  const ir::VarId does = game.game->find_variable(game.game->symbols.find("does"));
  std::set<std::uint32_t> behind;
  const ir::Automaton& g = game.game->graph;
  for (const ir::EdgeId e : g.edges()) {
    const auto* const compare = std::get_if<ir::Compare>(&g.label(e));
    if (compare != nullptr && compare->negated && ir::reads(*game.game, g.label(e), does))
      behind.insert(g.target(e).value);
  }
  EXPECT_EQ(behind.size(), 1U);
}

// Whether `q` holds for something has nothing to do with the cell that is chosen.
TEST(GdlLifted, QuestionsOfTheirOwnAreChecks) {
  const std::string text = with(
      "(cell 1) (cell 2) (cell 3) (init (p 1)) (init (p 2)) (init (q 3)) (init (q 2))"
      "(<= (next (p ?x)) (true (q ?x))) (<= (next (q ?x)) (true (p ?x)))"
      "(<= (legal r (go ?x)) (true (p ?x)) (true (q ?y)) (true (q ?z)) (before ?y ?z)) (before 1 2) (before 2 3)"
      "(legal r stay)");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(beside_ground(text, game, 20), "");
  std::size_t checks = 0;
  const ir::Automaton& g = game.game->graph;
  for (const ir::NodeId n : g.nodes())
    for (const ir::EdgeId e : g.out_edges(n)) checks += std::holds_alternative<ir::Reachability>(g.label(e)) ? 1 : 0;
  EXPECT_GE(checks, 1U);
}

TEST(GdlLifted, TermsAreTakenApart) {
  const std::string text = with(
      "(place (pos 1 2)) (place (pos 2 3)) (place home) (init (at home)) (init (mark 1 (pos 1 2))) "
      "(<= (legal r (go ?p)) (place ?p) (not (true (at ?p)))) (<= (legal r (swap (pos ?x ?y))) (place (pos ?x ?y))) "
      "(<= (next (at ?p)) (does r (go ?p))) (<= (next (at (pos ?y ?x))) (does r (swap (pos ?x ?y)))) "
      "(<= (next ?f) (kept ?f) (true ?f)) (kept (mark 1 (pos 1 2))) (kept (mark 2 (pos 1 2))) "
      "(<= (next (mark 2 ?p)) (does r (go ?p)) (true (mark 1 ?q)) (distinct ?p ?q))");
  Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(beside_ground(text, game, 40), "");
}

TEST(GdlLifted, SaysWhatCannotBeLifted) {
  EXPECT_THAT(lift(with("(legal r noop) (edge a b) (edge b c) (<= (path ?x ?y) (edge ?x ?y) (true (step 1))) "
                        "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= (legal r go) (path a c))"))
                  .why,
              HasSubstr("'path' depends on itself in a way that is no walk"));
  EXPECT_EQ(lift(with("(role random) (legal random noop) (legal r noop)")).why, "a role is random");
}

// The cells that a move does not touch are not looked at: a table of distinct cells fails for equal ones alone.
TEST(GdlLifted, TablesOfDistinctCellsTellWhatChanges) {
  std::string text = with(
      "(<= (other ?x ?y) (cell ?x) (cell ?y) (distinct ?x ?y)) (<= (legal r (take ?x)) (true (on ?x))) "
      "(<= (next (on ?y)) (true (on ?y)) (does r (take ?x)) (other ?x ?y)) (<= (legal r noop) (not any)) "
      "(<= any (true (on ?x)))");
  for (const char* cell : {"a", "b", "c", "d", "e"}) text += fmt::format("(cell {0}) (init (on {0})) ", cell);
  Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  std::size_t told = 0;  // the key is what the move says
  const auto& e = game.game->expressions();
  for (const ir::EdgeId edge : game.game->graph.edges()) {
    const auto* assign = std::get_if<ir::Assign>(&game.game->graph.label(edge));
    if (assign == nullptr || e.kind(assign->rhs) != ir::ExprKind::variable) continue;
    const SymbolId key = game.game->variable(game.game->assigned_variable(assign->lhs)).name;
    told += game.game->symbols.text(key) == "on_key_1" ? 1U : 0U;
  }
  EXPECT_EQ(told, 1U);
  EXPECT_EQ(beside_ground(text, game, 40), "");
}

// A group of stones is asked for once, not for each of its stones; what a rule about the move says is known at once.
TEST(GdlLifted, ConditionsOnSomeKeysAreAskedFirst) {
  const std::string text = with(
      "(cell a) (cell b) (cell c) (<= (legal r (put ?x ?y)) (cell ?x) (cell ?y)) "
      "(<= (next (in ?x ?y)) (does r (put ?x ?y))) (<= (next (in ?x ?y)) (true (in ?x ?y)) (not (left ?y))) "
      "(<= (left ?y) (moved ?x ?y) (true (in ?z ?y)) (distinct ?x ?z)) (<= (moved ?x ?y) (does r (put ?x ?y))) "
      "(<= (next (last ?x)) (moved ?x ?y)) (<= (next (last ?x)) (true (last ?x)) (not (true (in ?x ?x)))) "
      "(<= (legal r pass) (true (last ?x)) (true (in ?x ?x)))");
  Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(beside_ground(text, game, 60), "");
}

// Two players put stones on a board of 4 x 4; the one who has a row or a column of exactly three ends the game.
std::string three_in_a_row(const std::string& stones) {
  std::string text =
      "(role x) (role o) (init (control x)) (<= (next (control x)) (true (control o))) "
      "(<= (next (control o)) (true (control x))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (legal ?r (put ?x ?y)) (true (control ?r)) (index ?x) (index ?y) (not (taken ?x ?y))) "
      "(<= (taken ?x ?y) (true (cell ?x ?y ?r))) (<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y))) "
      "(<= (line ?r) (true (cell ?x ?y ?r)) (succ ?x ?x2) (true (cell ?x2 ?y ?r)) (succ ?x2 ?x3) "
      "(true (cell ?x3 ?y ?r)) (not (before ?x ?y ?r))) "
      "(<= (line ?r) (true (cell ?x ?y ?r)) (succ ?y ?y2) (true (cell ?x ?y2 ?r)) (succ ?y2 ?y3) "
      "(true (cell ?x ?y3 ?r))) "
      "(<= (before ?x ?y ?r) (succ ?w ?x) (true (cell ?w ?y ?r))) (<= (open) (index ?x) (index ?y) (not (taken ?x "
      "?y))) "
      "(<= terminal (line ?r)) (<= terminal (not (open))) (<= terminal (true (moves 14))) (init (moves 0)) "
      "(<= (next (moves ?n)) (true (moves ?m)) (after ?m ?n)) "
      "(<= (goal ?r 100) (line ?r)) (<= (goal ?r 0) (role ?r) (not (line ?r))) (succ 1 2) (succ 2 3) (succ 3 4) ";
  for (int i = 1; i <= 4; ++i) text += fmt::format("(index {}) ", i);
  for (int i = 0; i < 14; ++i) text += fmt::format("(after {} {}) ", i, i + 1);
  return text + stones;
}

// A game that went on has no line; one that has one now has it through the last stone.
TEST(GdlLifted, TheEndIsLookedForWhereTheMoveWas) {
  const std::string text = three_in_a_row("(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(checks_ask_for_the_move(*game.game));
  EXPECT_EQ(beside_ground(text, game, 60), "");
}

// Where stones vanish, the stone before three others may be gone, so a row may come about far from the move.
TEST(GdlLifted, TheEndIsLookedForEverywhereWhereFactsVanish) {
  const std::string text = three_in_a_row(
      "(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)) (not (swept ?x))) (<= (swept ?x) (does ?r (put ?w ?y)) (succ "
      "?w ?v) "
      "(succ ?v ?x))");
  EXPECT_EQ(beside_ground(text, lift(text), 60), "");
}

// Discs fall in columns, so that the move tells the column alone; four in a row or a column end the game.
std::string falling_discs(const std::string& rules, int side = 5) {
  std::string text =
      fmt::format("(top {}) ", side) +
      "(role x) (role o) (init (control x)) (<= (next (control x)) (true (control o))) "
      "(<= (next (control o)) (true (control x))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (legal ?r (drop ?x)) (true (control ?r)) (top ?y) (free ?x ?y)) "
      "(<= (free ?x ?y) (index ?x) (index ?y) (not (true (cell ?x ?y x))) (not (true (cell ?x ?y o)))) "
      "(<= (next (cell ?x 1 ?r)) (does ?r (drop ?x)) (free ?x 1)) "
      "(<= (next (cell ?x ?y ?r)) (does ?r (drop ?x)) (free ?x ?y) (succ ?w ?y) (not (free ?x ?w))) "
      "(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r))) "
      "(<= (line ?r) (true (cell ?x ?y ?r)) (succ ?x ?x2) (true (cell ?x2 ?y ?r)) (succ ?x2 ?x3) "
      "(true (cell ?x3 ?y ?r)) (succ ?x3 ?x4) (true (cell ?x4 ?y ?r))) "
      "(<= (line ?r) (true (cell ?x ?y ?r)) (succ ?y ?y2) (true (cell ?x ?y2 ?r)) (succ ?y2 ?y3) "
      "(true (cell ?x ?y3 ?r)) (succ ?y3 ?y4) (true (cell ?x ?y4 ?r))) "
      "(<= (open) (top ?y) (index ?x) (free ?x ?y)) (<= terminal (line x)) (<= terminal (line o)) (<= terminal (not "
      "(open))) "
      "(<= (goal ?r 100) (line ?r)) (<= (goal ?r 0) (role ?r) (not (line ?r))) ";
  for (int i = 1; i <= side; ++i) text += fmt::format("(index {}) ", i);
  for (int i = 1; i < side; ++i) text += fmt::format("(succ {} {}) ", i, i + 1);
  return text + rules;
}

// The step says where the disc has come to lie.
TEST(GdlLifted, TheEndIsLookedForWhereTheStepHasAddedSomething) {
  const std::string text = falling_discs("", 9);
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_variable(*game.game, "_several"));
  EXPECT_EQ(beside_ground(text, game, 20), "");
}

// Few cells are looked at at once, so that it is enough to know whose disc has fallen.
TEST(GdlLifted, TheEndIsLookedForWithWhatAScalarWasBeforeTheStep) {
  const std::string text = falling_discs("");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_variable(*game.game, "control_before"));
  EXPECT_FALSE(has_variable(*game.game, "_several"));
  EXPECT_EQ(beside_ground(text, game, 100), "");
}

// A disc of the other one falls with those in the first column: the end may be theirs.
TEST(GdlLifted, AScalarDoesNotTellWhatAnotherCauseDerives) {
  const std::string text = falling_discs(
      "(<= (next (cell 5 ?y ?o)) (does ?r (drop 1)) (role ?o) (distinct ?r ?o) (free 1 ?y) (free 5 ?y) (succ ?w ?y) "
      "(not (free 1 ?w)))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_FALSE(has_variable(*game.game, "control_before"));
  EXPECT_EQ(beside_ground(text, game, 200), "");
}

// Four discs lie there already: the first position is looked at as a whole.
TEST(GdlLifted, TheFirstPositionMayBeTheEnd) {
  const std::string text =
      falling_discs("(init (cell 1 1 o)) (init (cell 2 1 o)) (init (cell 3 1 o)) (init (cell 4 1 o))");
  EXPECT_EQ(beside_ground(text, lift(text), 5), "");
}

// A disc in the second column makes a neighbour in the first one appear: two may close one line.
TEST(GdlLifted, TheEndIsLookedForEverywhereWhereAStepAddsSeveralFacts) {
  const std::string text = falling_discs(
      "(<= (next (cell 1 ?y ?r)) (does ?r (drop 2)) (free 2 ?y) (succ ?w ?y) (not (free 2 ?w)) (free 1 ?y))", 9);
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_variable(*game.game, "_several"));
  EXPECT_EQ(beside_ground(text, game, 40), "");
}

// Both drop discs at the same time, and may drop them into the same place.
TEST(GdlLifted, TheEndIsLookedForEverywhereWhereBothMove) {
  std::string text = falling_discs("");
  const auto without = [&](const std::string& part) { text.erase(text.find(part), part.size()); };
  without("(<= (legal ?r noop) (role ?r) (not (true (control ?r)))) ");
  without("(true (control ?r)) ");
  text += "(<= (next (pushed)) (does x (drop ?x)) (does o (drop ?x))) (<= terminal (true (pushed)))";
  EXPECT_EQ(beside_ground(text, lift(text), 100), "");
}

// Players take stones in turn, and who has more of them wins; `more` counts along the row.
std::string most_stones(const std::string& goals) {
  std::string text =
      "(role x) (role o) (init (control x)) (<= (next (control x)) (true (control o))) "
      "(<= (next (control o)) (true (control x))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (legal ?r (take ?n)) (true (control ?r)) (index ?n) (not (taken ?n))) "
      "(<= (taken ?n) (true (has ?n ?r))) (<= (next (has ?n ?r)) (does ?r (take ?n))) "
      "(<= (next (has ?n ?r)) (true (has ?n ?r))) "
      "(<= (next (has ?m ?r)) (does ?r (take ?n)) (succ ?n ?m) (not (taken ?m))) "
      "(<= (counted 1 ?r 1) (true (has 1 ?r))) (<= (counted 1 ?r 0) (role ?r) (not (true (has 1 ?r)))) "
      "(<= (counted ?m ?r ?d) (succ ?n ?m) (counted ?n ?r ?c) (true (has ?m ?r)) (up ?c ?d)) "
      "(<= (counted ?m ?r ?c) (succ ?n ?m) (counted ?n ?r ?c) (not (true (has ?m ?r)))) "
      "(<= (more ?r) (counted 5 ?r ?c) (role ?s) (distinct ?r ?s) (counted 5 ?s ?d) (less ?d ?c)) "
      "(<= (open) (index ?n) (not (taken ?n))) (<= terminal (not (open))) (foe x o) (foe o x) ";
  for (int i = 1; i <= 5; ++i) text += fmt::format("(index {0}) (up {1} {0}) ", i, i - 1);
  for (int i = 1; i < 5; ++i) text += fmt::format("(succ {} {}) ", i, i + 1);
  for (int i = 0; i < 5; ++i)
    for (int k = i + 1; k <= 5; ++k) text += fmt::format("(less {} {}) ", i, k);
  return text + goals;
}

// What goals of both players ask is asked once for all of them; goals that ask it once have no flags.
TEST(GdlLifted, WhatSeveralGoalsAskIsAskedOnce) {
  const std::string several = most_stones(
      "(<= (goal ?r 100) (more ?r)) (<= (goal ?r 50) (role ?r) (not (more x)) (not (more o))) "
      "(<= (goal ?r 0) (foe ?r ?s) (more ?s))");
  const Lifted game = lift(several);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_variable(*game.game, "answer_2"));
  EXPECT_EQ(beside_ground(several, game, 100), "");
  const std::string once = most_stones("(<= (goal x 100) (more x)) (<= (goal x 0) (not (more x))) (goal o 0)");
  const Lifted other = lift(once);
  ASSERT_TRUE(other.game) << other.why;
  EXPECT_FALSE(has_variable(*other.game, "answer_1"));
  EXPECT_EQ(beside_ground(once, other, 100), "");
}

// Discs vanish, so that what must not be there may be what a line needs.
TEST(GdlLifted, TheEndMayComeFromWhatVanishes) {
  std::string text =
      falling_discs("(<= terminal (true (cell 3 1 x)) (not (true (cell 1 1 x))) (not (true (cell 1 1 o))))");
  const std::string frame = "(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r))) ";
  text.replace(text.find(frame), frame.size(),
               "(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)) (not (gone ?x))) (<= (gone 1) (does ?r (drop 5)))");
  EXPECT_EQ(beside_ground(text, lift(text), 200), "");
}

// Stones of a group take another number where a stone joins them. One walk takes the old numbers away and gives them
// the new one; the number is missing after the last step.
std::string joining_groups(const std::string& left) {
  std::string text =
      "(role x) (role o) (init (control x)) (<= (next (control x)) (true (control o))) "
      "(<= (next (control o)) (true (control x))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (legal ?r (put ?x)) (true (control ?r)) (index ?x) (not (taken ?x))) (<= (taken ?x) (true (group ?g ?x))) "
      "(init (step 1)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) "
      "(<= (joins ?g) (does ?r (put ?x)) (near ?x ?y) (true (group ?g ?y))) "
      "(<= (next (group ?g ?x)) (does ?r (put ?x)) (true (step ?g))) "
      "(<= (next (group ?g ?x)) (true (group ?g ?x)) (not (joins ?g))) "
      "(<= (next (group ?n ?x)) (joins ?g) (true (group ?g ?x)) (true (step ?n)) " +
      left +
      ") "
      "(<= (near ?x ?y) (succ ?x ?y)) (<= (near ?y ?x) (succ ?x ?y)) "
      "(<= (open) (index ?x) (not (taken ?x))) (<= terminal (not (open))) (<= terminal (true (step 30))) "
      "(<= (goal ?r 100) (role ?r) (true (group ?g 1)) (true (group ?g 5))) "
      "(<= (goal ?r 50) (role ?r) (true (group ?g 2)) (true (group ?g 3))) ";
  for (int i = 1; i <= 30; ++i) text += fmt::format("(index {}) ", i);
  for (int i = 1; i < 30; ++i) text += fmt::format("(succ {} {}) ", i, i + 1);
  return text;
}

// The number of the cell is the key, that of the group is none.
TEST(GdlLifted, WhatGoesAndComesAgainIsOneWalk) {
  const Lifted one = lift(joining_groups("(not (true (step 7)))"));
  const Lifted two = lift(joining_groups("(not (true (group ?g 7)))"));
  ASSERT_TRUE(one.game) << one.why;
  ASSERT_TRUE(two.game) << two.why;
  EXPECT_THAT(one.names.notes, Contains("group: 2 -> 1"));
  EXPECT_LT(one.game->graph.edge_count() + 20, two.game->graph.edge_count());
}

// What else the rule asks is asked at each of the facts; where it is about more than their keys, there are two walks.
TEST(GdlLifted, WhatGoesComesAgainWhereTheRestHolds) {
  for (const char* left : {"", "(not (true (control o)))", "(distinct ?x 2)", "(not (true (group ?g 3)))"}) {
    const std::string text = joining_groups(left);
    const Lifted game = lift(text);
    ASSERT_TRUE(game.game) << game.why;
    EXPECT_EQ(beside_ground(text, game, kSanitized ? 40 : 200), "") << left;
  }
}

// Stones in a row, counted from one end to the other by rules with one number more or the same.
std::string counting(const std::string& rules) {
  std::string text =
      "(role x) (role o) (init (control x)) (<= (next (control x)) (true (control o))) "
      "(<= (next (control o)) (true (control x))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (legal ?r (put ?x)) (true (control ?r)) (index ?x) (not (taken ?x))) (<= (taken ?x) (true (cell ?x ?r))) "
      "(<= (next (cell ?x ?r)) (does ?r (put ?x))) (<= (next (cell ?x ?r)) (true (cell ?x ?r)) (not (turned ?x))) "
      "(<= (turned ?x) (does ?r (put ?y)) (succ ?y ?x)) "
      "(<= (next (cell ?x ?r)) (does ?r (put ?y)) (succ ?y ?x) (taken ?x)) "
      "(<= (open) (index ?x) (not (taken ?x))) (<= terminal (not (open))) "
      "(<= (stones 1 ?r 1) (true (cell 1 ?r))) (<= (stones 1 ?r 0) (role ?r) (not (true (cell 1 ?r)))) "
      "(<= (stones ?y ?r ?m) (stones ?x ?r ?n) (succ ?x ?y) (succ ?n ?m) (true (cell ?y ?r))) "
      "(<= (stones ?y ?r ?n) (stones ?x ?r ?n) (succ ?x ?y) (not (true (cell ?y ?r)))) "
      "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z)) (succ 0 1) ";
  for (int i = 1; i <= 9; ++i) text += fmt::format("(index {}) ", i);
  for (int i = 1; i < 9; ++i) text += fmt::format("(succ {} {}) ", i, i + 1);
  return text + rules;
}

std::size_t callers_of(const ir::Game& game, std::string_view relation) {
  std::size_t count = 0;
  for (const ir::Variable& v : game.variables())
    count += game.symbols.str(v.name).starts_with(fmt::format("{}_caller", relation)) ? 1 : 0;
  return count;
}

// The number is told by how far the count is: it is computed instead of tried.
TEST(GdlLifted, RecursionThatTellsANumberIsFollowedForwards) {
  const std::string text = counting(
      "(<= (wins ?r) (stones 9 ?r ?n) (role ?s) (distinct ?r ?s) (stones 9 ?s ?m) (less ?m ?n)) "
      "(<= (goal ?r 100) (wins ?r)) (<= (goal ?r 0) (role ?r) (not (wins ?r)))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(callers_of(*game.game, "stones"), 1U);
  EXPECT_EQ(beside_ground(text, game, 100), "");
}

// A stone may be counted or left out, so that there are several numbers, and each is tried.
TEST(GdlLifted, RecursionThatTellsSeveralNumbersIsAsked) {
  const std::string text = counting(
      "(<= (stones ?y ?r ?n) (stones ?x ?r ?n) (succ ?x ?y) (true (cell ?y ?r)) (true (cell ?x ?r))) "
      "(<= (wins ?r) (stones 9 ?r ?n) (role ?s) (distinct ?r ?s) (stones 9 ?s ?m) (less ?m ?n)) "
      "(<= (goal ?r 100) (wins ?r)) (<= (goal ?r 0) (role ?r) (not (wins ?r)))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(callers_of(*game.game, "stones"), 0U);
  EXPECT_EQ(beside_ground(text, game, 100), "");
}

// Rooks among walls. Both rules of `legal` ask where one goes, and then something else of that place.
constexpr const char* kRooks =
    "(index 1) (index 2) (index 3) (index 4) (succ 3 4) (init (at 1 1 rook)) (init (at 4 3 rook)) (init (at 1 4 wall)) "
    "(init (at 3 3 wall)) (legal r stay) (<= (legal r (go ?x ?y ?u ?v)) (goes ?x ?y ?u ?v) (not (taken ?u ?v))) "
    "(<= (legal r (go ?x ?y ?u ?v)) (goes ?x ?y ?u ?v) (not (true (at ?u ?v rook)))) "
    "(<= (goes ?x ?y ?u ?v) (true (at ?x ?y rook)) (slide ?x ?y ?u ?v)) (<= (taken ?x ?y) (true (at ?x ?y ?p))) "
    "(<= (slide ?x ?y ?u ?y) (right ?x ?y ?u)) (<= (slide ?u ?y ?x ?y) (right ?x ?y ?u)) "
    "(<= (slide ?x ?y ?x ?v) (up ?x ?y ?v)) (<= (slide ?x ?v ?x ?y) (up ?x ?y ?v)) "
    "(<= (right ?x ?y ?u) (succ ?x ?u) (index ?y)) "
    "(<= (right ?x ?y ?u) (succ ?x ?w) (not (taken ?w ?y)) (right ?w ?y ?u)) "
    "(<= (up ?x ?y ?v) (succ ?y ?v) (index ?x)) (<= (up ?x ?y ?v) (succ ?y ?w) (not (taken ?x ?w)) (up ?x ?w ?v)) "
    "(<= (next (at ?u ?v rook)) (does r (go ?x ?y ?u ?v))) (<= (next (at ?a ?b ?p)) (true (at ?a ?b ?p)) (does r "
    "stay)) "
    "(<= (next (at ?a ?b ?p)) (true (at ?a ?b ?p)) (does r (go ?x ?y ?u ?v)) (or (distinct ?a ?x) (distinct ?b ?y))) ";

TEST(GdlLifted, WhatRulesBeginWithIsWalkedOnce) {
  const Lifted game = lift(with(kRooks));
  ASSERT_TRUE(game.game) << game.why;
  const ir::VarId caller = game.game->find_variable(game.game->symbols.find("goes_caller"));
  ASSERT_TRUE(caller.valid());
  EXPECT_EQ(game.game->members(game.game->variable(caller).type).size(), 2U) << "nobody and one caller";
  EXPECT_EQ(beside_ground(with(kRooks), game, 60), "");
}

// Many pellets that are eaten, one place for each of two that walk.
std::string eaters(const std::string& rules) {
  return with(
      "(init (at pellet 2)) (init (at pellet 3)) (init (at pac 1)) (init (at ghost 4)) (walker pac) (walker ghost) "
      "(<= (legal r (go ?d)) (next_to ?c ?d) (true (at pac ?c))) "
      "(<= (next (at pac ?d)) (does r (go ?d))) "
      "(<= (next (at ghost ?d)) (does r (go ?c)) (next_to ?c ?d) (true (at ghost ?e)) (above ?d ?c)) "
      "(<= (next (at ghost ?e)) (does r (go 4)) (true (at ghost ?e))) "
      "(<= (next (at pellet ?c)) (true (at pellet ?c)) (not (eaten ?c))) (<= (eaten ?c) (does r (go ?c))) "
      "(<= (legal r wait) (walker ?w) (not (true (at ?w 1)))) (<= (goal r 50) (true (at ?any 3))) "
      "(above 2 1) (above 3 2) (above 4 3) (<= (next_to ?a ?b) (above ?a ?b)) (<= (next_to ?a ?b) (above ?b ?a)) " +
      rules);
}

// The functor as a whole is told by all its columns, its parts by fewer.
TEST(GdlLifted, FactsOfSeparateClassesArePartedWhereThatTellsMore) {
  const std::string text = eaters("");
  Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("at_pac: -> 1"));
  EXPECT_THAT(game.names.notes, Contains("at_pellet: 1 -> Bool"));
  ASSERT_EQ(game.game->words->relations.size(), 1U) << "people see one relation";
  EXPECT_EQ(game.game->symbols.str(game.game->words->relations[0].name), "at");
  EXPECT_EQ(game.game->words->relations[0].parts.size(), 3U);
  EXPECT_EQ(beside_ground(text, game, 60), "");
}

// A rock is nowhere, so it is not at the place that is asked for.
TEST(GdlLifted, WhatIsDeniedOfValuesWithoutFactsHolds) {
  const std::string text = eaters("(heavy ghost) (heavy rock) (<= (legal r sleep) (heavy ?w) (not (true (at ?w 4))))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("at_pac: -> 1"));
  EXPECT_EQ(beside_ground(text, game, 60), "");
}

TEST(GdlLifted, PartsThatNothingDependsOnAreLeftOut) {
  const std::string text = with(
      "(init (at dust 2)) (init (at dust 3)) (init (at pac 1)) "
      "(<= (legal r (go ?d)) (next_to ?c ?d) (true (at pac ?c))) (<= (next (at pac ?d)) (does r (go ?d))) "
      "(<= (next (at dust ?c)) (true (at dust ?c))) (<= (goal r 50) (true (at pac 3))) "
      "(above 2 1) (above 3 2) (above 4 3) (<= (next_to ?a ?b) (above ?a ?b)) (<= (next_to ?a ?b) (above ?b ?a))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  ASSERT_EQ(game.game->words->relations.size(), 1U);
  EXPECT_EQ(game.game->words->relations[0].parts.size(), 1U);
  EXPECT_EQ(beside_ground(text, game, 30), "");
}

// Forms are found for terms of bounded depth; a game cut off at some depth would be another one.
TEST(GdlLifted, TermsThatGrowWithoutBoundAreRefused) {
  const Lifted game = lift(
      "(role r) (init (f 1)) (<= (legal r (go ?x)) (true (f ?x))) (<= (legal r stop) (true (f ?x))) "
      "(<= (next (f (s ?x))) (true (f ?x)) (does r (go ?x))) (<= (next done) (does r stop)) "
      "(<= terminal (true done)) (<= (goal r 100) (true done))");
  EXPECT_FALSE(game.game);
  EXPECT_THAT(game.why, testing::HasSubstr("without bound"));
}

TEST(GdlLifted, OurGamesPlayLikeTheirGroundPrograms) {
  for (const char* name : {"blocker.kif", "breakthrough-6x6.kif", "connect-four.kif", "eight-puzzle.kif",
                           "fox-and-hounds.kif", "goofspiel.kif", "peg-solitaire.kif", "prisoners-dilemma.kif",
                           "river-crossing.kif", "silverman-4x5.kif", "three-player-nim.kif", "tic-tac-toe.kif"}) {
    const std::string text = source(name);
    const Lifted lifted_game = lift(text);
    ASSERT_TRUE(lifted_game.game) << name << ": " << lifted_game.why;
    EXPECT_EQ(beside_ground(text, lifted_game, 5), "") << name;
  }
}

// People see the facts, not what keeps the next ones or the moves on their way.
TEST(GdlLifted, WhatIsNoFactIsAnAside) {
  for (const char* name : {"breakthrough-6x6.kif", "prisoners-dilemma.kif", "tic-tac-toe.kif"}) {
    const Lifted lifted_game = lift(source(name));
    ASSERT_TRUE(lifted_game.game && lifted_game.game->words);
    const ir::Game& game = *lifted_game.game;
    std::size_t shown = 0;
    for (const ir::Variable& variable : game.variables()) {
      const std::string& text = game.symbols.str(variable.name);
      const bool aside = game.words->asides.contains(variable.name);
      shown += aside ? 0 : 1;
      EXPECT_FALSE(!aside && (text.starts_with("new_") || text.starts_with("argument_"))) << name << ": " << text;
    }
    EXPECT_GT(shown, 0U) << name;
    EXPECT_LT(shown, game.variables().size()) << name;
  }
}

TEST(GdlLifted, RelationsThatAskThemselvesForOtherConstantsAreNoRecursion) {
  const std::string text =
      "(role a) (role b) (init (step 1)) (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2)))"
      "(legal ?r x) (legal ?r y) (<= (next (ahead ?r)) (does ?r x))"
      "(<= (goal ?r 100) (role ?r) (true (ahead ?r))) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";
  EXPECT_EQ(beside_ground(text, lift(text), 20), "");
}

// The form that a description gets, as notes tell it.
std::string form_of(const std::string& text, const char* option = nullptr) {
  std::string form;
  listen_to_notes([&](const std::string& note) {
    if (note.starts_with("form of the game: ")) form = note;
  });
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  FrontendOptions options;
  if (option != nullptr) options.values[option] = "2000";
  frontend().load(sources->add("game.kif", text), diagnostics, options);
  listen_to_notes({});
  return diagnostics.has_errors() ? diagnostics.all().back().message : form;
}

// `player` is a word of RG, where the role has another name.
TEST(GdlForm, RolesKeepTheirNames) {
  const std::string text = R"(
(role player) (role the-other)
(init (n 0)) (succ 0 1) (succ 1 2)
(<= (legal player (add ?x)) (succ ?y ?x))
(<= (legal the-other (add ?x)) (succ ?x ?y))
(<= (next (n ?x)) (does player (add ?x)))
(<= (next (m ?x)) (does the-other (add ?x)))
(<= terminal (true (n 2)))
(<= (goal ?r 50) (role ?r))
)";
  for (const char* form : {"ground", "lifted"}) {
    Diagnostics diagnostics;
    FrontendOptions options;
    options.values[form] = "";
    const ir::Game game = frontend().load(diagnostics.sources()->add("game.kif", text), diagnostics, options);
    ASSERT_FALSE(diagnostics.has_errors()) << form;
    EXPECT_THAT(make_interpreter(game)->info().players, testing::ElementsAre("player", "the-other")) << form;
  }
}

TEST(GdlForm, IsLiftedWhereTheGroundFormIsLarge) {
  std::string digits;
  for (int i = 0; i < 60; ++i) digits += fmt::format("(d {})", i);
  const std::string large = with("(<= (legal r (go ?a ?b ?c)) (d ?a) (d ?b) (d ?c))" + digits);
  EXPECT_EQ(form_of(large), "form of the game: lifted, because grounding gives more than 100000 rules");
  EXPECT_THAT(form_of(large, "max-rules"), HasSubstr("grounding gives more than 2000 rules"));
  EXPECT_THAT(form_of(source("tic-tac-toe.kif")), HasSubstr("form of the game: ground, which has only "));
  std::string board = kWalker;
  for (int i = 4; i <= 14; ++i) board += fmt::format("(succ {} {}) (number {}) ", i, i + 1, i);
  EXPECT_THAT(form_of(with(board)),
              HasSubstr("form of the game: lifted, because the rules are about cells of a board"));
}

// Two and a half million tuples that nobody wants to see, of which a few are asked for.
TEST(GdlForm, LargeRelationsAreAskedFor) {
  if (kSanitized) GTEST_SKIP() << "a million tuples";
  std::string text = with(
      "(<= (legal r (go ?a ?b)) (n ?a) (n ?b) (true (at ?c ?d)) (far ?a ?b ?c ?d)) (init (at 0 0)) "
      "(<= (next (at ?a ?b)) (does r (go ?a ?b))) (<= (far ?a ?b ?c ?d) (apart ?a ?c) (apart ?b ?d)) "
      "(<= (apart ?a ?c) (n ?a) (n ?c) (distinct ?a ?c))");
  for (int i = 0; i < 40; ++i) text += fmt::format(" (n {})", i);
  EXPECT_THAT(lift(text).why, HasSubstr("too many tuples in 'far'"));
  const Lifted game = lift(text, {.most_fixed = 100'000});
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_LT(game.game->graph.edge_count(), 100U);
  const auto play = make_interpreter(*game.game);
  play->apply(0);  // keeper begins
  EXPECT_EQ(play->move_count(), 39U * 39U);
  EXPECT_EQ(form_of(text), "form of the game: lifted, because 'far' has more than 500000 tuples");
}

}  // namespace
}  // namespace rgtrans::gdl
