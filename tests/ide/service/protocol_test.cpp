// The rules of the protocol that have nothing to do with games: every request is answered once, in whatever state.
#include <gmock/gmock.h>

#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

using testing::ElementsAre;

TEST(Protocol, NothingIsAnsweredBeforeInitialize) {
  Client client(nullptr);
  EXPECT_EQ(client.ask("textDocument/hover", Json::object())["error"]["code"], -32002);
  EXPECT_TRUE(client.ask("initialize", {{"capabilities", Json::object()}}).contains("result"));
  EXPECT_EQ(client.ask("initialize", {{"capabilities", Json::object()}})["error"]["code"], -32600);
}

TEST(Protocol, AfterShutdownOnlyExitCounts) {
  Client client;
  EXPECT_TRUE(client.ask("shutdown", nullptr)["result"].is_null());
  EXPECT_EQ(client.ask("textDocument/hover", Json::object())["error"]["code"], -32600);
  EXPECT_FALSE(client.session().finished());
  client.notify("exit", nullptr);
  EXPECT_TRUE(client.session().finished());
}

TEST(Protocol, StrangeMessagesAreRefused) {
  Client client;
  client.send_raw("{\"jsonrpc\": \"2.0\", ");
  client.send_raw("[]");
  client.send_raw("\"text\"");
  client.send_raw("{\"jsonrpc\":\"2.0\",\"id\":\"x\"}");
  client.session().wait_until_idle();
  EXPECT_EQ(client.answers_to(nullptr), 3U);
  EXPECT_EQ(client.answers_to("x"), 1U);
  EXPECT_EQ(client.ask("textDocument/nothing", nullptr)["error"]["code"], -32601);
  EXPECT_EQ(client.ask("textDocument/hover", nullptr)["error"]["code"], -32602);
  EXPECT_EQ(client.ask("textDocument/hover", {{"textDocument", {{"uri", "file:///no.hrg"}}}})["error"]["code"], -32602);
  client.notify("textDocument/didChange", {{"textDocument", 3}});
  client.notify("$/unknown", nullptr);
  EXPECT_TRUE(client.ask("shutdown", nullptr).contains("result"));
}

// The client counts halves of surrogate pairs as characters; so does the service.
TEST(Protocol, HalfSurrogatesKeepPlaces) {
  Client client;
  client.send_raw(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.hrg",)"
                  R"("languageId":"hrg","version":1,"text":"// \ud83d x\ndomain Player = a | b\n"}}})");
  const Json symbols = client.result("textDocument/documentSymbol", {{"textDocument", {{"uri", "file:///a.hrg"}}}});
  ASSERT_EQ(symbols.size(), 1U);
  EXPECT_EQ(symbols[0]["name"], "Player");
}

TEST(Protocol, PlacesCountInTheEncodingThatWasAgreedOn) {
  const std::string text = "// \xF0\x9F\x98\x80\xC3\xA9\ndomain Player = a // \xF0\x9F\x98\x80\n";
  for (const auto& [encoding, comment] : {std::pair{"utf-8", 9}, {"utf-16", 6}, {"utf-32", 5}}) {
    Client client(Json{{"general", {{"positionEncodings", {encoding}}}}});
    client.open("file:///a.hrg", text);
    const Json tokens = client.in_document("semanticTokens/full")["data"];
    EXPECT_EQ(tokens[2], comment) << encoding;
  }
}

TEST(Protocol, CancelledRequestsAreAnsweredOnce) {
  Client client;
  client.open("file:///a.rg",
              "type Player = {a}; type Score = {0, 1}; type N = {1, 2, 3}; var n: N = 1;\n"
              "begin, x: player = a; x, y: n = N(*); y, z: $$ n; z, begin: ; z, end: player = keeper;\n");
  EXPECT_EQ(client.diagnostics(), Json::array());
  for (int i = 0; i < 20; ++i) {
    const int id = client.begin("workspace/executeCommand", {{"command", "rgtrans.perft"},
                                                             {"arguments", {{{"uri", client.uri()}, {"depth", 60}}}}});
    client.notify("$/cancelRequest", {{"id", id}});
    const Json answer = client.answer(id);
    ASSERT_TRUE(answer.contains("error")) << answer.dump();
    EXPECT_EQ(answer["error"]["code"], -32800) << answer.dump();
    EXPECT_EQ(client.answers_to(id), 0U);
  }
}

TEST(Protocol, PulledDiagnosticsAreNotPushedToo) {
  Json capabilities = usual_capabilities();
  capabilities["textDocument"]["diagnostic"] = {{"dynamicRegistration", false}};
  Client client(capabilities);
  client.open("file:///a.hrg", "domain Player = a |\n");
  const Json first = client.in_document("diagnostic");
  EXPECT_EQ(first["kind"], "full");
  EXPECT_EQ(first["items"].size(), 1U);
  EXPECT_EQ(client.in_document("diagnostic", {{"previousResultId", first["resultId"]}})["kind"], "unchanged");
  EXPECT_TRUE(client.diagnostics().is_null());
}

TEST(Protocol, ClosedDocumentsHaveNoDiagnostics) {
  Client client;
  client.open("file:///a.hrg", "domain Player = a |\n");
  EXPECT_EQ(client.diagnostics().size(), 1U);
  client.close();
  EXPECT_EQ(client.diagnostics().size(), 0U);
  EXPECT_EQ(client.ask("textDocument/hover",
                       client.parameters({{"position", {{"line", 0}, {"character", 0}}}}))["error"]["code"],
            -32602);
}

TEST(Protocol, DocumentsOfNoLanguageAreHarmless) {
  Client client;
  client.open("file:///a.txt", "hello, world");
  EXPECT_EQ(client.in_document("documentSymbol"), Json::array());
  EXPECT_TRUE(client.in_document("completion", {{"position", client.at("world")}}).is_null());
  EXPECT_TRUE(client.in_document("formatting", {{"options", Json::object()}}).is_null());
  EXPECT_EQ(client.diagnostics().size(), 0U);
}

}  // namespace
}  // namespace rgtrans::ide
