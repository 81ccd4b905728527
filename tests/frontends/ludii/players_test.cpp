// Ends of Ludii's games with more than two players: a winner or loser leaves the play, and the others go on.
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

Play placing(std::string end, std::string players = "3") {
  return Play(Rules{"(rectangle 1 6)", "", std::string(kAdd), std::move(end), std::move(players)});
}

TEST(LudiiPlayers, AWinnerLeavesThePlay) {
  Play play = placing("{(if (= (last To) 0) (result Mover Win)) (if (= (last To) 5) (result Mover Draw))}");
  play.apply("0").apply("1").apply("2").apply("3");
  EXPECT_EQ(play.number("board", "1") + play.number("board", "2") + play.number("board", "3"), "232");
  EXPECT_EQ(play.end(), "open");
  play.apply("5");
  EXPECT_EQ(play.goal(0) + " " + play.goal(1) + " " + play.goal(2), "100 25 25");
}

TEST(LudiiPlayers, ALoserLosesItsTurn) {
  Play play = placing("(if (= (last To) 0) (result Next Loss))");
  play.apply("0").apply("1").apply("2");
  EXPECT_EQ(play.number("board", "1") + play.number("board", "2"), "31");
  EXPECT_EQ(play.goal(1), "0");
}

TEST(LudiiPlayers, AWinnerWhoIsNextStillMoves) {
  Play play = placing("(if (= (last To) 0) (result Next Win))");
  play.apply("0").apply("1").apply("2").apply("3");
  EXPECT_EQ(play.number("board", "1") + play.number("board", "2") + play.number("board", "3"), "231");
}

TEST(LudiiPlayers, ThoseWhoLoseAtOnceShareTheirRanks) {
  Play play = placing("{(if (is Occupied 0) (result P2 Loss)) (if (is Occupied 0) (result P3 Loss))}", "4");
  play.apply("0");
  EXPECT_EQ(play.goal(1) + " " + play.goal(2), "17 17");
  Play last = placing("{(if (is Occupied 0) (result P2 Loss)) (if (is Occupied 1) (result P3 Loss))}");
  last.apply("0").apply("1");
  EXPECT_EQ(last.goal(0) + " " + last.goal(1) + " " + last.goal(2), "100 0 50");
}

TEST(LudiiPlayers, ScoresRankFourPlayers) {
  Play play = placing("(if (is Occupied 0) (byScore {(score P1 3) (score P2 1) (score P3 3) (score P4 0)}))", "4");
  play.apply("0");
  EXPECT_EQ(play.goal(0) + " " + play.goal(1) + " " + play.goal(2) + " " + play.goal(3), "83 33 83 0");
}

}  // namespace
}  // namespace rgtrans::ludii
