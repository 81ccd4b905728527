// Arguments of Ludii's ludemes that few games use: each is read as Ludii reads it, or refused by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

std::string mistake_of(std::string_view play, std::string end = "(if (no Moves Next) (result Mover Draw))") {
  return Play(row(5, "1@0 2@4", play, std::move(end))).mistake;
}

// Site 2 is a move if the condition holds after the moves, and otherwise site 3.
std::string when(std::string_view condition, std::string_view otherwise) {
  return fmt::format("(if {} (move Add (to {{2}})) {})", condition, otherwise);
}

TEST(LudiiArguments, AnEffectCanTakeThePieceThatMoves) {
  Play play(row(5, "1@0 2@1", "(forEach Piece (move Step (to if:(is Enemy (who at:(to))) (apply (remove (from))))))"));
  EXPECT_EQ(play.moves(), "0>1");
  EXPECT_EQ(play.apply("0>1").pieces(), "2@1");
}

TEST(LudiiArguments, ConsequencesOfAPassSeeIt) {
  const std::string pass = "(move Pass (then (if (was Pass) (set Var 7))))";
  EXPECT_EQ(Play(row(5, "1@0 2@4", when("(= (var) 7)", pass))).apply("!").moves(), "2");
  EXPECT_EQ(mistake_of("(move Pass (then (if (all Passed) (moveAgain))))"), "`(all Passed` is not translated yet");
}

TEST(LudiiArguments, NumbersOfPiecesAreReadInTheirMoves) {
  const auto game = [](std::string_view moves) {
    return Play(
        fmt::format("(game \"T\" (players 2) (equipment {{(board (rectangle 1 9)) (piece \"M\" Each {})}}) "
                    "(rules (start {{(place \"M1\" 0) (place \"M2\" 8)}}) (play (forEach Piece)) (end (if "
                    "(no Moves Next) (result Mover Draw)))))",
                    moves));
  };
  Play counted = game("(if (< (count Moves) 3) (move Step (to if:(is Empty (to)))) (move (from) (to {4})))");
  EXPECT_EQ(counted.moves(), "0>1");
  EXPECT_EQ(counted.apply("0>1").apply("8>7").apply("1>0").moves(), "7>4");
  Play valued = game("(move Step (to if:(is Empty (to))) (then (set Value at:(last To) 3)))");
  EXPECT_EQ(valued.apply("0>1").number("value", "1"), "3");
}

TEST(LudiiArguments, PointsCanGoToSeveralPlayers) {
  const auto scores = [](std::string_view role) {
    Play play(row(5, "1@0,1 2@4", fmt::format("(move Remove 0 (then (addScore {} 1)))", role)));
    if (!play.mistake.empty()) return play.mistake;
    play.apply("0");
    return play.number("score", "1") + play.number("score", "2");
  };
  EXPECT_EQ(scores("All"), "11");
  EXPECT_EQ(scores("Mover"), "10");
  EXPECT_EQ(scores("Enemy"), "01");
  EXPECT_EQ(scores("NonMover"), "01");
  EXPECT_EQ(scores("Friend"), "10");
  EXPECT_EQ(scores("Shared"), "`Shared` is not translated yet");
}

TEST(LudiiArguments, MovesOfOneTextWithOtherResultsStayApart) {
  const auto leaves = [](std::string_view play) { return Play(row(5, "1@0 2@4", play)).perft(1); };
  EXPECT_EQ(leaves("(or (move Add (piece \"M1\" state:1) (to 2)) (move Add (piece \"M1\" state:2) (to 2)))"), 2U);
  EXPECT_EQ(leaves("(or (move Add (to 2) count:1) (move Add (to 2) count:2))"), 2U);
  EXPECT_EQ(leaves("(or (move Pass) (move Pass (then (moveAgain))))"), 2U);
  EXPECT_EQ(leaves("(or (move (from 0) (to 2)) (move (from 0) (to 2) copy:True))"), 2U);
}

TEST(LudiiArguments, AnOnlyPlayerWinsByItsScore) {
  Play play(
      "(game \"T\" (players 1) (equipment {(board (rectangle 1 3)) (piece \"M\" Each)}) (rules (play (move Add (to "
      "(sites "
      "Empty)))) (end (if (is Occupied 1) (byScore {(score P1 2)})))))");
  EXPECT_EQ(play.apply("1").goal(0), "100");
}

