// Matches and their figures; players that are programs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "backends/search/table.hpp"
#include "core/support/digest.hpp"
#include "core/support/text.hpp"
#include "tests/backends/search/games.hpp"

namespace rgtrans::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const Reasoner& game, const MatchOptions& options, MatchResult* result = nullptr) {
  std::string text;
  MatchRecords records(game.info(), options, [&](std::string_view line) { text += line; });
  const MatchResult r = run_match(game, options, [&](const PlayRecord& record) { records.add(record); });
  records.finish();
  if (result != nullptr) *result = r;
  return split_lines(text);
}
std::vector<std::string> records_of(const Reasoner& game, const MatchOptions& options, MatchResult* result = nullptr) {
  std::vector<std::string> lines = lines_of(game, options, result);
  for (std::string& line : lines) {
    // Times differ, and so does the digest then.
    const std::size_t from = line.find("\"seconds\""), to = line.find("\"moves\"");
    line.erase(from, to - from);
    line.erase(line.find("\"chain\""));
  }
  return lines;
}
// "" or why they are refused.
std::string refused(const Reasoner& game, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  TextLines source(text);
  try {
    check_records(game, source);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}
// Hides that the line was changed.
void seal(std::vector<std::string>& lines) {
  std::string last = "rgtrans match";
  for (std::string& line : lines) {
    line.erase(line.find(",\"chain\""));
    line += "}";
    last = Digest().field(last).field(line).hex();
    line.insert(line.size() - 1, ",\"chain\":\"" + last + "\"");
  }
}

TEST(Match, RecordsReplay) {
  for (const char* file :
       {"hrg/breakthrough.hrg", "hrg/kuhn-poker.hrg", "hrg/backgammon.hrg", "gdl/prisoners-dilemma.kif"}) {
    const auto game = own(file);
    const auto lines = lines_of(*game, {.players = {"random", "mcts:2"}, .games = 3});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(refused(*game, lines), "") << file;
    // By the game as it was written, whose moves are listed in another order perhaps.
    EXPECT_EQ(refused(*make_interpreter(load_written(file)), lines), "") << file;
    std::vector<std::string> sealed = lines;
    seal(sealed);
    EXPECT_EQ(sealed, lines);
  }
}

// Whatever is changed in a record is found; seats, seeds, chance and results even if the digests are made anew.
TEST(Match, ChangedRecordsAreRefused) {
  const auto game = own("hrg/backgammon.hrg");
  const auto lines = lines_of(*game, {.players = {"random", "mcts:1"}, .games = 3, .limits = {.random_opening = 2}});
  ASSERT_EQ(refused(*game, lines), "");
  const auto without = [&](std::size_t i) {
    auto changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    return changed;
  };
  EXPECT_THAT(refused(*game, without(0)), HasSubstr("play number 0"));
  EXPECT_THAT(refused(*game, without(1)), HasSubstr("play number 1"));
  EXPECT_THAT(refused(*game, without(2)), HasSubstr("before the last one"));
  EXPECT_THAT(refused(*game, {}), HasSubstr("before the last one"));
  auto swapped = lines;
  std::swap(swapped[0], swapped[1]);
  EXPECT_THAT(refused(*game, swapped), HasSubstr("play number 0"));
  auto more = lines;
  more.push_back(lines[2]);
  EXPECT_THAT(refused(*game, more), HasSubstr("follows the last"));
  EXPECT_THAT(refused(*game, {"nonsense"}), HasSubstr("no record"));
  EXPECT_THAT(refused(*game, {"{}"}), HasSubstr("no record"));
  EXPECT_THAT(refused(*own("hrg/breakthrough.hrg"), lines), HasSubstr("line 1"));

  const auto parsed = nlohmann::ordered_json::parse(lines[1]);
  const std::string seats = parsed["seats"].dump(), goals = parsed["goals"].dump();
  std::string other_seats = seats;
  const std::size_t first = seats.find("random"), second = seats.find("mcts:1");
  other_seats.replace(first, 6, "mcts:1");
  other_seats.replace(second, 6, "random");
  std::string other_goals = goals;
  for (char& c : other_goals) {
    if (c == '.') break;
    if (c >= '0' && c <= '9') c = c == '1' ? '2' : '1';
  }
  const std::string seed = "\"seed\":" + parsed["seed"].dump(), match_seed = "\"seed\":1,";
  // The first move is an empty one of keeper's, the next ones are dice.
  std::string dice = parsed["moves"].dump();
  for (const auto& [from, to, why] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {seats, other_seats, "seats"},
           {goals, other_goals, "goals"},
           {seed, "\"seed\":7", "seed"},
           {match_seed, "\"seed\":2,", "another one"},
           {"\"opening\":2", "\"opening\":1", "another one"},
           {"\"opening\":2", "\"opening\":true", "another one"}}) {
    auto changed = lines;
    ASSERT_NE(changed[1].find(from), std::string::npos) << from;
    ASSERT_NE(from, to);
    changed[1].replace(changed[1].find(from), from.size(), to);
    EXPECT_THAT(refused(*game, changed), HasSubstr("line 2")) << to;
    seal(changed);
    EXPECT_THAT(refused(*game, changed), HasSubstr(why)) << to;
  }
  // Nobody can say that his dice were better, or that another opening was drawn.
  auto changed = lines;
  for (std::string& line : changed) {
    for (std::size_t at = 0; (at = line.find(match_seed, at)) != std::string::npos;)
      line.replace(at, match_seed.size(), "\"seed\":9,");
  }
  seal(changed);
  EXPECT_NE(refused(*game, changed), "");
  // Times are believed, unless they are changed afterwards.
  changed = lines;
  const std::size_t at = changed[0].find(".", changed[0].find("\"seconds\""));
  changed[0][at + 1] = changed[0][at + 1] == '5' ? '6' : '5';
  EXPECT_THAT(refused(*game, changed), HasSubstr("was changed"));
}

