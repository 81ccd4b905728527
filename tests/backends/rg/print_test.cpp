// The canonical text of games that no text was read from, parts of games, and the comparison of games.
#include <gmock/gmock.h>

#include "backends/rg/rg.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/equal.hpp"

namespace rgtrans::rg {
namespace {

using testing::HasSubstr;

constexpr std::string_view kGame =
    "@unique a;\n"
    "type Player = { p };\n"
    "type Score = { 0 };\n"
    "type T = { 1, 2, 3 };\n"
    "const k: T -> T = { 2: 3, :1 };\n"
    "var x: T = 1;\n"
    "begin, a: x = k[x];\n"
    "a, end: player = keeper;\n";

TEST(PrintRg, NodesWithoutNamesGetNumbersThatAreFree) {
  ir::Game game;
  const ir::NodeId first = game.graph.add_node();
  const ir::NodeId second = game.graph.add_node();
  game.graph.add_edge(game.node("2"), first, ir::Empty{});
  game.graph.add_edge(first, second, ir::Reachability{second, first, true});
  EXPECT_EQ(print(game), "2, 1: ;\n1, 3: ! 3 -> 1;\n");
}

TEST(PrintRg, RemovedItemsAreNotPrinted) {
  ir::Game game = parse_game(kGame);
  game.remove_variable(game.find_variable(game.symbols.intern("x")));
  game.remove_constant(game.find_constant(game.symbols.intern("k")));
  game.remove_type(game.symbols.intern("T"));
  game.graph.remove_edge(ir::EdgeId(0U));
  const std::string text = print(game);
  EXPECT_EQ(text.find("x: T"), std::string::npos);
  EXPECT_EQ(text.find("const"), std::string::npos);
  EXPECT_EQ(text.find("type T "), std::string::npos);
  EXPECT_EQ(text.find("begin"), std::string::npos);
}

TEST(PrintRg, LongMapsOfMapsTakeALineForEachEntry) {
  std::string members;
  std::string entries;
  for (int i = 0; i < 120; ++i) {
    members += (i > 0 ? ", m" : "m") + std::to_string(i);
    if (i < 110) entries += "m" + std::to_string(i) + ": {:m" + std::to_string(i + 1) + "}, ";
  }
  const std::string head = "type Player = {p}; type Score = {0}; type T = {" + members + "};";
  const std::string text = print(parse_game(head + "const k: T -> T -> T = {" + entries + ":{:m0}};"));
  EXPECT_THAT(text, HasSubstr("const k: T -> T -> T = {\n    m0: { :m1 },\n    m1: { :m2 },\n"));
  EXPECT_THAT(text, HasSubstr("    m109: { :m110 },\n    :{ :m0 }\n};\n"));
  EXPECT_EQ(print(parse_game(text)), text);
}

TEST(PrintRg, PragmasFollowTheRules) {
  const std::string text = print(parse_game(kGame));
  EXPECT_TRUE(text.starts_with("type Player = { p };\n")) << text;
  EXPECT_TRUE(text.ends_with("a, end: player = keeper;\n@unique a;\n")) << text;
  EXPECT_EQ(print(parse_game(text)), text);
}

TEST(PrintRg, PartsOfGames) {
  const ir::Game game = parse_game(kGame);
  const std::vector<std::string> names = game.node_names();
  const ir::EdgeId edge(0U);
  EXPECT_EQ(print_edge(game, edge, names), "begin, a: x = k[x];");
  EXPECT_EQ(print_label(game, game.graph.label(edge)), "x = k[x]");
  EXPECT_EQ(print_label(game, ir::Reachability{game.begin(), game.end(), false}), "? begin -> end");
  EXPECT_EQ(print_type(game, game.constants()[0].type), "T -> T");
  EXPECT_EQ(print_value(game, game.constants()[0].value, game.constants()[0].type), "{ 2: 3, :1 }");
  EXPECT_EQ(print_pragma(game, game.pragmas[0], names), "@unique a;");
}

TEST(PrintRg, ValuesThatGrowExponentiallyAreRefused) {
  std::string text =
      "type Player = {p}; type Score = {0}; type A = {a, b}; type T0 = A; const c0: T0 = a; const d0: T0 = b;";
  for (int i = 1; i <= 64; ++i) {
    const std::string n = std::to_string(i);
    const std::string m = std::to_string(i - 1);
    text += "type T" + n + " = A -> T" + m + "; const c" + n + ": T" + n + " = {a: c" + m + ", :d" + m + "}; const d" +
            n + ": T" + n + " = {a: d" + m + ", :c" + m + "};";
  }
  const ir::Game game = parse_game(text);
  EXPECT_THROW(print(game), Error);
  EXPECT_TRUE(test::equal(game, parse_game(text)));
}

TEST(EqualRg, FindsTheFirstDifference) {
  const ir::Game game = parse_game(kGame);
  auto difference = [&](std::string_view from, std::string_view to) {
    std::string text(kGame);
    text.replace(text.find(from), from.size(), to);
    std::string found;
    EXPECT_FALSE(test::equal(game, parse_game(text), &found)) << text;
    return found;
  };
  EXPECT_TRUE(test::equal(game, game));
  EXPECT_EQ(difference("@unique a", "@unique end"), "pragma '@unique a;' against '@unique end;'");
  EXPECT_EQ(difference("{ 1, 2, 3 }", "{ 1, 3, 2 }"), "type T is defined differently");
  EXPECT_EQ(difference("2: 3", "2: 2"), "constant k is defined differently");
  EXPECT_EQ(difference("var x: T = 1", "var x: T = 2"), "variable x is defined differently");
  EXPECT_EQ(difference("a, end", "begin, end"),
            "edge 'a, end: player = keeper;' against 'begin, end: player = keeper;'");
  EXPECT_EQ(difference("a, end: player = keeper;", ""), "only the first game has the edge 'a, end: player = keeper;'");
  EXPECT_EQ(difference("var x", "const y: T = 1; var x"), "only the second game has constant y");
  EXPECT_EQ(difference("x = k[x]", "x = k[1]"), "edge 'begin, a: x = k[x];' against 'begin, a: x = k[1];'");
}

TEST(EqualRg, DoesNotDependOnIds) {
  const std::string head = "type Score = {0}; type Player = {p}; type T = {1, 2, 3};";
  const ir::Game a = parse_game(head + "var x: T -> T = {1: 2, 3: 1, :3}; var y: T = 3;");
  const ir::Game b = parse_game("@unknown;" + head + "var x: T -> T = {:3, 3: 1, 1: 2, 2: 3}; var y: T = 3;");
  std::string found;
  EXPECT_FALSE(test::equal(a, b, &found));
  EXPECT_EQ(found, "0 pragmas against 1");
  ir::Game c = parse_game("@unknown 2 3 1;" + head + "var x: T -> T = {:3, 3: 1, 1: 2, 2: 3}; var y: T = 3;");
  c.pragmas.clear();
  EXPECT_TRUE(test::equal(a, c, &found)) << found;
}

}  // namespace
}  // namespace rgtrans::rg
