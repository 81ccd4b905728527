#include "ide/desk/desk.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "core/support/pieces.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ide {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// A desk, and its messages.
class DeskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    desk_ = std::make_unique<Desk>(machine(), [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      said_.push_back(Json::parse(text));
      changed_.notify_all();
    });
  }

  int send(const std::string& method, Json params) {
    const int id = ++last_;
    desk_->receive(Json{{"id", id}, {"method", method}, {"params", std::move(params)}}.dump());
    return id;
  }
  Json answer(int id) {
    std::unique_lock lock(mutex_);
    Json found;
    changed_.wait_for(lock, std::chrono::seconds(60), [&] {
      const auto it = std::ranges::find_if(said_, [&](const Json& m) { return m.contains("id") && m["id"] == id; });
      if (it != said_.end()) found = *it;
      return it != said_.end();
    });
    return found;
  }
  Json ask(const std::string& method, Json params = Json::object()) {
    Json message = answer(send(method, std::move(params)));
    EXPECT_TRUE(message.contains("result")) << method << ": " << message.dump();
    return message.value("result", Json());
  }
  Json refusal(const std::string& method, Json params = Json::object()) {
    Json message = answer(send(method, std::move(params)));
    EXPECT_TRUE(message.contains("error")) << method << ": " << message.dump().substr(0, 200);
    return message.value("error", Json());
  }
  void open(const std::string& preset) {
    const Json read = ask("read", {{"preset", preset}});
    ask("open", {{"name", preset}, {"text", read["text"]}});
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> said_;
  int last_ = 0;
  std::unique_ptr<Desk> desk_;
};

TEST_F(DeskTest, OffersTheGames) {
  const Json hello = ask("hello");
  EXPECT_THAT(hello["presets"], Contains("hrg/chess.hrg"));
  EXPECT_THAT(hello["presets"], Contains("gdl/connect-four.kif"));
  EXPECT_GT(hello["passes"].size(), 20U);
  EXPECT_EQ(hello["files"], Json::array());
}

TEST_F(DeskTest, PlaysAndTakesBack) {
  open("hrg/chess.hrg");
  Json state = ask("play");
  EXPECT_EQ(state["mover"], "white");
  ASSERT_EQ(state["moves"].size(), 20U);
  EXPECT_THAT(state["svg"].get<std::string>(), HasSubstr("data-cell=\"S(5,2)\""));
  EXPECT_EQ(state["moves"][0]["targets"], Json::parse(R"js([["S(1,2)"], ["S(1,3)"]])js"));
  const std::string first = state["moves"][3]["move"];
  state = ask("play", {{"path", {first}}});
  EXPECT_EQ(state["mover"], "black");
  EXPECT_EQ(state["made"].size(), 1U);
  state = ask("play", {{"path", Json::array()}});
  EXPECT_EQ(state["mover"], "white");
  EXPECT_EQ(state["made"].size(), 0U);
  EXPECT_THAT(refusal("play", {{"path", {"nonsense"}}})["message"].get<std::string>(), HasSubstr("is no move here"));
}

TEST_F(DeskTest, ColumnsAreTargets) {
  open("gdl/connect-four.kif");
  const Json state = ask("play");
  ASSERT_EQ(state["moves"].size(), 7U);
  EXPECT_EQ(state["moves"][0]["targets"][0].size(), 6U) << "any cell of the column will do";
}

TEST_F(DeskTest, SaysWhatIsWrongAndKeepsTheLastGame) {
  open("hrg/tic-tac-toe.hrg");
  const Json error = refusal("open", {{"name", "x.hrg"}, {"text", "domain Player = a | b\ngraph rules() { oops }\n"}});
  ASSERT_FALSE(error["data"].empty());
  EXPECT_EQ(error["data"][0]["severity"], "error");
  EXPECT_EQ(error["data"][0]["place"]["line"], 2);
  EXPECT_EQ(ask("play")["moves"].size(), 9U);
}

TEST_F(DeskTest, DrawsTheAutomaton) {
  open("hrg/hex.hrg");
  const Json drawn = ask("drawing");
  EXPECT_EQ(drawn["elements"].size(), drawn["edgeCount"]);
  EXPECT_THAT(drawn["pieces"][0][2].get<std::string>(), HasSubstr("<g class"));
  EXPECT_GT(drawn["elements"][0][3], 0) << "the line of the first edge";
  EXPECT_LE(ask("drawing", {{"optimized", true}})["edgeCount"], drawn["edgeCount"]);
  EXPECT_THAT(ask("translate", {{"to", "json"}})["text"].get<std::string>(), HasSubstr("GameDeclaration"));
}

