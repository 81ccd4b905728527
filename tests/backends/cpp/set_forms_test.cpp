// Walks of sets that take fewer instructions: several directions at once, a square outside of the board that stays as
// it is, and floods that begin with many cells.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cpp/cpp.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/backends/cpp/interpreter_plays.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::cpp {
namespace {

constexpr int kSide = 6;

// A square board of cells c00 to c55 and a cell outside, the four directions, and two players who put discs on it.
ir::Game board_game(const std::string& rules,
                    const std::string& discs = "c22: mine, c23: foe, c32: foe, c33: mine, :none") {
  std::string cells;
  std::array<std::string, 4> steps;
  std::string first;
  const auto name = [](int x, int y) {
    return x < 0 || y < 0 || x >= kSide || y >= kSide ? std::string("out") : fmt::format("c{}{}", x, y);
  };
  constexpr std::array<std::pair<int, int>, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  for (int x = 0; x < kSide; ++x) {
    first += fmt::format("l{}: {}, ", x, name(x, 0));
    for (int y = 0; y < kSide; ++y) {
      cells += fmt::format("{}{}", cells.empty() ? "" : ", ", name(x, y));
      for (std::size_t d = 0; d < 4; ++d) {
        const std::string to = name(x + kSteps[d].first, y + kSteps[d].second);
        if (to != "out") steps[d] += fmt::format("{}: {}, ", name(x, y), to);
      }
    }
  }
  Diagnostics diagnostics;
  return load_text(
      "test.rg",
      fmt::format(
          "type Player = {{p, q}}; type Score = {{0}}; type Disc = {{none, mine, foe}}; type D = {{e, s, w, n}};\n"
          "type Cell = {{{0}}}; type Place = {{{0}, out}}; type Line = {{l0, l1, l2, l3, l4, l5}};\n"
          "const step: D -> Place -> Place = {{e: {{{1}:out}}, s: {{{2}:out}}, w: {{{3}:out}}, :{{{4}:out}}}};\n"
          "const first: Line -> Place = {{{5}:out}}; const last: Place -> Line = {{c05: l1, c15: l1, c25: l1,\n"
          "c35: l1, c45: l1, c55: l1, :l0}};\n"
          "var x: Place = c00; var y: Place = c00; var d: D = e; var l: Line = l0;\n"
          "var board: Place -> Disc = {{{6}}};\n",
          cells, steps[0], steps[1], steps[2], steps[3], first, discs) +
          rules,
      *find_frontend("rg"), diagnostics);
}

void expect_in_code(const ir::Game& game, const std::string& text, const std::string& name = "reasoner.cpp") {
  EXPECT_TRUE(std::ranges::any_of(
      generate(game),
      [&](const GeneratedFile& file) { return file.name == name && file.text.find(text) != std::string::npos; }))
      << text << " is not written:\n"
      << plan_text(game);
}

// Who moves puts a disc where a row of foes in one of the directions ends in a disc of his; then q puts a foe anywhere.
const std::string kPlaced =
    "begin, s: player = p; s, t: x = Cell(*); t, t1: board[x] == none; t1, u: ? ray -> end2; u, v: $$ x;\n"
    "v, v1: board[x] = mine; v1, k: player = q; s, s1: ! any -> end2; s1, s2: $ pass; s2, k: player = q;\n"
    "k, k1: x = Cell(*); k1, k2: board[x] != foe; k2, k3: $$ x; k3, k4: board[x] = foe; k4, s: player = p;\n"
    "k, z: $ stop; z, end: player = keeper;\n"
    "any, any1: x = Cell(*); any1, ray: board[x] == none;\n"
    "ray, r1: d = D(*); r1, r2: y = step[d][x]; r2, r3: board[y] == foe; r3, r4: y = step[d][y];\n"
    "r4, r3: board[y] == foe; r4, end2: board[y] == mine;\n";

TEST(SetForms, RaysInSeveralDirectionsAreLanesOfOneVector) {
  const ir::Game game = board_game(kPlaced);
  expect_in_code(game, "moved_lanes(in_lanes(");
  expect_plays_of_interpreter(game);
}

// The ordinary loop behind the sets, and what only candidates run, find moves one by one. That is no reason to draw
// from a list.
TEST(SetForms, RareCasesDoNotDecideHowMovesAreDrawn) {
  ir::Game game = own_games::load("hrg/reversi.hrg");
  passes::optimize(game);
  expect_in_code(game, "inline constexpr bool kDrawsSets = true;", "state.hpp");
}

// To the east one foe is enough.
TEST(SetForms, RaysInSeveralDirectionsEndElsewhere) {
  std::string rules = kPlaced;
  rules.replace(rules.find("r3, r4: y"), 9, "r3, end2: d == e; r3, r6: d != e; r6, r4: y");
  const ir::Game game = board_game(rules);
  expect_in_code(game, "moved_lanes(in_lanes(");
  expect_plays_of_interpreter(game);
}

// What the cell outside holds is assumed; a move changes it, and all rays that leave the board end in it.
TEST(SetForms, ACellOutsideMayChangeAlthoughItIsAssumedToStay) {
  const ir::Game game = board_game(kPlaced +
                                   "k, o: board[out] == none; o, o1: $ wall; o1, o2: board[out] = mine;\n"
                                   "o2, s: player = p; k, f: board[out] == mine; f, f1: $ foes;\n"
                                   "f1, f2: board[out] = foe; f2, s: player = p;");
  expect_in_code(game, "[Place::out] == Disc::none) {");
  expect_plays_of_interpreter(game, 40);
}

// An empty cell is not outside, so that is not asked. The cell at the end of a row is not next to the first one of the
// next row, although its number is. No cell holds two things.
TEST(SetForms, AConditionThatTheNextOneImpliesIsNotAsked) {
  const ir::Game game = board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t2: d = D(*); t2, t3: step[d][x] != out;\n"
      "t3, t4: board[step[d][x]] == none; t2, n1: board[step[d][x]] != foe; n1, t4: board[step[d][x]] == foe;\n"
      "t4, t5: $$ x; t5, t6: $$ d; t6, k: player = q; s, s1: $ pass; s1, k: player = q;\n"
      "k, c1: $ clear; c1, c2: x = Cell(*); c2, c3: $$ x; c3, k5: board[x] = none;\n"
      "k, m1: $ fill; m1, m2: x = Cell(*); m2, m3: $$ x; m3, k5: board[x] = mine; k5, s: player = p;\n"
      "k, z: $ stop; z, end: player = keeper;\n",
      "c05: mine, c10: none, :foe");
  expect_in_code(game, "shifted<1>");
  expect_plays_of_interpreter(game);
}

