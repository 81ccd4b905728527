// Dice of Ludii: a chance move throws them before the player moves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

// A row of nine sites with pieces of both players on its ends, and dice.
std::string race(std::string_view dice, std::string_view play, std::string_view end = "(no Pieces Next)") {
  return fmt::format(
      "(game \"T\" (players 2) (equipment {{(board (rectangle 1 9)) (piece \"M\" Each) (dice {})}}) (rules (start "
      "{{(place \"M1\" 0) (place \"M2\" 8)}}) (play {}) (end (if {} (result Mover Win)))))",
      dice, play, end);
}

constexpr std::string_view kByPips = "(move (from (from)) (to (+ (from) (* (count Pips) (if (is Mover P1) 1 -1)))))";

TEST(LudiiDice, AreThrownBeforeTheMove) {
  Play play(race("d:2 num:1", fmt::format("(do (roll) next:(forEach Piece {}))", kByPips)));
  EXPECT_EQ(play.moves(), "0 1");
  EXPECT_EQ(play.apply("1").moves(), "0>2");
  EXPECT_EQ(play.apply("0>2").moves(), "0 1");
  EXPECT_EQ(play.apply("0").moves(), "8>7");
}

TEST(LudiiDice, EveryFaceIsAnOutcome) {
  const std::string rules = fmt::format("(do (roll) next:(forEach Piece {}))", kByPips);
  Play equal(race("faces:{1 1 3} num:1", rules));
  EXPECT_EQ(equal.moves(), "0 1 2");
  EXPECT_EQ(equal.apply("1").moves(), "0>1");
  Play by_die(race("d:2 facesByDie:{{0 1} {0 4}} num:2", rules));
  EXPECT_EQ(by_die.moves(), "0>0 0>1 1>0 1>1");
  EXPECT_EQ(by_die.apply("1>1").moves(), "0>5");
  Play from(race("d:3 from:2 num:1", rules));
  EXPECT_EQ(from.apply("2").moves(), "0>4");
}

TEST(LudiiDice, EachDieIsUsedOnceInATurn) {
  Play play(race("d:6 num:2",
                 "(do (if (not (is Prev Mover)) (roll)) next:(forEach Die if:(!= (pips) 0) (forEach Piece (move (from "
                 "(from)) (to (+ (from) (* (pips) (if (is Mover P1) 1 -1)))))) (then (if (not (all DiceUsed)) "
                 "(moveAgain)))))"));
  play.apply("0>2");
  EXPECT_EQ(play.moves(), "0>1>over>9 0>3>over>10");
  EXPECT_EQ(play.apply("0>3>over>10").moves(), "3>4>over>9");
  // The turn is over, and the other player throws.
  play.apply("3>4>over>9").apply("1>1");
  EXPECT_EQ(play.moves(), "8>6>over>10 8>6>over>9");
}

TEST(LudiiDice, AConditionOfTheThrowIsAskedBeforeIt) {
  Play play(race("d:2 num:2", fmt::format("(if (is Mover P1) (do (roll) next:(if (all DiceEqual) (forEach Piece {}))) "
                                          "(if (is AnyDie 2) (move Pass)))",
                                          kByPips)));
  EXPECT_EQ(play.moves(), "0>0 0>1 1>0 1>1");
  EXPECT_EQ(play.apply("0>1").moves(), "!");
  EXPECT_EQ(play.apply("!").apply("!").apply("1>1").moves(), "0>4");
}

TEST(LudiiDice, ASearchDoesNotThrowThem) {
  const std::string rules = fmt::format("(do (roll) next:(forEach Piece {}))", kByPips);
  EXPECT_EQ(Play(race("num:1", rules, "(no Moves Next)")).mistake, "`(no Moves` is not translated yet");
  EXPECT_EQ(Play(race("num:1", fmt::format("(if (can Move {0}) {0})", rules))).mistake,
            "`(can Move` is not translated yet");
  EXPECT_EQ(Play(race("num:1 biased:{1 1 1 1 1 2}", rules)).mistake, "`biased:` is not translated yet");
}

}  // namespace
}  // namespace rgtrans::ludii
