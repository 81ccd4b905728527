// The JSON form: the exact objects, reading them back, optional parts of a hand-written file, mistakes with their
// place.
#include "backends/json/json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "backends/rg/rg.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/equal.hpp"

namespace rgtrans::json {
namespace {

using testing::HasSubstr;

constexpr std::string_view kHead = "type Player = {p}; type Score = {0};";

nlohmann::json tree(const std::string& body) {
  return nlohmann::json::parse(print(rg::parse_game(std::string(kHead) + body)));
}

TEST(Json, ObjectsAreWrittenToTheByte) {
  const std::string text = print(rg::parse_game(std::string(kHead) + "begin, end: player = keeper;"));
  EXPECT_THAT(text, HasSubstr(R"({"kind":"EdgeDeclaration","label":{"kind":"Assignment",)"
                              R"("lhs":{"identifier":"player","kind":"Reference"},)"
                              R"("rhs":{"identifier":"keeper","kind":"Reference"}},)"
                              R"("lhs":{"identifier":"begin","kind":"Node"},)"
                              R"("rhs":{"identifier":"end","kind":"Node"}})"));
  EXPECT_THAT(text, testing::StartsWith(R"({"constants":[],"edges":[)"));
  EXPECT_THAT(text, HasSubstr(R"({"identifier":"Player","kind":"TypeDeclaration",)"
                              R"("type":{"identifiers":["p"],"kind":"Set"}})"));
  EXPECT_THAT(text, HasSubstr(R"({"identifier":"Goals","kind":"TypeDeclaration","type":{"kind":"Arrow",)"
                              R"("lhs":{"identifier":"Player","kind":"TypeReference"},)"
                              R"("rhs":{"identifier":"Score","kind":"TypeReference"}}})"));
  EXPECT_THAT(text, HasSubstr(R"({"defaultValue":{"entries":[{"identifier":null,"kind":"ValueEntry",)"
                              R"("value":{"identifier":"0","kind":"Element"}}],"kind":"Map"},"identifier":"goals",)"
                              R"("kind":"VariableDeclaration","type":{"identifier":"Goals","kind":"TypeReference"}})"));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Json, KeysAreInAlphabeticalOrderEverywhere) {
  const std::string text = print(rg::parse_game(
      std::string(kHead) +
      "@artificialTag t;@disjoint a : b;@disjointExhaustive a : b;@integer 3 : p;@iterator a b c : x;@repeat a : x;"
      "@simpleApply a b [t, v: P] x = v;@tagIndex a : 1;@tagMaxIndex a : 2;@translatedFromRbg;@unique a;@else \"\\;"
      "type P = {p}; const k: P -> P = {p: p, :p}; var x: P = p; a, b: k[x] != P(p); a, b: x = P(*); a, b: ? a -> b;"
      "a, b: ! a -> b; a, b: $ t; a, b: $$ x; a, b: ; a, b: x = x;"));
  // Parsing sorts the keys.
  EXPECT_EQ(nlohmann::json::parse(text).dump(), text);
  std::string difference;
  const ir::Game again = rg::parse_json_game(text);
  EXPECT_EQ(print(again), text);
}

TEST(Json, Pragmas) {
  const nlohmann::json pragmas = tree(
      "@simpleApplyExhaustive a b [t, v: Score] goals[p] = v;@integer 3 : p;"
      "@iterator a b c : player;@tagMaxIndex a : 2; @ odd;")["pragmas"];
  EXPECT_EQ(pragmas[0]["tags"].dump(), R"([{"Symbol":{"symbol":"t"}},{"Variable":{"identifier":"v","type":)"
                                       R"({"identifier":"Score","kind":"TypeReference"}}}])");
  EXPECT_EQ(pragmas[0]["assignments"][0]["rhs"]["identifier"], "v");
  EXPECT_EQ(pragmas[1].dump(), R"({"identifiers":["p"],"kind":"Integer","offset":3})");
  EXPECT_EQ(pragmas[2]["node_c"]["identifier"], "c");
  EXPECT_EQ(pragmas[2]["variable"], "player");
  EXPECT_EQ(pragmas[3]["kind"], "TagMaxIndex");
  EXPECT_EQ(pragmas[4].dump(), R"({"content":" odd","kind":"Unknown"})");
}

TEST(Json, NamesOfAllScriptsAndEscapes) {
  const ir::Game game = rg::parse_game(std::string(kHead) + "begin, été: $ Ж; @ \"quoted\" \\ text;");
  std::string difference;
  EXPECT_TRUE(test::equal(game, rg::parse_json_game(print(game)), &difference)) << difference;
  const std::string ascii = nlohmann::json::parse(print(game)).dump(4, ' ', true);
  EXPECT_THAT(ascii, HasSubstr("\\u00e9t\\u00e9"));
  EXPECT_TRUE(test::equal(game, rg::parse_json_game(ascii), &difference)) << difference;
}

TEST(Json, ReaderIgnoresUnknownKeysAndKindsThatAreClear) {
  const std::string text = R"({
    "comment": ["anything", {"kind": "Nothing"}],
    "types": [{"identifier": "Player", "type": {"kind": "Set", "identifiers": ["p"], "x": 1e400000000000}},
              {"identifier": "Score", "type": {"kind": "Set", "identifiers": ["0"]}}],
    "constants": [], "variables": [], "pragmas": [],
    "edges": [{"lhs": {"identifier": "begin"}, "rhs": {"identifier": "end"},
               "label": {"kind": "Assignment", "lhs": {"kind": "Reference", "identifier": "player"},
                         "rhs": {"kind": "Reference", "identifier": "keeper"}}}]})";
  std::string valid = text;
  valid.replace(valid.find("1e400000000000"), 14, "1");
  const ir::Game game = rg::parse_json_game(valid);
  std::string difference;
  EXPECT_TRUE(test::equal(game, rg::parse_game(std::string(kHead) + "begin, end: player = keeper;"), &difference))
      << difference;
}

