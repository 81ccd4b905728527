// Moves as people write them: coordinates, passes, names of hints, and the forms that may be typed.
#include "backends/scene/wording.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/scene.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::scene {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ir::Game read(std::string_view language, const std::string& text) {
  Diagnostics diagnostics;
  return load_text("test", text, frontend_for(language, "test", text), diagnostics);
}

// The moves where somebody chooses first, as in RG.
std::vector<std::string> first_moves(const ir::Game& game) {
  const auto state = make_interpreter(game);
  while (state->moves_unseen()) state->apply(0);
  return state->move_texts();
}

TEST(Coordinates, NameTheSquaresOfChess) {
  const ir::Game game = own_games::load("hrg/chess.hrg");
  const Wording wording(game);
  const std::vector<std::string> moves = first_moves(game);
  EXPECT_THAT(wording.shown(moves), Contains("e2 e4"));
  for (const char* typed : {"e2 e4", "e2e4", "E2-E4", "5,2 5,4", "S(5,2) S(5,4)", "S__5_2 S__5_4"}) {
    const auto meant = wording.meant(moves, typed);
    ASSERT_EQ(meant.size(), 1U) << typed;
    EXPECT_EQ(moves[meant[0]], "S__5_2 S__5_4") << typed;
  }
  EXPECT_THAT(wording.meant(moves, "e2 e5"), IsEmpty());
}

TEST(Coordinates, LabelTheEdgesAndTheFacts) {
  const ir::Game game = own_games::load("hrg/chess.hrg");
  Witness witness(game);
  const std::string drawn = text(Painter(game).scene(witness));
  EXPECT_THAT(drawn, HasSubstr("a b c d e f g h"));
  EXPECT_THAT(drawn, HasSubstr("kingAt: white e1, black e8"));
}

TEST(Coordinates, TheLastMoveStandsInBrackets) {
  const ir::Game game = own_games::load("hrg/chess.hrg");
  Witness witness(game);
  Scene scene = Painter(game).scene(witness);
  scene.last = {"S(5,1)", "S(5,5)"};
  const std::string drawn = text(scene);
  EXPECT_THAT(drawn, HasSubstr("(♔)"));
  EXPECT_THAT(drawn, HasSubstr("(·)"));
}

TEST(Coordinates, ReadNumbersOfLudaxAndPairsOfGdl) {
  const ir::Game ludax = own_games::load("ludax/gomoku.ldx");
  EXPECT_THAT(Wording(ludax).shown(first_moves(ludax)), Contains("a15"));
  const ir::Game gdl = own_games::load("gdl/breakthrough-6x6.kif");
  EXPECT_THAT(Wording(gdl).shown(first_moves(gdl)), Contains("move a2 a3"));
}

TEST(Coordinates, OfHexagonsLabelTheEndsOfColumns) {
  const ir::Game game = own_games::load("hrg/hex.hrg");
  Witness witness(game);
  const std::string drawn = text(Painter(game).scene(witness));
  EXPECT_THAT(drawn, HasSubstr("a b c d e f g h i j k\n"));
  EXPECT_THAT(Wording(game).shown(first_moves(game)), Contains("k11"));
}

TEST(Coordinates, KeepBothPartsOfAMove) {
  const ir::Game game = own_games::load("hrg/ultimate-tic-tac-toe.hrg");
  const auto shown = Wording(game).shown(first_moves(game));
  EXPECT_EQ(shown.size(), 81U);
  EXPECT_THAT(shown, Contains("a1"));
  EXPECT_THAT(shown, Contains("i9"));
}

TEST(Coordinates, LeaveWhatIsReadableAndColumnsThatAreNumbers) {
  const ir::Game rbg = own_games::load("rbg/chess.rbg");
  EXPECT_THAT(Wording(rbg).shown(first_moves(rbg)), Contains("e2 e4"));
  const ir::Game columns = own_games::load("hrg/connect-four.hrg");
  EXPECT_THAT(Wording(columns).shown(first_moves(columns)), Contains("4"));
  Witness witness(columns);
  EXPECT_THAT(text(Painter(columns).scene(witness)), HasSubstr("1 2 3 4 5 6 7"));
}

