// Boards in the lifted form: what static relations imply, what is denied for all, cells of three coordinates, moves of
// both players in one place, lines from their first cells on, and scores that rules tell.
#include <gtest/gtest.h>

#include <set>

#include "frontends/gdl/lifted/lifted.hpp"
#include "tests/support/gdl_lift.hpp"

namespace rgtrans::gdl {
namespace {

bool has_constant(const ir::Game& game, std::string_view begin) {
  return std::ranges::any_of(
      game.constants(), [&](const ir::Constant& c) { return c.alive && game.symbols.str(c.name).starts_with(begin); });
}

bool has_symbol(const ir::Game& game, std::string_view name) { return game.symbols.find(name).valid(); }

// The nodes to which players are named behind the phases.
std::set<ir::NodeId> decisions(const ir::Game& game) {
  std::set<ir::NodeId> result;
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    const auto* assign = std::get_if<ir::Assign>(&label);
    if (assign == nullptr || !game.is_player_assignment(label)) continue;
    if (game.symbols.str(game.expressions().symbol(assign->rhs)) != "keeper") result.insert(game.graph.target(edge));
  }
  return result;
}

std::string numbers(int to) {
  std::string text;
  for (int i = 1; i <= to; ++i) text += fmt::format("(index {}) ", i);
  for (int i = 1; i < to; ++i) text += fmt::format("(succ {} {}) ", i, i + 1);
  return text;
}

// Two players with a rook and some stones each on a board of 4 x 4; a piece belongs to one of them. It ends with the
// twelfth step.
std::string rooks(const std::string& goals) {
  std::string text =
      "(role white) (role black) (init (control white)) (<= (next (control white)) (true (control black))) "
      "(<= (next (control black)) (true (control white))) (init (step 1)) "
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 12))) "
      "(owns wr white) (owns ws white) (owns br black) (owns bs black) (rook wr) (rook br) "
      "(init (cell 1 1 wr)) (init (cell 2 2 ws)) (init (cell 4 4 br)) (init (cell 3 2 bs)) (init (cell 4 1 bs)) "
      "(<= (owned ?x ?y ?r) (true (cell ?x ?y ?p)) (owns ?p ?r)) "
      "(<= (empty ?x ?y) (side ?x) (side ?y) (not (owned ?x ?y white)) (not (owned ?x ?y black))) "
      "(<= (east ?x ?y ?z ?y) (succ ?x ?z) (side ?y) (side ?z)) "
      "(<= (east ?x ?y ?u ?y) (succ ?x ?z) (empty ?z ?y) (east ?z ?y ?u ?y) (side ?y)) "
      "(<= (slide ?x ?y ?u ?v) (east ?x ?y ?u ?v)) (<= (slide ?x ?y ?u ?v) (east ?u ?v ?x ?y)) "
      "(<= (slide ?x ?y ?x ?v) (succ ?y ?v) (side ?v) (side ?x)) "
      "(<= (legal ?r (move ?x ?y ?u ?v)) (true (control ?r)) (owned ?x ?y ?r) (true (cell ?x ?y ?p)) (rook ?p) "
      "(slide ?x ?y ?u ?v) (not (owned ?u ?v ?r))) "
      "(<= (legal ?r wait) (true (control ?r))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (next (cell ?u ?v ?p)) (does ?r (move ?x ?y ?u ?v)) (true (cell ?x ?y ?p))) "
      "(<= (next (cell ?a ?b ?p)) (true (cell ?a ?b ?p)) (does ?r (move ?x ?y ?u ?v)) (other ?a ?b ?x ?y) "
      "(other ?a ?b ?u ?v)) (<= (next (cell ?a ?b ?p)) (true (cell ?a ?b ?p)) (does ?r wait)) "
      "(<= (other ?a ?b ?x ?y) (side ?a) (side ?b) (side ?x) (side ?y) (distinct ?a ?x)) "
      "(<= (other ?a ?b ?x ?y) (side ?a) (side ?b) (side ?x) (side ?y) (distinct ?b ?y)) "
      "(init (taken white 0)) (init (taken black 0)) (up 0 1) (up 1 2) (up 2 3) "
      "(score 0 0) (score 1 30) (score 2 60) (score 3 100) "
      "(<= (next (taken ?r ?n)) (true (taken ?r ?m)) (takes ?r) (up ?m ?n)) "
      "(<= (next (taken ?r ?n)) (true (taken ?r ?n)) (not (takes ?r))) "
      "(<= (takes ?r) (does ?r (move ?x ?y ?u ?v)) (true (cell ?u ?v ?p))) ";
  for (int i = 1; i <= 4; ++i) text += fmt::format("(side {}) ", i);
  return text + numbers(12) + goals;
}