std::string mistake(std::string from, const std::string& to) {
  std::string text =
      R"({"constants":[],"edges":[{"kind":"EdgeDeclaration","label":{"kind":"Tag","symbol":"t"},)"
      R"("lhs":{"identifier":"begin","kind":"Node"},"rhs":{"identifier":"end","kind":"Node"}}],)"
      R"("kind":"GameDeclaration","pragmas":[{"index":1,"kind":"TagIndex","nodes":[]}],"types":[)"
      R"({"identifier":"Player","type":{"kind":"Set","identifiers":["p"]}},)"
      R"({"identifier":"Score","type":{"kind":"Set","identifiers":["0"]}}],"variables":[)"
      R"({"identifier":"x","type":{"kind":"TypeReference","identifier":"Score"},)"
      R"("defaultValue":{"kind":"Map","entries":[{"identifier":null,"value":{"kind":"Element","identifier":"0"}}]}}]})";
  EXPECT_NO_THROW(rg::parse_json_game(text));
  EXPECT_NE(text.find(from), std::string::npos) << from;
  text.replace(text.find(from), from.size(), to);
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("t.json", text);
  rg::json_frontend().load(file, diagnostics, {});
  EXPECT_TRUE(diagnostics.has_errors()) << text;
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    EXPECT_TRUE(d.where.known());
    out += std::string(diagnostics.sources()->text(d.where)) + ": " + d.message + (d.hint.empty() ? "" : "; " + d.hint);
  }
  return out;
}

TEST(Json, MistakesAreLocated) {
  EXPECT_EQ(mistake(R"("kind":"Tag")", R"("kind":"Tagg")"), "Tagg: Tagg is not a kind of a label; did you mean Tag?");
  EXPECT_EQ(mistake(R"("kind":"Tag",)", ""), "{: a label has no key \"kind\"");
  EXPECT_EQ(mistake(R"("symbol":"t")", R"("symbol":17)"), "17: \"symbol\" of Tag must be a string, not a number");
  EXPECT_EQ(mistake(R"("symbol":"t")", R"("symbol":"a b")"),
            "a b: 'a b' is not a name; a name consists of letters, digits and _");
  EXPECT_EQ(mistake(R"("symbol":"t")", R"("symbol":"var")"), "var: the keyword var cannot be a name");
  EXPECT_EQ(mistake(R"("index":1)", R"("index":-1)"),
            "-1: \"index\" of TagIndex must be an integer from 0 to 4294967295");
  EXPECT_EQ(mistake(R"("index":1)", R"("index":1.5)"),
            "1.5: \"index\" of TagIndex must be an integer from 0 to 4294967295");
  EXPECT_EQ(mistake(R"("index":1)", R"("index":99999999999)"),
            "99999999999: \"index\" of TagIndex must be an integer from 0 to 4294967295");
  EXPECT_EQ(mistake(R"(["p"])", "[]"), "{: a set has at least one member");
  EXPECT_EQ(mistake(R"("kind":"Node")", R"("kind":"Nod")"), "Nod: expected kind Node, found Nod");
  EXPECT_EQ(mistake(R"("variables":)", R"("variable":)"), "{: GameDeclaration has no key \"variables\"");
  EXPECT_EQ(mistake(R"("identifier":"Score")", R"("identifier":"Scor")"),
            ": type Score is not defined; did you mean Scor?");
  EXPECT_THAT(mistake(R"("identifier":null,)", R"("identifier":"0",)"), HasSubstr("the map has no default entry"));
  EXPECT_THAT(mistake("}]}", "}]"), HasSubstr("not JSON"));
  EXPECT_THAT(mistake("\"edges\"", "\"edges"), HasSubstr("not JSON"));
}

