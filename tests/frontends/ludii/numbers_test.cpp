// Numbers of Ludii that need a bound, numbers of several sites, and lists that act in a certain order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

// One player adds pieces, and the effect follows.
Play after_adding(const std::string& then, const std::string& end = "(no Moves Next)", std::string pieces = "2@5") {
  return Play(row(6, std::move(pieces), fmt::format("(move Add (to (sites Empty)) (then {}))", then),
                  fmt::format("(if {} (result Mover Win))", end)));
}

TEST(LudiiNumbers, AConditionBoundsWhatItGuards) {
  const std::string down = "(if (< 0 (var)) (set Var (- (var) 1)) (set Var 2))";
  EXPECT_EQ(after_adding(down, "(= 1 (var))").apply("0").apply("1").end(), "0:100");
  // Without the condition, or with one on another number, there is no bound.
  EXPECT_NE(after_adding("(set Var (- (var) 1))").mistake, "");
  EXPECT_NE(after_adding("(if (< 0 (var \"Other\")) (set Var (- (var) 1)))").mistake, "");
  EXPECT_NE(after_adding("(if (> 5 (var)) (set Var (- (var) 1)))").mistake, "");
  // The play ends before the number can become larger.
  const std::string up = "(set Value Mover (+ 1 (value Player Mover)))";
  EXPECT_EQ(after_adding(up, "(= (value Player Mover) 1)").apply("0").apply("1").apply("2").end(), "100:0");
  EXPECT_NE(after_adding(up).mistake, "");
  EXPECT_NE(after_adding("(set Value Mover (+ 1 (value Player Next)))", "(is Full)").mistake, "");
}

TEST(LudiiNumbers, PointsForNewPiecesHaveABound) {
  const auto game = [](std::string_view play, std::string_view meta = "") {
    return Play(
        fmt::format("(game \"T\" (players 2) (equipment {{(board (rectangle 1 6)) (piece \"M\" Each)}}) (rules "
                    "{} (play {}) (end (if (is Full) (byScore)))))",
                    meta, play));
  };
  const std::string add = "(move Add (to (sites Empty)) (then (addScore Mover 1)))";
  EXPECT_EQ(game(fmt::format("(or {} (move Pass))", add), "(meta (swap))").apply("0").number("score", "1"), "1");
  EXPECT_NE(game("(or (move Add (to (sites Empty))) (move Pass (then (addScore Mover 1))))").mistake, "");
}

TEST(LudiiNumbers, CountersAreComparedWithSums) {
  const auto end = [](std::string_view condition) {
    return Play(row(6, "", kAdd, fmt::format("(if {} (result Mover Win))", condition)));
  };
  Play active = end("(= (counter) (* 1 (count Active)))");
  EXPECT_EQ(active.apply("0").apply("1").apply("2").end(), "open");
  EXPECT_EQ(active.apply("3").end(), "0:100");
  Play remainder = end("(= (% (- (count Moves) 2) 3) 1)");
  EXPECT_EQ(remainder.apply("0").apply("1").end(), "open");
  EXPECT_EQ(remainder.apply("2").end(), "100:0");
}

TEST(LudiiNumbers, TheDistanceToTheNearestSite) {
  const auto end = [](std::string_view to) {
    return after_adding("(note \"n\")", fmt::format("(= 3 (count Steps (last To) {}))", to)).apply("2").end();
  };
  EXPECT_EQ(end("(sites Occupied by:Next)"), "100:0");
  EXPECT_EQ(end("(sites Occupied by:All)"), "open");
  EXPECT_EQ(end("(forEach (sites Occupied by:Next) if:(= (site) 1))"), "open");
}

TEST(LudiiNumbers, ValuesOfAllPairsOfSites) {
  const auto end = [](std::string_view condition) {
    return after_adding("(note \"n\")", std::string(condition), "1@0 2@5").apply("2").end();
  };
  const std::string pairs = "(results from:(sites Occupied by:Mover) to:(sites Occupied by:Next) (- (to) (from)))";
  EXPECT_EQ(end(fmt::format("(= 8 (+ {}))", pairs)), "100:0");
  EXPECT_EQ(end(fmt::format("(= 5 (max {}))", pairs)), "100:0");
  EXPECT_EQ(end("(= -2 (+ (results from:(sites Occupied by:Mover) to:0 -1)))"), "100:0");
  EXPECT_EQ(end("(= -1 (max (results from:(sites {}) to:0 7)))"), "100:0");
}