// A rook goes on in its row, so nobody asks for the row of the cell where it ends, and it is followed from either end;
// a cell without a piece of one of both is one without a fact.
TEST(GdlLiftedBoards, RaysAskForNothingThatTheirStepsImply) {
  const std::string text = rooks("(<= (goal ?r ?s) (true (taken ?r ?n)) (score ?n ?s))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_symbol(*game.game, "1_1"));
  EXPECT_FALSE(has_variable(*game.game, "east_2_1_now"));
  std::size_t choices = 0;  // of a cell to begin a ray at
  for (const ir::EdgeId edge : game.game->graph.edges()) {
    const auto* any = std::get_if<ir::AssignAny>(&game.game->graph.label(edge));
    if (any == nullptr) continue;
    const ir::VarId variable = game.game->assigned_variable(any->lhs);
    choices += game.game->symbols.str(game.game->variable(variable).name).starts_with("east") ? 1 : 0;
  }
  EXPECT_EQ(choices, 0U);
  EXPECT_EQ(beside_ground(text, game, 150), "");
}

// Kings and rooks on a board of 4 x 4. Nobody leaves a cell when the king would then be threatened; a king in check is
// rescued by a piece that takes the checking rook, or by itself. It ends with the tenth step.
std::string kings() {
  std::string text =
      "(role white) (role black) (init (control white)) (<= (next (control white)) (true (control black))) "
      "(<= (next (control black)) (true (control white))) (init (step 1)) "
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 10))) "
      "(owns wk white) (owns wr white) (owns bk black) (owns br black) (king wk) (king bk) (rook wr) (rook br) "
      "(init (cell 1 1 wk)) (init (cell 2 1 wr)) (init (cell 4 4 bk)) (init (cell 4 1 br)) (init (cell 3 4 br)) "
      "(other white black) (other black white) "
      "(<= (empty ?x ?y) (side ?x) (side ?y) (not (owned ?x ?y white)) (not (owned ?x ?y black))) "
      "(<= (owned ?x ?y ?r) (true (cell ?x ?y ?p)) (owns ?p ?r)) "
      "(<= (east ?x ?y ?u ?y ?i ?j) (succ ?x ?u) (side ?y) (side ?u) (side ?i) (side ?j)) "
      "(<= (east ?x ?j ?u ?j ?i ?j) (succ ?x ?i) (east ?i ?j ?u ?j ?i ?j)) "
      "(<= (east ?x ?y ?u ?y ?i ?j) (succ ?x ?z) (empty ?z ?y) (east ?z ?y ?u ?y ?i ?j)) "
      "(<= (north ?x ?y ?x ?v ?i ?j) (succ ?y ?v) (side ?x) (side ?v) (side ?i) (side ?j)) "
      "(<= (north ?i ?y ?i ?v ?i ?j) (succ ?y ?j) (north ?i ?j ?i ?v ?i ?j)) "
      "(<= (north ?x ?y ?x ?v ?i ?j) (succ ?y ?z) (empty ?x ?z) (north ?x ?z ?x ?v ?i ?j)) "
      "(<= (line ?x ?y ?u ?v ?i ?j) (east ?x ?y ?u ?v ?i ?j)) (<= (line ?x ?y ?u ?v ?i ?j) (east ?u ?v ?x ?y ?i ?j)) "
      "(<= (line ?x ?y ?u ?v ?i ?j) (north ?x ?y ?u ?v ?i ?j)) (<= (line ?x ?y ?u ?v ?i ?j) (north ?u ?v ?x ?y ?i ?j)) "
      "(<= (threatened ?r ?x ?y ?i ?j) (other ?r ?o) (owns ?p ?o) (rook ?p) (true (cell ?u ?v ?p)) "
      "(line ?u ?v ?x ?y ?i ?j)) "
      "(<= (stride ?x ?y ?u ?y) (side ?y) (beside ?x ?u)) (<= (stride ?x ?y ?x ?v) (side ?x) (beside ?y ?v)) "
      "(<= (beside ?a ?b) (succ ?a ?b) (side ?b)) (<= (beside ?a ?b) (succ ?b ?a) (side ?a)) "
      "(<= (reaches ?r ?p ?x ?y ?u ?v) (true (cell ?x ?y ?p)) (owns ?p ?r) (rook ?p) (line ?x ?y ?u ?v ?x ?y)) "
      "(<= (reaches ?r ?p ?x ?y ?u ?v) (true (cell ?x ?y ?p)) (owns ?p ?r) (king ?p) (stride ?x ?y ?u ?v)) "
      "(<= (checked ?r) (true (check ?r ?x ?y))) "
      "(<= (legal ?r (move ?p ?x ?y ?u ?v)) (true (control ?r)) (not (checked ?r)) (reaches ?r ?p ?x ?y ?u ?v) "
      "(rook ?p) (not (owned ?u ?v ?r)) (owns ?k ?r) (king ?k) (true (cell ?a ?b ?k)) "
      "(not (threatened ?r ?a ?b ?x ?y))) "
      "(<= (legal ?r (move ?p ?x ?y ?u ?v)) (true (control ?r)) (reaches ?r ?p ?x ?y ?u ?v) "
      "(true (check ?r ?u ?v)) (rook ?p)) "
      "(<= (legal ?r (move ?p ?x ?y ?u ?v)) (true (control ?r)) (reaches ?r ?p ?x ?y ?u ?v) (king ?p) "
      "(not (owned ?u ?v ?r)) (not (threatened ?r ?u ?v ?x ?y))) "
      "(<= (legal ?r wait) (true (control ?r))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (next (cell ?u ?v ?p)) (does ?r (move ?p ?x ?y ?u ?v))) "
      "(<= (next (cell ?a ?b ?p)) (true (cell ?a ?b ?p)) (does ?r (move ?q ?x ?y ?u ?v)) (apart ?a ?b ?x ?y) "
      "(apart ?a ?b ?u ?v)) (<= (next (cell ?a ?b ?p)) (true (cell ?a ?b ?p)) (does ?r wait)) "
      "(<= (apart ?a ?b ?x ?y) (side ?a) (side ?b) (side ?x) (side ?y) (distinct ?a ?x)) "
      "(<= (apart ?a ?b ?x ?y) (side ?a) (side ?b) (side ?x) (side ?y) (distinct ?b ?y)) "
      "(<= (next (check ?o ?u ?v)) (does ?r (move ?p ?x ?y ?u ?v)) (rook ?p) (other ?r ?o) (owns ?k ?o) (king ?k) "
      "(true (cell ?a ?b ?k)) (line ?u ?v ?a ?b ?x ?y)) "
      "(<= (next (check ?o ?u ?v)) (does ?r (move ?p ?x ?y ?c ?d)) (true (cell ?u ?v ?q)) (rook ?q) (owns ?q ?r) "
      "(apart ?u ?v ?x ?y) (other ?r ?o) (owns ?k ?o) (king ?k) (true (cell ?a ?b ?k)) (line ?u ?v ?a ?b ?x ?y)) "
      "(<= (goal ?r 100) (other ?r ?o) (checked ?o)) (<= (goal ?r 50) (role ?r)) ";
  for (int i = 1; i <= 4; ++i) text += fmt::format("(side {}) ", i);
  return text + numbers(10);
}

