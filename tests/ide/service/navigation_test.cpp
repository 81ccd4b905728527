// Names: their declarations, renaming, and completion; also in unfinished texts.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/support/support.hpp"
#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> labels(const Json& completion) {
  std::vector<std::string> list;
  for (const Json& item : completion["items"]) list.push_back(item["label"]);
  return list;
}

std::vector<std::string> symbols(Client& client) {
  std::vector<std::string> names;
  for (const Json& symbol : client.in_document("documentSymbol")) names.push_back(symbol["name"]);
  return names;
}

std::vector<std::string> proposals(Client& client, std::string_view part, std::size_t shift) {
  return labels(client.in_document("completion", {{"position", client.at(part, shift)}}));
}

constexpr const char* kHrg =
    "domain Player = white | black\n"
    "domain Score = 0 | 1\n"
    "domain Cell = C(X) where X in 1..3\n"
    "// The next cell.\n"
    "next : Cell -> Cell\n"
    "next(C(X)) = if X < 3 then C(X + 1) else C(1)\n"
    "here : Cell\n"
    "graph step(me : Player) {\n"
    "  player = me\n"
    "  here = next[here]\n"
    "  $$ here\n"
    "}\n"
    "graph rules() {\n"
    "  branch p in Player {\n"
    "    step(p)\n"
    "  }\n"
    "  end()\n"
    "}\n";

TEST(Navigation, AHalfTypedDeclarationHidesNothingElse) {
  for (const char* half : {"graph broken(a : {\n  x = (\n", "domain D = \n", "f : A ->\n", "f(C(X\n", "graph\n"}) {
    Client client;
    std::string text = kHrg;
    text.insert(text.find("here : Cell"), half);
    client.open("file:///a.hrg", text);
    EXPECT_THAT(symbols(client), IsSupersetOf({"Player", "Score", "Cell", "next", "here", "step", "rules"})) << half;
    EXPECT_EQ(client.text_of(client.in_document("definition", {{"position", client.at("step(p)")}})["range"]), "step");
  }
  Client rbg;
  rbg.open("file:///a.rbg",
           "#players = a(1)\n#pieces = e\n#broken(x; = (\n#turn = ->a {e\n#variables =\n#rules = turn\n");
  EXPECT_THAT(symbols(rbg), IsSupersetOf({"players", "pieces", "turn", "variables", "rules"}));
  Client gdl;
  gdl.open("file:///a.kif", "(role a)\n(<= (p ?x)\n    (q ?x\n(<= (r ?x) (p ?x))\n(q 1)\n");
  EXPECT_THAT(symbols(gdl), ElementsAre("p", "r", "q"));
  Client rg;
  rg.open("file:///a.rg", "type Player = { a\nvar x: Player = a\nbegin, end: x = \nend, other: x == a;\n");
  EXPECT_THAT(symbols(rg), IsSupersetOf({"Player", "x", "begin", "end"}));
}

TEST(Navigation, HoverTellsTypesValuesAndWords) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  (void)client.diagnostics();
  const auto hover = [&](std::string_view part, std::size_t shift = 0) {
    return client.in_document("hover", {{"position", client.at(part, shift)}})["contents"]["value"].get<std::string>();
  };
  EXPECT_THAT(hover("next[here]"),
              AllOf(HasSubstr("next : Cell -> Cell"), HasSubstr("The next cell."), HasSubstr("C__3")));
  EXPECT_THAT(hover("Cell\nnext(", 1), HasSubstr("3 values"));
  EXPECT_THAT(hover("me\n  here"), HasSubstr("me : Player"));
  EXPECT_THAT(hover("branch"), HasSubstr("one way for each"));
  EXPECT_THAT(hover("p in Player"), HasSubstr("p in Player"));
}

