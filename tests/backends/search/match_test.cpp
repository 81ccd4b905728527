// Matches and what is counted of them; players that are programs.
#include <gmock/gmock.h>

#include "backends/search/search.hpp"
#include "tests/backends/search/games.hpp"

namespace rgtrans::search {
namespace {

using testing::HasSubstr;

std::vector<std::string> records_of(const Reasoner& game, MatchOptions options, MatchResult* result = nullptr) {
  std::vector<std::string> lines;
  const MatchResult r =
      run_match(game, options, [&](const PlayRecord& record) { lines.push_back(json(record, game.info())); });
  if (result != nullptr) *result = r;
  for (std::string& line : lines) {
    // Times differ.
    const std::size_t from = line.find("\"seconds\""), to = line.find("\"moves\"");
    line.erase(from, to - from);
  }
  return lines;
}

TEST(Match, RecordsReplay) {
  for (const char* file :
       {"hrg/breakthrough.hrg", "hrg/kuhn-poker.hrg", "hrg/backgammon.hrg", "gdl/prisoners-dilemma.kif"}) {
    const auto game = own(file);
    const auto lines = records_of(*game, {.players = {"random", "random"}, .games = 4});
    ASSERT_EQ(lines.size(), 4U);
    for (const std::string& line : lines) EXPECT_NO_THROW(replay(*game->clone(), line)) << file << line;
  }
  const auto game = own("hrg/tic-tac-toe.hrg");
  std::string line = records_of(*game, {.players = {"random", "random"}, .games = 1})[0];
  line.replace(line.find("C__"), 6, "C__9_9");
  EXPECT_THROW(replay(*game, line), Error);
  EXPECT_THROW(replay(*game, "nonsense"), Error);
}

TEST(Match, IsTheSameOnAnyNumberOfThreads) {
  const auto game = own("hrg/tic-tac-toe.hrg");
  const MatchOptions one{.players = {"mcts:50", "random"}, .games = 12, .seed = 4};
  MatchOptions three = one;
  three.parallel = 3;
  MatchResult a, b;
  EXPECT_EQ(records_of(*game, one, &a), records_of(*game, three, &b));
  EXPECT_EQ(a.standings[0].score, b.standings[0].score);
  EXPECT_EQ(a.standings[0].plays, 12U);
  EXPECT_DOUBLE_EQ(a.standings[0].score + a.standings[1].score, 12);
}

TEST(Match, SearchBeatsRandom) {
  const auto game = own("hrg/breakthrough.hrg", breakthrough(5, 5));
  const MatchResult result = run_match(*game, {.players = {"mcts:200", "random"}, .games = 20}, {});
  EXPECT_GE(result.standings[0].wins, 19U);
}

TEST(Match, SequentialTestStopsEarly) {
  const auto game = own("hrg/breakthrough.hrg", breakthrough(4, 4));
  const MatchResult result =
      run_match(*game, {.players = {"mcts:200", "random"}, .games = 500, .sprt = true, .elo1 = 50}, {});
  EXPECT_LT(result.plays, 100U);
  EXPECT_THAT(result.verdict, HasSubstr("stronger by 50"));
  const MatchResult equal =
      run_match(*game, {.players = {"random", "mcts:200"}, .games = 500, .sprt = true, .elo1 = 50}, {});
  EXPECT_THAT(equal.verdict, HasSubstr("not stronger"));
}

TEST(Statistics, IntervalsAreWilsons) {
  const Estimate half = share_of(50, 100);
  EXPECT_NEAR(half.low, 0.4038, 1e-4);
  EXPECT_NEAR(half.high, 0.5962, 1e-4);
  const Estimate all = share_of(20, 20);
  EXPECT_NEAR(all.low, 0.8389, 1e-4);
  EXPECT_DOUBLE_EQ(all.high, 1);
  const std::vector<double> values = {1, 2, 3, 4};
  const Estimate mean = mean_of(values);
  EXPECT_DOUBLE_EQ(mean.value, 2.5);
  EXPECT_NEAR(mean.high - mean.value, 1.959964 * 1.290994 / 2, 1e-5);
}

TEST(Players, NamesAreChecked) {
  for (const char* name :
       {"", "mctz", "mcts:", "mcts:abc", "mcts:-5", "mcts:0", "mcts:100,what=1", "command:", "random:3", "mcts:1e99"}) {
    if (std::string(name) == "mcts:") continue;  // the usual budget
    EXPECT_THROW(make_player(name), Error) << name;
  }
  for (const char* name : {"random", "mcts", "mcts:100", "mcts:0.5s", "mcts:100,rave=50,mast=0.5,c=0.3"}) {
    EXPECT_NO_THROW(make_player(name)) << name;
  }
}

// --- Programs. ---

std::string bot(const std::string& how) { return "command:" + how; }

TEST(CommandPlayer, ABotPlays) {
  const auto game = own("hrg/tic-tac-toe.hrg");
  const std::string python = "python3 " RGTRANS_SOURCE_DIR "/examples/bot.py";
  MatchResult result;
  const auto lines = records_of(*game, {.players = {bot(python), "random"}, .games = 4}, &result);
  EXPECT_EQ(result.standings[0].faults, 0U) << lines[0];
  EXPECT_EQ(lines.size(), 4U);
}

TEST(CommandPlayer, OneThatFailsLosesThePlay) {
  const auto game = own("hrg/tic-tac-toe.hrg");
  for (const auto& [how, what] :
       {std::pair("exit 0", "has ended"), std::pair("/no/such/program", "has ended"),
        std::pair("while read line; do echo nonsense; done", "no legal move"),
        std::pair("read a; read b; kill -9 $$", "has ended"), std::pair("yes 99999", "no legal move")}) {
    MatchResult result;
    const auto lines = records_of(*game, {.players = {bot(how), "random"}, .games = 2}, &result);
    EXPECT_EQ(result.standings[0].faults, 2U) << how;
    EXPECT_EQ(result.standings[0].losses, 2U) << how;
    EXPECT_THAT(lines[0], HasSubstr(what)) << how;
  }
}

}  // namespace
}  // namespace rgtrans::search