TEST_F(DeskTest, SendsOnlyWhatIsNewInADrawing) {
  const std::string text = ask("read", {{"preset", "hrg/tic-tac-toe.hrg"}})["text"];
  const auto draw = [&](const std::string& more, int known) {
    ask("open", {{"name", "t.hrg"}, {"text", more + text}});
    return ask("drawing", {{"known", known}});
  };
  const auto fresh = [](const Json& drawn) {
    return std::ranges::count_if(drawn["pieces"], [](const Json& piece) { return piece[2].is_string(); });
  };
  const Json first = draw("", 0);
  EXPECT_EQ(fresh(first), static_cast<std::ptrdiff_t>(first["pieces"].size()));
  const Json second = draw("// a comment\n", first["id"]);
  EXPECT_EQ(fresh(second), 0) << "nothing of the automaton has changed";
  std::set<int> numbers;
  for (const Json& piece : second["pieces"]) numbers.insert(piece[2].get<int>());
  EXPECT_EQ(numbers.size(), first["pieces"].size()) << "each piece is used once";
  EXPECT_EQ(second["elements"][0][3].get<int>(), first["elements"][0][3].get<int>() + 1) << "places move on";
  EXPECT_GT(fresh(draw("", first["id"])), 0) << "the page says that it has an older drawing";
}

TEST_F(DeskTest, ExplainsNodes) {
  open("hrg/tic-tac-toe.hrg");
  const Json drawn = ask("drawing", {{"optimized", true}});
  const std::string node = drawn["elements"][0][1];
  EXPECT_THAT(ask("explain", {{"optimized", true}, {"node", node}})["text"].get<std::string>(), HasSubstr("@unique"));
  refusal("explain", {{"node", "no such node"}});
}

TEST_F(DeskTest, ShowsWhatPassesDo) {
  open("hrg/tic-tac-toe.hrg");
  const Json run = ask("optimize", {{"level", 2}});
  ASSERT_GT(run["rows"].size(), 2U);
  const Json change = ask("pass", {{"level", 2}, {"number", run["rows"][0]["number"]}});
  EXPECT_TRUE(
      std::ranges::any_of(change["lines"], [](const Json& line) { return line.is_array() && line.size() == 2; }));
  EXPECT_THAT(change["svg"].get<std::string>(), HasSubstr(" x\""));
  EXPECT_THAT(change["svg"].get<std::string>(), HasSubstr(" a\""));
  EXPECT_EQ(ask("optimize", {{"passes", {"prune"}}})["timings"].size(), 1U);
  refusal("optimize", {{"passes", {"no-such-pass"}}});
}

TEST_F(DeskTest, CountsLeaves) {
  open("hrg/tic-tac-toe.hrg");
  const Json count = ask("perft", {{"depth", 4}});
  EXPECT_EQ(count["leaves"], 3024);
  EXPECT_EQ(count["rows"].size(), 9U);
  open("hrg/backgammon.hrg");
  EXPECT_EQ(ask("perft", {{"depth", 2}})["leaves"], 758);
}

TEST_F(DeskTest, CancelsWhatTakesLong) {
  open("hrg/chess.hrg");
  const int id = send("perft", {{"depth", 9}});
  desk_->receive(Json{{"method", "cancel"}, {"params", {{"id", id}}}}.dump());
  // The request may not have begun when the first word comes.
  for (int i = 0; i < 50 && said_.size() < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    desk_->receive(Json{{"method", "cancel"}, {"params", {{"id", id}}}}.dump());
  }
  EXPECT_EQ(answer(id)["error"]["message"], "cancelled");
}

TEST_F(DeskTest, EndsWhileWorkIsUnderWay) {
  open("hrg/chess.hrg");
  send("perft", {{"depth", 9}});
  send("playouts", {{"count", 1000000}});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  desk_.reset();
  SUCCEED();
}

