// Canonical states: no more positions than states, no fewer than there are futures.
#include "tests/support/positions.hpp"

#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans {
namespace {

std::unique_ptr<Reasoner> engine(const std::string& path) {
  ir::Game game = own_games::load(path);
  passes::optimize(game);
  return make_interpreter(game);
}

constexpr std::size_t kMany = 20'000;

TEST(Positions, LeftoversOfTheLastMoveAreNoPartOfThem) {
  const auto counts = test::count_positions(*engine("hrg/tic-tac-toe.hrg"), 4, kMany, kMany);
  ASSERT_EQ(counts.size(), 4U);
  EXPECT_EQ(counts[3].positions, 756U);
  // Two boards have one future: with X on two opposite corners and O on the others, either player wins in the centre,
  // and the other lines are dead. The analysis of live variables knows nothing of that.
  EXPECT_EQ(counts[3].futures, 755U);
  const auto breakthrough = test::count_positions(*engine("hrg/breakthrough.hrg"), 3, kMany, 0);
  ASSERT_EQ(breakthrough.size(), 3U);
  EXPECT_EQ(breakthrough[2].positions, 5544U);
}

TEST(Positions, AreNeverMoreThanStatesNorFewerThanFutures) {
  std::size_t compared = 0;
  for (const char* name : {"hrg/nim.hrg", "hrg/kuhn-poker.hrg", "hrg/tic-tac-toe.hrg"}) {
    for (const test::PlyCount& ply : test::count_positions(*engine(name), 4, kMany, kMany)) {
      EXPECT_LE(ply.positions, ply.states) << name;
      if (!ply.futures) continue;
      EXPECT_GE(ply.positions, *ply.futures) << name;
      ++compared;
    }
  }
  EXPECT_GE(compared, 8U);
}

TEST(Positions, HaveEqualHashesAndAreTheSame) {
  const auto a = engine("hrg/tic-tac-toe.hrg"), b = a->clone();
  const auto play = [](Reasoner& state, std::initializer_list<std::size_t> cells) {
    state.reset();
    std::vector<std::string> texts;
    while (state.keeper_moves()) state.apply(0);
    texts = state.move_texts();
    for (const std::size_t cell : cells) {
      EXPECT_TRUE(state.apply_checked(texts.at(cell)));
      while (state.keeper_moves()) state.apply(0);
    }
  };
  play(*a, {0, 4, 8});
  play(*b, {8, 4, 0});
  EXPECT_NE(a->state_bytes(), b->state_bytes()) << "the last move differs";
  EXPECT_TRUE(a->same_position(*b));
  EXPECT_EQ(a->canonical_hash(), b->canonical_hash());
  play(*b, {8, 3, 0});
  EXPECT_FALSE(a->same_position(*b));
  EXPECT_NE(a->canonical_hash(), b->canonical_hash());
}

TEST(Reasoner, NumbersThatNameNothingThrow) {
  const auto game = engine("hrg/tic-tac-toe.hrg");
  while (game->keeper_moves()) game->apply(0);
  const std::size_t count = game->move_count();
  EXPECT_THROW(game->apply(count), Error);
  EXPECT_THROW(game->apply(1'000'000), Error);
  EXPECT_THROW((void)game->move_text(count), Error);
  EXPECT_THROW((void)game->move_tags(count), Error);
  EXPECT_THROW((void)game->observed_move_text(0, 2), Error);
  EXPECT_THROW((void)game->goal(2), Error);
  EXPECT_FALSE(game->apply_checked("no such move"));
  EXPECT_FALSE(game->is_legal(""));
  EXPECT_TRUE(game->is_legal(game->move_text(0)));
  EXPECT_EQ(game->playouts({.count = 10, .max_moves = 0}).stopped, 0U);
}

}  // namespace
}  // namespace rgtrans