TEST(Json, WhatTheTextMayNestTheJsonMayToo) {
  std::string value = "p";
  std::string type = "Player";
  std::string index = "x";
  for (std::size_t i = 0; i < rg::kMaxNesting; ++i) {
    value = "{:" + value + "}";
    type = "Player -> " + type;
    index = "m[" + index + "]";
  }
  const ir::Game game =
      rg::parse_game(std::string(kHead) + "var m: " + type + " = " + value + "; a, b: x = " + index + ";");
  std::string difference;
  EXPECT_TRUE(test::equal(game, rg::parse_json_game(print(game)), &difference)) << difference;
  EXPECT_TRUE(test::equal(game, rg::parse_game(rg::print(game)), &difference)) << difference;
}

TEST(Json, UnknownPragmasAreUnknown) {
  const std::string good = print(rg::parse_game(std::string(kHead) + "@other a;"));
  EXPECT_NO_THROW(rg::parse_json_game(good));
  for (const char* content : {"unique a", " // c\n unique a", "a;b"}) {
    std::string bad = good;
    bad.replace(bad.find("other a"), 7, content);
    EXPECT_THROW(rg::parse_json_game(bad), Error) << content;
  }
}

TEST(Json, KeepsTheTextsOfSymbols) {
  ir::Game game = rg::parse_game(std::string(kHead) + "a, b: $ go_to;");
  EXPECT_THAT(print(game), testing::Not(HasSubstr("words")));
  ir::Words words;
  words.texts = {{game.symbols.find("go_to"), "go-to \"ä\""}, {game.symbols.intern("elsewhere"), "else-where"}};
  game.words = std::make_shared<const ir::Words>(words);
  const std::string text = print(game);
  EXPECT_THAT(text, HasSubstr("\"words\":{\"go_to\":"));
  EXPECT_THAT(text, testing::Not(HasSubstr("else-where")));
  const ir::Game again = rg::parse_json_game(text);
  EXPECT_EQ(ir::written(again, again.symbols.find("go_to")), "go-to \"ä\"");
  EXPECT_EQ(print(again), text);
  for (const char* wrong : {"\"\"", "1", "\"a\\nb\"", "{}"}) {
    const std::string bad = text.substr(0, text.find("\"words\"")) + "\"words\":{\"go_to\":" + wrong + "}}";
    EXPECT_THROW(rg::parse_json_game(bad), Error) << wrong;
  }
}

TEST(Json, SchemaNamesEveryKind) {
  const nlohmann::json schema = nlohmann::json::parse(json::schema());
  EXPECT_EQ(schema["type"], "object");
  const std::string text = json::schema();
  for (const char* kind : {"GameDeclaration", "ValueEntry", "SimpleApplyExhaustive", "TagVariable", "Cast"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\"") + kind + "\""));
  }
  // Every reference leads somewhere.
  for (std::size_t at = text.find("#/definitions/"); at != std::string::npos;
       at = text.find("#/definitions/", at + 1)) {
    const std::size_t start = at + std::string("#/definitions/").size();
    EXPECT_TRUE(schema["definitions"].contains(text.substr(start, text.find('"', start) - start)));
  }
}

}  // namespace
}  // namespace rgtrans::json
