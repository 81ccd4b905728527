// The verbs of a workbench, called as a browser's worker would: one after the other, without files, threads or
// programs.
#include <gmock/gmock.h>

#include <set>

#include "backends/play/play.hpp"
#include "core/support/support.hpp"
#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {
namespace {

using testing::HasSubstr;

class Verbs : public testing::Test {
 protected:
  Json ask(std::string_view name, const Json& request = Json::object()) {
    const Verb* verb = find_verb(text_verbs(), name);
    if (verb == nullptr) verb = find_verb(game_verbs(), name);
    EXPECT_NE(verb, nullptr) << name;
    if (verb->quick != nullptr) return verb->quick(bench_, request, stop_);
    return verb->slow({*bench_.host, game_of(bench_.document), stop_}, request,
                      [this](Json progress) { told_.push_back(std::move(progress)); });
  }
  void open(const std::string& preset) {
    ask("open", {{"name", preset}, {"text", ask("read", {{"preset", preset}})["text"]}});
  }
  // The message with which a request of another form, or about nothing, is refused.
  std::string refusal(std::string_view name, const Json& request) {
    try {
      ask(name, request);
    } catch (const std::exception& problem) {
      return problem.what();
    }
    return "";
  }

  Bench bench_;
  Stop stop_;
  std::vector<Json> told_;
};

TEST_F(Verbs, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const auto table : {text_verbs(), game_verbs()}) {
    for (const Verb& verb : table) {
      EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
      EXPECT_NE(verb.quick == nullptr, verb.slow == nullptr) << verb.name;
    }
  }
}

TEST_F(Verbs, NeedAGame) {
  for (const Verb& verb : game_verbs()) {
    const Json request = {{"number", 1}, {"node", "begin"}, {"other", {{"text", ""}}}};
    EXPECT_THAT(refusal(verb.name, request), HasSubstr("no game is open")) << verb.name;
  }
}

TEST_F(Verbs, SayWhichFieldIsWrong) {
  open("hrg/tic-tac-toe.hrg");
  EXPECT_EQ(refusal("perft", {{"depth", "three"}}), "params.depth: expected a whole number, found \"three\"");
  EXPECT_EQ(refusal("perft", {{"depth", 0}}), "params.depth: expected a number from 1 to 100, found 0");
  EXPECT_THAT(refusal("play", {{"path", {"a", 2}}}), HasSubstr("params.path: expected"));
  EXPECT_EQ(refusal("compare", {{"other", {{"text", 1}}}}), "params.other.text: expected a text, found 1");
  EXPECT_EQ(refusal("pass", Json::object()), "params.number: expected a whole number, found nothing");
}

TEST_F(Verbs, APathIsAListOrAText) {
  open("hrg/tic-tac-toe.hrg");
  const std::string first = ask("moves")["moves"][0];  // "/C(1,1)/", with the keeper's move that shows nothing
  const std::string move = ask("play")["moves"][0]["move"];
  for (const char* verb : {"board", "play"})
    EXPECT_EQ(ask(verb, {{"path", "/" + first}}), ask(verb, {{"path", {move}}})) << verb;
  EXPECT_EQ(ask("moves", {{"path", "/" + first}})["moves"].size(), 8U);
  EXPECT_EQ(ask("moves", {{"path", {move}}})["moves"].size(), 8U);
  EXPECT_EQ(ask("perft", {{"path", "/" + first}, {"depth", 2}})["leaves"], 56);
  EXPECT_EQ(ask("perft", {{"path", {move}}, {"depth", 2}})["leaves"], 56);
}

TEST_F(Verbs, PathsLeadPastMovesOfTheKeeper) {
  open("hrg/kuhn-poker.hrg");
  std::string path = "/";
  for (int i = 0; i < 2; ++i) path += ask("moves", {{"path", path}})["moves"][0].get<std::string>();
  const Json by_text = ask("play", {{"path", path}});
  ASSERT_GT(by_text["made"].size(), 2U) << "the keeper's moves that show something, too";
  std::vector<std::string> list;
  Json by_list = ask("play");
  for (; by_list["made"].size() < by_text["made"].size(); by_list = ask("play", {{"path", list}}))
    list.push_back(by_list["moves"][0]["move"]);
  EXPECT_EQ(by_text["made"], by_list["made"]);
  EXPECT_EQ(by_text["moves"], by_list["moves"]);
}