// From the last cell of a row a ray comes to the cell outside and stays there. Then it is left out, and not taken for
// the ray of another cell that goes on.
TEST(SetForms, ARayThatStaysOutsideIsLeftOut) {
  expect_plays_of_interpreter(board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t1: board[x] != foe; t1, u: ! ray -> ok; u, v: $$ x;\n"
      "v, k: player = q; s, s1: $ pass; s1, k: player = q; k, k1: x = Cell(*); k1, k2: $$ x; k2, k3: board[x] = foe;\n"
      "k3, s: player = p; k, z: $ stop; z, end: player = keeper;\n"
      "ray, i1: d = D(*); i1, n: y = step[d][x]; n, n1: board[y] == mine; n1, n2: y = step[d][y];\n"
      "n2, n1: board[y] != mine; n2, ok: board[y] == none;",
      "c25: mine, c02: mine, c51: mine, c10: foe, out: foe, :none"));
}

// Stones that touch, up to one with an empty neighbour: all neighbours of a set are found together.
TEST(SetForms, FloodsFindAllNeighboursOfASet) {
  const ir::Game game = board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t1: board[x] == none; t1, u: $$ x; u, a: board[x] = mine;\n"
      "a, a1: y = x; a1, g: ? grow -> ok; a1, h: ! grow -> ok; g, k: player = q; h, h1: $ full; h1, k: player = q;\n"
      "k, k1: x = Cell(*); k1, k2: $$ x; k2, k3: board[x] == none; k3, k4: board[x] = foe; k2, k5: board[x] != none; "
      "k5, k4: board[x] = none; k4, s: player = p;\n"
      "k, z: $ stop; z, end: player = keeper; s, z1: $ pass; z1, k: player = q;\n"
      "grow, g1: d = D(*); g1, g2: y = step[d][y]; g2, g3: y != out; g3, grow: board[y] == mine;\n"
      "g3, ok: board[y] == none;");
  expect_in_code(game, "const auto neighbours = ");
  expect_plays_of_interpreter(game, 40);
}

