// The RG reader: every form of the grammar, trivia in every place, and resolution of names. Most tests print the game
// that was read.
#include <gmock/gmock.h>

#include <regex>

#include "backends/rg/rg.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/equal.hpp"

namespace rgtrans::rg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kFrame =
    "type Player = { p };\n"
    "type Score = { 0, 9 };\n"
    "type T = { 1, 2, 3 };\n"
    "type Map = T -> T;\n"
    "const next: Map = { 1: 2, 2: 3, :1 };\n"
    "var x: T = 1;\n"
    "var m: Map = { :1 };\n"
    "var mm: T -> Map = { :{ :1 } };\n";

std::string framed(std::string_view body) { return std::string(kFrame) + std::string(body); }

// The lines of the printed game that come from the body.
std::string read(std::string_view body) {
  const ir::Game game = parse_game(framed(body));
  const ir::Game frame = parse_game(kFrame);
  std::string printed = print(game);
  const std::string known = print(frame);
  std::string out;
  for (std::size_t at = 0; at < printed.size();) {
    const std::size_t end = printed.find('\n', at) + 1;
    const std::string line = printed.substr(at, end - at);
    if (known.find(line) == std::string::npos) out += line;
    at = end;
  }
  return out;
}

std::string errors(const std::string& text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("t.rg", text);
  frontend().load(file, diagnostics, {});
  return render(diagnostics.all(), *diagnostics.sources());
}

TEST(ParseRg, LabelsOfEveryKind) {
  const std::string text =
      "begin, a: ;\n"
      "a, b: x = 2;\n"
      "a, b: m[x] = next[x];\n"
      "b, c: x = T(*);\n"
      "b, c: x = { 1, 2 }(*);\n"
      "c, d: x == 1;\n"
      "c, d: m[m[1]] != T(x);\n"
      "d, e: ? a -> b;\n"
      "d, e: ! a -> b;\n"
      "e, f: $ tag;\n"
      "e, f: $$ x;\n"
      "f, end: PlayerOrSystem(player) = keeper;\n";
  EXPECT_EQ(read(text), text);
}

TEST(ParseRg, DistinguishesCastsAccessesAndAnyAssignments) {
  EXPECT_EQ(read("a, b: x=T(*);"), "a, b: x = T(*);\n");
  EXPECT_EQ(read("a, b: x=T(x);"), "a, b: x = T(x);\n");
  EXPECT_EQ(read("a, b: m=T->T(*);"), "a, b: m = T -> T(*);\n");
  EXPECT_EQ(read("a, b: Map(mm[x])[T(x)]=T(1);"), "a, b: Map(mm[x])[T(x)] = T(1);\n");
}

TEST(ParseRg, PragmasOfEveryKind) {
  const std::string text =
      "@artificialTag t u;\n"
      "@disjoint a : b c;\n"
      "@disjointExhaustive a : b c;\n"
      "@integer 7 : 1 2 3;\n"
      "@iterator a b c : x;\n"
      "@repeat a b :;\n"
      "@repeat a : x player;\n"
      "@simpleApply a b [];\n"
      "@simpleApply a b [t, v_1: T] x = v_1, m[1] = 2;\n"
      "@simpleApplyExhaustive a b [x: T] m[x] = 1;\n"
      "@tagIndex a b : 0;\n"
      "@tagMaxIndex a : 12;\n"
      "@translatedFromRbg;\n"
      "@unique a;\n"
      "@unknown text, 1 -> 2 // as it is ;\n";
  EXPECT_EQ(read(text), text);
}

// The value of a variable is not an artificial tag, even if it has the name of one.
TEST(ParseRg, ArtificialTagsThatValuesShareAreRenamed) {
  EXPECT_EQ(read("@artificialTag 1 t; a, b: $ 1; b, c: $ t; c, d: $$ x;"),
            "a, b: $ _1;\nb, c: $ t;\nc, d: $$ x;\n@artificialTag _1 t;\n");
  EXPECT_EQ(read("@artificialTag 1; a, b: $ 1; b, c: $ t;"), "a, b: $ 1;\nb, c: $ t;\n@artificialTag 1;\n");
}

