// Lines of play without the moves of the keeper.
#include <gmock/gmock.h>

#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans {
namespace {

using ::testing::HasSubstr;

TEST(Lines, NeedNoMovesOfTheKeeper) {
  const ir::Game game = own_games::load("rbg/chess.rbg");
  const scene::Wording wording(game);
  const auto state = make_interpreter(game);
  const auto made = play::follow_line(*state, "e2e4, e7 e5; g1f3", wording);
  EXPECT_GT(made.size(), 3U) << "the keeper's moves are among them";
  EXPECT_EQ(state->mover_name(), "black");
  EXPECT_NO_THROW(play::follow_line(*state, "", wording));
  EXPECT_EQ(state->mover_name(), "white");
  try {
    play::follow_line(*state, "e2 e4, e7 e4", wording);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(std::string(e.what()), HasSubstr("move 2 of the line, 'e7 e4'"));
  }
}

TEST(Lines, PartNumbersFromMoves) {
  const ir::Game game = own_games::load("hrg/chess.hrg");
  const auto state = make_interpreter(game);
  EXPECT_NO_THROW(play::follow_line(*state, "5,2 5,4, S(5,7) S(5,5),g1f3", scene::Wording(game)));
  EXPECT_EQ(state->mover_name(), "black");
}

}  // namespace
}  // namespace rgtrans
