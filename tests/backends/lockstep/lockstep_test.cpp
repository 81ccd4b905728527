// Comparing versions of a game by walks: equal ones agree, a difference comes with the way there.
#include "backends/lockstep/lockstep.hpp"

#include <gmock/gmock.h>

#include "backends/interpreter/interpreter.hpp"
#include "tests/core/passes/small_games.hpp"

namespace rgtrans::lockstep {
namespace {

using passes::game;
using passes::PassEffect;

TEST(Lockstep, AcceptsTheRealPassesAndFindsADifference) {
  const Engine engine = [](const ir::Game& g) { return make_interpreter(g); };
  const char* const text =
      "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: x != 2; b, d: x == 2; c, e: goals[p] = 9; d, e: ; e, "
      "end: player = keeper;";
  ir::Game g = game(text);
  passes::OptimizeOptions options;
  options.verify_each = comparison({.walks = 20});
  const passes::OptimizeReport report = passes::optimize(g, options);
  EXPECT_GT(report.compared, 0U);
  EXPECT_EQ(report.fewest_walks, 20U);
  ir::Game other = game(text);
  other.graph.set_label(ir::EdgeId(5U), ir::Empty{});
  const std::string difference = "after //1/ the result is p 0 instead of p 9";
  EXPECT_EQ(compare_by_walks(engine, game(text), other, PassEffect::none), difference);
  // Walks that are recorded once give the same result for each later version.
  RecordedWalks walks(engine, {.walks = 50});
  std::size_t made = 0;
  EXPECT_EQ(walks.compare(game(text), g, PassEffect::none, &made), "");
  EXPECT_EQ(made, 50U);
  EXPECT_EQ(walks.compare(g, game(text), PassEffect::none, &made), "");
  EXPECT_EQ(walks.compare(game(text), other, PassEffect::none, &made), difference);
}

// Positions with three moves: behind the tenth move that was listed no walk begins, and the one of it ends there.
TEST(Lockstep, EndsWhenSoManyMovesWereListed) {
  const Engine engine = [](const ir::Game& g) { return make_interpreter(g); };
  const char* const text = "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, s: player = p;";
  std::size_t made = 0;
  RecordedWalks long_ones(engine, {.walks = 5, .longest = 7});
  EXPECT_EQ(long_ones.compare(game(text), game(text), PassEffect::none, &made), "");
  EXPECT_EQ(made, 5U);
  // The keeper's one move and three of each position behind it: 1 + 7 * 3 for the first walk.
  RecordedWalks bounded(engine, {.walks = 5, .longest = 7, .listed = 23});
  EXPECT_EQ(bounded.compare(game(text), game(text), PassEffect::none, &made), "");
  EXPECT_EQ(made, 2U);
  EXPECT_EQ(compare_by_walks(engine, game(text), game(text), PassEffect::none, {.walks = 5, .listed = 4}, &made), "");
  EXPECT_EQ(made, 1U);
  // Moves beyond the bound are not compared.
  const char* const other = "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_EQ(compare_by_walks(engine, game(text), game(other), PassEffect::none, {.walks = 5, .listed = 1}, &made), "");
  EXPECT_NE(compare_by_walks(engine, game(text), game(other), PassEffect::none, {.walks = 5, .listed = 9}, &made), "");
}

TEST(Lockstep, StopsThePipelineAtADifference) {
  ir::Game g = game("begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;");
  passes::OptimizeOptions options;
  options.verify_each = [](const ir::Game&, const ir::Game&, PassEffect, std::size_t&) { return std::string("other"); };
  EXPECT_THROW(passes::optimize(g, options), Error);
}

}  // namespace
}  // namespace rgtrans::lockstep
