// Compares compiled reasoners with the interpreter (the same legal moves, observations and goals along random playouts)
// and with the recorded leaf counts, also under sanitizers. By default a few games; all of the corpus with
// RGTRANS_FULL, or the file in RGTRANS_GAME, and then RGTRANS_GAME_SECONDS of processor time for each game.
// RGTRANS_REASONER_FLAGS are for the compiler of the reasoners. A reasoner with sanitizers plays in this program if
// their runtime is loaded first:
//   RGTRANS_REASONER_FLAGS='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
//   LD_PRELOAD=$(g++ -print-file-name=libasan.so)
#include "backends/cpp/cpp.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/algorithm/string/split.hpp>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/quick_reasoner.hpp"

namespace rgtrans::cpp {
namespace {

using namespace corpus;

std::vector<CorpusGame> chosen(const std::vector<std::pair<std::string, std::string>>& names) {
  std::vector<CorpusGame> few;
  for (const CorpusGame& game : all_games(true)) {
    if (std::ranges::find(names, std::pair(game.kind, game.name)) != names.end()) few.push_back(game);
  }
  if (few.empty()) few.push_back({"no", "corpus", {}, {}});
  return few;
}

std::vector<CorpusGame> games() {
  if (const char* const given = std::getenv("RGTRANS_GAME"); given != nullptr)
    return {{"", fs::path(given).stem().string(), given, {}}};  // the text determines the language
  if (full()) return all_games(true);
  return chosen({{"rg", "ticTacToe"}, {"hrg", "connect4"}, {"rbg", "reversi_4x4"}});
}

// The names that `rgtrans build` gives its builds, so that they are found again.
BuildOptions options_for(const CorpusGame& game) {
  BuildOptions options;
  options.generate.title = game.name.substr(game.name.rfind('/') + 1);
  if (const char* const flags = std::getenv("RGTRANS_REASONER_FLAGS"); flags != nullptr) {
    boost::algorithm::split(options.extra_flags, flags, [](char c) { return c == ' '; });
  }
  return options;
}

ir::Game load(const CorpusGame& game, int level) {
  ir::Game loaded = corpus::load(game);
  passes::OptimizeOptions options;
  options.level = level;
  passes::optimize(loaded, options);
  return loaded;
}

class Corpus : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_SHARED(); }
};

// Every game in a test of its own, so that one that fails or takes long says so.
class EachGame : public testing::TestWithParam<CorpusGame> {
 protected:
  void SetUp() override { SKIP_WITHOUT_SHARED(); }
};

// The number of moves that were compared.
int play_alike(const CorpusGame& path, const ir::Game& game, Reasoner& compiled) {
  const int plays = full() ? 1000 : 20;
  const auto interpreter = make_interpreter(game);
  std::mt19937 random(1);
  const double until = processor_seconds() + seconds_for_a_game();
  int done = 0, moves = 0, given_up = 0;
  for (Alike alike; done < plays && alike.whole; done += alike.whole ? 1 : 0) {
    try {
      alike = play_both(*interpreter, compiled, random,
                        {.until = until});  // one move of arimaa is one of a hundred thousand
    } catch (const std::length_error&) {    // the memory of a thread of a GPU, which has a fixed size
      alike = {};
      ++given_up;
      continue;
    }
    EXPECT_EQ(alike.difference, "") << "play " << done;
    if (!alike.difference.empty()) break;
    moves += alike.moves;
  }
  fmt::print("{} {}: {} of {} playouts alike, {} given up for lack of room, {} moves\n", path.kind, path.name,
             done - given_up, plays, given_up, moves);
  return moves;
}

void count_alike(const ir::Game& game, Reasoner& compiled) {
  constexpr std::uint64_t kMost = 20'000;
  const auto interpreter = make_interpreter(game);
  std::uint64_t before = 0;
  for (unsigned depth = 0; depth < 8; ++depth) {
    std::uint64_t count = 0;
    try {
      count = compiled.perft(depth);
    } catch (const std::length_error&) {
      break;
    }
    if (count > kMost || (depth > 2 && count == before)) break;
    EXPECT_EQ(interpreter->perft(depth), count) << "depth " << depth;
    before = count;
  }
}

TEST_P(EachGame, PlaysLikeTheInterpreter) {
  const ir::Game game = load(GetParam(), 2);
  const int moves = play_alike(GetParam(), game, *make_cpp_reasoner(game, options_for(GetParam())));
  if (moves == 0 && !HasFailure()) GTEST_SKIP() << "no move within the time";
}

TEST_P(EachGame, CountsLikeTheInterpreter) {
  const ir::Game game = load(GetParam(), 2);
  count_alike(game, *make_cpp_reasoner(game, options_for(GetParam())));
}