TEST_F(DeskTest, PlaysAtRandom) {
  open("hrg/tic-tac-toe.hrg");
  const Json plays = ask("playouts", {{"count", 50}});
  EXPECT_EQ(plays["plays"], 50);
  EXPECT_EQ(plays["lengths"].size(), 50U);
  std::size_t sum = 0;
  for (const Json& row : plays["outcomes"]) sum += row["times"].get<std::size_t>();
  EXPECT_EQ(sum, 50U);
}

TEST_F(DeskTest, MeasuresTheEngines) {
  open("hrg/tic-tac-toe.hrg");
  const Json message = answer(send("engines", {{"seconds", 0.05}}));
  if (message.contains("error")) GTEST_SKIP() << "there is no compiler: " << message["error"].dump();
  const Json engines = message["result"]["engines"];
  ASSERT_EQ(engines.size(), 2U);
  for (const Json& engine : engines) EXPECT_GT(engine["plays"], 0);
}

TEST_F(DeskTest, ThinksAndReplies) {
  open("hrg/tic-tac-toe.hrg");
  const Json thoughts = ask("think", {{"seconds", 0.3}});
  EXPECT_FALSE(thoughts["moves"].empty());
  EXPECT_FALSE(ask("reply", {{"player", "mcts:100"}})["move"].get<std::string>().empty());
  open("hrg/battleships.hrg");
  EXPECT_THAT(refusal("think")["message"].get<std::string>(), HasSubstr("hidden"));
  EXPECT_FALSE(ask("reply", {{"player", "mcts:20"}})["move"].get<std::string>().empty());
}

// The first look ahead starts the compiler; once it is ready, searches use it.
TEST_F(DeskTest, ThinksInCompiledCodeOnceItIsReady) {
  open("hrg/tic-tac-toe.hrg");
  if (answer(send("engines", {{"seconds", 0.05}})).contains("error")) GTEST_SKIP() << "there is no compiler";
  bool compiled = false;
  for (int i = 0; i < 300 && !compiled; ++i) compiled = ask("think", {{"seconds", 0.1}})["compiled"].get<bool>();
  EXPECT_TRUE(compiled);
  const Json thoughts = ask("think", {{"seconds", 0.1}, {"path", {"C__2_2", "C__1_1"}}});
  EXPECT_TRUE(thoughts["compiled"].get<bool>());
  EXPECT_FALSE(thoughts["moves"].empty());
  EXPECT_FALSE(ask("reply", {{"player", "mcts:100"}, {"path", {"C__2_2"}}})["move"].get<std::string>().empty());
}

TEST_F(DeskTest, MessagesStartNoPrograms) {
  open("hrg/tic-tac-toe.hrg");
  const std::string marker = (fs::temp_directory_path() / fmt::format("rgtrans-started-{}", ::getpid())).string();
  for (const std::string& player : {"command:touch " + marker, std::string("command:")}) {
    const Json refused = refusal("reply", {{"player", player}});
    EXPECT_THAT(refused.value("message", ""), HasSubstr("one of random, mcts and solver"));
  }
  EXPECT_FALSE(fs::exists(marker));
}

TEST_F(DeskTest, RefusesNonsense) {
  desk_->receive("{");
  desk_->receive("[1]");
  desk_->receive(R"({"id": 1, "method": 7})");
  // Values that nest deeply would exhaust the stack where they are copied or written.
  const std::string nested = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  desk_->receive(nested);
  desk_->receive(R"({"method": "hello", "id": )" + nested + "}");
  desk_->receive(R"({"method": "moves", "id": 1, "params": {"path": )" + nested + "}}");
  refusal("no-such-method");
  refusal("play");
  refusal("perft", {{"depth", 3}});
  open("hrg/tic-tac-toe.hrg");
  refusal("play", {{"path", 7}});
  refusal("pass", Json::object());
  EXPECT_EQ(ask("play")["moves"].size(), 9U);
}

class ShelfTest : public ::testing::Test {
 protected:
  void SetUp() override {
    outside_ = fs::temp_directory_path() / fmt::format("rgtrans-shelf-{}", ::getpid());
    fs::create_directories(outside_ / "games/deep");
    write(outside_ / "secret.hrg", "secret");
    write(outside_ / "games/a.hrg", "a");
    write(outside_ / "games/deep/b.rbg", "b");
    write(outside_ / "games/notes.txt", "n");
    fs::create_symlink(outside_ / "secret.hrg", outside_ / "games/link.hrg");
    fs::create_directory_symlink(outside_, outside_ / "games/up");
  }
  void TearDown() override { fs::remove_all(outside_); }
  static void write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }

  fs::path outside_;
};