TEST(Passes, AreMovesThatChangeNoBoard) {
  const ir::Game game = own_games::load("rbg/go-9x9.rbg");
  const Wording wording(game);
  const std::vector<std::string> moves = first_moves(game);
  const std::vector<std::string> shown = wording.shown(moves);
  EXPECT_EQ(shown.size(), 82U);
  EXPECT_THAT(shown, Contains("pass"));
  EXPECT_THAT(shown, Contains("a9"));
  const auto stone = wording.meant(moves, "a9");
  const auto pass = wording.meant(moves, "pass");
  ASSERT_EQ(stone.size(), 1U);
  ASSERT_EQ(pass.size(), 1U);
  EXPECT_FALSE(wording.passes(moves[stone[0]]));
  EXPECT_TRUE(wording.passes(moves[pass[0]]));
  const ir::Game chess = own_games::load("rbg/chess.rbg");
  const Wording of_chess(chess);
  for (const std::string& move : first_moves(chess)) EXPECT_FALSE(of_chess.passes(move)) << move;
}

constexpr std::string_view kMarks = R"(// display: {}
domain Player = left | right
domain Score = 0 | 1
domain Spot = S(X, Y) where X in 1..3, Y in 1..3
domain Mark = none | Player
board : Spot -> Mark = {{ : none }}
spot : Spot
graph turn(me : Player) {{
  player = me
  branch {{
    spot = Spot(*)
    check(board[spot] == none)
    $$ spot
    board[spot] = me
  }} or {{
    $ twirl
  }}
  player = keeper
}}
graph rules() {{
  turn(left)
  turn(right)
  end()
}}
)";

TEST(Hints, NameMovesAndTurnCoordinatesOff) {
  const ir::Game named = read("hrg", fmt::format(kMarks, "name twirl spin round"));
  EXPECT_THAT(Wording(named).shown(first_moves(named)), Contains("spin round"));
  EXPECT_THAT(Wording(named).shown(first_moves(named)), Contains("b3"));
  const ir::Game plain = read("hrg", fmt::format(kMarks, "coordinates off"));
  EXPECT_THAT(Wording(plain).shown(first_moves(plain)), Contains("S(2,3)"));
  Diagnostics diagnostics;
  const ir::Game wrong = read("hrg", fmt::format(kMarks, "name twril spin"));
  read_hints(wrong, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_THAT(diagnostics.all()[0].hint, HasSubstr("twirl"));
}

TEST(Hints, ColourCells) {
  const ir::Game game = read("hrg", fmt::format(kMarks, "cell S(2,2) b3 #ab12cd"));
  Witness witness(game);
  const std::string drawn = svg(Painter(game).scene(witness));
  const std::size_t first = drawn.find("#ab12cd");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(drawn.find("#ab12cd", first + 1), std::string::npos) << "by its coordinates, too";
}

TEST(Backgammon, MarksTheMenOfTheOneWhoMoves) {
  Scene scene;
  scene.players = {"white", "black"};
  BoardPicture& board = scene.boards.emplace_back();
  board.cells.resize(2);
  board.cells[0].name = "P(1)";
  board.cells[0].second = "P(24)";
  board.cells[1].name = "P(24)";
  board.cells[1].second = "P(1)";
  scene.mover = "white";
  EXPECT_THAT(targets(scene, {"6 P(24)"})[0], ElementsAre(ElementsAre("P(24)")));
  scene.mover = "black";
  EXPECT_THAT(targets(scene, {"6 P(24)"})[0], ElementsAre(ElementsAre("P(1)")));
  const ir::Game game = own_games::load("hrg/backgammon.hrg");
  Witness witness(game);
  const Scene drawn = Painter(game).scene(witness);
  EXPECT_TRUE(std::ranges::any_of(drawn.boards[0].cells,
                                  [](const Cell& cell) { return cell.name == "P(1)" && cell.second == "P(24)"; }));
}

TEST(Verdict, SaysWhoHasWon) {
  const ir::Game game = read("hrg", fmt::format(kMarks, "flip"));
  const auto state = make_interpreter(game);
  while (!state->terminal()) state->apply(0);
  EXPECT_EQ(verdict(*state), "It is a draw.");
}

}  // namespace
}  // namespace rgtrans::scene