TEST(LudiiNumbers, ASiteOfARegionByItsIndex) {
  const auto at = [](int index) {
    return Play(row(6, "1@1,4 2@5",
                    fmt::format("(move Select (from (regionSite (sites Occupied by:Mover) index:{})))", index)))
        .moves();
  };
  EXPECT_EQ(at(0), "1");
  EXPECT_EQ(at(1), "4");
  EXPECT_EQ(at(2), "!");
}

TEST(LudiiNumbers, SitesAtADistance) {
  const auto moves = [](std::string_view range) {
    return Play(row(6, "1@1 2@5",
                    fmt::format("(forEach Piece (move (from) (to (sites Distance from:(from) {}) if:(is "
                                "Empty (to)))))",
                                range)))
        .moves();
  };
  EXPECT_EQ(moves("(exact 2)"), "1>3");
  EXPECT_EQ(moves("(min 3)"), "1>4");
  EXPECT_EQ(moves("(max 1)"), "1>0 1>2");
}

TEST(LudiiNumbers, DifferentPiecesOnAllSites) {
  const auto end = [](std::string pieces) {
    return after_adding("(note \"n\")", "(all Different (sites {1 2 3}) if:(!= (site) 4))", std::move(pieces))
        .apply("0")
        .end();
  };
  EXPECT_EQ(end("1@1 2@2"), "100:0");
  EXPECT_EQ(end("1@1,3"), "open");
  EXPECT_EQ(end("1@1"), "open");  // two of them are empty
}

TEST(LudiiNumbers, AStackLosesAsManyPieces) {
  const auto left = [](std::string_view count) {
    const std::string text = fmt::format(
        "(game \"T\" (players 2) (equipment {{(board (rectangle 1 3)) (piece \"M\" Each)}}) (rules (start (place Stack "
        "items:{{\"M1\" \"M2\" \"M1\"}} 0)) (play (move Select (from (sites {{0}})) (then (remove (last To) "
        "count:{}))))"
        "(end (if (no Moves Next) (result Mover Win)))))",
        count);
    return Play(text).apply("0").number("height", "0");
  };
  EXPECT_EQ(left("(size Stack at:(last To))"), "0");
  EXPECT_EQ(left("(- (size Stack at:(last To)) 1)"), "1");
  EXPECT_EQ(left("(- 3 (size Stack at:(last To)))"), "3");
}

TEST(LudiiNumbers, EmptySitesOfAHand) {
  const auto game = [](std::string_view play, std::string_view end = "(no Moves Next)") {
    return Play(
        fmt::format("(game \"T\" (players 2) (equipment {{(board (rectangle 1 3)) (piece \"M\" Each) (hand Each "
                    "size:2)}}) (rules (start {{(place \"M1\" (handSite P1)) (place \"M2\" (handSite P2 1))}}) "
                    "(play {}) (end (if {} (result Mover Win)))))",
                    play, end));
  };
  EXPECT_EQ(game("(move Select (from (sites Empty 1)))").moves(), "4");
  EXPECT_EQ(game("(move Select (from (sites Empty 2)))").moves(), "5");
  // Whose hand it is depends on who moves next.
  const std::string_view play = "(move Select (from (sites {0 1})) (then (if (= (last To) 0) (moveAgain))))";
  const std::string_view hand = "(is In 6 (sites Occupied by:Next container:\"Hand\"))";
  EXPECT_EQ(game(play, hand).apply("1").end(), "100:0");
  EXPECT_EQ(game(play, hand).apply("0").end(), "open");
}

TEST(LudiiNumbers, AStartRuleForEachNumber) {
  const std::string text =
      "(game \"T\" (players 2) (equipment {(board (rectangle 1 6)) (piece \"M\" Each)}) (rules (start (forEach Value "
      "min:2 max:4 (place \"M1\" (value)))) (play (move Add (to (sites Empty)))) (end (if (no Moves Next) (result "
      "Mover "
      "Win)))))";
  EXPECT_EQ(Play(text).pieces(), "1@2,3,4");
}

