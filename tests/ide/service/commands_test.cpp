// Commands: the same numbers as the program's, and the way between a line and the automaton.
#include <gmock/gmock.h>

#include <filesystem>

#include "core/support/support.hpp"
#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Commands : public testing::Test {
 protected:
  void SetUp() override { client.open("file:///tic-tac-toe.hrg", read_file(kRoot / "games/hrg/tic-tac-toe.hrg")); }
  Json run(const std::string& name, Json arguments = Json::object()) {
    arguments["uri"] = client.uri();
    return client.ask("workspace/executeCommand",
                      {{"command", "rgtrans." + name}, {"arguments", Json::array({arguments})}});
  }
  Client client;
};

TEST_F(Commands, CountAndPlay) {
  const Json lines = run("perft", {{"depth", 4}})["result"]["lines"];
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[3]["leaves"], 3024);
  EXPECT_EQ(run("moves")["result"]["moves"].size(), 9U);
  const std::string first = run("moves")["result"]["moves"][0];
  EXPECT_EQ(run("moves", {{"path", "/" + first}})["result"]["moves"].size(), 8U);
  EXPECT_EQ(run("playouts", {{"count", 20}})["result"]["statistics"]["playouts"], 20);
}

// An editor that gives a token hears of a command what the studio hears, in the form of its protocol.
TEST_F(Commands, TellTheirProgress) {
  const auto run_with = [&](const std::string& name, Json token, Json arguments) {
    arguments["uri"] = client.uri();
    Json params = {{"command", "rgtrans." + name}, {"arguments", Json::array({arguments})}};
    if (!token.is_null()) params["workDoneToken"] = token;
    return client.result("workspace/executeCommand", params);
  };
  const auto told = [&] {
    std::vector<Json> values;
    for (const Json& message : client.notifications())
      if (message["method"] == "$/progress" && message["params"]["token"] == "count")
        values.push_back(message["params"]["value"]);
    return values;
  };
  // Quick commands report no progress.
  std::vector<Json> values;
  for (unsigned count = 20'000; values.empty(); count *= 2) {
    ASSERT_LE(count, 1'000'000U) << "no command takes long";
    EXPECT_EQ(run_with("playouts", "count", {{"count", count}})["statistics"]["playouts"], count);
    values = told();
  }
  ASSERT_GE(values.size(), 3U);
  EXPECT_EQ(values.front(), (Json{{"kind", "begin"}, {"title", "playouts"}, {"cancellable", true}, {"percentage", 0}}));
  EXPECT_EQ(values.back(), (Json{{"kind", "end"}}));
  std::uint64_t before = 0;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const Json& value = values[i]["value"];
    EXPECT_EQ(values[i]["kind"], "report");
    EXPECT_EQ(values[i]["percentage"], 100 * value["plays"].get<std::uint64_t>() / value["of"].get<std::uint64_t>());
    EXPECT_GE(value["plays"], before);
    before = value["plays"];
  }
  // Quick commands have none, and without a token nothing is reported.
  run_with("moves", "count", Json::object());
  run_with("perft", nullptr, {{"depth", 2}});
  EXPECT_EQ(told().size(), values.size());
}

TEST_F(Commands, Draw) {
  EXPECT_THAT(run("automaton")["result"]["svg"].get<std::string>(), HasSubstr("<svg"));
  EXPECT_THAT(run("board")["result"]["svg"].get<std::string>(), HasSubstr("<svg"));
}

TEST_F(Commands, TranslateAndOptimize) {
  EXPECT_THAT(run("translate")["result"]["text"].get<std::string>(), HasSubstr("type Player"));
  EXPECT_THAT(run("translate", {{"to", "nothing"}})["error"]["message"].get<std::string>(),
              HasSubstr("there is no form"));
  const Json steps = run("optimize", {{"trace", true}})["result"];
  EXPECT_GT(steps["rows"].size(), 3U);
  EXPECT_THAT(steps["html"].get<std::string>(), StartsWith("<!DOCTYPE html>"));
}

TEST_F(Commands, LinesLeadToNodesAndBack) {
  const int line = client.at("board[cell] = me")["line"];
  const Json nodes = run("nodes", {{"line", line}})["result"]["nodes"];
  ASSERT_FALSE(nodes.empty());
  const Json ranges = run("source", {{"node", nodes[0]["node"]}})["result"]["ranges"];
  ASSERT_FALSE(ranges.empty());
  EXPECT_EQ(ranges[0]["start"]["line"], line);
}

TEST_F(Commands, SayWhyNot) {
  EXPECT_EQ(run("nothing")["error"]["code"], -32602);
  EXPECT_EQ(run("perft", {{"depth", "three"}})["error"]["code"], -32602);
  client.type("domain\n");
  EXPECT_THAT(run("perft")["error"]["message"].get<std::string>(), HasSubstr("mistakes"));
}

TEST_F(Commands, LensesTellTheMovesAndShowResults) {
  const Json lenses = client.in_document("codeLens");
  ASSERT_EQ(lenses.size(), 4U);
  EXPECT_EQ(client.result("codeLens/resolve", lenses[3])["command"]["title"], "moves 9");
  client.result("workspace/executeCommand", lenses[1]["command"]);
  bool told = false;
  for (const Json& message : client.notifications()) {
    told = told || (message["method"] == "window/showMessage" &&
                    message["params"]["message"].get<std::string>().find("perft 3: 504") != std::string::npos);
  }
  EXPECT_TRUE(told);
}

// Nobody else can put a link where the next drawing will be written, or read it.
TEST_F(Commands, DrawingsAreShownInAPrivateFolder) {
  run("automaton", {{"show", true}});
  std::filesystem::path file;
  for (const Json& message : client.notifications()) {
    if (message["method"] != "window/showMessage") continue;
    const std::string text = message["params"]["message"];
    if (text.starts_with("drawn: ")) file = text.substr(std::string_view("drawn: ").size());
  }
  EXPECT_THAT(read_file(file), HasSubstr("<svg"));
  const std::filesystem::path folder = file.parent_path();
  EXPECT_NE(folder, std::filesystem::temp_directory_path());
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace rgtrans::ide