// The cell that is tested is not the one that is reached, so the neighbours of a set do not decide.
TEST(SetForms, FloodsJumpOverCells) {
  const ir::Game game = board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t1: board[x] == none; t1, a1: y = x; a1, g: ? jump -> ok;\n"
      "a1, h: ! jump -> ok; g, g1: $$ x; g1, g2: $ jumps; g2, u: board[x] = mine; h, h1: $$ x; h1, u: board[x] = "
      "mine;\n"
      "u, k: player = q; k, k1: x = Cell(*); k1, k2: $$ x; k2, k3: board[x] == none; k3, k4: board[x] = foe;\n"
      "k2, k5: board[x] != none; k5, k4: board[x] = none; k4, s: player = p; k, z: $ stop; z, end: player = keeper;\n"
      "s, z1: $ pass; z1, k: player = q;\n"
      "jump, j1: d = D(*); j1, j2: board[step[d][y]] == foe; j2, jump: y = step[d][step[d][y]]; jump, ok: board[y] == "
      "mine;");
  expect_plays_of_interpreter(game, 40);
}

// Only some cells have a neighbour at the goal.
TEST(SetForms, FloodsComeToGoalsNextToSomeCells) {
  const ir::Game game = board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t1: $$ x; t1, t2: board[x] = mine; t2, a1: y = x; a1, g: ? grow -> "
      "ok;\n"
      "a1, h: ! grow -> ok; g, g1: $ reaches; g1, k: player = q; h, k: player = q;\n"
      "k, k1: x = Cell(*); k1, k2: $$ x; k2, k3: board[x] == none; k3, k4: board[x] = foe;\n"
      "k2, k5: board[x] != none; k5, k4: board[x] = none; k4, s: player = p; k, z: $ stop; z, end: player = keeper;\n"
      "grow, g2: d = D(*); g2, grow2: board[step[d][y]] == mine; grow2, grow: y = step[d][y];\n"
      "g2, f1: board[step[d][y]] == foe; f1, ok: last[y] == l1;");
  expect_plays_of_interpreter(game, 40);
}

// Only lines whose first cell holds the same as another cell: no set has them.
TEST(SetForms, FloodsBeginBehindConditionsThatNoSetDecides) {
  const ir::Game game = board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t1: board[x] == none; t1, u: $$ x; u, a: board[x] = mine;\n"
      "a, g: ? edge -> ok; a, h: ! edge -> ok; g, g1: $ joined; g1, k: player = q; h, k: player = q;\n"
      "k, k1: x = Cell(*); k1, k2: $$ x; k2, k3: board[x] == none; k3, k4: board[x] = foe;\n"
      "k2, k5: board[x] != none; k5, k4: board[x] = none; k4, s: player = p; k, z: $ stop; z, end: player = keeper;\n"
      "s, z1: $ pass; z1, k: player = q;\n"
      "edge, e0: l = Line(*); e0, e1: board[first[l]] != board[step[s][first[l]]]; e1, e2: y = first[l];\n"
      "e2, e3: board[y] == mine; e3, ok: last[y] == l1; e3, e4: last[y] == l0; e4, e5: d = D(*);\n"
      "e5, e2: y = step[d][y];");
  expect_plays_of_interpreter(game, 40);
}

// From one edge to the other: the cells of the edge are one set.
TEST(SetForms, FloodsBeginWithAllValuesThatAChoiceIsFor) {
  const ir::Game game = board_game(
      "begin, s: player = p; s, t: x = Cell(*); t, t1: board[x] == none; t1, u: $$ x; u, a: board[x] = mine;\n"
      "a, g: ? edge -> ok; a, k: ! edge -> ok; g, g1: $ joined; g1, end: player = keeper; k, k0: player = q;\n"
      "k0, k1: x = Cell(*); k1, k2: board[x] == none; k2, k3: $$ x; k3, k4: board[x] = foe; k4, s: player = p;\n"
      "k0, z: $ stop; z, end: player = keeper; s, z1: $ pass; z1, k0: player = q;\n"
      "edge, e1: l = Line(*); e1, e2: y = first[l]; e2, e3: board[y] == mine; e3, ok: last[y] == l1;\n"
      "e3, e4: last[y] == l0; e4, e5: d = D(*); e5, e2: y = step[d][y];");
  EXPECT_THAT(plan_text(game), testing::HasSubstr("l = any of 6: flood"));
  expect_plays_of_interpreter(game, 40);
}

}  // namespace
}  // namespace rgtrans::cpp
