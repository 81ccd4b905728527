// Words, layouts, pieces and renderers on small games; tests/games/boards_test.cpp draws the real ones.
#include "backends/scene/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/pieces.hpp"
#include "backends/scene/terms.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::scene {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ir::Game load(std::string_view language, const std::string& text) {
  Diagnostics diagnostics;
  return load_text("test", text, frontend_for(language, "test", text), diagnostics);
}

TEST(Terms, HaveParts) {
  const auto parts = [](std::string_view text) { return read_term(text).parts; };
  EXPECT_THAT(parts("S(1,2)"), ElementsAre("1", "2"));
  EXPECT_THAT(parts("(cell 1 2 b)"), ElementsAre("1", "2", "b"));
  EXPECT_THAT(parts("V__3_4"), ElementsAre("3", "4"));
  EXPECT_THAT(parts("b7"), ElementsAre("b", "7"));
  EXPECT_THAT(parts("rx10y3"), ElementsAre("10", "3"));
  EXPECT_THAT(parts("white"), ElementsAre("white"));
  EXPECT_THAT(parts("M(white,P(1,2))"), ElementsAre("white", "P", "1", "2"));
  EXPECT_EQ(read_term("S(1,2)").functor, "S");
  EXPECT_THAT(words_in("whitePawn"), ElementsAre("white", "pawn"));
  EXPECT_THAT(words_in("M(white,king)"), ElementsAre("m", "white", "king"));
}

TEST(Pieces, HaveOwnersAndKinds) {
  Pieces pieces({"white", "black"});
  const std::vector<std::string> values = {"e", "wp", "bp", "wk", "bk", "wq", "bq"};
  pieces.add(values, values);
  pieces.finish();
  EXPECT_TRUE(pieces.blank("e"));
  EXPECT_EQ(pieces.find("bq")->owner, 1);
  EXPECT_EQ(pieces.find("bq")->letter, "q");
  EXPECT_EQ(pieces.find("wq")->glyph, "♕");
}

TEST(Pieces, AreBlankByNameOrBecauseTheBoardStartsSo) {
  Pieces named({"white", "black"});
  named.add(std::vector<std::string>{"none", "white", "black"}, std::vector<std::string>{"white", "black", "white"});
  EXPECT_TRUE(named.blank("none"));
  EXPECT_FALSE(named.blank("white"));
  Pieces unnamed({"red", "blue"});
  unnamed.add(std::vector<std::string>{"g", "stone"}, std::vector<std::string>{"g", "g", "stone"});
  EXPECT_TRUE(unnamed.blank("g"));
  Pieces full({"white", "black"});
  full.add(std::vector<std::string>{"white", "black"}, std::vector<std::string>{"white", "black", "white"});
  EXPECT_FALSE(full.blank("white")) << "a stone is never a blank";
}

constexpr const char* kMoves = R"(
domain Player = first | second
domain Score = 0 | 1
domain Square = S(X, Y) where X in 1..3, Y in 1..2
domain Mark = none | Player
board : Square -> Mark = { : none }
square : Square
graph rules() {
  player = first
  square = Square(*)
  $$ square
  board[square] = first
  player = second
  square = Square(*)
  check(board[square] == none)
  $$ square
  board[square] = second
  player = keeper
  end()
}
)";

TEST(Wording, ShowsAndUnderstandsTheWordsOfTheAuthor) {
  const ir::Game game = load("hrg", kMoves);
  const Wording wording(game);
  const std::vector<std::string> moves = {"S__1_1", "S__1_2"};
  EXPECT_THAT(wording.shown(moves), ElementsAre("S(1,1)", "S(1,2)"));
  EXPECT_THAT(wording.meant(moves, "S(1, 2)"), ElementsAre(1));
  EXPECT_THAT(wording.meant(moves, "S__1_2"), ElementsAre(1));
  EXPECT_THAT(wording.meant(moves, "S(2,2)"), IsEmpty());
}

TEST(Wording, ShortensMovesOnlyWhereThatIsClear) {
  const ir::Game game = load("rbg", R"(
#players = white(1), black(1)
#pieces = e, w
#variables =
#board = rectangle(up,down,left,right, [w,e] [e,e])
#rules = ->white (up* + down*) (left* + right*) {w} [e] right {e} [w] [$ white = 1] ->> {}
)");
  const Wording wording(game);
  const auto state = make_interpreter(game);
  while (state->mover() == state->info().keeper()) state->apply(0);
  const std::vector<std::string> one = {state->move_text(0)};
  ASSERT_THAT(one[0], HasSubstr("index_"));
  EXPECT_THAT(wording.shown(one), ElementsAre("a2 b2"));
  EXPECT_THAT(wording.meant(one, "a2 b2"), ElementsAre(0));
  EXPECT_THAT(wording.meant(one, one[0]), ElementsAre(0));
  const std::vector<std::string> two = {one[0], one[0] + " rx1y0"};
  EXPECT_NE(wording.shown(two)[0], wording.shown(two)[1]);
}

std::string drawn(const ir::Game& game, const std::vector<std::string>& moves, const TextStyle& style = {}) {
  const Painter painter(game);
  Witness witness(game);
  for (const std::string& move : moves) {
    witness.settle();
    witness.apply(move);
  }
  witness.settle();
  return text(painter.scene(witness), style);
}

TEST(Text, DrawsRowsUpwardsAndALegend) {
  const ir::Game game = load("hrg", kMoves);
  EXPECT_EQ(drawn(game, {"S__1_1", "S__3_2"}),
            "  2  · · ○\n"
            "  1  ● · ·\n"
            "     1 2 3\n"
            "  ○ second   ● first\n");
  EXPECT_EQ(drawn(game, {"S__1_1"}, {.unicode = false, .flipped = true}),
            "  1  . . f\n"
            "  2  . . .\n"
            "     3 2 1\n"
            "  f first\n");
}

TEST(Json, IsTheSceneAsData) {
  const ir::Game game = load("hrg", kMoves);
  Witness witness(game);
  witness.settle();
  const Scene scene = Painter(game).scene(witness);
  EXPECT_EQ(scene.mover, "first");
  ASSERT_EQ(scene.boards.size(), 1U);
  EXPECT_THAT(json(scene), HasSubstr("{\"name\":\"S(1,1)\",\"x\":0.0,\"y\":1.0}"));
  EXPECT_THAT(svg(scene), HasSubstr("<title>S(3,2)</title>"));
}

}  // namespace
}  // namespace rgtrans::scene