TEST(Match, RandomMovesInRecordsAreThoseOfTheSeed) {
  const auto game = own("hrg/kuhn-poker.hrg");
  const auto lines = lines_of(*game, {.players = {"random", "random"}, .games = 1});
  const auto record = nlohmann::ordered_json::parse(lines[0]);
  // The deal is the first move that has a text.
  std::size_t deal = 0;
  while (record["moves"][deal] == "") ++deal;
  int legal = 0;
  for (const char* other :
       {"D__jack_queen", "D__jack_king", "D__queen_jack", "D__queen_king", "D__king_jack", "D__king_queen"}) {
    auto changed = record;
    if (record["moves"][deal] == other) continue;
    changed["moves"][deal] = other;
    std::vector<std::string> lie = {changed.dump()};
    seal(lie);
    const std::string why = refused(*game, lie);
    EXPECT_THAT(why, HasSubstr("not the one that the seed of this play gives")) << other;
    ++legal;
  }
  EXPECT_EQ(legal, 5);
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
  // Rounds decide, not their plays, and 16 lost ones are enough.
  EXPECT_EQ(equal.plays % 2, 0U);
  EXPECT_LT(equal.plays, 40U);
  EXPECT_EQ(std::accumulate(equal.pairs.begin(), equal.pairs.end(), std::uint64_t{0}), equal.plays / 2);
  EXPECT_GE(equal.pairs[0], equal.plays / 2 - 3);
}

// The opening decides: each round is a win and a loss. Such plays tell nothing about the players, although a half of
// them is won.
TEST(Match, RoundsAreTheSamplesOfTheSequentialTest) {
  const auto game = own("hrg/tic-tac-toe.hrg");
  const MatchOptions options{.players = {"random", "random"}, .games = 1000, .sprt = true, .elo0 = -5, .elo1 = 5};
  MatchTally tally(game->info(), options);
  const auto play = [&](std::uint64_t number, std::vector<double> goals) {
    PlayRecord record;
    record.goals = std::move(goals);
    record.seconds = {0, 0};
    tally.add(number, std::move(record));
  };
  for (std::uint64_t round = 0; round < 100; ++round) {
    play(2 * round + 1, {100, 0});  // may end before the first one of its round
    play(2 * round, {100, 0});
  }
  EXPECT_EQ(tally.plays(), 200U);
  EXPECT_FALSE(tally.over());
  EXPECT_THAT(tally.result().pairs, ElementsAre(0, 0, 100, 0, 0));
  EXPECT_NEAR(tally.result().llr, 0, 1e-9);
  for (std::uint64_t round = 100; round < 140; ++round) {
    play(2 * round, {100, 0});
    play(2 * round + 1, {50, 50});  // the first player draws as the second one
  }
  EXPECT_TRUE(tally.over());
  EXPECT_THAT(tally.result().verdict, HasSubstr("stronger by 5"));
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

// tests/backends/search/cheat.py says of each play what was dealt. One of six deals is right by chance.
TEST(CommandPlayer, CannotComputeTheCards) {
  const std::string script = RGTRANS_SOURCE_DIR "/tests/backends/search/cheat.py";
  ASSERT_EQ(std::system(("python3 " + script + " --self-test").c_str()), 0);
  const auto log = std::filesystem::temp_directory_path() / fmt::format("rgtrans-cheat-{}", ::getpid());
  const auto game = own("hrg/kuhn-poker.hrg");
  constexpr std::uint64_t kPlays = 48;
  const auto lines = records_of(*game, {.players = {bot("python3 " + script + " " + log.string()), "random"},
                                        .games = kPlays,
                                        .seed = 0x1c80'37b5'9a6d'e42fU});
  const std::vector<std::string> guesses = split_lines(read_file(log));
  std::filesystem::remove(log);
  ASSERT_EQ(lines.size(), kPlays);
  ASSERT_EQ(guesses.size(), kPlays);
  std::map<std::string, std::uint64_t> right;
  std::map<std::string, int> deals;
  std::string before;
  for (std::size_t i = 0; i < kPlays; ++i) {
    const auto moves = nlohmann::json::parse(lines[i] + "\"\":0}").at("moves");
    const auto deal = *std::ranges::find_if(moves, [](const auto& move) { return move != ""; });
    const auto said = nlohmann::json::parse(guesses[i]);
    for (const auto& [idea, guess] : said.items()) right[idea] += guess == deal ? 1 : 0;
    right["the same again"] += deal == before ? 1 : 0;
    before = deal;
    ++deals[before];
  }
  EXPECT_EQ(deals.size(), 6U);
  EXPECT_EQ(right.size(), 4U);
  // Chance is 8 of 48, and four and a half standard deviations more are 20.
  for (const auto& [idea, times] : right) EXPECT_LE(times, 20U) << idea;
}

TEST(Seeds, OfPlayersSayNothingAboutEachOther) {
  const MatchOptions options{.players = {"random", "random"}, .seed = 1};
  std::set<std::uint64_t> seen;
  for (std::uint64_t play = 0; play < 100; ++play) {
    const PlaySeeds seeds = seeds_of_play(options, play);
    for (const std::uint64_t seed : {seeds.table, seeds.of_player(0), seeds.of_player(1)}) seen.insert(seed);
    EXPECT_EQ(seeds.opening, seeds_of_play(options, play ^ 1U).opening) << "a round has one opening";
  }
  EXPECT_EQ(seen.size(), 300U);
}

}  // namespace
}  // namespace rgtrans::search
