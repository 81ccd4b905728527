// Playouts: reproducible, the same with and without the graph of known states, and uniform over moves.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/same_playouts.hpp"

namespace rgtrans {
namespace {

// A race with choices of different worth, long enough for many states.
constexpr std::string_view kRace = R"(
type Player = { p, q };
type Score = { 0, 50, 100 };
type N = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
const next: N -> N = { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 9, :9 };
const other: Player -> Player = { p: q, :p };
type At = Player -> N;
var at: At = { :0 };
var me: Player = p;
begin, turn: player = PlayerOrSystem(me);
turn, one: $ one;
turn, two: $ two;
turn, zero: $ zero;
two, one: at[me] = next[at[me]];
one, zero: at[me] = next[at[me]];
zero, done: player = keeper;
done, won: at[me] == 9;
done, on: at[me] != 9;
on, again: me = other[me];
again, turn: player = PlayerOrSystem(me);
won, score: goals[me] = 100;
score, end: player = keeper;
)";

TEST(Playouts, DoNotDependOnTheGraphOfKnownStates) {
  const ir::Game game = rg::parse_game(kRace);
  InterpreterOptions without;
  without.state_cache_bytes = 0;
  InterpreterOptions little;
  little.state_cache_bytes = 2000;
  const PlayoutOptions options{.count = 3000, .seed = 11};
  const PlayoutStats usual = make_interpreter(game)->playouts(options);
  EXPECT_EQ(usual.playouts, 3000U);
  test::expect_same(usual, make_interpreter(game, without)->playouts(options));
  test::expect_same(usual, make_interpreter(game, little)->playouts(options));
}

TEST(Playouts, RepeatWithTheSameSeed) {
  const auto reasoner = make_interpreter(rg::parse_game(kRace));
  const PlayoutStats first = reasoner->playouts({.count = 500, .seed = 5});
  test::expect_same(first, reasoner->playouts({.count = 500, .seed = 5}));
  EXPECT_NE(first.length_squares, reasoner->playouts({.count = 500, .seed = 6}).length_squares);
  const PlayoutStats two = play::playouts(*reasoner, {.count = 501, .seed = 5}, 2);
  EXPECT_EQ(two.playouts, 501U);
  test::expect_same(two, play::playouts(*reasoner, {.count = 501, .seed = 5}, 2));
}

TEST(Playouts, ChooseEveryMoveEquallyOften) {
  const auto reasoner = make_interpreter(rg::parse_game(
      "type Player = { p }; type Score = { 0, 60 }; type T = { 1, 2, 3, 4, 5, 6 }; var x: T = 1;"
      "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: x == 6; c, d: goals[p] = 60; d, e: player = keeper;"
      "b, f: x != 6; f, e: player = keeper; e, end: player = keeper;"));
  const PlayoutStats stats = reasoner->playouts({.count = 60'000, .seed = 3});
  EXPECT_EQ(stats.branching_max, 6U);
  const double mean = stats.goal_sum[0] / 60'000;
  EXPECT_LT(std::abs(mean - 10), 1.5);
}

TEST(Playouts, CountScoresThatAreWrittenWithAConstructor) {
  const auto reasoner = make_interpreter(
      rg::parse_game("type Player = { p, q }; type Score = { S__0, S__4 }; begin, s: player = p; s, t: $ a;"
                     "t, u: goals[q] = S__4; u, e: player = keeper; e, end: player = keeper;"));
  const PlayoutStats stats = reasoner->playouts({.count = 10});
  EXPECT_EQ(stats.goal_sum[1], 40);
  EXPECT_EQ(stats.wins[1], 10U);
  EXPECT_EQ(reasoner->info().most_goal, 4);
}

TEST(Playouts, StopAtTheLimitOfMoves) {
  const auto reasoner =
      make_interpreter(rg::parse_game("type Player = { p }; type Score = { 0 }; begin, s: player = p; s, t: $ x; t, s: "
                                      "player = p; t, end: player = keeper;"));
  const PlayoutStats stats = reasoner->playouts({.count = 100, .seed = 3, .max_moves = 4});
  EXPECT_GT(stats.stopped, 0U);
  EXPECT_LE(stats.max_length, 5U);
}

TEST(Playouts, HaveTextAndJson) {
  const auto reasoner = make_interpreter(rg::parse_game(kRace));
  const PlayoutStats stats = reasoner->playouts({.count = 100, .seed = 5});
  EXPECT_NE(play::text(stats, reasoner->info()).find("p: mean goal"), std::string::npos);
  EXPECT_NE(play::json(stats, reasoner->info()).find("\"playouts\": 100"), std::string::npos);
  EXPECT_NE(play::json(PlayoutStats{}, reasoner->info()).find("\"playouts\": 0"), std::string::npos);
}

}  // namespace
}  // namespace rgtrans
