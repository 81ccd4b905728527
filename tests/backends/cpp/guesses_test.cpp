// Conditions that read one value or some cells instead of whole boards.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/quick_reasoner.hpp"

namespace rgtrans::cpp {
namespace {

ir::Game game_of(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("test.rg", text, *find_frontend("rg"), diagnostics);
}

std::string code_of(const ir::Game& game, const BuildOptions& options = {}) {
  for (const GeneratedFile& file : generate(game, options.generate)) {
    if (file.name == "reasoner.cpp") return file.text;
  }
  return {};
}

void expect_same_counts(const ir::Game& game, const BuildOptions& options = {}) {
  const auto reasoner = test::quick_reasoner(game, options);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 3; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
}

// Of a check that decides in each state whether there are two moves or one.
void expect_both_answers(const ir::Game& game) {
  const auto reasoner = test::quick_reasoner(game);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 12; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
  EXPECT_GT(interpreter->perft(12), 1U);
  EXPECT_LT(interpreter->perft(12), 4096U);
}

std::string cells_named(unsigned first, unsigned end) {
  std::string text;
  for (unsigned i = first; i < end; ++i) text += fmt::format("{}x{}", i > first ? ", " : "", i);
  return text;
}

// A map of n cells, from the i-th to another one.
template <class To>
std::string map_of(unsigned n, To&& to) {
  std::string text;
  for (unsigned i = 0; i < n; ++i) text += fmt::format("x{}: {}, ", i, to(i));
  return text;
}

// Cells that lie without order on a board whose numbers are no bytes.
TEST(Guesses, LookAtCellsOfLargeBoards) {
  const ir::Game game = game_of(
      "type Player = {p}; type Score = {0}; type C = {full, e}; type X = {" + cells_named(0, 300) + "};\n" +
      "const other: X -> X = {" + map_of(300, [](unsigned i) { return fmt::format("x{}", (i * 7 + 280) % 300); }) +
      ":x0}; var x: X = x0; var board: X -> C = {:e};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: board[other[x]] == e; u, v: $$ x; v, w: player = keeper;\n"
      "w, w1: board[other[x]] = full; w1, begin: board[x7] == e; w1, k: board[x7] != e; k, end: player = keeper;");
  const auto reasoner = test::quick_reasoner(game);
  EXPECT_EQ(reasoner->perft(2), make_interpreter(game)->perft(2));
  const PlayoutStats stats = reasoner->playouts({.count = 3000, .sample = true});
  EXPECT_EQ(stats.playouts, 3000U);
  EXPECT_NEAR(static_cast<double>(stats.moves) / 3000, 150.5, 8);
}

// Of 20 free cells one after the other is taken, until the third one is. Where few are left, most guesses are wrong,
// and at last the moves are listed.
TEST(Guesses, FindEachMoveAsOften) {
  const ir::Game game =
      game_of("type Player = {p}; type Score = {0, 1}; type C = {full, e}; type X = {" + cells_named(0, 20) +
              "}; var x: X = x0; var board: X -> C = {:e};\n"
              "begin, s: player = p; s, t: x = X(*); t, u: board[x] == e; u, v: $$ x; v, w: player = keeper;\n"
              "w, w1: board[x] = full; w1, begin: x != x2; w1, k: x == x2; k, end: player = keeper;");
  EXPECT_THAT(code_of(game), testing::HasSubstr("random.uniform(20)"));
  const auto reasoner = test::quick_reasoner(game, test::without("memory"));
  EXPECT_EQ(reasoner->perft(2), make_interpreter(game)->perft(2));
  constexpr double kPlays = 30'000;
  const PlayoutStats stats = reasoner->playouts({.count = 30'000, .sample = true});
  EXPECT_NEAR(static_cast<double>(stats.moves) / kPlays, 10.5, 0.15);
  EXPECT_NEAR(static_cast<double>(stats.branching_sum) / kPlays, 143.5, 2) << "right on average";
}

// Is there still a free cell? The code first tests the cell that was free last time, which is not always free. A cell
// that is seldom free is not tested first.
TEST(Guesses, WhatHeldLastTimeIsAskedFirst) {
  const auto first_cell = testing::HasSubstr("c.witness[0] = static_cast<std::uint16_t>(first_cell(");
  for (const unsigned first : {0U, 1U}) {
    SCOPED_TRACE(first);
    const auto with = [&](const std::string& wanted) {
      return game_of("type Player = {p}; type Score = {0, 1}; type C = {full, e}; type X = {" + cells_named(0, 70) +
                     "}; type Y = {" + cells_named(first, 70) +
                     "}; var x: X = x0; var board: X -> C = {:e};\nbegin, s: player = p; s, t: x = X(*); t, u: "
                     "board[x] == e; u, v: $$ x; v, w: player = keeper;\n"
                     "w, w1: board[x] = full; w1, begin: ? c -> g; w1, k: ! c -> g; k, end: player = keeper;\n"
                     "c, c1: x = Y(*); c1, g: board[x] == " +
                     wanted + ";");
    };
    const ir::Game game = with("e");
    EXPECT_THAT(code_of(game), first_cell);
    expect_same_counts(game);
    const PlayoutStats stats = test::quick_reasoner(game)->playouts({.count = 200});
    EXPECT_EQ(stats.max_length, 70U);
    EXPECT_GE(stats.min_length, 70U - first);
    EXPECT_THAT(code_of(with("full")), testing::Not(first_cell));
  }
}

// Whether free cells connect one of two with one of two others. Where neighbours are equally far away, they are shifted
// sets, else sets in a table. With bit planes the check is a list of cells.
TEST(Rounds, ChecksBeginWithAllValuesOfAChoice) {
  for (const unsigned step : {1U, 5U}) {
    SCOPED_TRACE(step);
    const auto right = [&](unsigned i) { return step == 1 && i == 15 ? "n" : fmt::format("x{}", (i * step + 1) % 16); };
    const auto left = [&](unsigned i) {
      return step == 1 && i == 0 ? "n" : fmt::format("x{}", (i + 15) * (step == 1 ? 1 : 13) % 16);
    };
    const ir::Game game =
        game_of("type Player = {p}; type Score = {0, 1}; type C = {full, e, out}; type Cell = {" + cells_named(0, 16) +
                "}; type X = {" + cells_named(0, 16) + ", n}; type B = {no, yes};\nconst right: X -> X = {" +
                map_of(16, right) + ":n}; const left: X -> X = {" + map_of(16, left) +
                ":n}; const from: X -> B = {x0: yes, x8: yes, :no}; const to: X -> B = {x5: yes, x12: yes, :no};\n"
                "var x: X = x0; var board: X -> C = {x6: full, x10: full, n: out, :e};\n"
                "begin, s: player = p; s, t: x = Cell(*); t, u: board[x] == e; u, v: $$ x; v, w: player = keeper;\n"
                "w, w1: board[x] = full; w1, begin: ? c -> g; w1, k: ! c -> g; k, end: player = keeper;\n"
                "c, c1: x = Cell(*); c1, c2: from[x] == yes; c2, c3: board[x] == e; c3, g: to[x] == yes;\n"
                "c3, d: x = right[x]; d, c3: board[x] == e; c3, l: x = left[x]; l, c3: board[x] == e;");
    const std::string code = code_of(game, test::without("planes"));
    EXPECT_THAT(code, testing::HasSubstr("Start<1> x"));
    EXPECT_EQ(code.find("cells_of<1>(kNext[") == std::string::npos, step == 1);
    expect_same_counts(game, test::without("planes"));
    expect_same_counts(game);
  }
}

// Three in a row: all of them as sets of cells, unless a cell of the board has just been written. Bit planes are there
// at once.
TEST(Patterns, AreNotReadJustBehindAWrite) {
  const auto line = [](const std::string& keeper) {
    return game_of(
        "type Player = {p}; type Score = {0, 1}; type C = {e, full, out}; type Cell = {" + cells_named(0, 20) +
        "}; type X = {" + cells_named(0, 20) + ", n};\nconst right: X -> X = {" +
        map_of(19, [](unsigned i) { return fmt::format("x{}", i + 1); }) + ":n}; const left: X -> X = {" +
        map_of(20, [](unsigned i) { return i == 0 ? "n" : fmt::format("x{}", i - 1); }) +
        ":n};\nvar x: X = x0; var board: X -> C = {x2: full, x5: full, n: out, :e};\n"
        "begin, s: player = p; s, t: x = Cell(*); t, u: board[x] == e; u, v: $$ x; v, w: player = keeper;\n" +
        keeper +
        "c, c1: board[right[x]] == full; c1, g: board[right[right[x]]] == full;\n"
        "c, c2: board[left[x]] == full; c2, g: board[left[left[x]]] == full; c2, g: board[right[x]] == full;\n"
        "c, c3: board[right[right[x]]] == full; c3, g: board[right[right[right[x]]]] == full;\n"
        "c, c4: board[left[left[x]]] == full; c4, g: board[left[left[left[x]]]] == full;");
  };
  const ir::Game behind =
      line("w, w1: board[x] = full; w1, k: ? c -> g; k, end: player = keeper; w1, begin: ! c -> g;\n");
  const ir::Game before =
      line("w, k: ? c -> g; k, end: player = keeper; w, w1: ! c -> g; w1, begin: board[x] = full;\n");
  const auto all_ways = testing::HasSubstr("All ways of this check");
  EXPECT_THAT(code_of(before, test::without("planes")), all_ways);
  EXPECT_THAT(code_of(behind, test::without("planes")), testing::Not(all_ways));
  EXPECT_THAT(code_of(behind), all_ways);
  expect_same_counts(behind, test::without("planes"));
  expect_same_counts(behind);
  expect_same_counts(before);
}

// Does a slider attack the king after one cell was left and another taken? The tables are per king, not per left or
// taken cell.
TEST(Patterns, AskAboutPlacesByThemselves) {
  const auto step = [](bool fits, unsigned to) { return fits ? fmt::format("x{}", to) : std::string("n"); };
  const auto round = [&](unsigned by) {
    return "X -> X = {" + map_of(64, [&](unsigned i) { return step(true, (i + by) % 64); }) + ":n}";
  };
  const ir::Game game =
      game_of("type Player = {p}; type Score = {0, 1}; type C = {e, full, rook, queen, out}; type X = {" +
              cells_named(0, 64) + ", n}; type B = {no, yes};\nconst right: X -> X = {" +
              map_of(64, [&](unsigned i) { return step(i % 8 < 7, i + 1); }) + ":n}; const down: X -> X = {" +
              map_of(64, [&](unsigned i) { return step(i < 56, i + 8); }) + ":n};\nconst near: " + round(9) +
              "; const hop: " + round(5) + "; const skip: " + round(35) +
              ";\nconst slides: C -> B = {rook: yes, queen: yes, :no};\n"
              "var a: X = n; var king: X = x19; var gone: X = x18; var taken: X = x0;\n"
              "var board: X -> C = {x3: queen, x17: rook, x18: full, x26: rook, x44: full, n: out, :e};\n"
              "begin, s: player = p; s, h: ? c -> g; s, m: ! c -> g; h, h1: $ one; h, h2: $ two; m, h2: $ pass;\n"
              "h1, v: king = near[king]; h2, v: king = skip[king]; v, w: player = keeper; w, w1: gone = hop[gone];\n"
              "w1, w2: taken = skip[taken]; w2, w3: board[hop[gone]] = rook; w3, w4: board[hop[taken]] = queen;\n"
              "w4, w5: board[near[gone]] = e; w5, w6: board[near[taken]] = full; w6, begin: king != x19;\n"
              "w6, end: king == x19;\nc, c0: board[down[king]] == rook; c0, g: ;\n"
              "c, c1: a = X(*); c1, c2: slides[board[a]] == yes; c2, ways: a != taken; ways, east: ; ways, south: ;\n"
              "east, g: right[a] == king; east, e1: right[a] == gone; e1, east: a = gone;\n"
              "east, e2: board[right[a]] == e; e2, east: a = right[a];\n"
              "south, g: down[a] == king; south, s1: down[a] == gone; s1, south: a = gone;\n"
              "south, s2: board[down[a]] == e; s2, south: a = down[a];");
  const std::string code = code_of(game);
  EXPECT_THAT(code, testing::HasSubstr("All ways of this check"));
  EXPECT_THAT(code, testing::HasSubstr("& ~bit_in_word(taken, 0)"));
  EXPECT_THAT(code, testing::ContainsRegex("holds[_0-9]* . bit_in_word.gone, 0|bit_in_word.gone, 0. . holds"));
  expect_both_answers(game);
}

// A relation with several men on a cell has a row of cells for each of them. The tested row may be chosen by a variable
// of the state, by an argument of the check, or by a variable that the check assigns.
TEST(Patterns, AskAboutRows) {
  const auto cell = [](unsigned i) { return fmt::format("x{}", i % 64); };
  const ir::Game game = game_of(
      "type Player = {p}; type Score = {0, 1}; type C = {full, rook, queen, none}; type Man = {full, rook, queen};\n"
      "type X = {" +
      cells_named(0, 64) + ", n}; type B = {no, yes};\nconst right: X -> X = {" +
      map_of(64, [&](unsigned i) { return i % 8 < 7 ? cell(i + 1) : "n"; }) + ":n}; const down: X -> X = {" +
      map_of(64, [&](unsigned i) { return i < 56 ? cell(i + 8) : "n"; }) + ":n};\nconst near: X -> X = {" +
      map_of(64, [&](unsigned i) { return cell(i + 9); }) + ":n}; const hop: X -> X = {" +
      map_of(64, [&](unsigned i) { return cell(i + 5); }) +
      ":n};\nconst other: Man -> Man = {rook: queen, :rook};\n"
      "var a: X = n; var king: X = x19; var gone: X = x18; var man: Man = rook; var asked: Man = rook;\n"
      "var board: Man -> X -> B = {full: {x18: yes, x44: yes, x46: yes, x12: yes, :no}, rook: {x17: yes, x26: yes, "
      ":no}, "
      "queen: {x3: yes, x26: yes, :no}, "
      ":{:no}};\n"
      "begin, s: player = p; s, h: ? c -> g; s, m: ! c -> g; h, h1: $ one; h, h2: $ two; m, h2: $ pass;\n"
      "h1, v: king = near[king]; h2, v: king = hop[king]; v, v1: man = other[man]; v1, w: player = keeper;\n"
      "w, w1: gone = hop[gone]; w1, w2: board[man][hop[gone]] = yes; w2, w3: board[rook][near[gone]] = no;\n"
      "w3, w4: board[full][king] = no; w4, begin: king != x19; w4, end: king == x19;\n"
      "c, c0: board[man][down[king]] == yes; c0, c9: board[other[man]][hop[king]] == no; c9, g: ;\n"
      "c, r1: asked = rook; c, r1: asked = queen; r1, c1: board[full][king] != yes; c1, c2: a = X(*);\n"
      "c2, ways: board[asked][a] == yes; ways, east: ; ways, south: ;\n"
      "east, g: right[a] == king; east, e1: right[a] != n; e1, e2: board[full][right[a]] == no; e2, east: a = "
      "right[a];\n"
      "south, g: down[a] == king; south, s1: down[a] != n; s1, s2: board[full][down[a]] == no;\n"
      "s2, south: a = down[a];");
  const std::string code = code_of(game);
  EXPECT_THAT(code, testing::HasSubstr("All ways of this check"));
  EXPECT_THAT(code, testing::HasSubstr("equal_cells(s.board[man], "));
  expect_both_answers(game);
}

// Keeper goes through all cells and does something at some of them, on a board or in a row of one.
TEST(Lookouts, FindTheNextCell) {
  for (const bool rows : {false, true}) {
    for (const unsigned count : {20U, 70U}) {
      SCOPED_TRACE(fmt::format("{} {}", rows, count));
      const std::string board = rows ? "board[row]" : "board";
      const std::string first = "{x2: full, x5: full, :e}";
      const ir::Game game = game_of(
          "type Player = {p}; type Score = {0, 1}; type C = {e, full, new}; type R = {r, q}; type X = {" +
          cells_named(0, count) + "};\nconst next: X -> X = {" +
          map_of(count - 1, [](unsigned i) { return fmt::format("x{}", i + 1); }) + ":x" + std::to_string(count - 1) +
          "};\nvar x: X = x0; var y: X = x0; var row: R = q; var last: C = e; var board: " +
          (rows ? "R -> X -> C = {:" + first + "}" : "X -> C = " + first) +
          ";\nbegin, s: player = p; s, t: x = X(*); t, u: " + board +
          "[x] != full; u, v: $$ x; v, w: player = keeper;\n" + "w, w1: " + board +
          "[x] = full; w1, w2: y = x0; w2, at: last = new; at, at1: " + board + "[y] == full;\nat1, at2: " + board +
          "[y] = last; at2, off: last = full; at, off: " + board + "[y] != full; off, on: y != x" +
          std::to_string(count - 1) + "; on, at: y = next[y];\noff, z: y == x" + std::to_string(count - 1) +
          "; z, begin: " + board + "[x] == full; z, y: " + board + "[x] == new; y, begin: row = r; y, end: row == q;");
      EXPECT_THAT(code_of(game), testing::HasSubstr("next_member(y, "));
      expect_same_counts(game);
    }
  }
}

// The loop visits the cells in an order that begins with the last one of the type.
TEST(Lookouts, KeepTheOrderOfTheLoop) {
  const ir::Game game = game_of(
      "type Player = {p}; type Score = {0, 1}; type C = {e, full, new}; type X = {" + cells_named(0, 20) +
      "};\nconst next: X -> X = {" + map_of(18, [](unsigned i) { return fmt::format("x{}", i + 1); }) +
      "x19: x0, :x18};\nvar x: X = x0; var y: X = x0; var last: C = e; var board: X -> C = {x2: full, x19: full, :e};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: board[x] != full; u, v: $$ x; v, w: player = keeper;\n"
      "w, w1: board[x] = full; w1, w2: y = x19; w2, at: last = new; at, at1: board[y] == full; at1, at2: board[y] = "
      "last;\n"
      "at2, off: last = full; at, off: board[y] != full; off, on: y != x18; on, at: y = next[y]; off, z: y == x18;\n"
      "z, begin: board[x19] == full; z, z1: board[x19] != full; z1, begin: board[x0] == full; z1, end: board[x0] != "
      "full;");
  expect_same_counts(game);
}

}  // namespace
}  // namespace rgtrans::cpp