constexpr const char* kLudii =
    "// A step to a free site.\n"
    "(define \"Walk\" (move Step #1 (to if:(is Empty (to)))))\n"
    "(game \"Walkers\"\n"
    "    (players 2)\n"
    "    (equipment { (board (square <Size>)) (piece \"Man\" Each (\"Walk\" Forward)) (regions \"Home\" (sites Top)) "
    "})\n"
    "    (rules\n"
    "        (start { (place \"Man1\" (sites Bottom)) (place \"Man2\" (sites \"Home\")) })\n"
    "        (play (forEach Piece))\n"
    "        (end (if (no Moves Next) (result Mover Win)))\n"
    "    )\n"
    ")\n"
    "(option \"Board Size\" <Size> args:{ <n> } { (item \"3x3\" <3> \"\")* })\n";

TEST(Navigation, DefinesPiecesAndOptionsOfLudii) {
  Client client;
  client.open("file:///a.lud", kLudii);
  EXPECT_THAT(client.diagnostics(), testing::IsEmpty());
  const auto declared = [&](std::string_view part, std::size_t shift) {
    const Json found = client.in_document("definition", {{"position", client.at(part, shift)}});
    return found.is_null() ? std::string() : client.text_of(found["range"]);
  };
  EXPECT_EQ(declared("\"Walk\" Forward", 2), "\"Walk\"");
  EXPECT_EQ(declared("Man2", 1), "\"Man\"");
  EXPECT_EQ(declared("\"Home\"))", 2), "\"Home\"");
  EXPECT_EQ(declared("Size>)", 1), "Size");
  const Json hover = client.in_document("hover", {{"position", client.at("\"Walk\" Forward", 2)}});
  EXPECT_THAT(hover["contents"]["value"].get<std::string>(),
              AllOf(HasSubstr("A step to a free site."), HasSubstr("(move Step #1")));
  EXPECT_THAT(symbols(client), IsSupersetOf({"\"Walk\"", "Walkers", "Size"}));
  EXPECT_EQ(client.texts_of(client.in_document("documentHighlight", {{"position", client.at("Man2", 1)}})).size(), 3U);
}

TEST(Navigation, FactsOutliveAMistake) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  (void)client.diagnostics();
  client.replace(client.text().find("here : Cell"), client.text().find("here : Cell"), "oops : \n");
  EXPECT_FALSE(client.messages().empty());
  const Json hover = client.in_document("hover", {{"position", client.at("Cell\nnext(", 1)}});
  EXPECT_THAT(hover["contents"]["value"].get<std::string>(), HasSubstr("3 values"));
}

TEST(Navigation, NamesInScopeAreTheInnerOnes) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  const Json uses = client.in_document("documentHighlight", {{"position", client.at("X < 3")}});
  EXPECT_THAT(client.texts_of(uses), ElementsAre("X", "X", "X"));
  EXPECT_EQ(client.in_document("documentHighlight", {{"position", client.at("X in 1..3")}}).size(), 2U);
}

TEST(Navigation, RenamingIsRefusedWhereItWouldChangeTheMeaning) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  const auto refusal = [&](std::string_view part, const char* name) {
    const Json answer =
        client.ask("textDocument/rename", client.parameters({{"position", client.at(part)}, {"newName", name}}));
    return answer.contains("error") ? answer["error"]["message"].get<std::string>() : "";
  };
  EXPECT_THAT(refusal("here : Cell", "next"), HasSubstr("already the name of a function, declared in line 5"));
  EXPECT_THAT(refusal("here : Cell", "two words"), HasSubstr("not a name"));
  EXPECT_THAT(refusal("here : Cell", "graph"), HasSubstr("not a name"));
  EXPECT_THAT(refusal("player = me", "who"), HasSubstr("belongs to the language"));
  EXPECT_THAT(refusal("me : Player", "here"), HasSubstr("already the name of a variable"));
  // An upper-case name in a pattern would be a variable.
  EXPECT_THAT(refusal("white | black", "White"), testing::IsEmpty());

  Client rbg;
  rbg.open(
      "file:///a.rbg",
      "#players = a(1), b(1)\n#pieces = e, ax, bx\n#variables =\n#board = rectangle(up,down,left,right,\n    [e, e])\n"
      "#turn(me; you) = ->me (left* + right*) {e} [me~x]\n#rules = (turn(a; b) turn(b; a))*\n");
  EXPECT_THAT(rbg.messages(), testing::IsEmpty());
  const Json answer =
      rbg.ask("textDocument/rename", rbg.parameters({{"position", rbg.at("ax, bx", 1)}, {"newName", "stone"}}));
  ASSERT_TRUE(answer.contains("error")) << answer.dump();
  EXPECT_THAT(answer["error"]["message"].get<std::string>(), HasSubstr("would have a mistake"));
}

