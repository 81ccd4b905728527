// Compiled reasoners against the interpreter (the same legal moves, observations and goals along random playouts), the
// recorded leaf counts, and the sanitizers. By default a few games; all of the corpus with RGTRANS_FULL, and then
// RGTRANS_GAME_SECONDS of processor time for each game.
#include "backends/cpp/cpp.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"
#include "frontends/linegames/linegames.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/frontends/linegames/published.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::cpp {
namespace {

using namespace corpus;

// Processor seconds that one game may take of the long comparison (RGTRANS_GAME_SECONDS).
double game_seconds() {
  const char* set = std::getenv("RGTRANS_GAME_SECONDS");
  return set != nullptr ? std::strtod(set, nullptr) : 60.0;
}

std::vector<fs::path> files(const fs::path& folder, std::uintmax_t largest) {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string kind = entry.path().extension().string();
    const bool game = kind == ".rg" || kind == ".hrg" || kind == ".rbg" || kind == ".kif" || kind == ".py";
    if (entry.is_regular_file() && game && entry.path().filename() != "variants.py" && entry.file_size() <= largest) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> games() {
  constexpr std::uintmax_t kAny = 1U << 24U;
  constexpr std::uintmax_t kSmallGdl = 6000;  // bytes
  const fs::path corpus = shared() / "corpus";
  if (!full()) {
    return {corpus / "rg/ticTacToe.rg", corpus / "hrg/connect4.hrg", corpus / "rbg/high/reversi_4x4.rbg"};
  }
  std::vector<fs::path> all;
  for (const auto& [folder, largest] :
       {std::pair(corpus / "rg", kAny), std::pair(corpus / "hrg", kAny), std::pair(corpus / "rbg/high", kAny),
        std::pair(fs::path(RGTRANS_SOURCE_DIR) / "games/linegames", kAny), std::pair(corpus / "gdl/rg-kif", kSmallGdl),
        std::pair(corpus / "gdl/ggp-base", kSmallGdl)}) {
    const auto more = files(folder, largest);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// What the builds of `rgtrans build` are called, so that they are found again.
BuildOptions options_for(const fs::path& path) {
  BuildOptions options;
  options.generate.title = path.stem().string();
  return options;
}

ir::Game load(const fs::path& path, int level) {
  Diagnostics diagnostics;
  LoadRequest request;
  request.path = path;
  // Line games are Python programs; the definitions that they make are known to the tests.
  const auto published = linegames::published_games(false);
  const auto line_game = path.extension() == ".py" ? published.find(path.stem().string()) : published.end();
  ir::Game game = line_game == published.end() ? load_game(request, diagnostics)
                                               : load_text(path.stem().string() + ".linegame", line_game->second.json,
                                                           linegames::frontend(), diagnostics);
  passes::OptimizeOptions options;
  options.level = level;
  passes::optimize(game, options);
  return game;
}

std::vector<std::pair<std::string, std::size_t>> sorted_moves(Reasoner& reasoner) {
  std::vector<std::pair<std::string, std::size_t>> moves;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) moves.emplace_back(reasoner.move_text(i), i);
  std::ranges::sort(moves);
  return moves;
}

// One playout with both; the first difference, or "".
std::string play_both(Reasoner& a, Reasoner& b, std::mt19937& random) {
  constexpr int kLongest = 2000;
  constexpr int kObserved = 12;
  a.reset();
  b.reset();
  for (int step = 0; step < kLongest; ++step) {
    if (a.terminal() != b.terminal()) return fmt::format("step {}: only one is terminal\n{}", step, a.describe());
    if (a.terminal()) break;
    if (a.mover() != b.mover()) return fmt::format("step {}: the mover differs\n{}", step, a.describe());
    const auto moves = sorted_moves(a);
    const auto others = sorted_moves(b);
    const bool same = std::ranges::equal(
        moves, others, {}, [](const auto& m) { return m.first; }, [](const auto& m) { return m.first; });
    if (!same) return fmt::format("step {}: {} and {} moves\n{}", step, moves.size(), others.size(), a.describe());
    if (moves.empty()) break;
    const std::size_t choice = random() % moves.size();
    for (std::size_t p = 0; step < kObserved && p < a.info().players.size(); ++p) {
      if (a.observed_move_text(moves[choice].second, p) != b.observed_move_text(others[choice].second, p)) {
        return fmt::format("step {}: player {} sees another move", step, p);
      }
    }
    a.apply(moves[choice].second);
    b.apply(others[choice].second);
  }
  for (std::size_t p = 0; p < a.info().players.size(); ++p) {
    if (a.terminal() && a.goal(p) != b.goal(p)) return "the goals differ";
  }
  return {};
}

class Corpus : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_SHARED(); }
};

// Every game in a test of its own, so that one that fails or takes long says so.
class EachGame : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    if (!fs::exists(GetParam())) GTEST_SKIP() << "the corpus is not there (RGTRANS_SHARED)";
  }
};

