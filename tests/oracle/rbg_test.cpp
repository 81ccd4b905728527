// Every RBG game of the corpus, high-level and low-level: translates, passes the verifier, and has the perft of the
// native RBG compiler.
#include "frontends/rbg/rbg.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"

namespace rgtrans {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  if (const char* folder = std::getenv("RGTRANS_SHARED")) return folder;
  return fs::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

bool full() { return std::getenv("RGTRANS_FULL") != nullptr; }

// Counts by game and depth.
std::map<std::string, std::map<unsigned, std::uint64_t>> native_perft() {
  std::map<std::string, std::map<unsigned, std::uint64_t>> result;
  std::istringstream lines(read_file(shared_folder() / "oracle" / "rbg_perft.tsv"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string game;
    unsigned depth = 0;
    std::uint64_t count = 0;
    if (cells >> game >> depth >> count) result[game][depth] = count;
  }
  return result;
}

ir::Game load(const fs::path& path) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(path.string(), read_file(path));
  ir::Game game = rbg::frontend().load(file, diagnostics, {});
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {.warnings = false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return game;
}

class RbgCorpus : public ::testing::TestWithParam<std::string> {};

TEST_P(RbgCorpus, PerftIsThatOfNativeRbg) {
  const fs::path folder = shared_folder() / "corpus" / "rbg" / GetParam();
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder << "; set RGTRANS_SHARED";
  const auto expected = native_perft();
  // The cost of a position differs very much between games; this keeps the quick run to seconds.
  const std::uint64_t most = full() ? 6'000'000 : 1'000;
  std::size_t games = 0;
  std::uint64_t positions = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".rbg") continue;
    const auto known = expected.find(entry.path().stem().string());
    SCOPED_TRACE(entry.path().string());
    const ir::Game game = load(entry.path());
    if (HasFailure() || known == expected.end()) continue;
    const auto reasoner = make_interpreter(game);
    for (const auto& [depth, count] : known->second) {
      if (count > most && depth > 1) break;
      EXPECT_EQ(reasoner->perft(depth), count) << entry.path().stem() << " at depth " << depth;
      positions += count;
    }
    ++games;
  }
  EXPECT_GE(games, 50U);
  EXPECT_GE(positions, 10'000U);
}

INSTANTIATE_TEST_SUITE_P(Forms, RbgCorpus, ::testing::Values("high", "low"),
                         [](const auto& info) { return info.param; });

// Statistics of random play, against those of native RBG.
TEST(RbgStatistics, PlayoutsAreLikeThoseOfNativeRbg) {
  const fs::path table = shared_folder() / "oracle" / "rbg_playouts.tsv";
  if (!fs::exists(table)) GTEST_SKIP() << "no " << table << "; set RGTRANS_SHARED";
  std::istringstream lines(read_file(table));
  std::string line;
  std::getline(lines, line);
  std::size_t checked = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    // The low-level files of some games are of another version than what native RBG was measured with.
    fs::path path = shared_folder() / "corpus" / "rbg" / "high" / (cells[0] + ".rbg");
    if (!fs::exists(path)) path = shared_folder() / "corpus" / "rbg" / "low" / (cells[0] + ".rbg");
    if (!fs::exists(path) || (!full() && std::stod(cells[1]) < 10'000)) continue;
    SCOPED_TRACE(cells[0]);
    const ir::Game game = load(path);
    const auto reasoner = make_interpreter(game);
    const double playouts = full() ? 2'000 : 200;
    const PlayoutStats stats =
        reasoner->playouts({.count = static_cast<std::uint64_t>(playouts), .seconds = 0, .seed = 7});
    const double mean = static_cast<double>(stats.moves) / playouts;
    const double variance = stats.length_squares / playouts - mean * mean;
    EXPECT_NEAR(mean, std::stod(cells[7]), 5 * std::sqrt(std::max(variance, 0.01) / playouts) + 0.02);
    std::istringstream scores(cells[8]);
    for (std::size_t p = 0; p < stats.goal_sum.size(); ++p) {
      std::string score;
      std::getline(scores, score, ',');
      const double goal = stats.goal_sum[p] / playouts;
      const double spread = std::sqrt(std::max(stats.goal_squares[p] / playouts - goal * goal, 0.01) / playouts);
      EXPECT_NEAR(goal, std::stod(score), 5 * spread + 0.1) << "player " << p;
    }
    ++checked;
  }
  EXPECT_GE(checked, 10U);
}

}  // namespace
}  // namespace rgtrans
