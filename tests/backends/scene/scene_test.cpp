// Words, layouts, pieces and renderers on small games; tests/games/boards_test.cpp draws the real ones.
#include "backends/scene/scene.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/pieces.hpp"
#include "backends/scene/terms.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/instrumented.hpp"

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
  Pieces layers({"white"});
  layers.add(std::vector<std::string>{"flag", "gun"}, std::vector<std::string>{"flag", "gun"}, true);
  EXPECT_FALSE(layers.blank("flag")) << "cells of layers are empty by themselves";
  Pieces walls({"white"});
  walls.add(std::vector<std::string>{"wall"}, std::vector<std::string>{"wall", "wall"}, true);
  EXPECT_FALSE(walls.blank("wall"));
}

TEST(Pieces, ANullAroundTheBoardIsNoNameForItsEmptyCells) {
  const std::vector<std::string> values = {"n", "null", "black", "white"};
  const std::vector<std::string> first = {"n", "n", "n", "black", "white"};
  Pieces around({"black", "white"});
  around.add(values, first, false, {"null"});
  EXPECT_TRUE(around.blank("n"));
  EXPECT_TRUE(around.blank("null"));
  Pieces within({"black", "white"});
  within.add(values, first);
  EXPECT_FALSE(within.blank("n"));
}

TEST(Pieces, OfTheOnlyPlayerAreNotNamedByHisInitial) {
  Pieces one({"man"});
  one.add(std::vector<std::string>{"e", "me", "meOnGoal"}, std::vector<std::string>{"e", "e", "me"});
  one.finish();
  EXPECT_EQ(one.find("me")->letter, "m");
}

TEST(Pieces, WithShortNamesThatEndInDigitsAreCalledByThem) {
  Pieces beasts({"red", "blue"});
  beasts.add(std::vector<std::string>{"e", "r1", "r2", "b1", "b2"}, std::vector<std::string>{"e", "e", "r1"});
  beasts.finish();
  EXPECT_EQ(beasts.find("r1")->letter, "r1");
  EXPECT_EQ(beasts.find("b1")->letter, "b1");
}

TEST(Pieces, ThatEndInNumbersAreNoneOfThem) {
  Pieces pieces({"white"});
  pieces.add(std::vector<std::string>{"gun1", "tank1", "tank2"}, std::vector<std::string>{"gun1"}, true);
  pieces.finish();
  ASSERT_NE(pieces.find("gun1"), nullptr);
  EXPECT_EQ(pieces.find("gun1")->letter, "g");
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
  EXPECT_THAT(wording.shown(moves), ElementsAre("a1", "a2"));
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

TEST(Text, DrawsRowsAsDirectionsSay) {
  std::string text = R"(
domain Player = man
domain Score = 0 | 1
domain Spot = T(X, Y) where X in 0..1, Y in 0..2
domain Dir = u | d
domain Thing = none | box
go : Dir -> Spot -> Spot
go(u, T(X, Y)) = if Y > 0 then T(X, Y - 1) else T(X, Y)
go(d, T(X, Y)) = if Y < 2 then T(X, Y + 1) else T(X, Y)
things : Spot -> Thing = { : none; T(0, 0) = box }
at : Spot
way : Dir
graph rules() {
  player = man
  way = Dir(*)
  $$ way
  at = go[way][at]
  check(things[at] == none)
  player = keeper
  end()
}
)";
  const auto box = [&] { return drawn(load("hrg", text), {}).find('b'); };
  const auto first = box();
  EXPECT_LT(first, drawn(load("hrg", text), {}).find('2')) << "row 0 is the upper one";
  text.replace(text.find("go(u, "), 5, "go(d,");
  text.replace(text.rfind("go(d, "), 5, "go(u,");
  EXPECT_GT(box(), first);
}

TEST(Text, DrawsRowsUpwardsAndALegend) {
  const ir::Game game = load("hrg", kMoves);
  EXPECT_EQ(drawn(game, {"S__1_1", "S__3_2"}),
            "  2  · · ○\n"
            "  1  ● · ·\n"
            "     a b c\n"
            "  ○ second   ● first\n");
  EXPECT_EQ(drawn(game, {"S__1_1"}, {.unicode = false, .flipped = true}),
            "  1  . . f\n"
            "  2  . . .\n"
            "     c b a\n"
            "  f first\n");
}

