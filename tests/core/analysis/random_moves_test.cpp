#include "core/analysis/random_moves.hpp"

#include <gmock/gmock.h>

#include "backends/interpreter/interpreter.hpp"
#include "core/analysis/liveness.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::analysis {
namespace {

// Two dice whose order is dropped at the end of random's move: the throws 1-2 and 2-1 lead to equal states.
constexpr std::string_view kDice =
    "type Player = { p }; type Score = { 0 }; type Die = { 1, 2, 3 };\n"
    "const larger: Die -> Die -> Die = { 1: { 2: 2, 3: 3, :1 }, 2: { 3: 3, :2 }, :{ :3 } };\n"
    "const smaller: Die -> Die -> Die = { 1: { :1 }, 2: { 1: 1, :2 }, :{ 1: 1, 2: 2, :3 } };\n"
    "var a: Die = 1; var b: Die = 1; var high: Die = 1; var low: Die = 1;\n"
    "begin, r: player = random;\n"
    "r, r1: a = Die(*); r1, r2: $$ a; r2, r3: b = Die(*); r3, r4: $$ b;\n"
    "r4, r5: high = larger[a][b]; r5, r6: low = smaller[a][b];\n"
    "r6, r7: a = 1; r7, r8: b = 1; r8, k: player = p;\n"
    "k, k1: $$ high; k1, k2: $$ low; k2, end: player = keeper;\n";

TEST(RandomMoves, FindsWhereTheyPassAndEnd) {
  const ir::Game game = rg::parse_game(kDice);
  const Flow flow(game);
  const RandomMoves random(game, flow);
  auto at = [&](const char* name) { return flow.index(game.find_node(game.symbols.find(name))); };
  EXPECT_TRUE(random.inside[at("r")]);
  EXPECT_TRUE(random.inside[at("r8")]);
  EXPECT_FALSE(random.inside[at("k")]);
  EXPECT_TRUE(random.ends[at("k")]);
  EXPECT_FALSE(random.ends[at("r4")]);
}

TEST(RandomMoves, EqualStatesStayEqualAfterOptimization) {
  for (int level : {0, 1, 2}) {
    ir::Game game = rg::parse_game(kDice);
    passes::OptimizeOptions options;
    options.level = level;
    passes::optimize(game, options);
    EXPECT_EQ(make_interpreter(game)->perft(1), 6U) << "-O" << level;
  }
}

TEST(RandomMoves, MovesThatEndInDifferentNodesStayDifferent) {
  for (int level : {0, 1, 2}) {
    ir::Game game = rg::parse_game(
        "type Player = { p }; type Score = { 0 };\n"
        "begin, r: player = random; r, a: $ x; r, b: $ y; a, k: player = p; b, l: player = p;\n"
        "k, m: $ go; l, m: $ go; m, end: player = keeper;\n");
    passes::OptimizeOptions options;
    options.level = level;
    passes::optimize(game, options);
    EXPECT_EQ(make_interpreter(game)->perft(1), 2U) << "-O" << level;
  }
}

TEST(RandomMoves, WhatRandomDoesNotWriteIsNotKept) {
  const ir::Game game = rg::parse_game(
      "type Player = { p }; type Score = { 0 }; type Die = { 1, 2, 3 }; var a: Die = 1; var b: Die = 1;\n"
      "begin, o: b = 2; o, r: player = random; r, r1: a = Die(*); r1, r2: $$ a; r2, k: player = p;\n"
      "k, end: player = keeper;\n");
  const Flow flow(game);
  const Liveness liveness(game, flow);
  const ir::NodeId k = game.find_node(game.symbols.find("k"));
  EXPECT_TRUE(liveness.live(game.find_variable(game.symbols.find("a")), k));
  EXPECT_FALSE(liveness.live(game.find_variable(game.symbols.find("b")), k));
}

TEST(RandomMoves, DifferentStatesStayDifferentThoughNothingReadsThem) {
  for (int level : {0, 1, 2}) {
    ir::Game game = rg::parse_game(
        "type Player = { p }; type Score = { 0 }; type Die = { 1, 2, 3 }; var a: Die = 1;\n"
        "begin, r: player = random; r, r1: a = Die(*); r1, r2: $$ a; r2, k: player = p; k, end: player = keeper;\n");
    passes::OptimizeOptions options;
    options.level = level;
    passes::optimize(game, options);
    EXPECT_EQ(make_interpreter(game)->perft(1), 3U) << "-O" << level;
  }
}

}  // namespace
}  // namespace rgtrans::analysis