TEST(Completion, KnowsWhatCanStandWhere) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  EXPECT_THAT(proposals(client, "Player) {", 0),
              AllOf(Contains("Cell"), Not(Contains("here")), Not(Contains("branch"))));
  EXPECT_THAT(proposals(client, "here = next", 0),
              AllOf(Contains("me"), Contains("branch"), Contains("rules"), Not(Contains("domain"))));
  EXPECT_THAT(proposals(client, "next[here]", 0), AllOf(Contains("here"), Contains("white"), Not(Contains("loop"))));
  EXPECT_THAT(proposals(client, "graph step", 0), AllOf(Contains("domain"), Contains("graph"), Not(Contains("here"))));
  EXPECT_THAT(proposals(client, "step(p)", 5), Contains("p"));
  EXPECT_THAT(proposals(client, "player = me", 9), Not(Contains("p")));
}

TEST(Completion, OfOtherLanguages) {
  Client rg;
  rg.open("file:///a.rg",
          "type Player = { a };\ntype Score = { 0 };\nvar v: Player = a;\nbegin, middle: player = a;\nmiddle, end: v = "
          "a;\n@u");
  EXPECT_THAT(proposals(rg, "Player = a;", 0), AllOf(Contains("Score"), Not(Contains("v"))));
  EXPECT_THAT(proposals(rg, "end: v", 0), AllOf(Contains("middle"), Not(Contains("v"))));
  EXPECT_THAT(proposals(rg, "v = a;", 0), AllOf(Contains("v"), Not(Contains("middle"))));
  EXPECT_THAT(proposals(rg, "@u", 1), AllOf(Contains("unique"), Contains("disjoint"), Not(Contains("distinct"))));

  Client gdl;
  gdl.open("file:///a.kif", "(role a)\n(p 1)\n(<= (legal a (do ?x))\n    (p ?x))\n");
  EXPECT_THAT(proposals(gdl, "(p ?x)", 1), AllOf(Contains("p"), Contains("true")));
  EXPECT_THAT(proposals(gdl, "?x))\n    (p ?x", 0), Contains("do"));

  Client ludax;
  ludax.open(
      "file:///a.ldx",
      "(game \"x\" (rules (play (repeat (P1 P2) (place (destination empty)))) (end (if (line 3) (mover win)))))");
  EXPECT_THAT(proposals(ludax, "empty", 0), AllOf(Contains("corners"), Not(Contains("repeat"))));
  EXPECT_THAT(proposals(ludax, "(if", 1), ElementsAre("if"));

  Client ludii;
  ludii.open("file:///a.lud", kLudii);
  EXPECT_THAT(proposals(ludii, "board (square", 7), AllOf(Contains("concentric"), Not(Contains("piece"))));
  EXPECT_THAT(proposals(ludii, "(piece", 1), AllOf(Contains("hand"), Contains("\"Walk\""), Not(Contains("square"))));
  EXPECT_THAT(proposals(ludii, "(place", 1), AllOf(Contains("place"), Not(Contains("board"))));

  Client line;
  line.open("file:///a.linegame", "{ \"board\": { \"kind\": \"grid\", \"width\": 3 } }");
  EXPECT_THAT(proposals(line, "\"grid\"", 0), Contains("\"alquerque\""));
  EXPECT_THAT(proposals(line, "\"width\"", 0), AllOf(Contains("\"height\""), Not(Contains("\"captures\""))));
}