// (at king 2 1) and (at flag 3 2): the king's row by its column, the flag's place in two variables.
ir::Game in_parts() {
  ir::Game game = load("rg", R"(
type Player = { first };
type Score = { 0 };
type Row = { 1, 2 };
type MaybeRow = { none, 1, 2 };
type Column = { 1, 2, 3 };
var king: Column -> MaybeRow = { 2: 1, :none };
var flag_x: Column = 3;
var flag_y: Row = 2;
begin, start: player = first;
start, moved: $ go;
moved, asked: flag_x == 3;
asked, a: flag_y == 2;
a, b: king[2] == 1;
b, c: king[2] = none;
c, d: king[3] = 1;
d, end: player = keeper;
)");
  const auto symbols = [&](const std::vector<std::string>& words) {
    std::vector<SymbolId> result;
    for (const std::string& word : words) result.push_back(game.symbols.intern(word));
    return result;
  };
  ir::Words words;
  const std::vector<SymbolId> names = symbols({"at", "king", "flag", "flag_x", "flag_y"});
  words.relations.push_back({names[0],
                             {symbols({"king", "flag"}), symbols({"1", "2", "3"}), symbols({"1", "2"})},
                             {{{names[1]}, {{names[1]}, {{}, 0, -1}, {{}, -1, 0}}},
                              {{names[3], names[4]}, {{names[2]}, {{}, -1, 0}, {{}, -1, 1}}}}});
  game.words = std::make_shared<const ir::Words>(std::move(words));
  return game;
}

TEST(Relations, AreOneBoardThoughTheyAreKeptInParts) {
  EXPECT_EQ(drawn(in_parts(), {}),
            "  2  · · f\n"
            "  1  · k ·\n"
            "     1 2 3\n"
            "  f flag   k king\n");
  const Blueprint blueprint = Painter(in_parts()).blueprint();
  ASSERT_EQ(blueprint.empty.boards.size(), 1U);
  EXPECT_TRUE(blueprint.others.empty() || blueprint.others.front().name != "flag_x");
  std::size_t joint = 0;
  for (const auto& cell : blueprint.sources[0])
    for (const Blueprint::Source& source : cell)
      if (source.variable == "flag_x") joint += source.also.size() == 1 && source.also[0].variable == "flag_y" ? 1 : 0;
  EXPECT_EQ(joint, 6U);
}

TEST(Json, IsTheSceneAsData) {
  const ir::Game game = load("hrg", kMoves);
  Witness witness(game);
  witness.settle();
  const Scene scene = Painter(game).scene(witness);
  EXPECT_EQ(scene.mover, "first");
  ASSERT_EQ(scene.boards.size(), 1U);
  EXPECT_THAT(json(scene), HasSubstr("{\"name\":\"S(1,1)\",\"x\":0.0,\"y\":1.0,\"label\":\"a1\"}"));
  EXPECT_THAT(svg(scene), HasSubstr("<title>c2</title>"));
}

// --- Hints. ---

std::string with_hints(const std::string& hints, const TextStyle& style = {}) {
  return drawn(load("hrg", hints + kMoves), {"S__1_1"}, style);
}

TEST(Hints, TurnTheBoardRound) {
  EXPECT_EQ(with_hints("// display: flip\n"),
            "  1  · · ●\n"
            "  2  · · ·\n"
            "     c b a\n"
            "  ● first\n");
}

TEST(Hints, ChooseGlyphsAndColours) {
  EXPECT_THAT(with_hints("// display: glyph first ★\n"), HasSubstr("1  ★ · ·"));
  EXPECT_THAT(with_hints("// display: glyph first W\n", {.unicode = false}), HasSubstr("1  W . ."));
  EXPECT_THAT(with_hints("// display: colour first #ff8000\n", {.colours = true}), HasSubstr("\x1b[38;2;255;128;0m●"));
  const ir::Game game = load("hrg", std::string("// display: colour first purple\n") + kMoves);
  Witness witness(game);
  witness.settle();
  witness.apply("S__1_1");
  EXPECT_THAT(svg(Painter(game).scene(witness)), HasSubstr("fill=\"#7a4fa3\""));
}

// The king of this game belongs to no player whom its name mentions.
TEST(Hints, GiveAGlyphToAPieceWithoutAnOwner) {
  std::string text = kMoves;
  text.replace(text.find("none | Player"), 13, "none | Player | king");
  text.replace(text.find("{ : none }"), 10, "{ : none; S(2, 1) = king }");
  const ir::Game game = load("hrg", "// display: glyph king ♚\n// display: colour king white\n" + text);
  EXPECT_EQ(drawn(game, {"S__1_1"}),
            "  2  · · ·\n"
            "  1  ● ♚ ·\n"
            "     a b c\n"
            "  ● first   ♚ king\n");
  EXPECT_THAT(drawn(game, {"S__1_1"}, {.unicode = false, .colours = true}), HasSubstr("k"));
}