TEST_F(ShelfTest, ReadsAndWritesItsFolder) {
  const Shelf shelf(outside_ / "games");
  EXPECT_THAT(shelf.names(), ::testing::IsSupersetOf({"a.hrg", "deep/b.rbg"}));
  EXPECT_EQ(shelf.read("deep/b.rbg"), "b");
  shelf.write("a.hrg", "new");
  EXPECT_EQ(shelf.read("a.hrg"), "new");
}

TEST_F(ShelfTest, NothingOutside) {
  const Shelf shelf(outside_ / "games");
  for (const char* name : {"../secret.hrg", "deep/../../secret.hrg", "link.hrg", "up/secret.hrg", "/etc/passwd",
                           "notes.txt", "", ".", "..", "a.hrg/../../secret.hrg"}) {
    EXPECT_THROW(static_cast<void>(shelf.read(name)), Error) << name;
    EXPECT_THROW(shelf.write(name, "x"), Error) << name;
  }
  EXPECT_THROW(static_cast<void>(shelf.read(std::string("a.hrg\0.hrg", 10))), Error);
  EXPECT_THROW(static_cast<void>(shelf.read((outside_ / "secret.hrg").string())), Error);
  EXPECT_THROW(static_cast<void>(Shelf().read("a.hrg")), Error);
  std::ifstream secret(outside_ / "secret.hrg");
  std::string text;
  secret >> text;
  EXPECT_EQ(text, "secret");
}

TEST_F(DeskTest, ComparesTwoGamesAndTwoSetsOfPasses) {
  open("hrg/tic-tac-toe.hrg");
  const std::string text = ask("read", {{"preset", "hrg/tic-tac-toe.hrg"}})["text"];
  const Json same = ask("compare", {{"depth", 2}, {"count", 20}, {"other", {{"text", text}, {"level", 0}}}})["sides"];
  ASSERT_EQ(same.size(), 2U);
  EXPECT_GT(same[1]["edges"], same[0]["edges"]) << "nothing is optimized at level 0";
  EXPECT_EQ(same[0]["perft"]["leaves"], 72);
  EXPECT_EQ(same[1]["perft"]["leaves"], 72);
  EXPECT_EQ(same[0]["playouts"]["plays"], 20);
  const std::string four = ask("read", {{"preset", "hrg/connect-four.hrg"}})["text"];
  const Json two = ask("compare", {{"depth", 2}, {"count", 5}, {"other", {{"text", four}}}})["sides"];
  EXPECT_EQ(two[1]["perft"]["leaves"], 49);
  EXPECT_THAT(refusal("compare", {{"other", {{"name", "x.hrg"}, {"text", "nonsense"}}}})["message"].get<std::string>(),
              HasSubstr("x.hrg"));
}

TEST_F(DeskTest, TellsWhatIsWrongWithDisplayHints) {
  const std::string text = ask("read", {{"preset", "hrg/tic-tac-toe.hrg"}})["text"];
  const Json game = ask("open", {{"name", "t.hrg"}, {"text", "// display: flop\n" + text}});
  ASSERT_EQ(game["warnings"].size(), 1U);
  EXPECT_EQ(game["warnings"][0]["place"]["line"], 1);
  EXPECT_EQ(game["warnings"][0]["severity"], "warning");
}

// A pipe that nobody writes to would be read, or written, for ever.
TEST(Pipes, AreNoFilesOfAShelf) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("rgtrans-shelf-{}", ::getpid());
  fs::create_directories(folder);
  ASSERT_EQ(::mkfifo((folder / "pipe.hrg").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "device.rg");
  std::ofstream(folder / "game.rg") << "x";
  const Shelf shelf(folder);
  EXPECT_THAT(shelf.names(), ::testing::ElementsAre("game.rg"));
  for (const char* name : {"pipe.hrg", "device.rg"}) {
    EXPECT_THROW(static_cast<void>(shelf.read(name)), Error) << name;
    EXPECT_THROW(shelf.write(name, "text"), Error) << name;
  }
  EXPECT_EQ(shelf.read("game.rg"), "x");
  EXPECT_THROW(read_regular_file(folder / "pipe.hrg"), Error);
  EXPECT_THROW(read_regular_file("/dev/zero"), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rgtrans::ide
