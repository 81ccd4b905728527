// Boards, equipment and text of Ludii's descriptions, on small examples whose values are known.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"

namespace rgtrans::ludii {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A game with this board and these other items.
class Game {
 public:
  explicit Game(const std::string& board, const std::string& others = "", const std::string& around = "") {
    const std::string text = fmt::format(
        "(game \"T\" (players 2) (equipment {{(board {}) {}}}) (rules (play (pass)))) {}", board, others, around);
    description_ = read_description(sources_.add("test.lud", text), sources_);
    equipment_ = read_equipment(*description_.players, *description_.equipment);
  }
  [[nodiscard]] const Equipment& equipment() const { return equipment_; }
  [[nodiscard]] const Topology& board() const { return *equipment_.topology; }
  [[nodiscard]] std::string counts() const {
    return fmt::format("V{} E{} C{}", board().count(SiteType::vertex), board().count(SiteType::edge),
                       board().count(SiteType::cell));
  }
  [[nodiscard]] std::vector<std::string> labels() const {
    std::vector<std::string> result;
    for (const auto& site : board().sites(equipment_.use)) result.push_back(site.label);
    return result;
  }
  [[nodiscard]] Sites neighbours(int site, Direction relation) const {
    return board().neighbours(equipment_.use, site, relation);
  }
  [[nodiscard]] Sites marked(Mark mark) const { return board().marked(equipment_.use, mark); }
  [[nodiscard]] Sites side(Direction direction) const { return board().side(equipment_.use, direction); }