TEST_P(EachGame, IsCleanUnderTheSanitizers) {
  if (!full() && GetParam().name != "connect4") GTEST_SKIP() << "one game is enough for every day";
  BuildOptions options = options_for(GetParam());
  options.extra_flags = {"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1", "-O1"};
  const Built built = build(load(GetParam(), 2), options);
  for (const char* what : {"perft 2", "playouts 0.3 5"}) {
    const std::string command = "'" + built.executable.string() + "' " + what + " > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

std::string name_of(const testing::TestParamInfo<CorpusGame>& info) {
  return test_name(info.param.kind + "_" + info.param.name + "_" + std::to_string(info.index));
}

INSTANTIATE_TEST_SUITE_P(Cpp, EachGame, testing::ValuesIn(games()), name_of);

// The twin of the code for a GPU, which finds moves by counting them and picking each.
class OnTwin : public EachGame {
 protected:
  static BuildOptions options(std::vector<std::string> flags) {
    BuildOptions options = options_for(GetParam());
    options.generate.device = true;
    options.extra_flags.insert(options.extra_flags.end(), flags.begin(), flags.end());
    return options;
  }
  // Games that do not fit are refused, with the reason and the way out. None of the small ones is.
  static bool refuses(const ir::Game& game) {
    try {
      generate(game, {.device = true});
      return false;
    } catch (const Error& error) {
      fmt::print("{} {} is refused: {}\n", GetParam().kind, GetParam().name, error.what());
      EXPECT_NE(error.diagnostics().at(0).hint.find("engine \"cpp\""), std::string::npos) << error.what();
      EXPECT_TRUE(full()) << error.what();
      return true;
    }
  }
};

TEST_P(OnTwin, PlaysLikeTheInterpreter) {
  const ir::Game game = load(GetParam(), 2);
  if (refuses(game)) return;
  const auto twin = make_cpp_reasoner(game, test::quick(options({"-O1"})));
  play_alike(GetParam(), game, *twin);
  twin->reset();
  count_alike(game, *twin);
}

TEST_P(OnTwin, IsCleanUnderTheSanitizers) {
  if (!full() && GetParam().name != "connect4") GTEST_SKIP() << "one game is enough for every day";
  const ir::Game game = load(GetParam(), 2);
  if (refuses(game)) return;
  const Built built = build(game, options({"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1", "-O1"}));
  for (const char* what : {"perft 2", "playouts 0.3 5"}) {
    const std::string command = "'" + built.executable.string() + "' " + what + " > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpp, OnTwin, testing::ValuesIn(games()), name_of);

// Games that are small enough for code, made of tables all the same.
class AsTables : public EachGame {
 protected:
  void SetUp() override {
    EachGame::SetUp();
    limits::cpp_code.set(1);
  }
  void TearDown() override { limits::cpp_code.set(limits::cpp_code.standard()); }
};

TEST_P(AsTables, PlaysLikeTheInterpreter) {
  const ir::Game game = load(GetParam(), 2);
  const auto compiled = make_cpp_reasoner(game, test::quick(options_for(GetParam())));
  play_alike(GetParam(), game, *compiled);
  compiled->reset();
  count_alike(game, *compiled);
  const PlayoutStats stats = compiled->playouts({.count = 10, .max_moves = 10'000});
  EXPECT_EQ(stats.playouts, 10);
}

std::vector<CorpusGame> table_games() {
  if (full()) return games();
  // Hidden information, chance, cycles, checks with rules of their own.
  return chosen({{"hrg", "battleships"}, {"hrg", "ticTacDie"}, {"rbg", "reversi_4x4"}, {"gdl", "connect4"}});
}

INSTANTIATE_TEST_SUITE_P(Cpp, AsTables, testing::ValuesIn(table_games()), name_of);

TEST_F(Corpus, CountsLeavesAsRecorded) {
  const std::uint64_t most = full() ? 20'000'000 : 200'000;
  // Leaves were counted of the high-level descriptions. In these two an amazon is not chosen if it can only move
  // diagonally; in the low-level ones it is (`rgtrans equal` shows a play).
  const std::set<std::string> other_rules = {"amazons_split3", "amazons_split5"};
  for (const CorpusGame& game : games()) {
    if (game.kind == "rbg-low" && other_rules.contains(game.name)) continue;
    const auto counts = known_perft(language(game.kind))[game.name];
    if (counts.empty() || game.kind == "line") continue;  // of line games walks were counted
    SCOPED_TRACE(game.name);
    const auto compiled = make_cpp_reasoner(load(game, 2), options_for(game));
    for (const auto& [depth, count] : counts) {
      if (count <= most) {
        EXPECT_EQ(compiled->perft(depth), count) << "depth " << depth;
      }
    }
  }
}

TEST_F(Corpus, ABuiltReasonerIsFoundAgain) {
  const ir::Game game = load(games().front(), 2);
  build(game);
  const Built again = build(game);
  EXPECT_TRUE(again.found);
  EXPECT_TRUE(again.commands.empty());
}

}  // namespace
}  // namespace rgtrans::cpp
