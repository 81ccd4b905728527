// prune on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "backends/interpreter/interpreter.hpp"
#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(Prune, KeepsExactlyWhatMatters) {
  EXPECT_THAT(after("begin, q: ? s -> t; s, t: x == 1; s, d: ; q, end: ; lost, end: ; q, dead: ;", {"prune"}),
              ElementsAre("begin, q: ? s -> t;", "s, t: x == 1;", "q, end: ;"));
}

TEST(Prune, SettlesChecksWithAFixedAnswer) {
  EXPECT_THAT(after("begin, a: ? s -> t; begin, b: ! s -> t; a, end: ; b, end: ; s, s: ;", {"prune"}),
              ElementsAre("begin, b: ;", "b, end: ;"));
  EXPECT_THAT(after("begin, a: ? q -> q; begin, b: ! q -> q; a, end: ; b, end: ;", {"prune"}),
              ElementsAre("begin, a: ;", "a, end: ;"));
}

TEST(Prune, KeepsAWalkBehindAnotherTarget) {
  keeps(
      "begin, s: player = p; s, a: ? c -> d; c, e: x == 1; e, d: ; s, b: ? c -> e; a, b: $ one; b, end: player = "
      "keeper;",
      "prune");
}

// A game in which keeper can get stuck is improper, but it must stay the same game. The move that leads there is legal,
// and the play hangs after it in every version.
TEST(Prune, KeepsMovesAfterWhichThePlayHangs) {
  for (const int level : {0, 1, 2}) {
    ir::Game hanging = game(
        "begin, choose: player = p; choose, a: $ good; choose, b: $ bad; a, judge: player = keeper;"
        "b, dead: player = keeper; dead, dead2: T(1) == T(2); dead2, end: player = keeper;"
        "judge, won: goals[p] = 9; won, end: player = keeper;");
    OptimizeOptions options;
    options.level = level;
    optimize(hanging, options);
    const auto play = make_interpreter(hanging);
    play->move_count();
    play->apply(0);
    ASSERT_EQ(play->move_count(), 2U) << "-O" << level;
    const std::size_t bad = play->move_text(0) == "bad" ? 0 : 1;
    EXPECT_EQ(play->move_text(bad), "bad");
    play->apply(bad);
    EXPECT_FALSE(play->terminal());
    EXPECT_EQ(play->move_count(), 0U);
  }
}

TEST(Prune, LeavesGamesTheirWayToTheEnd) {
  keeps("begin, a: player = p; a, b: $ 1; b, begin: ; b, c: ? s -> t; c, end: player = keeper; t, u: ;", "prune");
}

}  // namespace
}  // namespace rgtrans::passes