TEST(Signatures, CountArguments) {
  Client client;
  client.open("file:///a.hrg", "domain A = a\ngraph g(x : A, y : A) {\n}\ngraph rules() {\n  g(a, a)\n}\n");
  const Json first = client.in_document("signatureHelp", {{"position", client.at("g(a", 2)}});
  EXPECT_EQ(first["activeParameter"], 0);
  EXPECT_EQ(client.in_document("signatureHelp", {{"position", client.at("g(a", 5)}})["activeParameter"], 1);
  EXPECT_EQ(first["signatures"][0]["label"], "graph g(x : A, y : A)");
  Client rbg;
  rbg.open("file:///a.rbg", "#m(a; b) = a b\n#rules = m(x; y)\n");
  EXPECT_EQ(rbg.in_document("signatureHelp", {{"position", rbg.at("y)", 0)}})["activeParameter"], 1);
}

TEST(Signatures, AreThoseOfTheLanguagesWordsToo) {
  Client ludax;
  ludax.open("file:///a.ldx", "(game \"x\" (rules (play (repeat (P1 P2) (place (destination empty))))))");
  const Json place = ludax.in_document("signatureHelp", {{"position", ludax.at("destination", 12)}});
  EXPECT_EQ(place["signatures"][0]["label"], "(destination set)");
  EXPECT_EQ(place["activeParameter"], 0);
  Client gdl;
  gdl.open("file:///a.kif", "(role r)\n(<= (legal ?p a) (role ?p))\n");
  const Json legal = gdl.in_document("signatureHelp", {{"position", gdl.at("a)", 1)}});
  EXPECT_EQ(legal["signatures"][0]["label"], "(legal r m)");
  EXPECT_EQ(legal["activeParameter"], 1);
  Client rbg;
  rbg.open("file:///a.rbg", "#board = rectangle(up,down,left,right, [e])\n");
  const Json board = rbg.in_document("signatureHelp", {{"position", rbg.at("down")}});
  EXPECT_EQ(board["signatures"][0]["label"], "rectangle(up, down, left, right, rows)");
  EXPECT_EQ(board["activeParameter"], 1);
}

TEST(InlayHints, TellValuesOfMacrosAndHowManyThereAre) {
  Client client;
  client.open("file:///a.rbg", "#pieces = e, w, b\n#own = {w}\n#go(x) = x x\n#rules = own go(up)\n");
  std::vector<std::string> labels;
  for (const Json& hint : client.in_document(
           "inlayHint", {{"range", {{"start", client.position(0)}, {"end", client.position(client.text().size())}}}}))
    labels.push_back(hint["label"]);
  EXPECT_THAT(labels, testing::UnorderedElementsAre(" 3 values", " = {w}"));
}

TEST(Tokens, DeltasLeadToTheSameTokens) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  const Json first = client.in_document("semanticTokens/full");
  client.replace(client.text().find("$$ here"), client.text().find("$$ here"), "check(here == C(1))\n  ");
  const Json delta = client.in_document("semanticTokens/full/delta", {{"previousResultId", first["resultId"]}});
  std::vector<unsigned> data = first["data"];
  for (const Json& edit : delta["edits"]) {
    const auto start = data.begin() + edit["start"].get<int>();
    const std::vector<unsigned> added = edit["data"];
    const auto at = data.erase(start, start + edit["deleteCount"].get<int>());
    data.insert(at, added.begin(), added.end());
  }
  EXPECT_EQ(Json(data), client.in_document("semanticTokens/full")["data"]);
}