// A check that reads the map is all that is asked before some procedure with results is entered.
bool is_asked_before_a_call(const ir::Game& game, std::string_view map) {
  const auto name = [&](ir::VarId v) { return game.symbols.str(game.variable(v).name); };
  const auto reads = [&](ir::NodeId check) {
    bool found = false;
    for (ir::EdgeId e : game.graph.out_edges(check)) {
      for (const ir::EdgeId next : game.graph.out_edges(game.graph.target(e)))
        if (const auto* compare = std::get_if<ir::Compare>(&game.graph.label(next)))
          game.for_each_variable(compare->lhs, [&](ir::VarId v) { found = found || name(v) == map; });
    }
    return found;
  };
  const auto enters = [&](ir::NodeId at) {
    while (game.graph.out_degree(at) == 1) {
      const ir::EdgeId only = game.graph.out_edge_list(at)[0];
      const auto* assign = std::get_if<ir::Assign>(&game.graph.label(only));
      if (assign == nullptr) return false;
      if (name(game.assigned_variable(assign->lhs)).ends_with("_caller")) return true;
      at = game.graph.target(only);
    }
    return false;
  };
  for (const ir::EdgeId e : game.graph.edges()) {
    const auto* asked = std::get_if<ir::Reachability>(&game.graph.label(e));
    if (asked != nullptr && !asked->negated && reads(asked->from) && enters(game.graph.target(e))) return true;
  }
  return false;
}

