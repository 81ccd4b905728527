// Boards, placements, rules and definitions: their contents, and messages for mistakes.
#include "frontends/linegames/linegames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/hrg/hrg.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/frontends/linegames/published.hpp"

namespace rgtrans::linegames {
namespace {

using enum Direction;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

LineGame read(const std::string& json) {
  Diagnostics diagnostics;
  const auto& file = diagnostics.sources()->add("test.json", json);
  auto game = read_definition(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return game.value_or(LineGame{});
}

// The messages for a wrong definition, as "line:column message [hint]".
std::vector<std::string> mistakes(const std::string& json) {
  Diagnostics diagnostics;
  const auto& file = diagnostics.sources()->add("test.json", json);
  EXPECT_FALSE(read_definition(file, diagnostics).has_value());
  std::vector<std::string> result;
  for (const Diagnostic& d : diagnostics.all()) {
    const LineColumn at = diagnostics.sources()->position(d.where.begin);
    result.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " '" +
                     std::string(diagnostics.sources()->text(d.where)) + "' " + d.message + " [" + d.hint + "]");
  }
  return result;
}

template <class F>
std::string argument_error(F&& call) {
  try {
    call();
  } catch (const ArgumentError& error) {
    return error.parameter() + ": " + error.diagnostics().front().message + " [" + error.diagnostics().front().hint +
           "]";
  }
  return "no error";
}

TEST(Directions, TurnAndReverse) {
  for (const Direction d : kDirections) EXPECT_EQ(reversed(reversed(d)), d);
  EXPECT_EQ(rotated(north, 90), east);
  EXPECT_EQ(rotated(southwest, 315), south);
  EXPECT_EQ(rotated(north, -45), northwest);
  EXPECT_EQ(direction_from("NW"), northwest);
  EXPECT_EQ(direction_from("right"), right);
  EXPECT_FALSE(direction_from("up").has_value());
}

TEST(Boards, HaveThePublishedSizes) {
  for (const auto& [name, game] : published_games(true)) {
    SCOPED_TRACE(name);
    const LineGame line_game = read(game.json);
    EXPECT_EQ(line_game.board.points().size(), static_cast<std::size_t>(game.points));
    EXPECT_EQ(line_game.board.edge_count(), static_cast<std::size_t>(game.edges));
    EXPECT_EQ(line_game.setup.count(Player::white), game.white);
    EXPECT_EQ(line_game.setup.count(Player::black), game.black);
  }
}

TEST(Boards, EveryEdgeHasItsReverse) {
  Board board = Board::alquerque(5, 5);
  for (int turn = 0; turn < 8; ++turn) board.attach_triangle(rotated(north, 45 * turn), 2);
  EXPECT_THAT(board.points(), SizeIs(25 + 8 * 6));
  for (std::uint32_t id = 0; id < board.points().size(); ++id) {
    for (const Direction d : kDirections) {
      const std::uint32_t to = board.points()[id].next[static_cast<std::size_t>(d)];
      if (to == kNone) continue;
      EXPECT_EQ(board.points()[to].next[static_cast<std::size_t>(reversed(d))], id);
    }
  }
}

TEST(Boards, TrianglesContinueTheLinesOfTheBoard) {
  const Board board = Board::alquerque(5, 5).attach_triangle(south, 2);
  const auto next = [&](std::string_view name, Direction d) {
    return board.points()[board.points()[board.find(name)].next[static_cast<std::size_t>(d)]].name;
  };
  EXPECT_EQ(next("cy4x2", south), "tsouthvy1x1");
  EXPECT_EQ(next("cy4x2", southwest), "tsouthvy1x0");
  EXPECT_EQ(next("tsouthvy1x2", northwest), "cy4x2");
  EXPECT_EQ(next("tsouthvy2x0", east), "tsouthvy2x1");
  const Board up = Board::alquerque(5, 5).attach_triangle(north, 2);
  EXPECT_EQ(up.points()[up.points()[up.find("cy0x2")].next[static_cast<std::size_t>(northeast)]].name, "tnorthvy1x0");
}

TEST(Boards, DirectionsAreInTheOrderOfThePublishedLabels) {
  EXPECT_THAT(Board::alquerque(3, 3).directions(),
              ElementsAre(north, east, south, west, northeast, northwest, southeast, southwest));
  EXPECT_THAT(Board::circle(6, 3).directions(),
              ElementsAre(north, northeast, east, south, southwest, west, right, left));
  EXPECT_THAT(Board::grid(3, 3).directions(), ElementsAre(north, east, south, west));
  EXPECT_THAT(Board::grid(3, 3).attach_triangle(south, 1).directions(),
              ElementsAre(north, east, south, west, northeast, southeast, southwest, northwest));
}

TEST(Boards, LinesAreMaximal) {
  EXPECT_THAT(Board::alquerque(5, 5).lines(), SizeIs(5 + 5 + 6));
  const auto lines = Board::circle(6, 2).lines();
  EXPECT_THAT(lines, SizeIs(3 + 2));
  EXPECT_EQ(lines.back().front(), lines.back().back());
}

TEST(Boards, CanBeMergedAndCut) {
  Board board = Board::grid(3, 3);
  board.merge(Board::grid(3, 1), {{"cy0x0", "cy2x2"}}, "tail");
  EXPECT_THAT(board.points(), SizeIs(11));
  EXPECT_EQ(board.points()[board.points()[board.find("cy2x2")].next[static_cast<std::size_t>(east)]].name, "tailcy0x1");
  board.remove_point("cy1x1");
  EXPECT_THAT(board.points(), SizeIs(10));
  EXPECT_EQ(board.points()[board.find("cy0x1")].next[static_cast<std::size_t>(south)], kNone);
  board.check();
  board.remove_point("cy2x2");
  EXPECT_THAT(argument_error([&] { board.check(); }), HasSubstr("no line leads from 'cy0x0' to 'tailcy0x1'"));
}

TEST(Boards, MistakesAreNamed) {
  EXPECT_EQ(argument_error([] { Board::alquerque(4, 5); }),
            "width: width must be odd, not 4 [allowed: 1, 3, 5, ... 65]");
  EXPECT_EQ(argument_error([] { Board::grid(0, 5); }),
            "width: width must be a positive number, not 0 [allowed: 1 to 65]");
  EXPECT_EQ(argument_error([] { Board::circle(5, 3); }),
            "spokes: spokes must be an even number up to 8, not 5 [allowed: 2, 4, 6, 8]");
  EXPECT_THAT(argument_error([] { Board::point().attach_triangle(north, 2).attach_triangle(northeast, 2); }),
              HasSubstr("side: 'cy0x0' already has a line to the northeast (to 'tnorthvy1x0')"));
  EXPECT_THAT(argument_error([] { Board::circle(6, 3).attach_triangle(north, 2); }),
              HasSubstr("root: a circle board has no sides"));
  EXPECT_THAT(argument_error([] { Board::point().add_point("Upper", {}); }),
              HasSubstr("name: 'Upper' cannot be the name of a point"));
  EXPECT_THAT(argument_error([] { Board::point().add_point("empty", {}); }), HasSubstr("means something else"));
  EXPECT_THAT(argument_error([] { Board::grid(3, 3).add_line("cy0x0", "cy0y1", north); }),
              AllOf(HasSubstr("to: there is no point 'cy0y1'"), HasSubstr("cy0x1")));
  EXPECT_THAT(argument_error([] { Board::grid(3, 3).add_line("cy0x0", "cy1x1", south); }),
              HasSubstr("direction: 'cy0x0' already has a line to the south (to 'cy1x0')"));
}

TEST(Setups, RowsHalvesAndSpokes) {
  const Board board = Board::alquerque(5, 5);
  linegames::Setup setup;
  setup.halves(board, Player::black, MiddleRow::west_north);
  EXPECT_EQ(setup.pieces().at("cy2x1").owner, Player::black);
  EXPECT_EQ(setup.pieces().at("cy2x3").owner, Player::white);
  EXPECT_FALSE(setup.pieces().contains("cy2x2"));
  // A board that is not square, for which the published generator was wrong.
  linegames::Setup wide;
  wide.halves(Board::alquerque(7, 5), Player::black, MiddleRow::east_north);
  EXPECT_EQ(wide.count(Player::white), 17);
  EXPECT_EQ(wide.count(Player::black), 17);
  linegames::Setup one_row;
  one_row.rows(Board::grid(3, 6), Player::white, 0, 1);
  EXPECT_TRUE(one_row.pieces().contains("cy5x0"));
  EXPECT_EQ(one_row.count(Player::white), 3);
  EXPECT_THAT(argument_error([&] { setup.rows(board, Player::white, 1, 0); }),
              HasSubstr("points: there is already a black piece on 'cy0x0'"));
  EXPECT_EQ(setup.rows(board, Player::white, 1, 0, {.replace = true}).count(Player::white), 17);
  EXPECT_THAT(argument_error([&] { setup.triangle(board, Player::white, north); }),
              HasSubstr("triangle: no triangle is attached to the north"));
  EXPECT_THAT(argument_error([&] { setup.spokes(board, Player::white, std::vector{1}); }),
              HasSubstr("allowed on circle boards"));
}

TEST(Rules, ForwardIsTowardsTheOtherSide) {
  EXPECT_TRUE(moves(Movement::forward, Player::white, northwest));
  EXPECT_FALSE(moves(Movement::forward, Player::white, east));
  EXPECT_TRUE(moves(Movement::not_backward, Player::black, west));
  EXPECT_FALSE(moves(Movement::not_backward, Player::black, northeast));
  EXPECT_FALSE(moves(Movement::forward, Player::black, right));
}

LineGame small() {
  LineGame game;
  game.board = Board::alquerque(3, 3);
  game.setup.rows(game.board, Player::black, 1, 0).rows(game.board, Player::white, 0, 1);
  return game;
}

TEST(Rules, MistakesAreNamed) {
  const auto wrong = [](auto&& change) {
    LineGame game = small();
    change(game.rules);
    return argument_error([&] { game.check(); });
  };
  EXPECT_EQ(wrong([](Rules& r) { r.max_turns = 0; }),
            "max_turns: max_turns must be a number of turns, not 0 [allowed: 1 to 100000]");
  EXPECT_EQ(wrong([](Rules& r) { r.min_pieces = 4; }),
            "min_pieces: min_pieces must not be 4 [allowed: 0 to 3, what both sides have at the start]");
  EXPECT_THAT(wrong([](Rules& r) { r.flying = Flying::kings; }), HasSubstr("in a game without kings"));
  EXPECT_THAT(wrong([](Rules& r) { r.scores = {0, 50, 100}; }), HasSubstr("descending"));
  EXPECT_THAT(wrong([](Rules& r) { r.captures = Captures::none, r.sequence = Sequence::whole; }),
              HasSubstr("needs captures"));
  EXPECT_THAT(wrong([](Rules& r) { r.promotion[0] = {"cy9x9"}; }), HasSubstr("promotion: there is no point 'cy9x9'"));
  EXPECT_EQ(argument_error([] { parse_enum<Sequence>("sequence", "many"); }),
            "sequence: sequence cannot be 'many' [allowed: single, whole, stepwise]");
}

TEST(Emission, WritesOnlyWhatTheRulesNeed) {
  LineGame game = small();
  EXPECT_THAT(
      game.to_hrg(),
      AllOf(
          HasSubstr("domain Direction = north | east | south | west | northeast | northwest | southeast | southwest\n"),
          HasSubstr("toSoutheast(cy0x0) = cy1x1\n"), HasSubstr("cy2x1 = whitePawn"), Not(HasSubstr("King")),
          Not(HasSubstr("start")), Not(HasSubstr("PASS"))));
  game.rules.sequence = Sequence::stepwise;
  EXPECT_THAT(game.to_hrg(), HasSubstr("$ PASS"));
  game.rules.compat = Compat::published;
  EXPECT_THAT(game.to_hrg(), AllOf(HasSubstr("domain Direction = S(X) where X in 0..7\n"), Not(HasSubstr("$ PASS"))));
}

// The emitted program must already be in canonical layout.
TEST(Emission, IsInCanonicalLayout) {
  for (const bool published : {false, true}) {
    for (const auto& [name, game] : published_games(published)) {
      SCOPED_TRACE(name);
      const std::string text = read(game.json).to_hrg();
      Diagnostics diagnostics;
      const auto& file = diagnostics.sources()->add("test.hrg", text);
      EXPECT_EQ(hrg::frontend().format(file, diagnostics), text);
    }
  }
}

TEST(Definitions, RoundTripThroughJson) {
  for (const auto& [name, published] : published_games(false)) {
    SCOPED_TRACE(name);
    const LineGame game = read(published.json);
    const LineGame again = read(game.to_json());
    EXPECT_EQ(again.board.edge_count(), game.board.edge_count());
    EXPECT_EQ(again.setup.pieces(), game.setup.pieces());
    EXPECT_EQ(again.to_json(), game.to_json());
  }
}

TEST(Definitions, MistakesHavePlaces) {
  EXPECT_THAT(mistakes("{\n  \"board\": {\"kind\": \"alquerque\", \"width\": 4, \"height\": 5},\n \"pieces\": []}"),
              ElementsAre("2:43 '4' width must be odd, not 4 [allowed: 1, 3, 5, ... 65]"));
  EXPECT_THAT(mistakes(R"({"board": {"kind": "hexagon"}, "pieces": []})"),
              ElementsAre("1:20 '\"hexagon\"' there is no board 'hexagon' [allowed: point, grid, alquerque, "
                          "square_with_diagonals, circle, custom]"));
  EXPECT_THAT(mistakes(R"({"board": {"kind": "grid", "widht": 3, "height": 3}, "pieces": []})"),
              ElementsAre(HasSubstr("1:11 '{\"kind\": \"grid\", \"widht\": 3, \"height\": 3}' the board needs 'width'"),
                          AllOf(HasSubstr("1:28 '\"widht\"' the board has no parameter 'widht'"), HasSubstr("width"))));
  const std::string start = R"({"board": {"kind": "grid", "width": 3, "height": 3}, "pieces": [)";
  EXPECT_THAT(mistakes(start + R"({"player": "red", "rows": {"first": 1}}]})"),
              ElementsAre(HasSubstr("player cannot be 'red' [allowed: white, black]")));
  EXPECT_THAT(mistakes(start + R"({"player": "white", "rows": {"first": 9}}]})"),
              ElementsAre(HasSubstr("'9' first must be a number of rows, not 9 [allowed: 0 to 3]")));
  EXPECT_THAT(mistakes(start + R"({"player": "white", "points": ["cy0x7"]}]})"),
              ElementsAre(HasSubstr("'[\"cy0x7\"]' there is no point 'cy0x7'")));
  EXPECT_THAT(mistakes(start + R"({"player": "white"}]})"),
              ElementsAre(HasSubstr("exactly one of: points, rows, halves, spokes, triangle, clear")));
  EXPECT_THAT(
      mistakes(
          start +
          R"({"player": "white", "rows": {"last": 1}}, {"player": "black", "rows": {"first": 1}}], "rules": {"sequence": "all", "captures": 1}})"),
      ElementsAre(HasSubstr("'1' captures must be a string, not a number"),
                  HasSubstr("'\"all\"' sequence cannot be 'all' [allowed: single, whole, stepwise]")));
}

TEST(Definitions, HostileTextsAreRefused) {
  EXPECT_THAT(mistakes(""), ElementsAre(HasSubstr("not JSON")));
  EXPECT_THAT(mistakes("{\"board\": }"), ElementsAre(HasSubstr("not JSON")));
  EXPECT_THAT(mistakes("[1, 2]"), ElementsAre(HasSubstr("the definition must be an object, not an array")));
  EXPECT_THAT(mistakes("7"), ElementsAre(HasSubstr("'7' the definition must be an object, not a number")));
  EXPECT_THAT(mistakes(std::string(100000, '[')), ElementsAre(HasSubstr("nested more than 16 levels deep")));
  EXPECT_THAT(mistakes(R"({"board": {"kind": "grid", "width": 1e30, "height": 3}, "pieces": []})"),
              ElementsAre(HasSubstr("'1e30' width must be a whole number")));
  EXPECT_THAT(mistakes(R"({"board": {"kind": "point", "kind": "grid"}})"),
              ElementsAre(HasSubstr("'kind' is given twice")));
  std::string many = R"({"board": {"kind": "point"}, "pieces": [0)";
  for (int i = 0; i < 200'000; ++i) many += ",0";
  EXPECT_THAT(mistakes(many + "]}"), ElementsAre(HasSubstr("more than 200000 JSON values")));
}

ir::Game load(const std::string& json, const FrontendOptions& options = {}) {
  Diagnostics diagnostics;
  return load_text("test.linegame", json, frontend(), diagnostics, options, true);
}

bool has_symbol(const ir::Game& game, std::string_view symbol) { return game.symbols.find(symbol).valid(); }

TEST(FrontEnd, LoadsADefinitionThroughHrg) {
  const std::string json = published_games(false).at("pretwa_lud").json;
  const ir::Game game = load(json);
  EXPECT_THAT(game.players(), SizeIs(2));
  EXPECT_TRUE(has_symbol(game, "PASS"));
  const ir::Game published = load(json, {{{"published", ""}}});
  EXPECT_FALSE(has_symbol(published, "PASS"));
  EXPECT_TRUE(has_symbol(published, "S__7"));
}

TEST(FrontEnd, ReportsMistakes) {
  try {
    load(R"({"board": {"kind": "grid", "width": 0, "height": 3}, "pieces": []})");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(render(error.diagnostics(), *error.sources()), HasSubstr("test.linegame:1:37: error: width must be"));
  }
  const std::string kings = R"({"board": {"kind": "grid", "width": 3, "height": 3}, "pieces": [
      {"player": "white", "rows": {"last": 1}, "king": true}, {"player": "black", "rows": {"first": 1}}]})";
  load(kings);
  try {
    load(kings, {{{"published", ""}}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.diagnostics().front().message, HasSubstr("no kings"));
  }
}

TEST(FrontEnd, IsChosenByTheText) {
  const std::string json = published_games(false).at("pretwa").json;
  for (const char* name : {"pretwa.linegame", "pretwa.json", "pretwa"}) {
    EXPECT_EQ(choose_frontend(name, json).name, "linegames") << name;
  }
  EXPECT_EQ(choose_frontend("game.json", R"({"kind": "GameDeclaration", "edges": []})").name, "json");
}

TEST(Drawings, ShowPointsLinesAndPieces) {
  LineGame game = small();
  game.name = "a < b & c";
  game.setup.put(game.board, Player::white, std::vector<std::string>{"cy1x1"}, {.king = true});
  const std::string svg = game.svg();
  EXPECT_THAT(svg, AllOf(HasSubstr("<title>a &lt; b &amp; c</title>"), HasSubstr("<title>cy1x1</title>"),
                         HasSubstr("<line "), HasSubstr("#c8a02a")));
  game.board = Board::circle(6, 2);
  game.setup = {};
  EXPECT_THAT(game.svg(), HasSubstr("A48.0 48.0 0 0 1"));
}

}  // namespace
}  // namespace rgtrans::linegames