TEST(Shape, FoldsAndSelectionsSurroundAPlace) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  const Json folds = client.in_document("foldingRange");
  EXPECT_EQ(folds.size(), 4U);  // the equations of a function, two graphs, a branch
  const Json chain = client.in_document("selectionRange", {{"positions", Json::array({client.at("here]")})}})[0];
  EXPECT_EQ(client.text_of(chain["range"]), "here");
  EXPECT_EQ(client.text_of(chain["parent"]["range"]), "[here]");
}

TEST(Shape, RulesFoldWithoutBrackets) {
  const auto folds = [](const std::string& uri, const char* text) {
    Client client;
    client.open(uri, text);
    std::vector<std::pair<int, int>> lines;
    for (const Json& fold : client.in_document("foldingRange")) lines.emplace_back(fold["startLine"], fold["endLine"]);
    return lines;
  };
  using Lines = std::vector<std::pair<int, int>>;
  EXPECT_EQ(folds("file:///a.gdl",
                  "role(a)\nlegal(P, go(X)) :-\n    true(f(X)) &\n    role(P)\nlegal(P, no) :-\n    role(P)\n"),
            (Lines{{1, 3}, {4, 5}}));
  EXPECT_EQ(folds("file:///a.kif", "(role a)\n(<= (legal ?p (go ?x))\n    (true (f ?x))\n    (role ?p))\n"),
            (Lines{{1, 3}}));
  EXPECT_EQ(folds("file:///a.rbg", "#pieces = e\n#turn =\n  {e}\n  [e]\n#rules = turn\n"), (Lines{{1, 3}}));
}

TEST(Formatting, OfAPartOfALineIsThatOfTheLine) {
  Client client;
  client.open("file:///a.hrg", "domain  A = a\ndomain  B = b\ndomain  C = c\n");
  const auto formatted = [&](const Json& begin, const Json& end) {
    const Json edits = client.in_document("rangeFormatting",
                                          {{"range", {{"start", begin}, {"end", end}}}, {"options", Json::object()}});
    return client.texts_of(edits);
  };
  EXPECT_THAT(formatted(client.at("B"), client.at("B")), ElementsAre("domain  B = b\n"));
  EXPECT_THAT(formatted(client.at("domain  B"), client.at("domain  C")), ElementsAre("domain  B = b\n"));
}

TEST(Calls, GoBothWays) {
  Client client;
  client.open("file:///a.hrg", kHrg);
  const Json item = client.in_document("prepareCallHierarchy", {{"position", client.at("step(me")}})[0];
  const Json callers = client.result("callHierarchy/incomingCalls", {{"item", item}});
  ASSERT_EQ(callers.size(), 1U);
  EXPECT_EQ(callers[0]["from"]["name"], "rules");
  EXPECT_TRUE(client.result("callHierarchy/outgoingCalls", {{"item", item}}).empty());
}

TEST(Unused, NamesAreRemoved) {
  Client client;
  client.open("file:///a.hrg", std::string(kHrg) + "graph idle() {\n  player = keeper\n}\n");
  const Json found = client.diagnostics();
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["message"], "the graph idle is never used");
  EXPECT_EQ(found[0]["tags"], Json::array({1}));
  const Json actions =
      client.in_document("codeAction", {{"range", found[0]["range"]}, {"context", {{"diagnostics", Json::array()}}}});
  ASSERT_FALSE(actions.empty());
  client.apply(actions[0]["edit"]["changes"][client.uri()]);
  EXPECT_EQ(client.text(), kHrg);
}

TEST(Actions, AnEdgeIsSplit) {
  Client client;
  client.open("file:///a.rg", "begin, end: player = keeper;\n");
  const Json place = client.at("keeper");
  const Json actions =
      client.in_document("codeAction", {{"range", {{"start", place}, {"end", place}}},
                                        {"context", {{"diagnostics", Json::array()}, {"only", {"refactor"}}}}});
  client.apply(actions[0]["edit"]["changes"][client.uri()]);
  EXPECT_EQ(client.text(), "begin, begin_1: ;\nbegin_1, end: player = keeper;\n");
}

}  // namespace
}  // namespace rgtrans::ide