// Nobody asks which moves take a checking rook while there is none, nor follows a line to a cell that is not on it.
TEST(GdlLiftedBoards, WhatCannotHoldIsAskedBeforeWhatTakesLong) {
  const std::string text = kings();
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_constant(*game.game, "east_2_possible"));
  EXPECT_TRUE(is_asked_before_a_call(*game.game, "check"));
  EXPECT_EQ(beside_ground(text, game, 150), "");
}

// The score is looked up; where several scores may hold, each is asked for.
TEST(GdlLiftedBoards, ScoresAreToldByRules) {
  const std::string told = rooks("(<= (goal ?r ?s) (true (taken ?r ?n)) (score ?n ?s))");
  const auto tells = [](const ir::Game& game) {
    std::size_t found = 0;
    for (const ir::EdgeId edge : game.graph.edges()) {
      const auto* assign = std::get_if<ir::Assign>(&game.graph.label(edge));
      if (assign == nullptr || game.assigned_variable(assign->lhs) != game.goals()) continue;
      found += game.expressions().kind(assign->rhs) == ir::ExprKind::symbol ? 0U : 1U;
    }
    return found;
  };
  const Lifted game = lift(told);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(tells(*game.game), 2U);
  EXPECT_EQ(beside_ground(told, game, 60), "");
  const std::string several =
      rooks("(<= (goal ?r ?s) (true (taken ?r ?n)) (score ?n ?s)) (<= (goal ?r 40) (true (taken ?r 1)))");
  const Lifted other = lift(several);
  ASSERT_TRUE(other.game) << other.why;
  EXPECT_EQ(tells(*other.game), 0U);
}

// Who asks for two of three owners does not ask for all: a cell may be owned by the third.
TEST(GdlLiftedBoards, WhatSomeAreDeniedIsNotDeniedToAll) {
  std::string text =
      "(role x) (role o) (init (control x)) (<= (next (control x)) (true (control o))) "
      "(<= (next (control o)) (true (control x))) (init (step 1)) (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 "
      "b)) "
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 5))) "
      "(<= (holds ?c ?m) (true (cell ?c ?m))) (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) "
      "(<= (legal ?r pass) (true (control ?r))) "
      "(<= (legal ?r (mark ?c)) (true (control ?r)) (place ?c) (not (holds ?c x)) (not (holds ?c o))) "
      "(<= (next (cell ?c ?r)) (does ?r (mark ?c))) (<= (next (cell ?c ?m)) (true (cell ?c ?m)) (does ?r pass)) "
      "(<= (next (cell ?c ?m)) (true (cell ?c ?m)) (does ?r (mark ?d)) (distinct ?c ?d)) (place 1) (place 2) (place 3) "
      "(<= (goal ?r 100) (true (cell 1 ?r))) (<= (goal ?r 0) (role ?r) (not (true (cell 1 ?r)))) ";
  text += numbers(5);
  EXPECT_EQ(beside_ground(text, lift(text), 100), "");
}