TEST(LudiiNumbers, ATestBehindAnEffectAndAMove) {
  // The test sees what the effect noted before the move.
  const std::string play =
      "(forEach Piece (do (set Var (from)) next:(move Step (to if:(is Empty (to)))) ifAfterwards:(< (var) (last To))))";
  EXPECT_EQ(Play(row(6, "1@2 2@5", play)).moves(), "2>3");
}

TEST(LudiiNumbers, WhatFollowsTheWholeClauseIsNotTested) {
  // The sites that the clause names are pending for the other player, and no longer for the one before.
  const std::string play =
      "(do (or (move Add (to (sites Empty)) (then (if (= (last To) 1) (set Pending 1)))) (if (is Pending) (move "
      "Pass))) "
      "ifAfterwards:(not (is In 4 (sites Pending))) (then (if (can Move (if (is Pending) (remove 5))) (remove 5))))";
  Play game(row(6, "2@5", play));
  EXPECT_EQ(game.moves(), "0 1 2 3 4");
  EXPECT_EQ(game.apply("1").pieces(), "1@1");
  EXPECT_EQ(game.moves(), "! 0 2 3 4 5");
  EXPECT_EQ(game.apply("5").pieces(), "1@1 2@5");
}

TEST(LudiiNumbers, TheFirstCaptureThatTakesSomething) {
  const std::string then =
      "(priority (custodial (from (last To)) (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to "
      "if:(is Friend (who at:(to))))) (remove 5))";
  EXPECT_EQ(after_adding(then, "(no Moves Next)", "1@0 2@1,5").apply("2").pieces(), "1@0,2 2@5");
  EXPECT_EQ(after_adding(then, "(no Moves Next)", "1@0 2@1,5").apply("3").pieces(), "1@0,3 2@1");
}

TEST(LudiiNumbers, AConsequenceFollowsEachPart) {
  // After the first part, the site 5 is occupied still.
  const auto pieces = [](std::string_view parts) {
    return after_adding(
               fmt::format("(and {{{}}} (then (if (is Empty 4) (if (is Occupied 5) (add (piece 1) (to 3))))))", parts),
               "(no Moves Next)", "2@4,5")
        .apply("0")
        .pieces();
  };
  EXPECT_EQ(pieces("(remove 4) (remove 5)"), "1@0,3");
  EXPECT_EQ(pieces("(remove 5) (remove 4)"), "1@0");
  EXPECT_NE(after_adding("(and {(remove (sites {4 5})) (remove 3)} (then (remove 2)))").mistake, "");
}

TEST(LudiiNumbers, RoundsDoNotSeeWhomAnotherOneMakesTheNext) {
  const std::string then =
      "(forEach Site (sites {0 1}) (and (if (is Occupied (site)) (trigger \"T\" Next)) (moveAgain)))";
  EXPECT_EQ(after_adding(then, "(is Triggered \"T\" P2)", "1@0").apply("1").end(), "100:0");
  EXPECT_EQ(after_adding(then, "(is Triggered \"T\" P1)", "1@0").apply("1").end(), "open");
}

TEST(LudiiNumbers, OneMoveOfAllCaptures) {
  // Discs that all share show whose they are.
  const std::string text =
      "(game \"T\" (players 2) (equipment {(board (rectangle 1 6)) (piece \"D\" Neutral (flips 1 2))}) (rules (start "
      "{(place \"D0\" {1 2} state:2) (place \"D0\" {3} state:1)}) (play (forEach Site (sites Empty) (append (custodial "
      "(from (site)) (between if:(is Enemy (state at:(between))) (apply (allCombinations (add (piece \"D0\" "
      "state:(mover)) (to (site))) (flip (between))))) (to if:(is Friend (state at:(to)))))))) (end (if (no Moves "
      "Next) "
      "(result Mover Win)))))";
  Play game(text);
  EXPECT_EQ(game.moves(), "0");
  game.apply("0");
  for (const char* const site : {"0", "1", "2", "3"}) EXPECT_EQ(game.number("state", site), "1");
  EXPECT_EQ(game.number("board", "0"), "1");
}

}  // namespace
}  // namespace rgtrans::ludii
