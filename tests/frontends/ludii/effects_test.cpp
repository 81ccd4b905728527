// Effects of Ludii that are computed before any of them acts, lines, and directions of the last move.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

TEST(LudiiEffects, PartsOfAListSeeTheBoardBeforeThem) {
  // The second part moves what stood there before the first one removed it.
  const std::string copy =
      "(forEach Site (sites {0 1 2}) (if (is Occupied (site)) (add (piece (what at:(site))) (to (+ "
      "3 (site))))))";
  const auto game = [&](const std::string& then) {
    return Play(row(6, "1@0 2@2", fmt::format("(move Select (from (sites {{0}})) (then {}))", then)));
  };
  EXPECT_EQ(game(fmt::format("(and (remove (sites {{0 1 2}})) {})", copy)).apply("0").pieces(), "1@3 2@5");
  // One round does not see another one.
  EXPECT_EQ(game("(forEach Site (sites {0 1 2}) (if (is Occupied (site)) (add (piece 1) (to (+ 1 (site))))))")
                .apply("0")
                .pieces(),
            "1@0,1,3 2@2");
}

TEST(LudiiEffects, ASiteOutsideTheBoardIsLeftOut) {
  EXPECT_EQ(Play(row(4, "1@0 2@3", "(move Select (from (sites {0})) (then (fromTo (from (- (last To) 2)) (to 1))))"))
                .apply("0")
                .pieces(),
            "1@0 2@3");
}

TEST(LudiiEffects, SeedsAreSownByTheBoardBeforeThem) {
  const auto counts = [](std::string_view sow) {
    return Play(
               fmt::format(
                   "(game \"T\" (players 2) (equipment {{(board (rectangle 2 3) {{(track \"Track\" \"0,E,N,W\" "
                   "loop:True)}}) (piece \"Seed\" Shared)}}) (rules (start (set Count 3 to:(sites Track))) (play (move "
                   "Select (from (sites {{0}})) (then {}))) (end (if (no Moves Next) (result Mover Win)))))",
                   sow))
        .apply("0")
        .counts();
  };
  // The hole that becomes 4 is not skipped for that.
  EXPECT_EQ(counts("(sow count:7 skipIf:(= 4 (count at:(to))))"), counts("(sow count:7)"));
}

TEST(LudiiEffects, AListOfCountsPlacesSoManyPieces) {
  const std::string text =
      "(game \"T\" (players 2) (equipment {(board (rectangle 1 6)) (piece \"M\" Each)}) (rules (start (place \"M1\" "
      "{0 2} counts:{2 5})) (play (move Select (from (sites {0})))) (end (if (no Moves Next) (result Mover Win)))))";
  EXPECT_EQ(Play(text).counts(), "2 0 5 0 0 0");
}

TEST(LudiiEffects, AMoveGoesOnInItsDirection) {
  const std::string play =
      "(if (is Prev Mover) (move Step (from (last To)) SameDirection (to if:(is Empty (to)))) (forEach Piece (move "
      "Step "
      "Orthogonal (to if:(is Empty (to))) (then (moveAgain)))))";
  Play game(Rules{"(square 3)", "1@4", play});
  EXPECT_EQ(game.moves(), "4>1 4>3 4>5 4>7");
  Play wide(Rules{"(square 5)", "1@12", play});
  EXPECT_EQ(wide.apply("12>13").moves(), "13>14");
  Play turned(
      Rules{"(rectangle 1 5)", "1@2", "(forEach Piece (move Step (if (is Even (from)) E W) (to if:(is Empty (to)))))"});
  EXPECT_EQ(turned.moves(), "2>3");
}

TEST(LudiiEffects, LinesOfSeveralKindsOfPieces) {
  const auto end = [](std::string_view line) {
    return Play(row(6, "1@0,2 2@1", std::string(kAdd), fmt::format("(if {} (result Mover Win))", line)))
        .apply("3")
        .end();
  };
  EXPECT_EQ(end("(is Line 4 whats:{1 2})"), "100:0");
  EXPECT_EQ(end("(is Line 4)"), "open");
  EXPECT_EQ(end("(is Line 3 contiguous:False)"), "100:0");
  EXPECT_EQ(end("(is Line 2 throughAny:(sites {0 1}) what:1)"), "open");
  EXPECT_EQ(end("(is Line 2 throughAny:(sites {2 3}) what:1)"), "100:0");
}

TEST(LudiiEffects, APatternIsAWalkOverEqualPieces) {
  const auto end = [](std::string pieces, const std::string& walk) {
    return Play(Rules{"(square 3)", std::move(pieces), std::string(kAdd),
                      fmt::format("(if (is Pattern {}) (result Mover Win))", walk)})
        .apply("4")
        .end();
  };
  EXPECT_EQ(end("1@3,6 2@8", "{F R F}"), "100:0");
  EXPECT_EQ(end("1@3,5 2@8", "{F R F}"), "open");
  EXPECT_EQ(end("1@3,0 2@8", "{F R F}"), "open");
  EXPECT_EQ(end("1@3,0 2@8", "{F L F}"), "100:0");
}

TEST(LudiiEffects, LeapsCanBeLimitedToTheFront) {
  const auto moves = [](std::string_view flag) {
    Rules rules{"(square 5)", "1@12",
                fmt::format("(forEach Piece (move Leap {{{{F F R F}}}} {} (to if:(is Empty (to)))))", flag)};
    rules.players = "{(player S) (player N)}";
    return Play(rules).moves();
  };
  EXPECT_EQ(moves(""), "12>1 12>15 12>23 12>9");
  EXPECT_EQ(moves("forward:True"), "12>1 12>9");
}

TEST(LudiiEffects, ConnectionsOfSidesAndOfTheNextPlayer) {
  const auto end = [](std::string_view condition) {
    return Play(Rules{"(square 3)", "1@3,5 2@0",
                      "(move Add (to (sites Empty)) (then (if (is Odd (last To)) (moveAgain))))",
                      fmt::format("(if {} (result Mover Win))", condition)})
        .apply("4")
        .end();
  };
  EXPECT_EQ(end("(is Connected 2 Sides)"), "100:0");
  EXPECT_EQ(end("(is Connected 3 Sides)"), "open");
  EXPECT_EQ(end("(< 3 (size Array (array (forEach (sites Board) if:(is Occupied (site))))))"), "100:0");
  EXPECT_EQ(end("(< 4 (size Array (array (forEach (sites Board) if:(is Occupied (site))))))"), "open");
}

TEST(LudiiEffects, ASearchAsksWhetherAnEffectDoesSomething) {
  const std::string capture =
      "(custodial (from (last To)) (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is "
      "Friend (who at:(to)))))";
  const std::string play = fmt::format("(do (move Add (to (sites Empty))) ifAfterwards:(not (can Move {})))", capture);
  EXPECT_EQ(Play(row(6, "1@0 2@1", play)).moves(), "3 4 5");
}

}  // namespace
}  // namespace rgtrans::ludii
