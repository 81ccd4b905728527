// Rules of Ludii on small examples with known moves. Constructs that are not translated are refused by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontends/ludii/play.hpp"

namespace rgtrans::ludii {
namespace {

TEST(LudiiRules, ThreeInARowHasTheKnownNumbersOfPlays) {
  const Rules rules{"(square 3)", "", std::string(kAdd), "(if (is Line 3) (result Mover Win))"};
  Play play(rules);
  EXPECT_EQ(play.moves(), "0 1 2 3 4 5 6 7 8");
  EXPECT_EQ(play.perft(4), 3024U);
  EXPECT_EQ(play.perft(6), 54720U);
  play.apply("0").apply("3").apply("1").apply("4");
  EXPECT_EQ(play.moves(), "2 5 6 7 8");
  EXPECT_EQ(play.apply("2").end(), "100:0");
}

TEST(LudiiRules, AnExactLineIsNotLonger) {
  EXPECT_EQ(Play(row(5, "1@0,1,3", kAdd, "(if (is Line 3) (result Mover Win))")).apply("2").end(), "100:0");
  EXPECT_EQ(Play(row(5, "1@0,1,3", kAdd, "(if (is Line 3 exact:True) (result Mover Win))")).apply("2").end(), "open");
  EXPECT_EQ(Play(row(6, "1@0,2,4", kAdd, "(if (is Line 3 exact:True) (result Mover Win))")).apply("1").end(), "100:0");
}

TEST(LudiiRules, AConditionOnTheEffectStopsSlidesButNotSteps) {
  const std::string target = "(to if:(is Enemy (who at:(to))) (apply if:False (remove (to))))";
  EXPECT_EQ(
      Play(row(5, "1@0 2@3", "(forEach Piece (move Slide " + target + "))", "(if (no Pieces Next) (result Mover Win))"))
          .moves(),
      "!");
  Play step(
      row(5, "1@0 2@1", "(forEach Piece (move Step " + target + "))", "(if (no Pieces Next) (result Mover Win))"));
  EXPECT_EQ(step.moves(), "0>1");
  EXPECT_EQ(step.apply("0>1").end(), "100:0");
  EXPECT_EQ(step.pieces(), "1@1");
}

TEST(LudiiRules, ASlideEndsWithItsCapture) {
  Play play(row(5, "1@0 2@3", "(forEach Piece (move Slide (to if:(is Enemy (who at:(to))) (apply (remove (to))))))"));
  EXPECT_EQ(play.moves(), "0>1 0>2 0>3");
  EXPECT_EQ(play.apply("0>3").pieces(), "1@3");
}

TEST(LudiiRules, ASlideMayPassFriends) {
  const std::string play =
      "(forEach Piece (move Slide (between if:(is Friend (who at:(between)))) (to if:(is Empty (to)))))";
  EXPECT_EQ(Play(row(6, "1@0,2 2@5", play)).moves(), "0>1 2>1 2>3");
  EXPECT_EQ(Play(row(6, "1@0,1 2@5", play)).moves(), "0>1 0>2 1>0 1>2");
}

TEST(LudiiRules, AHopNeedsAHurdleAndALanding) {
  const std::string over = "(between if:(is Enemy (who at:(between))) (apply (remove (between))))";
  const std::string hop = "(forEach Piece (move Hop " + over + " (to if:(is Empty (to)))))";
  EXPECT_EQ(Play(row(6, "1@0 2@2", hop)).moves(), "!");
  Play play(row(6, "1@0 2@1", hop));
  EXPECT_EQ(play.moves(), "0>2");
  EXPECT_EQ(play.apply("0>2").pieces(), "1@2");
  // Without `between`, even an empty site is a hurdle.
  EXPECT_EQ(Play(row(6, "1@0 2@4", "(forEach Piece (move Hop (to if:(is Empty (to)))))")).moves(), "0>2");
}

TEST(LudiiRules, AShotTakesTheSiteBehindItsScreen) {
  const std::string shot =
      "(forEach Piece (move Hop (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty "
      "(to)) (apply if:(is Enemy (who at:(to))) (remove (to))))))";
  Play play(row(6, "1@0 2@1,2", shot));
  EXPECT_EQ(play.moves(), "0>2");
  EXPECT_EQ(play.apply("0>2").pieces(), "1@2 2@1");
  EXPECT_EQ(Play(row(6, "1@0 2@1", shot)).moves(), "!");
  EXPECT_EQ(Play(row(6, "1@0,2 2@1", shot)).moves(), "!");
}

TEST(LudiiRules, LargeNumbersAreComparedDigitByDigit) {
  const auto ends = [](const std::string& end, const std::string& first, const std::string& second) {
    return Play(Rules{"(rectangle 1 300)", "", "(move Select (from (sites Board)) (then (set Score Mover (last To))))",
                      end})
        .apply(first)
        .apply(second)
        .end();
  };
  const std::string less =
      "(if (= (count Moves) 2) (if (< (score P1) (score P2)) (result P1 Win)) (if (>= (score P1) (score P2)) (result "
      "P2 "
      "Win)))";
  EXPECT_EQ(ends(less, "271", "272"), "100:0");
  EXPECT_EQ(ends(less, "272", "271"), "0:100");
  EXPECT_EQ(ends(less, "18", "17"), "0:100");
  EXPECT_EQ(ends(less, "17", "290"), "100:0");
  EXPECT_EQ(ends(less, "144", "144"), "0:100");
  const std::string by_score = "(if (= (count Moves) 2) (byScore))";
  EXPECT_EQ(ends(by_score, "271", "272"), "0:100");
  EXPECT_EQ(ends(by_score, "17", "17"), "50:50");
  EXPECT_EQ(ends(by_score, "36", "35"), "100:0");
}

TEST(LudiiRules, PriorityChoosesTheFirstListWithMoves) {
  const std::string hop =
      "(forEach Piece (move Hop (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty "
      "(to)))))";
  EXPECT_EQ(Play(row(5, "1@0,3 2@1", fmt::format("(priority {{{} {}}})", hop, kStep))).moves(), "0>2");
  EXPECT_EQ(Play(row(5, "1@0 2@4", fmt::format("(priority {{{} {}}})", hop, kStep))).moves(), "0>1");
}

TEST(LudiiRules, NoMovesOfTheMoverIsSeenWhenItPasses) {
  Play mover(row(3, "1@0 2@2", kStep, "(if (no Moves Mover) (result Next Win))"));
  EXPECT_EQ(mover.apply("0>1").end(), "open");
  EXPECT_EQ(mover.moves(), "!");
  EXPECT_EQ(mover.apply("!").end(), "100:0");
  Play next(row(3, "1@0 2@2", kStep, "(if (no Moves Next) (result Mover Win))"));
  EXPECT_EQ(next.apply("0>1").end(), "100:0");
}

TEST(LudiiRules, TwoPassesAreADraw) {
  Play play(row(2, "1@0 2@1", kStep, "(if (no Pieces Next) (result Mover Win))"));
  EXPECT_EQ(play.moves(), "!");
  EXPECT_EQ(play.apply("!").end(), "open");
  EXPECT_EQ(play.apply("!").end(), "50:50");
}

TEST(LudiiRules, TheFirstRuleThatHoldsDecides) {
  const std::string end = "{(if (is Occupied 0) (result Next Win)) (if (is Occupied 0) (result Mover Win))}";
  EXPECT_EQ(Play(row(3, "", kAdd, end)).apply("0").end(), "0:100");
}

TEST(LudiiRules, NextIsTheMoverWhoMovesAgain) {
  const std::string play = "(move Add (to (sites Empty)) (then (moveAgain)))";
  EXPECT_EQ(Play(row(4, "", play, "(if (is Occupied 0) (result Next Win))")).apply("0").end(), "100:0");
}

TEST(LudiiRules, AnAddedPieceLeavesTheOldOne) {
  Play play(row(3, "2@0", "(move Add (to (sites Board)))", "(if (is Occupied 2) (result Mover Win))"));
  EXPECT_EQ(play.moves(), "0 1 2");
  EXPECT_EQ(play.apply("0").pieces(), "2@0");
}

TEST(LudiiRules, ALineOfEmptySitesCounts) {
  const std::string play = "(move Add (to (sites Empty)) (then (remove (last To))))";
  EXPECT_EQ(Play(row(6, "", play, "(if (is Line 3) (result Mover Win))")).apply("0").end(), "100:0");
}

TEST(LudiiRules, LeapsEndWhereTheirWalksEnd) {
  const auto leap = [](const char* more) {
    return Rules{
        "(square 5)", "1@12",
        fmt::format("(forEach Piece (move Leap {{{{F F R F}}{{F F L F}}}} {} (to if:(is Empty (to)))))", more)};
  };
  EXPECT_EQ(Play(leap("")).moves(), "12>1 12>15 12>19 12>21 12>23 12>3 12>5 12>9");
  EXPECT_EQ(Play(leap("rotations:False")).moves(), "12>21 12>23");
}

TEST(LudiiRules, RelativeDirectionsFollowThePlayer) {
  const auto step = [](const char* directions) {
    return Rules{"(square 5)", "1@12",
                 fmt::format("(forEach Piece (move Step (directions {}) (to if:(is Empty (to)))))", directions),
                 "(if (no Moves Next) (result Mover Draw))", "{(player N) (player S)}"};
  };
  const std::vector<std::pair<const char*, const char*>> known = {{"{FL}", "12>16"},
                                                                  {"{FLL}", "12>16"},
                                                                  {"{FR}", "12>18"},
                                                                  {"{BL}", "12>8"},
                                                                  {"{BR}", "12>6"},
                                                                  {"Forwards", "12>16 12>17 12>18"},
                                                                  {"Leftwards", "12>11 12>16 12>6"}};
  for (const auto& [directions, moves] : known) EXPECT_EQ(Play(step(directions)).moves(), moves) << directions;
}

TEST(LudiiRules, EqualMovesOfSeveralGeneratorsAreOne) {
  const Rules rules{
      "(square 3)", "1@4",
      "(forEach Piece (or (move Step Orthogonal (to if:(is Empty (to)))) (move Step (to if:(is Empty (to))))))"};
  EXPECT_EQ(Play(rules).moves(), "4>0 4>1 4>2 4>3 4>5 4>6 4>7 4>8");
}

TEST(LudiiRules, MovesWithEqualTextsAndOtherResultsStayApart) {
  const std::string play = "(or (move Add (to (sites Empty)) (then (moveAgain))) (move Add (to (sites Empty))))";
  EXPECT_EQ(Play(row(3, "", play, "(if (is Occupied 2) (result Mover Win))")).perft(1), 6U);
}

TEST(LudiiRules, TheLastPlaceOfTheStartIsTheLastMove) {
  Play play(row(4, "1@0 2@3", "(if (= (last To) 3) (move Add (to {1})) (move Add (to {2})))",
                "(if (is Occupied 2) (result Mover Win))"));
  EXPECT_EQ(play.moves(), "1");
  EXPECT_EQ(play.apply("1").moves(), "2");
}

TEST(LudiiRules, AFlagOfAForcedPassStays) {
  const std::string play = fmt::format("(or {} (if (is Mover P2) (move Add (to {{4}}))))", kStep);
  Play game(row(5, "1@0 2@1", play, "(if (and (no Moves P1) (is Mover P2)) (result P2 Win))"));
  EXPECT_EQ(game.moves(), "!");
  EXPECT_EQ(game.apply("!").end(), "open");
  EXPECT_EQ(game.apply("1>2").end(), "0:100");
}

TEST(LudiiRules, SeedsFallOneByOne) {
  const auto mancala = [](std::string_view sow, int seeds) {
    return Play(fmt::format(
        "(game \"T\" (players 2) (equipment {{(board (rectangle 2 3) {{(track \"T\" {{0 1 2 5 4 3}} loop:True)}}) "
        "(piece \"Seed\" Shared) (regions P1 (sites Bottom)) (regions P2 (sites Top))}}) (rules (start (set Count {} "
        "to:(sites Track))) (play (move Select (from (sites Mover) if:(> (count at:(from)) 0)) (then {}))) (end (if "
        "(no "
        "Moves Next) (result Mover Draw)))))",
        seeds, sow));
  };
  EXPECT_EQ(mancala("(sow if:(= (count at:(to)) 3) apply:(remove (to)))", 2).apply("0").counts(), "0 3 0 2 2 2");
  EXPECT_EQ(mancala("(sow if:(= (count at:(to)) 3) apply:(remove (to)) backtracking:True)", 2).apply("0").counts(),
            "0 0 0 2 2 2");
  EXPECT_EQ(mancala("(sow includeSelf:False)", 7).apply("0").counts(), "0 9 9 8 8 8");
  EXPECT_EQ(mancala("(sow origin:True)", 3).apply("0").counts(), "1 4 4 3 3 3");
  EXPECT_EQ(mancala("(sow skipIf:(= (to) 1))", 2).apply("0").counts(), "0 2 3 2 2 3");
}

TEST(LudiiRules, ThePartsOfAnEffectSeeTheStateBeforeIt) {
  const auto score = [](std::string_view then) {
    Play play(row(4, "1@0 2@3", fmt::format("(move Add (to (sites Empty)) (then {}))", then)));
    return play.apply("1").number("score", "1");
  };
  EXPECT_EQ(score("(and (remove 3) (if (no Pieces Next) (set Score Mover 5)))"), "0");
  EXPECT_EQ(score("(seq {(remove 3) (if (no Pieces Next) (set Score Mover 5))})"), "5");
  EXPECT_EQ(score("(remove 3 (then (if (no Pieces Next) (set Score Mover 5))))"), "5");
}

TEST(LudiiRules, CapturesTakeWholeRuns) {
  const std::string custodial =
      "(move Add (to (sites Empty)) (then (custodial (from (last To)) (between if:(is Enemy (who at:(between))) (apply "
      "(remove (between)))) (to if:(is Friend (who at:(to)))))))";
  EXPECT_EQ(Play(row(6, "1@0 2@1,2", custodial)).apply("3").pieces(), "1@0,3");
}

TEST(LudiiRules, TheLongestTurnMustBePlayed) {
  const std::string hop =
      "(move Hop Orthogonal (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty "
      "(to)))";
  const std::string play = fmt::format(
      "(if (is Prev Mover) (max Moves {0} (from (last To)) {1} (then (if (can Move {0} (from (last To)) {1})) "
      "(moveAgain))))) (max Moves (forEach Piece {0} {1} (then (if (can Move {0} (from (last To)) {1})) "
      "(moveAgain)))))))",
      "(move Hop",
      "Orthogonal (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty (to)))");
  Rules rules{"(rectangle 2 6)", "1@0,6 2@1,3,7", play, "(if (no Pieces Next) (result Mover Win))"};
  Play game(rules);
  EXPECT_EQ(game.moves(), "0>2");
  EXPECT_EQ(game.apply("0>2").moves(), "2>4");
}

TEST(LudiiRules, ScoresDecide) {
  Play play(row(3, "1@0,1 2@2", "(or (move Remove 2 (then (remove 1 (then (addScore P2 3))))) (move Remove 0))",
                "(if (no Pieces P2) (byScore))"));
  EXPECT_EQ(play.apply("2").number("score", "2"), "3");
  EXPECT_EQ(play.end(), "0:100");
}

TEST(LudiiRules, NumbersWithoutABoundAreRefused) {
  const auto mistake = [](std::string_view play) { return Play(row(5, "1@0 2@1", play)).mistake; };
  const std::string score = "no bound is known for the scores, so it is not translated yet";
  EXPECT_EQ(mistake("(move Select (from 0) (then (addScore Mover 1)))"), score);
  EXPECT_EQ(mistake("(move Add (to (sites Empty)) (then (addScore Mover 1)))"), "");
  EXPECT_EQ(mistake("(move Add (to (sites Empty)) (then (remove 0 (then (addScore Mover 1)))))"), "");
  EXPECT_EQ(mistake("(move Remove 0 (then (addScore Mover 1)))"), "");
  EXPECT_EQ(mistake("(move Remove 0 (then (and (addScore Mover 1) (set Score Next 9))))"), score);
  EXPECT_EQ(mistake("(move Remove 0 (then (and (remove 1) (addScore Mover (count at:1)))))"), "");
  EXPECT_EQ(mistake("(max Moves (move Add (to (sites Empty)) (then (moveAgain))))"),
            "no bound is known for the plies of a turn, so `(max Moves` is not translated yet");
}

TEST(LudiiRules, APlayStopsAtALimit) {
  FrontendOptions options;
  options.values["bound score"] = "2";
  Play play(row(2, "1@0 2@1", "(move Select (from 0) (then (addScore Mover 1)))").text(), options);
  play.apply("0").apply("0").apply("0").apply("0");
  EXPECT_EQ(play.number("score", "2"), "2");
  EXPECT_EQ(play.end(), "open");
  EXPECT_EQ(play.apply("0").end(), "50:50");
  options.values["bound score"] = "many";
  EXPECT_EQ(Play(row(2, "1@0", kAdd).text(), options).mistake, "bound score=many is no bound");
}

TEST(LudiiRules, CountsGrowUpToALimit) {
  // Two pieces leave a site that has one, until Ludii adds no more.
  Play play(row(3, "1@0,1 2@2",
                "(move (from 0) (to 1) count:2 (then (and (add (piece \"M1\") (to 0)) (set Count at:2 1))))"));
  EXPECT_EQ(play.apply("0>1").number("count", "1"), "3");
  EXPECT_EQ(play.apply("0>1").number("count", "1"), "3");
}

TEST(LudiiRules, ATestBehindAMoveSeesThePendingSitesBeforeIt) {
  const std::string add = "(move Add (to (sites Empty)) (then (if (= (last To) 0) (set Pending))))";
  EXPECT_EQ(Play(row(4, "", fmt::format("(do {} ifAfterwards:(not (is Pending)))", add))).moves(), "1 2 3");
  const std::string later = fmt::format("(if (is Pending) (do {} ifAfterwards:(not (is Pending))) {})", kAdd, add);
  const Rules rules = row(4, "", later, "(if (is Line 3) (result Mover Win))");
  EXPECT_EQ(Play(rules).apply("2").moves(), "0 1 3");
  EXPECT_EQ(Play(rules).apply("0").moves(), "!");
  EXPECT_EQ(Play(rules).apply("0").apply("!").moves(), "1 2 3");
}

TEST(LudiiRules, SitesThatAreNamedBeforeAMoveArePending) {
  const std::string play =
      fmt::format("(if (is Pending) (move Remove (sites Pending)) (do (set Pending 1) next:{}))", kAdd);
  EXPECT_EQ(Play(row(3, "1@1", play)).apply("0").moves(), "1");
}

TEST(LudiiRules, TheSecondPlayerMayTakeTheFirstMove) {
  Play play(
      "(game \"T\" (players 2) (equipment {(board (rectangle 1 4)) (piece \"M\" Each)}) (rules (meta (swap)) (play "
      "(move "
      "Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))");
  EXPECT_EQ(play.moves(), "0 1 2 3");
  EXPECT_EQ(play.apply("0").moves(), "1 2 3 swap");
  EXPECT_EQ(play.apply("swap").moves(), "1 2 3");
  EXPECT_EQ(play.apply("1").pieces(), "1@0 2@1");
}

TEST(LudiiRules, AKingMayNotMoveWhereItIsThreatened) {
  const std::string play =
      "(do (forEach Piece (move Step (to if:(not (is Friend (who at:(to))))))) ifAfterwards:(not (is Threatened (id "
      "\"M\" "
      "Mover) at:(where \"M\" Mover))))";
  Play game(Rules{"(square 3)", "1@0 2@8", play});
  EXPECT_EQ(game.moves(), "0>1 0>3");
  EXPECT_EQ(game.apply("0>1").moves(), "8>7");
}

TEST(LudiiRules, OnlyTheGroupOfTheLastPieceConnects) {
  Play play(
      "(game \"T\" (players 2) (equipment {(board (square 3)) (piece \"M\" Each) (regions P2 {(sites Top) (sites "
      "Bottom)})}) (rules (start {(place \"M1\" {3 5}) (place \"M2\" {1 4})}) (play (move Add (to (sites Empty)))) "
      "(end "
      "(if (is Connected P2) (result P2 Win)))))");
  EXPECT_EQ(play.apply("8").end(), "open");
  EXPECT_EQ(play.apply("7").end(), "0:100");
}

TEST(LudiiRules, GroupsOfAllPlayersAreCounted) {
  Play play(row(6, "1@0,1,4 2@2", "(move Add (to (sites Empty)) (then (set Score Mover (count Groups))))"));
  EXPECT_EQ(play.apply("5").number("score", "1"), "2");
}

TEST(LudiiRules, CapturesOfOneMoveSeeTheSameBoard) {
  const std::string enemy = "(between if:(is Enemy (who at:(between))) (apply (remove (between))))";
  const std::string friends = "(to if:(is Friend (who at:(to))))";
  const auto game = [&](std::string pieces, const std::string& then) {
    return Play(Rules{"(square 3)", std::move(pieces), fmt::format("(move Add (to (sites Empty)) (then {}))", then)});
  };
  const std::string enclose = fmt::format("(enclose (from (last To)) Orthogonal {})", enemy);
  EXPECT_EQ(game("1@3,4 2@0,1", enclose).apply("2").pieces(), "1@2,3,4");
  const std::string surround = fmt::format("(surround (from (last To)) Orthogonal {} {})", enemy, friends);
  EXPECT_EQ(game("1@3 2@0", surround).apply("1").pieces(), "1@1,3");
  EXPECT_EQ(game("1@8 2@0", surround).apply("1").pieces(), "1@1,8 2@0");
  const std::string spared = fmt::format("(surround (from (last To)) Orthogonal {} {} except:1)", enemy, friends);
  EXPECT_EQ(game("1@8 2@0", spared).apply("1").pieces(), "1@1,8");
  const std::string custodial = fmt::format("(custodial (from (last To)) Orthogonal {} {})", enemy, friends);
  EXPECT_EQ(game("1@3,7 2@0,4", fmt::format("(and {} {})", custodial, surround)).apply("1").pieces(), "1@1,3,7");
}

TEST(LudiiRules, PhasesChangeByTheirConditions) {
  const std::string text =
      "(game \"T\" (players 2) (equipment {(board (rectangle 1 6)) (piece \"M\" Each)}) (rules phases:{(phase \"A\" "
      "(play (move Add (to (sites Empty)))) (nextPhase Mover \"B\")) (phase \"B\" (play (forEach Piece (move Step (to "
      "if:(is Empty (to)))))))} (end (if (no Moves Next) (result Mover Win)))))";
  Play play(text);
  EXPECT_EQ(play.moves(), "0 1 2 3 4 5");
  EXPECT_EQ(play.apply("1").moves(), "0 2 3 4 5");
  EXPECT_EQ(play.apply("4").moves(), "1>0 1>2");
}

TEST(LudiiRules, APendingSiteIsSeenOnce) {
  const std::string play =
      "(if (is Pending) (move Remove (sites Occupied by:Mover)) (move Add (to (sites Empty)) (then (if (= (last To) 0) "
      "(and (set Pending) (moveAgain))))))";
  Play game(row(4, "", play));
  EXPECT_EQ(game.apply("0").moves(), "0");
  EXPECT_EQ(game.apply("0").moves(), "0 1 2 3");
}

TEST(LudiiRules, APieceOutsideTheTurnLeavesAtItsEnd) {
  const std::string hop =
      "(between if:(and (is Enemy (who at:(between))) (not (is In (between) (sites ToClear)))) (apply "
      "(remove (between) at:EndOfTurn))) (to if:(is Empty (to)))";
  const std::string play =
      fmt::format("(forEach Piece (move Hop {0} (then (if (can Move (hop (from (last To)) {0})) (moveAgain)))))", hop);
  Play game(row(7, "1@0 2@1,3", play, "(if (no Pieces Next) (result Mover Win))"));
  EXPECT_EQ(game.apply("0>2").pieces(), "1@2 2@1,3");
  EXPECT_EQ(game.apply("2>4").end(), "100:0");
}

TEST(LudiiRules, UnknownLudemesAreRefusedByName) {
  const auto mistake = [](std::string_view play, std::string end = "(if (no Moves Next) (result Mover Win))") {
    return Play(row(5, "1@0", play, std::move(end))).mistake;
  };
  EXPECT_EQ(mistake(kAdd, "(if (is Loop) (result Mover Win))"), "`(is Loop` is not translated yet");
  EXPECT_EQ(mistake(kAdd, "(if (no Moves Next) (byScore))"), "`(byScore` is not translated yet");
  EXPECT_EQ(mistake("(move Add (to (sites Playable)))"), "`(sites Playable` is not translated yet");
  EXPECT_EQ(mistake("(move Add (to (sites Empty)) trail:1)"), "`(move Add` with `trail:` is not translated yet");
}

}  // namespace
}  // namespace rgtrans::ludii