// Every piece of a game, with or without an owner, can have any look.
TEST(Hints, GiveAGlyphAndAColourToEveryPiece) {
  for (const std::string name : {"breakthrough", "oware", "battleships", "chess", "checkers", "amazons"}) {
    if (kSanitized && name == "chess") break;
    const std::string text = read_file(RGTRANS_SOURCE_DIR "/games/hrg/" + name + ".hrg");
    const ir::Game plain = load("hrg", text);
    std::string hints;
    for (const ir::Variable& variable : plain.variables()) {
      for (const SymbolId value : plain.members(plain.value_type(variable.type))) {
        hints += "// display: glyph " + plain.symbols.str(value) + " ♚\n";
        hints += "// display: colour " + plain.symbols.str(value) + " white\n";
      }
    }
    const ir::Game game = load("hrg", hints + text);
    for (const TextStyle& style : {TextStyle{.colours = true}, TextStyle{.unicode = false, .flipped = true}}) {
      EXPECT_NE(drawn(game, {}, style), "") << name;
    }
    Witness witness(game);
    witness.settle();
    const Scene scene = Painter(game).scene(witness);
    EXPECT_THAT(svg(scene), HasSubstr("</svg>")) << name;
    EXPECT_NE(json(scene), "") << name;
  }
}

// The pieces are numbers. A hint gives each of them traits.
TEST(Hints, DrawTraitsOfPieces) {
  std::string text = kMoves;
  text.replace(text.find("none | Player"), 13, "none | Player | 1 | 2");
  text.replace(text.find("{ : none }"), 10, "{ : none; S(2, 1) = 1; S(3, 1) = 2 }");
  const std::string hints = "// display: look 1 2 tall\n// display: look 2 round\n// display: look 1 dark\n";
  const ir::Game game = load("hrg", hints + text);
  EXPECT_EQ(drawn(game, {"S__1_1"}),
            "  2   ·  ·  ·\n"
            "  1   ● ■d ●l\n"
            "      a  b  c\n"
            "  ■d 1   ● first   ●l 2\n");
  Witness witness(game);
  witness.settle();
  const Scene scene = Painter(game).scene(witness);
  EXPECT_THAT(svg(scene), HasSubstr("fill=\"#5a3a22\""));
  EXPECT_THAT(json(scene), HasSubstr(R"("traits":["light","tall","round","solid"])"));
  Diagnostics diagnostics(game.sources());
  const ir::Game wrong = load("hrg", "// display: look 1 high\n// display: look 7 tall\n" + text);
  read_hints(wrong, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 2U);
  EXPECT_EQ(diagnostics.all()[0].message, "high is no trait of a piece");
  EXPECT_EQ(diagnostics.all()[1].message, "there is no piece 7");
}