TEST(LudiiArguments, EndsAreForKnownPlayers) {
  const auto mistake = [](std::string end) { return mistake_of(kAdd, std::move(end)); };
  EXPECT_EQ(mistake("(forEach Player if:(no Pieces Player) (result Player Loss))"), "");
  EXPECT_EQ(mistake("(forEach NonMover if:(no Pieces Player) (result Player Loss))"), "");
  EXPECT_EQ(mistake("(forEach P1 if:(no Pieces Player) (result Player Loss))"), "`(forEach P1` is not translated yet");
  EXPECT_EQ(mistake("(if (is Full) (result Neutral Draw))"), "`Neutral` is not translated yet");
  EXPECT_EQ(mistake("(if (is Full) (result Enemy Win))"), "`Enemy` is not translated yet");
}

TEST(LudiiArguments, TakingTheOtherSideIsATurn) {
  const auto game = [](std::string_view play, std::string_view end) {
    return Play(
        fmt::format("(game \"T\" (players 2) (equipment {{(board (rectangle 1 5)) (piece \"M\" Each)}}) (rules "
                    "(meta (swap)) (play {}) (end {})))",
                    play, end));
  };
  const std::string play = "(if (= (count Turns) 3) (move Add (to {3})) (move Add (to {0 1})))";
  EXPECT_EQ(game(play, "(if (is Full) (result Mover Win))").apply("0").apply("swap").moves(), "3");
  // A player who can take the other side has a move.
  const std::string once = "(if (is Mover P1) (move Add (to (sites Empty))))";
  EXPECT_EQ(game(once, "(if (no Moves Next) (result Mover Win))").apply("0").moves(), "swap");
}

TEST(LudiiArguments, AThreatOfGivenMovesIsNotThatOfAllMoves) {
  const std::string threat = "(is Threatened (id \"M\" Mover) at:0";
  const std::string step = "(forEach Piece (move Step (to if:(not (is Friend (who at:(to)))))))";
  const std::string slide = "(forEach Piece (move Slide (to if:(is Enemy (who at:(to))) (apply (remove (to))))))";
  const std::string play =
      fmt::format("(or (if {0} {1}) (move Add (to {{3}}))) (if {0}) (move Add (to {{2}})) {2}))", threat, step, slide);
  EXPECT_EQ(Play(row(5, "1@0 2@4", play)).moves(), "2");
}

// A piece that is put on an empty site for the question alone leaves it among the empty ones, so an enemy can drop a
// piece there. Of a site with another piece this is not so.
TEST(LudiiArguments, ASiteIsEmptyWhereAPieceIsSupposedToBe) {
  const auto moves = [](int site) {
    return Play(row(5, "1@0 2@4",
                    fmt::format(
                        "(or {{(if (is Threatened (id \"M\" Mover) at:{}) (move Add (to {{2}}))) (move Add (to {{3}})) "
                        "(if (is Mover P2) (move Add (to (sites Empty))))}})",
                        site)))
        .moves();
  };
  EXPECT_EQ(moves(1), "2 3");
  EXPECT_EQ(moves(4), "3");
}

TEST(LudiiArguments, AnIteratorBehindTheLastSiteIsNoSite) {
  // The run of enemies ends at the edge, where (to) is -1.
  const std::string custodial =
      "(move Add (to (sites Empty)) (then (custodial (from (last To)) (between if:(is Enemy (who at:(between))) (apply "
      "(remove (between)))) (to if:{}))))";
  EXPECT_EQ(
      Play(row(5, "2@0,4", fmt::format(fmt::runtime(custodial), "(is Friend (who at:(to)))"))).apply("1").pieces(),
      "1@1 2@0,4");
  EXPECT_EQ(
      Play(row(5, "2@0,4", fmt::format(fmt::runtime(custodial), "(not (is Enemy (who at:(to))))"))).apply("1").pieces(),
      "1@1 2@4");
}

TEST(LudiiArguments, ATrackWithoutSuchASiteGivesNone) {
  const std::string play = when("(= -1 (trackSite FirstSite \"T\" from:4 if:(is Empty (to))))", std::string(kAdd));
  Rules rules = row(5, "1@0", play);
  rules.board += " {(track \"T\" {0 1 2} loop:True)}";
  EXPECT_EQ(Play(rules).moves(), "2");
}

TEST(LudiiArguments, AStoneOfAnotherPlayerConnectsTheRegionsAroundIt) {
  const auto game = [] {
    return Play(
        "(game \"T\" (players 2) (equipment {(board (square 3)) (piece \"M\" Each) (regions P1 {(sites Top) (sites "
        "Left)})}) (rules (play (move Add (to (sites Empty)))) (end (if (is Connected P1) (result P1 Win)))))");
  };
  EXPECT_EQ(game().apply("1").apply("7").end(), "open");
  EXPECT_EQ(game().apply("1").apply("6").end(), "100:0");
}

