// Work on several threads: playouts of the interpreter and of compiled reasoners, and translations in parallel, as the
// Python package starts them. Each must give the result of one thread. Under ThreadSanitizer (the preset tsan builds
// this program alone) none may share memory by accident.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/same_playouts.hpp"

namespace rgtrans {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kThreads = 4;
constexpr std::uint64_t kPlayouts = 202;  // not a multiple of the threads

const fs::path kGames = fs::path(RGTRANS_SOURCE_DIR) / "games";

ir::Game load(const std::string& path) {
  Diagnostics diagnostics;
  return load_game({.path = kGames / path, .language = {}, .options = {}}, diagnostics);
}

ir::Game optimized(const std::string& path) {
  ir::Game game = load(path);
  passes::optimize(game);
  return game;
}

// A cache of its own for every test program; compiled with ThreadSanitizer where the program is.
cpp::BuildOptions build_options() {
  cpp::BuildOptions options;
  options.cache = fs::temp_directory_path() / ("rgtrans-threads-" + std::to_string(getpid()));
  if (kWatchesThreads) {
    // GCC would bring a second runtime of the sanitizer into this program.
    options.compiler = "clang++";
    options.extra_flags = {"-fsanitize=thread", "-g1"};
  }
  return options;
}

// Playouts on several threads: as many as requested, twice the same, and no thread's results are lost.
void expect_threads_to_agree(const Reasoner& reasoner) {
  const PlayoutOptions options{.count = kPlayouts, .seed = 7};
  const PlayoutStats once = play::playouts(reasoner, options, kThreads);
  EXPECT_EQ(once.playouts, kPlayouts);
  test::expect_same(once, play::playouts(reasoner, options, kThreads));
  // The first thread of several does what a single one does with its share and the same seed.
  test::expect_same(play::playouts(reasoner, {.count = 51, .seed = 7}, 1),
                    reasoner.clone()->playouts({.count = 51, .seed = 7}));
  const PlayoutStats timed = play::playouts(reasoner, {.seconds = 0.05, .seed = 7}, kThreads);
  EXPECT_GE(timed.playouts, kThreads);
}

TEST(Threads, PlayoutsOfTheInterpreterAgree) {
  for (const char* game :
       {"hrg/tic-tac-toe.hrg", "rbg/breakthrough.rbg", "hrg/kuhn-poker.hrg", "gdl/three-player-nim.kif"}) {
    SCOPED_TRACE(game);
    expect_threads_to_agree(*make_interpreter(load(game)));
    expect_threads_to_agree(*make_interpreter(optimized(game)));
  }
}

TEST(Threads, PlayoutsOfCompiledReasonersAgree) {
  const cpp::BuildOptions options = build_options();
  for (const char* game : {"hrg/tic-tac-toe.hrg", "hrg/kuhn-poker.hrg"}) {
    SCOPED_TRACE(game);
    expect_threads_to_agree(*cpp::make_cpp_reasoner(optimized(game), options));
  }
  fs::remove_all(options.cache);
}

// Both find nothing in the cache, or one finds what the other has finished: never half a reasoner.
TEST(Threads, BuildTheSameGameAtOnce) {
  const cpp::BuildOptions options = build_options();
  const ir::Game game = optimized("hrg/tic-tac-toe.hrg");
  std::vector<std::uint64_t> leaves(2);
  std::vector<std::thread> threads;
  for (std::uint64_t& count : leaves) {
    threads.emplace_back([&game, &options, &count] { count = cpp::make_cpp_reasoner(game, options)->perft(3); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(leaves, testing::Each(9 * 8 * 7));
  fs::remove_all(options.cache);
}

// A state that plays cannot leave: every thread meets the mistake.
constexpr std::string_view kStuck = R"(
type Player = { x };
type Score = { 0, 1 };
begin, choose: player = x;
choose, stuck: player = x;
stuck, never: player == keeper;
never, end: player = keeper;
)";

TEST(Threads, HandOnWhatGoesWrongInOne) {
  Diagnostics diagnostics;
  const ir::Game game = load_text("stuck.rg", std::string(kStuck), *find_frontend("rg"), diagnostics);
  const auto reasoner = make_interpreter(game);
  EXPECT_THROW(play::playouts(*reasoner, {.count = 8}, kThreads), Error);
}

std::string translate(const std::string& path) { return rg::print(optimized(path)); }

TEST(Threads, TranslateSideBySide) {
  const std::vector<std::string> paths = {
      "hrg/tic-tac-toe.hrg",  "hrg/reversi.hrg",
      "rbg/breakthrough.rbg", "rbg/tic-tac-toe.rbg",
      "gdl/tic-tac-toe.kif",  "gdl/monty-hall.kif",
      "hrg/nim.hrg",          "gdl/three-player-nim.kif",
      "rbg/hex.rbg",          "linegames/variants/alquerque-single-mandatory.linegame"};
  std::vector<std::string> alone;
  for (const std::string& path : paths) alone.push_back(translate(path));
  // Every thread starts elsewhere, so that each language meets each other one and itself.
  std::vector<std::vector<std::string>> results(kThreads, std::vector<std::string>(paths.size()));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&paths, &results, t] {
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::size_t which = (i + 2 * t) % paths.size();
        results[t][which] = translate(paths[which]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, alone);
}

}  // namespace
}  // namespace rgtrans