 private:
  Sources sources_;
  Description description_;
  Equipment equipment_;
};

std::string mistake(const std::string& text) {
  Sources sources;
  try {
    const Description description = read_description(sources.add("test.lud", text), sources);
    read_equipment(*description.players, *description.equipment);
  } catch (const Refused& refused) {
    return fmt::format("{}: {}", sources.describe(refused.where), refused.what());
  }
  return "";
}

TEST(LudiiBoard, SquaresHaveFourAndEightNeighbours) {
  const Game cells("(square 3)");
  EXPECT_EQ(cells.counts(), "V16 E24 C9");
  EXPECT_THAT(cells.neighbours(4, Direction::orthogonal), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(cells.neighbours(4, Direction::diagonal), ElementsAre(0, 2, 6, 8));
  EXPECT_EQ(cells.neighbours(4, Direction::adjacent).size(), 8U);
  EXPECT_THAT(cells.marked(Mark::corners), ElementsAre(0, 2, 6, 8));
  EXPECT_THAT(cells.marked(Mark::centre), ElementsAre(4));
  EXPECT_THAT(cells.side(Direction::n), ElementsAre(6, 7, 8));
  EXPECT_EQ(cells.labels()[5], "C2");
  const Game vertices("(square 3) use:Vertex");
  EXPECT_THAT(vertices.neighbours(4, Direction::adjacent), ElementsAre(1, 3, 5, 7));
  EXPECT_EQ(vertices.neighbours(4, Direction::all).size(), 8U);
}

TEST(LudiiBoard, RadialsGoStraight) {
  const Game game("(square 3)");
  EXPECT_THAT(game.board().radials(SiteType::cell, Direction::n, 0), ElementsAre(Radial{0, 3, 6}));
  EXPECT_THAT(game.board().radials(SiteType::cell, Direction::ne, 0), ElementsAre(Radial{0, 4, 8}));
  EXPECT_THAT(game.board().radials(SiteType::cell, Direction::n, 6), IsEmpty());
}

TEST(LudiiBoard, HexagonsHaveSixNeighboursAndThreePhases) {
  const Game game("(hex 2)");
  EXPECT_EQ(game.counts(), "V24 E30 C7");
  EXPECT_THAT(game.labels(), ElementsAre("A1", "B1", "A2", "B2", "C2", "B3", "C3"));
  EXPECT_THAT(game.neighbours(3, Direction::orthogonal), ElementsAre(0, 1, 2, 4, 5, 6));
  EXPECT_THAT(game.neighbours(0, Direction::diagonal), ElementsAre(4, 5));
  EXPECT_THAT(game.side(Direction::ne), ElementsAre(4, 6));
  std::vector<int> phases;
  for (const auto& site : game.board().sites(SiteType::cell)) phases.push_back(site.phase);
  EXPECT_THAT(phases, ElementsAre(0, 1, 1, 2, 0, 0, 1));
}

TEST(LudiiBoard, TrianglesHaveThreeKindsOfNeighbours) {
  const Game game("(tri 3)");
  EXPECT_EQ(game.counts(), "V10 E18 C9");
  EXPECT_THAT(game.neighbours(3, Direction::orthogonal), ElementsAre(0, 1, 5));
  EXPECT_THAT(game.neighbours(3, Direction::diagonal), ElementsAre(6));
  EXPECT_THAT(game.neighbours(3, Direction::off_diagonal), ElementsAre(4, 7));
}

TEST(LudiiBoard, GeneratorsAndOperatorsHaveTheirNumbers) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"(hex Diamond 3)", "V30 E38 C9"},
      {"(hex Triangle 3)", "V22 E27 C6"},
      {"(hex Rectangle 2 3)", "V19 E23 C5"},
      {"(hex 2 3)", "V37 E48 C12"},
      {"(hex Star 1)", "V42 E54 C13"},
      {"(tri Hexagon 2)", "V19 E42 C24"},
      {"(tri Limping 2) use:Vertex", "V12 E24 C13"},
      {"(square 3 diagonals:Alternating) use:Vertex", "V9 E16 C8"},
      {"(square 3 diagonals:Solid) use:Vertex", "V13 E28 C16"},
      {"(square 3 pyramidal:True) use:Vertex", "V14 E36 C5"},
      {"(square Diamond 2)", "V12 E16 C5"},
      {"(merge (shift 0 1 (rectangle 1 3)) (shift 1 0 (rectangle 3 1)))", "V12 E16 C5"},
      {"(union (rectangle 1 2) (shift 0 1 (rectangle 1 2)))", "V12 E14 C4"},
      {"(remove (square 3) cells:{4})", "V16 E24 C8"},
      {"(remove (square 3) vertices:{0 4}) use:Vertex", "V7 E6 C0"},
      {"(hole (square 5) (poly {{2 2}{2 3}{3 3}{3 2}}))", "V36 E60 C24"},
      {"(concentric Square rings:2) use:Vertex", "V16 E20 C0"},
      {"(concentric Square rings:3 joinCorners:True) use:Vertex", "V24 E40 C0"},
      {"(concentric {1 8}) use:Vertex", "V9 E16 C0"},
      {"(concentric {1 4 4})", "V13 E20 C9"},
      {"(concentric {4 8})", "V17 E28 C12"},
      {"(wedge 3) use:Vertex", "V7 E10 C0"},
      {"(dual (square 3)) use:Vertex", "V4 E4 C1"},
      {"(subdivide (square 2))", "V13 E28 C16"},
      {"(splitCrossings (regular Star 5)) use:Vertex", "V10 E15 C6"},
      {"(repeat 2 2 step:{{1 0}{0 1}} (poly {{0 0}{0 1}{1 1}{1 0}}))", "V9 E12 C4"},
      {"(spiral turns:2 sites:10) use:Vertex", "V10 E9 C0"},
      {"(tiling T3464 1)", "V18 E30 C13"},
      {"(tiling T3636 2)", "V30 E48 C19"},
      {"(tiling T33434 1)", "V14 E25 C12"},
  };
  for (const auto& [board, counts] : known) EXPECT_EQ(Game(board).counts(), counts) << board;
}

TEST(LudiiBoard, OperatorsKeepNumbersAndRenumberSortsThem) {
  EXPECT_THAT(Game("(merge (shift 0 1 (rectangle 1 2)) (rectangle 1 2))").labels(),
              ElementsAre("A1", "A2", "B1", "B2"));
  EXPECT_THAT(Game("(rotate 90 (rectangle 2 3))").labels(), ElementsAre("B1", "B2", "B3", "A1", "A2", "A3"));
  EXPECT_THAT(Game("(renumber (rotate 90 (rectangle 2 3)))").labels(), ElementsAre("A1", "B1", "A2", "B2", "A3", "B3"));
}