TEST_F(Verbs, PlayoutsAreThoseOfTheProgramWhereNobodyLooksAtThem) {
  open("hrg/tic-tac-toe.hrg");
  const Json plays = ask("playouts", {{"count", 30}, {"seed", 5}, {"each", false}});
  const PlayoutStats wanted = play::playouts(*game_of(bench_.document)->start(), {.count = 30, .seed = 5});
  EXPECT_EQ(plays["statistics"]["moves"], wanted.moves);
  EXPECT_EQ(plays["lengths"].size(), 0U);
}

TEST_F(Verbs, PlayoutsThatAreLookedAtAddUp) {
  open("hrg/tic-tac-toe.hrg");
  const Json plays = ask("playouts", {{"count", 40}});
  std::uint64_t moves = 0, times = 0, won = 0;
  for (const Json& length : plays["lengths"]) moves += length.get<std::uint64_t>();
  for (const Json& outcome : plays["outcomes"]) {
    times += outcome["times"].get<std::uint64_t>();
    if (outcome["goals"][0] != outcome["goals"][1]) won += outcome["times"].get<std::uint64_t>();
  }
  const Json& statistics = plays["statistics"];
  EXPECT_EQ(times, 40U);
  EXPECT_EQ(statistics["moves"], moves);
  EXPECT_EQ(
      statistics["players"][0]["wins"].get<std::uint64_t>() + statistics["players"][1]["wins"].get<std::uint64_t>(),
      won);
}

TEST_F(Verbs, FormsOfAGame) {
  open("hrg/hex.hrg");
  const Json request = {{"to", "stats"}};
  const std::string written = ask("translate", request)["text"];
  EXPECT_EQ(ask("translate", {{"to", "stats"}, {"level", 0}})["text"], written);
  const std::string optimized = ask("translate", {{"to", "stats"}, {"optimized", true}})["text"];
  EXPECT_NE(optimized, written);
  EXPECT_EQ(ask("translate", {{"to", "stats"}, {"level", 2}})["text"], optimized);
  EXPECT_EQ(ask("optimize")["text"], ask("translate", {{"level", 2}})["text"]);
}

