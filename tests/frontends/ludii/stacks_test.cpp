// Stacks of Ludii: which piece moves, and what a stack counts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

std::string stacks(std::string_view start, std::string_view play, std::string_view end = "(no Pieces Next)") {
  return fmt::format(
      "(game \"T\" (players 2) (equipment {{(board (rectangle 1 4)) (piece \"M\" Each)}}) (rules (start {{{}}}) (play "
      "{}) (end (if {} (result Mover Win)))))",
      start, play, end);
}

constexpr std::string_view kTwo = "(place Stack items:{\"M1\" \"M2\"} 0) (place \"M1\" 3)";

TEST(LudiiStacks, ABuriedPieceMovesTheTopOne) {
  Play play(stacks(kTwo, kStep));
  EXPECT_EQ(play.moves(), "0>1 3>2");
  play.apply("0>1");
  EXPECT_EQ(play.pieces(), "1@0,3 2@1");
  EXPECT_EQ(play.number("height", "0"), "1");
  EXPECT_EQ(Play(stacks(kTwo, "(forEach Piece (move Step (to if:(is Empty (to)))) top:True)")).moves(), "3>2");
}

TEST(LudiiStacks, APieceLeavesItsLevel) {
  Play play(stacks(kTwo, "(forEach Piece (move (from (from) level:(level)) (to (- 3 (from)))))"));
  EXPECT_EQ(play.moves(), "0>3>over>0 3>0>over>0");
  play.apply("0>3>over>0");
  EXPECT_EQ(play.pieces(), "1@3 2@0");
  EXPECT_EQ(play.number("height", "0") + play.number("height", "3"), "12");
}

TEST(LudiiStacks, OnlyWhatMeansTheLowestPiece) {
  const auto first = [](std::string_view condition) {
    return Play(stacks(kTwo, fmt::format("(if {} (move Select (from 1)) (move Select (from 2)))", condition))).moves();
  };
  EXPECT_EQ(first("(= (what at:0) (id \"M1\"))"), "1");
  EXPECT_EQ(first("(= (who at:0) P1)"), "2");
  EXPECT_EQ(first("(= (what at:0 level:1) (id \"M2\"))"), "1");
  EXPECT_EQ(first("(= (size Stack at:0) 2)"), "1");
  EXPECT_EQ(first("(= (count Pieces P1) 2)"), "1");
  EXPECT_EQ(first("(is In 0 (sites Occupied by:P1))"), "1");
  EXPECT_EQ(first("(is In 0 (sites Occupied by:P1 top:True))"), "2");
  EXPECT_EQ(first("(= (where \"M\" P1) 0)"), "1");
}

TEST(LudiiStacks, AWholeStackKeepsItsOrder) {
  Play play(stacks("(place Stack items:{\"M2\" \"M1\" \"M1\"} 0) (place \"M2\" 1)",
                   "(forEach Piece (move Step (to if:True) stack:True) top:True)"));
  play.apply("0>1");
  EXPECT_EQ(play.number("height", "0") + play.number("height", "1"), "04");
  EXPECT_EQ(play.pieces(), "1@1");
  Play some(stacks("(place Stack items:{\"M2\" \"M1\" \"M2\" \"M1\"} 0)", "(move (from 0) (to 2) count:2)",
                   "(= (what at:2 level:0) (id \"M2\"))"));
  EXPECT_EQ(some.apply("0>2").end(), "100:0");
  EXPECT_EQ(some.pieces(), "1@0,2");
}

TEST(LudiiStacks, AnEffectGoesThroughTheLevels) {
  Play play(stacks("(place Stack items:{\"M1\" \"M2\" \"M1\"} 0)",
                   "(move Select (from 0) (then (forEach Level (last To) FromTop (if (is Mover (who at:(last To) "
                   "level:(level))) (remove (last To) level:(level))))))"));
  play.apply("0");
  EXPECT_EQ(play.pieces(), "2@0");
  EXPECT_EQ(play.number("height", "0"), "1");
}

TEST(LudiiStacks, OpenFormsAreRefused) {
  EXPECT_EQ(Play(stacks(kTwo, kAdd)).mistake, "new pieces on stacks are not translated yet");
  EXPECT_EQ(Play(stacks(kTwo, "(move (from 0) (to 2) (then (set State at:2 1)))")).mistake,
            "states of pieces that leave a stack are not translated yet");
  EXPECT_EQ(Play(stacks(kTwo, kStep, "(is Line 3)")).mistake, "`(is Line` is not translated yet");
  EXPECT_EQ(Play(stacks(kTwo,
                        "(move Select (from 0) (then (forEach Level (last To) (remove (last To) "
                        "level:(level)))))"))
                .mistake,
            "`(forEach Level` is not translated yet");
}

}  // namespace
}  // namespace rgtrans::ludii