TEST(ParseRg, NamesThatTagsOfSimpleApplyBindAreSymbols) {
  const ir::Game game = parse_game(framed("@simpleApply a b [x: T] m[x] = 1;\na, b: ;"));
  const auto& apply = std::get<ir::SimpleApply>(game.pragmas.at(0).content);
  const ir::ExprId index = game.expressions().index(apply.effects.at(0).lhs);
  EXPECT_EQ(game.expressions().kind(index), ir::ExprKind::symbol);
}

TEST(ParseRg, KeywordsAreRecognisedAsWholeWords) {
  const std::string text =
      "constant, variant: ;\n"
      "variant, typeFoo: $ types;\n"
      "typeFoo, consts: $$ x;\n";
  EXPECT_EQ(read(text), text);
  EXPECT_EQ(read("@uniquefoo a;"), "@uniquefoo a;\n");
}

TEST(ParseRg, NamesShareNoSpaceWithNodesTagsAndTypes) {
  EXPECT_EQ(read("x, T: $ x;\nT, m: x == 1;\n"), "x, T: $ x;\nT, m: x == 1;\n");
}

TEST(ParseRg, NamesMayBeDigitsAndUnicode) {
  EXPECT_EQ(read("0, 1abc: ;\n1abc, été_٣: $ Ж;\n"), "0, 1abc: ;\n1abc, été_٣: $ Ж;\n");
  EXPECT_THAT(errors(framed("a, b: $ ☺;")), HasSubstr("found '☺' (U+263A)"));
}

TEST(ParseRg, ConstantsWinOverVariablesAndThoseOverSymbols) {
  const ir::Game game = parse_game(framed("const x: T = 2;\na, b: x == m[3];"));
  const auto& label = std::get<ir::Compare>(game.graph.label(ir::EdgeId(0U)));
  EXPECT_EQ(game.expressions().kind(label.lhs), ir::ExprKind::constant);
  EXPECT_EQ(game.expressions().kind(game.expressions().map(label.rhs)), ir::ExprKind::variable);
  EXPECT_EQ(game.expressions().kind(game.expressions().index(label.rhs)), ir::ExprKind::symbol);
}

TEST(ParseRg, ConstantsInsideValuesAreReplaced) {
  EXPECT_EQ(read("const two: T = 2;\nconst k: T -> Map = { 1: next, :{ :two } };"),
            "const two: T = 2;\nconst k: T -> Map = { 1: { 1: 2, 2: 3, :1 }, :{ :2 } };\n");
  EXPECT_THAT(errors(framed("const k: Map = { :late };\nconst late: T = 1;")),
              HasSubstr("constant late is used before its definition"));
  // A symbol of the type stays a symbol if a constant of its name is defined later.
  EXPECT_EQ(read("const k: T = 3;\nconst 3: T = 1;\n"), "const k: T = 3;\nconst 3: T = 1;\n");
}

TEST(ParseRg, EntriesArePrintedInTheOrderOfTheSourceType) {
  EXPECT_EQ(read("var k: Map = { :1, elsewhere: 2, 3: 2, 1: 3 };"), "var k: Map = { 1: 3, 3: 2, elsewhere: 2, :1 };\n");
}

TEST(ParseRg, ItemsMayComeInAnyOrder) {
  const ir::Game game =
      parse_game("begin, end: player = who;\nvar who: W = p;\ntype W = Player;\ntype Score = {0};\ntype Player = {p};");
  EXPECT_EQ(game.graph.edge_count(), 1U);
  EXPECT_TRUE(game.is_player_assignment(game.graph.label(ir::EdgeId(0U))));
}