TEST(Hints, ColourTheEdgesOfTheirOwners) {
  const auto edges = [](const std::string& hint, std::string_view colour) {
    const ir::Game game = load("hrg", hint + kMoves);
    Witness witness(game);
    witness.settle();
    const std::string picture = svg(Painter(game).scene(witness));
    const std::string stroke = fmt::format("stroke=\"{}\"/>", colour);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = picture.find(stroke, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  // A board of three columns and two rows.
  EXPECT_EQ(edges("// display: edge gold top bottom\n", "#d8a520"), 6U);
  EXPECT_EQ(edges("// display: edge gold left\n", "#d8a520"), 2U);
  EXPECT_EQ(edges("// display: edge first left\n// display: colour first #123456\n", "#123456"), 2U);
  EXPECT_EQ(edges("// display: edge gold sky\n", "#d8a520"), 0U);
  EXPECT_EQ(edges("// display: edge gold upper-left\n", "#d8a520"), 1U);
}

TEST(Hints, ChooseVariables) {
  EXPECT_EQ(with_hints("// display: hide board\n"), "");
  EXPECT_THAT(with_hints("// display: show square\n"), HasSubstr("square: a1")) << "though nothing depends on it";
  EXPECT_THAT(with_hints("// display: show square\n"), ::testing::Not(HasSubstr("·")));
}

TEST(Hints, ThatCannotBeUnderstoodAreWarningsAtTheirPlaces) {
  const ir::Game game = load("hrg", std::string("// display: flop\n//display: hide bord\n// display: colour first pin\n"
                                                "// display: glyph third x\n// display: glyph first long\n"
                                                "// display:\n// display: show\n") +
                                        kMoves);
  Diagnostics diagnostics(game.sources());
  const Hints hints = read_hints(game, diagnostics);
  EXPECT_FALSE(hints.flipped);
  EXPECT_THAT(hints.hidden, IsEmpty());
  std::vector<std::string> told;
  for (const Diagnostic& d : diagnostics.all()) {
    EXPECT_EQ(d.severity, Severity::warning);
    const LineColumn at = game.sources()->position(d.where.begin);
    told.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message);
  }
  EXPECT_THAT(
      told, ElementsAre("1:13 there is no display hint flop", "2:17 there is no variable bord", "3:26 pin is no colour",
                        "4:19 there is neither a player nor a piece third", "5:25 long is too long for a piece",
                        "6:4 the hint is missing", "7:13 show needs the names of variables"));
  EXPECT_EQ(diagnostics.all()[1].hint, "did you mean board?");
}

TEST(Hints, StandInCommentsOfEveryLanguage) {
  const auto flipped = [](std::string_view language, const std::string& text) {
    const ir::Game game = load(language, text);
    Diagnostics diagnostics(game.sources());
    const Hints hints = read_hints(game, diagnostics);
    EXPECT_THAT(diagnostics.all(), IsEmpty());
    return hints.flipped;
  };
  EXPECT_TRUE(flipped("rbg", R"(// display: flip
#players = white(1), black(1)
#pieces = e, w
#variables =
#board = rectangle(up,down,left,right, [w,e] [e,e])
#rules = ->white {w} [e] [$ white = 1] ->> {}
)"));
  EXPECT_TRUE(flipped("gdl", R"(;; display: flip
(role white) (init (step 1)) (legal white noop) (next (step 2)) (<= terminal (true (step 2))) (goal white 100)
)"));
  EXPECT_TRUE(flipped("linegames", R"({"name": "t", "board": {"kind": "alquerque", "width": 5, "height": 5},
"pieces": [{"halves": {"north": "black", "middle_row": "west-north"}}],
"rules": {"captures": "mandatory", "sequence": "single", "max_turns": 60}, "display": ["flip", "colour white gold"]})"));
}

// --- What people know from other games. ---

TEST(Symbols, AreDiceAndCards) {
  const std::string game = R"(
domain Player = first | second
domain Score = 0 | 1
domain Die = 1 | 2 | 3 | 4 | 5 | 6
domain Deal = D(A, B) where A in { jack, queen }, B in { jack, queen }
domain Number = 1 | 2 | 3 | 4 | 5 | 6
high : Die = 1
deal : Deal = D(jack, jack)
count : Number = 3
graph rules() {
  player = random
  high = Die(*)
  deal = Deal(*)
  player = first
  check(high == 5)
  check(deal == D(jack, queen))
  check(count == 3)
  $ ok
  player = keeper
  end()
}
)";
  const ir::Game dealt = load("hrg", "// display: show high deal count\n" + game);
  const auto shown = [&](const TextStyle& style) { return drawn(dealt, {}, style); };
  EXPECT_EQ(shown({}), "high: ⚀ 1\ndeal: [jack] [jack]\ncount: 3\n");
  EXPECT_EQ(shown({.unicode = false}), "high: [1]\ndeal: [jack] [jack]\ncount: 3\n");
  Witness witness(dealt);
  const std::string drawing = svg(Painter(dealt).scene(witness));
  EXPECT_THAT(drawing, HasSubstr(">jack</text>"));
  EXPECT_THAT(drawing, HasSubstr("<circle")) << "a pip";
}

// Which of three coordinates is the content of a cell.
TEST(Layout, ALongCoordinateIsNoSideOfABoard) {
  std::string chains = "1";
  for (int i = 2; i <= 70; ++i) chains += fmt::format(", {}", i);
  const ir::Game game =
      load("rg", "type Player = {p}; type Score = {0}; type Bool = {0, 1}; type Chain = {" + chains +
                     "};\ntype X = {1, 2, 3}; type Y = {1, 2, 3}; var joined: Chain -> X -> Y -> Bool = "
                     "{ 7: { 2: { 3: 1, :0 }, :{ :0 } }, :{ :{ :0 } } };\n"
                     "begin, s: player = p; s, t: $ go; t, u: joined[1][1][1] == 0; u, v: joined[1][1][1] = 1; v, end: "
                     "player = keeper;");
  EXPECT_THAT(drawn(game, {}, {.unicode = false}), HasSubstr("  3  . 7 .\n  2  . . .\n  1  . . .\n     1 2 3\n"));
}

TEST(Layout, FindsLinesBetweenDots) {
  const ir::Game game = load("hrg", R"(
domain Player = first | second
domain Score = 0 | 1
domain Line = H(X, Y) where X in 1..2, Y in 1..2 | V(X, Y) where X in 1..3, Y in 1..1
domain State = open | drawn
lines : Line -> State = { : open }
line : Line
graph rules() {
  player = first
  line = Line(*)
  $$ line
  lines[line] = drawn
  player = second
  line = Line(*)
  check(lines[line] == open)
  $$ line
  lines[line] = drawn
  player = keeper
  end()
}
)");
  EXPECT_EQ(drawn(game, {"H__1_1"}, {.unicode = false}),
            "  2  +   +   +\n"
            "\n"
            "  1  +---+   +\n"
            "       1   2\n");
  EXPECT_THAT(drawn(game, {"V__3_1"}), HasSubstr("             │"));
}

}  // namespace
}  // namespace rgtrans::scene
