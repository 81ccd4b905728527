// Every .hrg game of the corpus: it translates and has the move counts of the reference, at every depth that can
// be counted quickly; with RGTRANS_FULL at every depth there is.
#include "frontends/hrg/hrg.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans {
namespace {

std::filesystem::path shared_folder() {
  if (const char* folder = std::getenv("RGTRANS_SHARED")) return folder;
  return std::filesystem::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

// Counts by game and depth.
using Counts = std::map<std::string, std::map<unsigned, std::uint64_t>>;

Counts reference_counts() {
  Counts counts;
  std::ifstream in(shared_folder() / "oracle" / "reference_perft.tsv");
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string kind;
    std::string game;
    std::string mode;
    unsigned depth = 0;
    std::uint64_t count = 0;
    if (fields >> kind >> game >> mode >> depth >> count && kind == "hrg" && mode == "none")
      counts[game][depth] = count;
  }
  return counts;
}

ir::Game load(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  ir::Game game = hrg::load(path.string(), read_file(path), diagnostics);
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return game;
}

// At every optimization level, as far as one level takes `seconds`; the next depth is about ten times as much work.
void compare_counts(double seconds, int first_level, int last_level) {
  const Counts counts = reference_counts();
  if (counts.empty()) GTEST_SKIP() << "no oracle in " << shared_folder() << "; set RGTRANS_SHARED";
  using Clock = std::chrono::steady_clock;
  for (const auto& [name, by_depth] : counts) {
    const auto path = shared_folder() / "corpus" / "hrg" / (name + ".hrg");
    if (!std::filesystem::exists(path)) continue;
    for (int level = first_level; level <= last_level; ++level) {
      SCOPED_TRACE(name + " at -O" + std::to_string(level));
      ir::Game game = load(path);
      if (testing::Test::HasFailure()) return;
      if (level > 0) passes::optimize(game, {.level = level, .passes = {}, .stop_after = {}, .on_change = {}});
      const auto reasoner = make_interpreter(game);
      double last = 0;
      for (const auto& [depth, count] : by_depth) {
        if (last * 10 > seconds) break;
        const auto start = Clock::now();
        EXPECT_EQ(reasoner->perft(depth), count) << "depth " << depth;
        last = std::chrono::duration<double>(Clock::now() - start).count();
      }
    }
  }
}

TEST(HrgOracle, CountsTheMovesOfTheReference) { compare_counts(1, 0, 0); }

TEST(HrgOracle, CountsTheMovesOfTheReferenceAfterOptimization) { compare_counts(0.5, 1, 2); }

TEST(HrgOracle, CountsTheMovesOfTheReferenceAtEveryDepth) {
  if (std::getenv("RGTRANS_FULL") == nullptr) GTEST_SKIP() << "long; set RGTRANS_FULL";
  compare_counts(1e9, 0, 2);
}

}  // namespace
}  // namespace rgtrans