TEST(ParseRg, ByteOrderMarkLineEndsAndMissingLastLineEnd) {
  const std::string plain = framed("begin, end: player = keeper; // done");
  const std::string expected = print(parse_game(plain));
  EXPECT_EQ(print(parse_game("\xef\xbb\xbf" + plain)), expected);
  EXPECT_EQ(print(parse_game(std::regex_replace(plain, std::regex("\n"), "\r\n"))), expected);
  EXPECT_EQ(print(parse_game(std::regex_replace(plain, std::regex("\n"), "\r"))), expected);
  EXPECT_EQ(print(parse_game(plain + "\r")), expected);
}

// All tokens of a text without comments and unknown pragmas.
std::vector<std::string> tokens(const std::string& text) {
  static const std::regex kToken(R"([A-Za-z0-9_]+|->|==|!=|\$\$|[^\sA-Za-z0-9_])");
  std::vector<std::string> list;
  for (std::sregex_iterator it(text.begin(), text.end(), kToken), end; it != end; ++it) list.push_back(it->str());
  return list;
}

TEST(ParseRg, TriviaIsAcceptedBetweenAnyTwoTokens) {
  const std::string text = framed(
      "@simpleApply a b [t, v_1: T] x = v_1, m[1] = 2;@repeat a : x;@disjoint a : b;@tagIndex a : 3;@integer 1 : a;"
      "a, b: Map(mm[x])[T(x)] != T(1);a, b: x = T(*);a, b: ? c -> d;a, b: $ t;a, b: $$ x;a, b: x = {1, 2}(*);a, b: ;");
  const ir::Game expected = parse_game(text);
  for (const char* trivia : {" ", "\n", "\t\r\n ", "// c ;,:\n", " // a\r// b\n\n"}) {
    std::string spaced = trivia;
    for (const std::string& token : tokens(text)) spaced += token + trivia;
    std::string difference;
    EXPECT_TRUE(test::equal(expected, parse_game(spaced), &difference)) << difference;
  }
}

TEST(ParseRg, KeepsThePlacesOfWhatItReads) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("t.rg", framed("\n  begin, end: x == 1  ;"));
  const ir::Game game = frontend().load(file, diagnostics, {});
  EXPECT_EQ(diagnostics.sources()->text(game.graph.where(ir::EdgeId(0U))), "begin, end: x == 1");
  EXPECT_EQ(diagnostics.sources()->text(game.graph.where(game.begin())), "begin");
  EXPECT_EQ(diagnostics.sources()->text(game.variables()[0].where), "x");
}

TEST(ParseRg, GoesOnBehindAMistake) {
  const std::string text = errors("type A = {,};\ntype B = {b}\nvar c A = a;\nd, e: x = ;\nf g: ;\n@unique ;\n");
  for (const char* place : {"t.rg:1:11", "t.rg:2:13", "t.rg:3:7", "t.rg:4:11", "t.rg:5:3", "t.rg:6:9"}) {
    EXPECT_THAT(text, HasSubstr(place));
  }
  EXPECT_EQ(std::count(text.begin(), text.end(), '^'), 6);
}

TEST(ParseRg, NestingUpToTheLimitIsFine) {
  std::string deep = "x";
  for (std::size_t i = 1; i < kMaxNesting; ++i) deep = "m[" + deep + "]";
  EXPECT_NO_THROW(parse_game(framed("a, b: x = " + deep + ";")));
  EXPECT_THROW(parse_game(framed("a, b: x = m[m[" + deep + "]];")), Error);
}

TEST(ParseRg, RecognisesItsTexts) {
  EXPECT_GT(frontend().looks_like("type Player = {p}; begin, end: ;"), 50);
  EXPECT_EQ(frontend().looks_like("(role white)"), 0);
  EXPECT_EQ(json_frontend().looks_like("(role white)"), 0);
}

}  // namespace
}  // namespace rgtrans::rg