TEST(LudiiEquipment, HandsBeginBehindCellsAndSites) {
  const Game game("(square 5 diagonals:Alternating) use:Vertex",
                  "(hand Each) (piece \"Pawn\" Each) (piece \"Wall\" Neutral)");
  ASSERT_EQ(game.equipment().containers.size(), 3U);
  EXPECT_EQ(game.equipment().containers[1].first, 32);
  EXPECT_EQ(game.equipment().containers[2].name, "Hand2");
  std::vector<std::string> names;
  for (const Component& one : game.equipment().components) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("Pawn1", "Pawn2", "Wall0"));
}

TEST(LudiiEquipment, TracksRunInDirectionsAndBump) {
  const Game game("(square 5) {(track \"A\" \"0,E2,N1,End\") (track \"B\" {0..2 4 4 3} loop:True)}");
  EXPECT_THAT(game.equipment().tracks[0].sites, ElementsAre(0, 1, 2, 7, kEnd));
  EXPECT_THAT(game.equipment().tracks[1].sites, ElementsAre(0, 1, 2, 4, 3));
  EXPECT_THAT(game.equipment().tracks[1].bumps, ElementsAre(0, 0, 0, 1, 0));
  EXPECT_EQ(game.equipment().tracks[1].next.back(), 0);
}

TEST(LudiiEquipment, RegionsAndMapsAreEvaluated) {
  const Game game(
      "(square 3)",
      "(regions \"Home\" P1 (union (sites Bottom) (sites {\"C3\"}))) (map {(pair P1 FirstSite) (pair P2 LastSite)})");
  EXPECT_THAT(*game.equipment().regions[0].sites, ElementsAre(0, 1, 2, 8));
  EXPECT_THAT(game.equipment().maps[0].pairs, ElementsAre(std::pair(1, 0), std::pair(2, 8)));
}

TEST(LudiiText, DefinesAndOptionsAreReplaced) {
  const Game game("(\"Grid\" <Size:n> 2)", "",
                  "(define \"Grid\" (rectangle #1 #2))"
                  "(option \"Size\" <Size> args:{ <n> } { (item \"3\" <3> \"\") (item \"4\" <4> \"\")* })");
  EXPECT_EQ(game.board().count(SiteType::cell), 8);
}

TEST(LudiiText, AMissingArgumentTakesItsLabelAlong) {
  const Game game("(\"Grid\" 3)", "", "(define \"Grid\" (square #1 diagonals:#2))");
  EXPECT_EQ(game.board().count(SiteType::cell), 9);
}

TEST(LudiiText, MistakesHaveTheirPlaces) {
  EXPECT_EQ(mistake("(game \"T\" (players 2)\n (equipment {(board (square 3))}) (rules (play (pass)))"),
            "test.lud:1:1: `(game` is not closed");
  EXPECT_EQ(mistake("(game \"T\" (players 2)\n (equipment {(board (cube 3))}) (rules))"),
            "test.lud:2:21: `(cube` is not translated yet");
  EXPECT_EQ(mistake("(define \"B\" (cube #1))\n(game \"T\" (players 2) (equipment {(board (\"B\" 3))}) (rules))"),
            "test.lud:1:13: `(cube` is not translated yet");
  EXPECT_EQ(mistake("(game \"T\" (players 2) (equipment {(board (square 3 colour:2))}) (rules))"),
            "test.lud:1:59: `(square` with `colour:` is not translated yet");
  EXPECT_EQ(mistake(std::string(600, '(')).substr(0, 22), "test.lud:1:501: bracke");
}

TEST(LudiiText, EndlessDefinesAreRefused) {
  EXPECT_EQ(mistake("(define \"A\" (x \"A\")) (game \"T\" \"A\")"),
            "test.lud:1:16: there are too many uses of defines, perhaps without end");
}

}  // namespace
}  // namespace rgtrans::ludii