// Each player puts a piece that the other one has chosen on a board of 3 x 3. Two scalars say whose turn it is, one at
// a time; moves are the same for both players; a row is looked at from its first cell on, whichever cell has changed.
std::string given_pieces(const std::string& rules) {
  std::string text =
      "(role x) (role o) (init (choosing x)) (<= (next (placing o)) (true (choosing x))) "
      "(<= (next (choosing o)) (true (placing o))) (<= (next (placing x)) (true (choosing o))) "
      "(<= (next (choosing x)) (true (placing x))) "
      "(<= (legal ?r (choose ?p)) (role ?r) (true (choosing ?r)) (true (pool ?p))) "
      "(<= (legal ?r (put ?p ?x ?y)) (role ?r) (true (placing ?r)) (true (chosen ?p)) (true (cell ?x ?y b))) "
      "(<= (legal ?r noop) (role ?r) (not (true (choosing ?r))) (not (true (placing ?r)))) "
      "(<= (next (chosen ?p)) (does ?r (choose ?p))) "
      "(<= (next (pool ?p)) (true (pool ?p)) (not (does x (choose ?p))) (not (does o (choose ?p)))) "
      "(<= (next (cell ?x ?y ?p)) (does ?r (put ?p ?x ?y))) "
      "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (choose ?q))) "
      "(<= (next (cell ?a ?b ?p)) (true (cell ?a ?b ?p)) (does ?r (put ?q ?x ?y)) (other ?a ?b ?x ?y)) "
      "(<= (other ?a ?b ?x ?y) (index ?a) (index ?b) (index ?x) (index ?y) (distinct ?a ?x)) "
      "(<= (other ?a ?b ?x ?y) (index ?a) (index ?b) (index ?x) (index ?y) (distinct ?b ?y)) "
      "(<= line (index ?y) (true (cell 1 ?y ?p)) (true (cell 2 ?y ?q)) (true (cell 3 ?y ?r)) "
      "(true (cell 4 ?y ?s)) (alike ?p ?q ?r ?s)) "
      "(<= (alike ?p ?q ?r ?s) (color ?p ?c) (color ?q ?c) (color ?r ?c) (color ?s ?c)) "
      "(<= open (true (cell ?x ?y b))) (<= terminal line) (<= terminal (not open)) "
      "(<= (goal ?r 100) line (true (choosing ?r))) (<= (goal ?r 0) (role ?r) (not (true (choosing ?r)))) "
      "(<= (goal ?r 50) (true (choosing ?r)) (not line)) ";
  for (int x = 1; x <= 4; ++x)
    for (int y = 1; y <= 4; ++y) text += fmt::format("(init (cell {} {} b)) ", x, y);
  for (int p = 0; p < 16; ++p)
    text += fmt::format("(init (pool p{0})) (color p{0} {1}) ", p, p % 2 == 0 ? "red" : "blue");
  return text + numbers(4) + rules;
}

TEST(GdlLiftedBoards, TwoScalarsMaySayWhoseTurnItIs) {
  const std::string text = given_pieces("");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_variable(*game.game, "argument_1"));
  EXPECT_FALSE(has_variable(*game.game, "choice_1"));  // one decides at a time
  EXPECT_EQ(decisions(*game.game).size(), 2U);         // one for each kind of move
  EXPECT_TRUE(has_constant(*game.game, "anchor"));
  EXPECT_EQ(beside_ground(text, game, 150), "");
}

// Players mark cells that may have a mark of each. Where rules ask for the marks of one player there is a row of cells
// for each of them; where they ask whose marks a cell has, these are the rows.
TEST(GdlLiftedBoards, RelationsAreRowsOfWhatIsAskedFor) {
  const auto marks = [](const std::string& more) {
    return "(role x) (role o) (init (control x)) (<= (next (control o)) (true (control x))) "
           "(<= (next (control x)) (true (control o))) (init (step 1)) (<= (next (step ?n)) (true (step ?m)) (succ ?m "
           "?n)) "
           "(<= terminal (true (step 8))) (init (mark 1 1 x)) (init (mark 1 1 o)) "
           "(<= (legal ?r noop) (role ?r) (not (true (control ?r)))) (<= (next (mark ?x ?y ?r)) (does ?r (put ?x ?y))) "
           "(<= (next (mark ?x ?y ?c)) (true (mark ?x ?y ?c)) (does ?r (put ?a ?b)) (or (distinct ?x ?a) (distinct ?y "
           "?b))) "
           "(<= (next (mark ?x ?y ?c)) (true (mark ?x ?y ?c)) (does ?r (put ?x ?y))) (<= (goal o 50) (role o)) "
           "(side 1) (side 2) (side 3) " +
           numbers(8) + more;
  };
  const std::string of_players = marks(
      "(<= (legal ?r (put ?x ?y)) (true (control ?r)) (side ?x) (side ?y) (not (true (mark ?x ?y ?r)))) "
      "(<= (goal x 100) (true (mark 2 2 x)) (true (mark 2 2 o))) (<= (goal x 0) (not (true (mark 2 2 x)))) "
      "(<= (goal x 40) (true (mark 2 2 x)) (not (true (mark 2 2 o))))");
  const std::string of_cells = marks(
      "(<= (marked ?x ?y) (true (mark ?x ?y ?c)) (side ?x) (side ?y)) "
      "(<= (legal ?r (put ?x ?y)) (true (control ?r)) (side ?x) (side ?y) (not (marked ?x ?y))) "
      "(<= (goal x 100) (marked 2 2)) (<= (goal x 0) (not (marked 2 2)))");
  for (const auto& [text, rows] : {std::pair(of_players, 2U), std::pair(of_cells, 9U)}) {
    SCOPED_TRACE(rows);
    const Lifted game = lift(text);
    ASSERT_TRUE(game.game) << game.why;
    const auto mark = std::ranges::find_if(game.game->variables(), [&](const ir::Variable& v) {
      return v.alive && game.game->symbols.str(v.name) == "mark";
    });
    ASSERT_NE(mark, game.game->variables().end());
    const ir::TypeId of_rows = game.game->resolve(game.game->types.from(mark->type));
    EXPECT_EQ(game.game->types.members(of_rows).size(), rows);
    EXPECT_EQ(beside_ground(text, game, 100), "");
  }
}

