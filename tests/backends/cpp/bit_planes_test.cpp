// Boards that are kept as bit planes, too: which ones are, and that each write of a cell changes both forms.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cpp/cpp.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/backends/cpp/interpreter_plays.hpp"

namespace rgtrans::cpp {
namespace {

// A row of cells x0, x1, …, of which x1 holds a stone, all but the last inside, and the next one of each. Two players
// move; the keeper goes on from `next` to `begin` or ends the play.
ir::Game row_game(unsigned cells, const std::string& rules, const std::string& contents = "gap, stone, tree") {
  std::string names = "x0";
  std::string east;
  for (unsigned i = 1; i < cells; ++i) {
    names += fmt::format(", x{}", i);
    east += fmt::format("x{}: x{}, ", i - 1, i);
  }
  Diagnostics diagnostics;
  return load_text(
      "test.rg",
      fmt::format(
          "type Player = {{p, q}}; type Score = {{0, 1}}; type C = {{{}}}; type Inside = {{{}}}; type X = {{{}}};\n"
          "const east: X -> X = {{{}:x0}}; var x: X = x0; var y: X = x0; var z: X = x0;\n"
          "var row: X -> C = {{x1: stone, :gap}};\n",
          contents, names.substr(0, names.rfind(',')), names, east) +
          rules,
      *find_frontend("rg"), diagnostics);
}

std::string planes_of(const ir::Game& game, const GenerateOptions& options = {}) {
  const std::string plan = plan_text(game, options);
  const std::size_t at = plan.find("row: ");
  return at == std::string::npos ? "" : plan.substr(at, plan.find('\n', at) - at);
}

// p puts a stone or a tree on a gap; q takes away whatever is next to a stone.
const std::string kPutAndTake =
    "begin, s: player = p; s, t: x = X(*); t, u: row[x] == gap; u, v: $$ x; v, k: row[x] = stone; v, k2: $ grow;\n"
    "k2, k: row[x] = tree; k, a: player = q; a, a1: x = X(*); a1, a2: row[x] != gap; a2, a3: row[east[x]] == stone;\n"
    "a3, a4: $$ x; a4, n: row[x] = gap; a, z: $ stop; z, end: player = keeper; n, begin: player = keeper;\n";
constexpr const char* kKept = "its cells are read together, and few are written";

TEST(BitPlanes, AreKeptOfBoardsOfFewContents) {
  EXPECT_EQ(planes_of(row_game(40, kPutAndTake)), fmt::format("row: 2 bit planes, 1 word each: {}", kKept));
  EXPECT_EQ(planes_of(row_game(40, kPutAndTake, "gap, stone, tree, rock, sand")),
            fmt::format("row: 2 bit planes, 1 word each: {}", kKept))
      << "nothing puts rocks";
  std::string many = kPutAndTake;
  for (int i = 0; i < 6; ++i) many += fmt::format("v, p{0}: $ c{0}; p{0}, k: row[x] = c{0};", i);
  EXPECT_EQ(planes_of(row_game(40, many, "gap, stone, tree, c0, c1, c2, c3, c4, c5")),
            "row: cells alone: it has too many contents");
  EXPECT_EQ(planes_of(row_game(12, kPutAndTake)), "");
  EXPECT_EQ(planes_of(row_game(40, kPutAndTake), test::without("planes").generate), "row: cells alone: left out");
}

// The last cell, the square outside of a board, is in no type that is chosen from.
TEST(BitPlanes, HaveTheCellsThatAreChosen) {
  EXPECT_THAT(planes_of(row_game(64, kPutAndTake)), testing::HasSubstr(", 1 word each"));
  EXPECT_THAT(planes_of(row_game(66, kPutAndTake)), testing::HasSubstr(", 2 words each"));
  EXPECT_THAT(planes_of(row_game(65, kPutAndTake)), testing::HasSubstr(", 2 words each"));
  std::string inside = kPutAndTake;
  for (std::size_t at = 0; (at = inside.find("X(*)", at)) != std::string::npos;) inside.replace(at, 1, "Inside");
  EXPECT_THAT(planes_of(row_game(65, inside)), testing::HasSubstr(", 1 word each"));
}

TEST(BitPlanes, ChangeWithEachCell) {
  for (const unsigned cells : {17U, 64U, 65U, 130U, 200U}) {
    SCOPED_TRACE(cells);
    expect_plays_of_interpreter(row_game(cells, kPutAndTake));
  }
}

// x64 is in no plane; x0, which is its neighbour in the order of bits, is.
TEST(BitPlanes, DoNotHaveTheCellOutside) {
  const ir::Game game = row_game(
      65,
      "begin, s: player = p; s, t: x = Inside(*); t, u: row[x] == gap; u, u1: $$ x; u1, k: player = q;\n"
      "k, k1: $ last; k1, n: row[x64] = tree; k, k2: $ first; k2, n: row[x0] = tree; k, k3: $ none; k3, n: row[x64] = "
      "gap;\nk, z: $ stop; z, end: player = keeper; n, s: player = p;");
  EXPECT_EQ(planes_of(game), fmt::format("row: 2 bit planes, 1 word each: {}", kKept));
  expect_plays_of_interpreter(game);
}

// No cell holds sand, which has more bits than what cells hold; its lower bits are those of a gap.
TEST(BitPlanes, HoldNothingThatNoCellHolds) {
  const ir::Game game = row_game(
      40,
      "var c: C = gap;\nbegin, s: player = p; s, s1: c = C(*); s1, t: $$ c; t, k: player = q; k, k1: x = X(*); k1, k2: "
      "row[x] == c;\nk2, k3: $$ x; k3, k4: row[x] = tree; k4, n: player = keeper; k, z: $ none; z, k4: ; n, begin: "
      "row[x0] != tree; n, end: row[x0] == tree;",
      "gap, stone, tree, rock, sand");
  EXPECT_EQ(planes_of(game), fmt::format("row: 2 bit planes, 1 word each: {}", kKept));
  expect_plays_of_interpreter(game);
}

TEST(BitPlanes, AreNotKeptOfABoardThatIsWrittenAsAWhole) {
  const ir::Game game = row_game(
      40,
      "var old: X -> C = {x1: stone, :gap};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: row[x] == gap; u, v: $$ x; v, k: row[x] = stone; k, a: player = "
      "q;\na, b: $ keep; b, b1: old = row; b1, n: ; a, c: $ back; c, n: row = old; a, z: $ stop; z, end: player = "
      "keeper;\nn, begin: player = keeper;");
  EXPECT_EQ(planes_of(game), "row: cells alone: it is written as a whole");
  expect_plays_of_interpreter(game);
}

TEST(BitPlanes, AreNotKeptOfABoardThatChangesInManyCells) {
  const auto turning = [](unsigned cells) {
    std::string rules =
        "begin, s: player = p; s, t: x = X(*); t, u: row[x] == gap; u, v: $$ x; v, k: row[x] = stone;\n"
        "k, a: player = q; a, z: $ stop; z, end: player = keeper; a, m0: $ turn;\n";
    for (unsigned i = 0; i < cells; ++i) rules += fmt::format("m{}, m{}: row[x{}] = row[x{}];\n", i, i + 1, i, i + 1);
    return row_game(40, rules + fmt::format("m{}, begin: player = keeper;", cells));
  };
  EXPECT_EQ(planes_of(turning(4)), fmt::format("row: 1 bit plane, 1 word each: {}", kKept));
  EXPECT_EQ(planes_of(turning(5)), "row: cells alone: a move writes many of its cells");
  expect_plays_of_interpreter(turning(4));
}

// A stone and a tree are put, and then the row is asked: moves that make two stones meet are none. The walk writes the
// stone and takes it away; of moves that are drawn, that is done for the drawn one. The row is asked again at the end.
TEST(BitPlanes, ChangeWithCellsThatAreRestored) {
  const std::string rules =
      "begin, s: player = p; s, t: x = X(*); t, t1: row[x] == gap; t1, u: row[x] = stone; u, u1: y = X(*);\n"
      "u1, u2: row[y] == gap; u2, u3: row[y] = tree; u3, v: ! meet -> met; v, w: $$ x; w, w0: $$ y; w0, w1: player = "
      "keeper;\n"
      "w1, w2: ? meet -> met; w2, w3: goals[p] = 1; w1, w3: ! meet -> met; w3, end: player = keeper;\n"
      "meet, m: z = X(*); m, m1: row[z] == stone; m1, met: row[east[z]] == stone;";
  for (const unsigned cells : {20U, 33U, 100U}) {
    const ir::Game game = row_game(cells, rules);
    EXPECT_THAT(planes_of(game), testing::HasSubstr("bit plane"));
    expect_plays_of_interpreter(game);
    // Of stored states moves are listed.
    const auto reasoner = test::quick_reasoner(game, test::without("memory"));
    const PlayoutStats drawn = reasoner->playouts({.count = 3'000, .sample = true});
    EXPECT_EQ(drawn.goal_sum[0], 0) << "stones meet in a row of " << cells;
  }
}

// Walks of a large board that write and restore it read it more slowly from planes.
TEST(BitPlanes, AreNotKeptOfALargeBoardThatIsRestored) {
  const std::string rules =
      "begin, s: player = p; s, t: x = X(*); t, t1: row[x] == gap; t1, u: row[x] = stone; u, v: ! meet -> met;\n"
      "v, w: $$ x; w, end: player = keeper; meet, m: y = X(*); m, m1: row[y] == stone; m1, met: row[east[y]] == stone;";
  EXPECT_EQ(planes_of(row_game(200, rules)), "row: cells alone: walks of a move write it and restore it");
}

// A saved position is one only with planes that fit its cells.
TEST(BitPlanes, AreTestedWhenAPositionIsLoaded) {
  const std::vector<GeneratedFile> files = generate(row_game(40, kPutAndTake));
  const auto reasoner = std::ranges::find(files, "reasoner.cpp", &GeneratedFile::name);
  EXPECT_THAT(reasoner->text, testing::HasSubstr("if (!planes_fit(s.planes.row, s.row)) return false;"));
}

}  // namespace
}  // namespace rgtrans::cpp