TEST(LudiiArguments, PiecesOfARegionAreFoundBeforeTheyMove) {
  const std::string play = "(move Select (from 4) (then (fromTo (from (sites Occupied by:Mover)) (to (+ 2 (from))))))";
  EXPECT_EQ(Play(row(5, "1@0", play)).apply("4").pieces(), "1@2");
}

TEST(LudiiArguments, APartOfAnEffectDoesNotMoveWhatAnotherPartBrings) {
  const auto pieces = [](std::string_view then) {
    return Play(row(5, "1@0 2@4", fmt::format("(move Add (to 3) (then (and {})))", then))).apply("3").pieces();
  };
  EXPECT_EQ(pieces("(add (piece \"M1\") (to 2)) (fromTo (from 2) (to 1))"), "1@0,2,3 2@4");
  EXPECT_EQ(pieces("(fromTo (from 0) (to 2)) (fromTo (from 2) (to 1))"), "1@2,3 2@4");
  EXPECT_EQ(pieces("(add (piece \"M1\") (to 2)) (remove 2)"), "1@0,2,3 2@4");
}

TEST(LudiiArguments, TheOrderOfAListMattersWhereTheLastNumberStays) {
  EXPECT_EQ(mistake_of("(move Add (to (sites Empty)) (then (forEach Value (array {1 3}) (set Var (value)))))"), "");
  EXPECT_EQ(mistake_of("(move Add (to (sites Empty)) (then (forEach Value (array {3 1}) (set Var (value)))))"),
            "`(forEach Value` is not translated yet");
}

TEST(LudiiArguments, RulesOfTheStartArePartsOfTheHistory) {
  const auto game = [](std::string_view start) {
    return Play(
        fmt::format("(game \"T\" (players 2) (equipment {{(board (rectangle 1 5)) (piece \"M\" Each)}}) (rules "
                    "{} (play (or (move Pass) (move Add (to (sites Empty))))) (end (if (is Full) (byScore {{(score "
                    "P1 0)}})))))",
                    start));
  };
  EXPECT_EQ(game("").apply("!").end(), "50:50");
  EXPECT_EQ(game("(start (set Score Each 0))").apply("!").end(), "open");
}

TEST(LudiiArguments, WhatIsNotReadIsRefused) {
  const std::string enemy = "(to if:(is Enemy (who at:(to))) (apply (remove (to))))";
  EXPECT_EQ(mistake_of("(move Add (piece) (to (sites Empty)))"), "`(move Add` with `(piece` is not translated yet");
  EXPECT_EQ(mistake_of("(move Add (to Edge (sites Empty)))"), "`Edge` is not translated yet");
  EXPECT_EQ(mistake_of("(move Add (to (sites Board Edge)))"), "`(sites Board` is not translated yet");
  EXPECT_EQ(mistake_of("(move Add (to (sites Side Vertex N)))"), "`(sites Side` is not translated yet");
  EXPECT_EQ(mistake_of("(move Add (to (sites Empty) if:(is In (to) (sites Side Vertex N))))"),
            "`Vertex` is not translated yet");
  EXPECT_EQ(mistake_of("(move Remove Edge (sites Occupied by:All))"), "`Edge` is not translated yet");
  EXPECT_EQ(mistake_of(fmt::format("(move Add (to (sites Empty)) (then (intervene (directions {{N S}}) {})))", enemy)),
            "`(intervene` is not translated yet");
  EXPECT_EQ(mistake_of("(move Remove 0 (then (remove 1 at:StartOfTurn)))"), "`StartOfTurn` is not translated yet");
  EXPECT_EQ(mistake_of("(forEach Value (array {-1 3}) (move Add (to (+ 1 (value)))))"), "`-1` is not translated yet");
  EXPECT_EQ(mistake_of("(forEach Piece (move Hop (between (max 2) if:(is Enemy (who at:(between)))) (to if:(not (is "
                       "Friend (who at:(to)))))))"),
            "`(move Hop` is not translated yet");
  EXPECT_EQ(mistake_of("(forEach Piece (move Step (to if:(= 1 (count Steps Orthogonal (from) (to))))))",
                       "(if (= 9 (count Steps 0 1)) (result Mover Win))"),
            "distances by several relations are not translated yet");
}

}  // namespace
}  // namespace rgtrans::ludii