// Where the rules of one kind of move differ for the players, each has a decision of his own.
TEST(GdlLiftedBoards, PlayersWithMovesOfTheirOwnDecideForThemselves) {
  const std::string text = given_pieces("(<= (legal x (choose p0)) (true (choosing x)) (true (cell 1 1 b)))");
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_EQ(decisions(*game.game).size(), 3U);
  EXPECT_EQ(beside_ground(text, game, 100), "");
}

// Three boards of 3 x 3, one of which a player empties: the board and its coordinates are one cell, and only the cells
// of that board are visited.
TEST(GdlLiftedBoards, ThreeColumnsMayBeOneCell) {
  std::string text =
      "(role x) (role o) (init (putting x)) (<= (next (emptying x)) (true (putting x))) "
      "(<= (next (putting o)) (true (emptying x))) (<= (next (emptying o)) (true (putting o))) "
      "(<= (next (putting x)) (true (emptying o))) (init (step 1)) "
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 30))) (<= terminal (not open)) "
      "(<= (legal ?r (put ?b ?x ?y)) (true (putting ?r)) (empty ?b ?x ?y)) "
      "(<= (legal ?r (sweep ?b)) (true (emptying ?r)) (side ?b)) "
      "(<= (legal ?r noop) (role ?r) (not (true (putting ?r))) (not (true (emptying ?r)))) "
      "(<= (empty ?b ?x ?y) (side ?b) (side ?x) (side ?y) (not (true (at ?b ?x ?y x))) (not (true (at ?b ?x ?y o)))) "
      "(<= open (empty ?b ?x ?y)) (<= (next (at ?b ?x ?y ?r)) (does ?r (put ?b ?x ?y))) "
      "(<= (next (at ?b ?x ?y ?s)) (true (at ?b ?x ?y ?s)) (does ?r (put ?a ?u ?v))) "
      "(<= (next (at ?b ?x ?y ?s)) (true (at ?b ?x ?y ?s)) (does ?r (sweep ?a)) (distinct ?a ?b)) "
      "(<= (goal ?r 100) (true (at 1 1 1 ?r))) (<= (goal ?r 0) (role ?r) (not (true (at 1 1 1 ?r)))) "
      "(side 1) (side 2) (side 3) ";
  text += numbers(30);
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_symbol(*game.game, "3_1_2"));
  EXPECT_TRUE(has_constant(*game.game, "no_are"));
  EXPECT_EQ(beside_ground(text, game, 60), "");
}

// What is handed on lies in another column than the cell that is left, or in another row, and is not the cell that is
// reached: two rules with a walk each to the cells where they fail. Where one of them fails the other may hold.
TEST(GdlLiftedBoards, CellsKeepWhatOneOfTwoRulesHandsOn) {
  std::string text =
      "(role p) (init (step 1)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 6))) "
      "(<= (goal p 100) (true (on 1 1))) (<= (goal p 0) (not (true (on 1 1)))) "
      "(<= (init (on ?x ?y)) (file ?x) (index ?y)) (<= (near ?a ?b) (succ ?a ?b)) (<= (near ?b ?a) (succ ?a ?b)) "
      "(<= (legal p (go ?x ?y ?u ?v)) (true (on ?x ?y)) (near ?x ?u) (near ?y ?v) (file ?u)) "
      "(<= (next (on ?u ?v)) (does p (go ?x ?y ?u ?v))) "
      "(<= (next (on ?a ?b)) (true (on ?a ?b)) (does p (go ?x ?y ?u ?v)) (or (distinct ?a ?x) (distinct ?b ?y)) "
      "(or (distinct ?a ?u) (distinct ?b ?v))) ";
  for (int i = 1; i < 10; ++i) text += fmt::format("(file {}) ", i);
  text += numbers(10);
  const Lifted game = lift(text);
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_TRUE(has_constant(*game.game, "no_are"));
  EXPECT_EQ(beside_ground(text, game, 5), "");
}

}  // namespace
}  // namespace rgtrans::gdl