TEST_F(Verbs, AGameIsPublishedAsAPage) {
  open("hrg/hex.hrg");
  const std::string page = ask("translate", {{"to", "page"}})["text"];
  EXPECT_THAT(page, HasSubstr("<title>Hex"));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST_F(Verbs, MovesAreShownAsPeopleSayThem) {
  open("hrg/chess.hrg");
  const Json before = ask("play");
  EXPECT_TRUE(before["last"].empty());
  const Json after = ask("play", {{"path", {"S__5_2 S__5_4"}}});
  EXPECT_EQ(after["made"][0]["text"], "e2 e4");
  EXPECT_EQ(after["last"], Json({"S(5,2)", "S(5,4)"}));
  open("rbg/go-9x9.rbg");
  const Json moves = ask("play")["moves"];
  const auto pass = std::ranges::find_if(moves, [](const Json& move) { return move["text"] == "pass"; });
  ASSERT_NE(pass, moves.end());
  EXPECT_TRUE((*pass)["targets"].empty()) << "a pass is a button";
}

TEST_F(Verbs, ThereIsNoCompilerAndNoFolder) {
  open("hrg/tic-tac-toe.hrg");
  EXPECT_THAT(refusal("engines", {{"seconds", 0.05}}), HasSubstr("no compiler"));
  EXPECT_FALSE(told_.empty());
  EXPECT_THAT(refusal("read", {{"name", "a.hrg"}}), HasSubstr("no folder"));
  EXPECT_THAT(refusal("save", {{"name", "a.hrg"}, {"text", ""}}), HasSubstr("no folder"));
}

TEST_F(Verbs, PositionsAreSolvedAndGamesAnalyzed) {
  open("hrg/tic-tac-toe.hrg");
  const Json solved = ask("solve");
  EXPECT_EQ(solved["solved"], true);
  EXPECT_EQ(solved["values"], Json::parse("[50.0, 50.0]"));
  const Json analyzed = ask("analyze", {{"games", 2}, {"seconds", 1}});
  EXPECT_FALSE(analyzed["figures"].empty());
  EXPECT_GT(analyzed["plays"], 0);
  open("hrg/battleships.hrg");
  EXPECT_THAT(refusal("solve", Json::object()), HasSubstr("hidden"));
}

// Pieces are put, moved and removed; the game then begins in that position, for every verb.
TEST_F(Verbs, PositionsAreSetUp) {
  open("hrg/tic-tac-toe.hrg");
  const Json empty = ask("arrange");
  EXPECT_TRUE(empty["cells"].empty());
  ASSERT_EQ(empty["palette"].size(), 2U);
  const std::size_t cross = empty["palette"][0]["name"] == "cross" ? 0 : 1;
  const Json put = ask("arrange", {{"piece", cross}, {"to", "C(1,1)"}});
  EXPECT_EQ(put["cells"], Json::parse(R"([{"variable": "board", "key": "C__1_1", "value": "cross"}])"));
  const Json moved = ask("arrange", {{"cells", put["cells"]}, {"from", "C(1,1)"}, {"to", "C(2,2)"}});
  EXPECT_EQ(moved["cells"], Json::parse(R"([{"variable": "board", "key": "C__2_2", "value": "cross"}])"));
  EXPECT_TRUE(ask("arrange", {{"cells", moved["cells"]}, {"from", "C(2,2)"}})["cells"].empty());
  const Json two = ask("arrange", {{"cells", moved["cells"]}, {"piece", cross}, {"to", "C(1,1)"}});
  const std::string text = ask("read", {{"preset", "hrg/tic-tac-toe.hrg"}})["text"];
  Json request = {{"name", "hrg/tic-tac-toe.hrg"}, {"text", text}, {"setup", two["setup"]}};
  ask("open", request);
  const Json play = ask("play");
  EXPECT_EQ(play["mover"], "cross");
  EXPECT_EQ(play["moves"].size(), 7U);
  EXPECT_EQ(ask("play", {{"path", {"C__3_3"}}})["outcome"], Json::parse(R"(["100", "0"])"));
  EXPECT_EQ(ask("solve")["values"], Json::parse("[100.0, 0.0]"));
  EXPECT_THAT(ask("translate", {{"to", "rg"}})["text"].get<std::string>(), HasSubstr("C__2_2: cross"));
  // It can be changed further, and what is told is about the text.
  const Json more = ask("arrange", {{"path", {"C__3_1"}}, {"from", "C(1,1)"}});
  EXPECT_EQ(more["setup"]["player"], "nought");
  EXPECT_EQ(more["setup"]["cells"].size(), 3U) << more["setup"];
  request["setup"] = more["setup"];
  ask("open", request);
  EXPECT_EQ(ask("play")["mover"], "nought");
  EXPECT_EQ(ask("play")["moves"].size(), 7U);

  EXPECT_THAT(refusal("arrange", {{"from", "C(9,9)"}}), HasSubstr("there is no cell"));
  EXPECT_THAT(refusal("arrange", {{"from", "C(1,3)"}, {"to", "C(1,1)"}}), HasSubstr("there is nothing on"));
  request["setup"]["node"] = "nowhere";
  EXPECT_THAT(refusal("open", request), HasSubstr("does not fit"));
  open("hrg/oware.hrg");
  EXPECT_THAT(refusal("arrange", {{"from", "nothing"}}), testing::Not(testing::IsEmpty()));
  open("hrg/battleships.hrg");
  EXPECT_THAT(refusal("arrange", Json::object()), HasSubstr("hide moves"));
}

TEST_F(Verbs, VariantsAreAnalyzedWithTheirBoards) {
  open("hrg/tic-tac-toe.hrg");
  const std::string other = ask("read", {{"preset", "hrg/connect-four.hrg"}})["text"];
  const Json found = ask("analyze", {{"games", 1}, {"seconds", 1}, {"other", {{"name", "a.hrg"}, {"text", other}}}});
  EXPECT_THAT(found["svg"].get<std::string>(), HasSubstr("<svg "));
  EXPECT_EQ(ask("analyze", {{"games", 1}, {"seconds", 1}})["svg"], "");
  EXPECT_NE(refusal("analyze", {{"other", {{"name", "a.hrg"}, {"text", "domain"}}}}), "");
}

TEST_F(Verbs, WorkThatNobodyWantsEnds) {
  open("hrg/tic-tac-toe.hrg");
  stop_.request();
  for (const char* verb : {"perft", "playouts", "optimize", "automaton"}) EXPECT_THROW(ask(verb), Abandoned) << verb;
}

}  // namespace
}  // namespace rgtrans::ide