int play_alike(const fs::path& path, const ir::Game& game, Reasoner& compiled) {
  const int plays = full() ? 1000 : 20;
  const auto interpreter = make_interpreter(game);
  std::mt19937 random(1);
  const double start = cpu_seconds();
  int done = 0;
  for (; done < plays && cpu_seconds() - start < game_seconds(); ++done) {
    const std::string difference = play_both(*interpreter, compiled, random);
    EXPECT_EQ(difference, "") << "play " << done;
    if (!difference.empty()) break;
  }
  fmt::print("{}: {} of {} playouts alike\n", path.filename().string(), done, plays);
  return done;
}

void count_alike(const ir::Game& game, Reasoner& compiled) {
  constexpr std::uint64_t kMost = 20'000;
  const auto interpreter = make_interpreter(game);
  std::uint64_t before = 0;
  for (unsigned depth = 0; depth < 8; ++depth) {
    const std::uint64_t count = compiled.perft(depth);
    if (count > kMost || (depth > 2 && count == before)) break;
    EXPECT_EQ(interpreter->perft(depth), count) << "depth " << depth;
    before = count;
  }
}

TEST_P(EachGame, PlaysLikeTheInterpreter) {
  const ir::Game game = load(GetParam(), 2);
  const int done = play_alike(GetParam(), game, *make_cpp_reasoner(game, options_for(GetParam())));
  RecordProperty("playouts", done);
  if (done == 0 && !HasFailure()) GTEST_SKIP() << "no playout within the time";
}

TEST_P(EachGame, CountsLikeTheInterpreter) {
  const ir::Game game = load(GetParam(), 2);
  count_alike(game, *make_cpp_reasoner(game, options_for(GetParam())));
}

TEST_P(EachGame, IsCleanUnderTheSanitizers) {
  if (!full() && GetParam().stem() != "connect4") GTEST_SKIP() << "one game is enough for every day";
  BuildOptions options = options_for(GetParam());
  options.extra_flags = {"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1", "-O1"};
  const Built built = build(load(GetParam(), 2), options);
  for (const char* what : {"perft 2", "playouts 0.3 5"}) {
    const std::string command = "'" + built.executable.string() + "' " + what + " > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  return test_name(info.param.extension().string().substr(1) + "_" + info.param.stem().string() + "_" +
                   std::to_string(info.index));
}

INSTANTIATE_TEST_SUITE_P(Cpp, EachGame, testing::ValuesIn(games()), name_of);

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
  const auto compiled = make_cpp_reasoner(game, options_for(GetParam()));
  play_alike(GetParam(), game, *compiled);
  compiled->reset();
  count_alike(game, *compiled);
  const PlayoutStats stats = compiled->playouts({.count = 10, .max_moves = 10'000});
  EXPECT_EQ(stats.playouts, 10);
}

std::vector<fs::path> table_games() {
  if (full()) return games();
  // Hidden information, chance, cycles, checks with rules of their own.
  const fs::path corpus = shared() / "corpus";
  return {corpus / "hrg/battleships.hrg", corpus / "hrg/ticTacDie.hrg", corpus / "rbg/high/reversi_4x4.rbg",
          corpus / "gdl/ggp-base/connectFour.kif"};
}

INSTANTIATE_TEST_SUITE_P(Cpp, AsTables, testing::ValuesIn(table_games()), name_of);

TEST_F(Corpus, CountsLeavesAsRecorded) {
  const std::uint64_t most = full() ? 20'000'000 : 200'000;
  for (const fs::path& path : games()) {
    const auto counts = known_perft(path.extension().string().substr(1))[path.stem().string()];
    if (counts.empty()) continue;
    SCOPED_TRACE(path.filename());
    const auto compiled = make_cpp_reasoner(load(path, 2), options_for(path));
    for (const auto& [depth, count] : counts) {
      if (count <= most) {
        EXPECT_EQ(compiled->perft(depth), count) << "depth " << depth;
      }
    }
  }
}

TEST_F(Corpus, ABuiltReasonerIsFoundAgain) {
  const ir::Game game = load(shared() / "corpus/rg/ticTacToe.rg", 2);
  build(game);
  const Built again = build(game);
  EXPECT_TRUE(again.found);
  EXPECT_TRUE(again.commands.empty());
}

}  // namespace
}  // namespace rgtrans::cpp
