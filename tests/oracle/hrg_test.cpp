// Every .hrg game of the corpus translates and has the move counts of the reference, at every depth that can be counted
// quickly; with RGTRANS_FULL at every recorded depth.
#include "frontends/hrg/hrg.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

using namespace corpus;

ir::Game load(const fs::path& path) {
  Diagnostics diagnostics;
  ir::Game game = hrg::load(path.string(), read_file(path), diagnostics);
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return game;
}

// At every optimization level, while one level takes less than `seconds`; the next depth is about ten times as much
// work.
void compare_counts(double seconds, int first_level, int last_level) {
  const Counts counts = known_perft("hrg");
  if (counts.empty()) GTEST_SKIP() << "no oracle in " << shared() << "; set RGTRANS_SHARED";
  using Clock = std::chrono::steady_clock;
  for (const auto& [name, by_depth] : counts) {
    const auto path = shared() / "corpus" / "hrg" / (name + ".hrg");
    if (!fs::exists(path)) continue;
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
  if (!full()) GTEST_SKIP() << "long; set RGTRANS_FULL";
  compare_counts(1e9, 0, 2);
}

// Figures of random playouts by the reference.
struct Playouts {
  double plays = 0;
  double per_second = 0;
  double length = 0;
  double deviation = 0;
  std::map<std::string, double> goals;
};

std::map<std::string, Playouts> reference_playouts() {
  std::map<std::string, Playouts> result;
  for (Row& row : table(shared() / "oracle" / "reference_playouts.tsv")) {
    if (row["kind"] != "hrg" || row["status"] != "ok") continue;
    Playouts& p = result[row["game"]];
    p.plays = std::stod(row["plays"]);
    p.per_second = std::stod(row["playouts_per_cpu_s"]);
    p.length = std::stod(row["turns_avg"]);
    p.deviation = std::stod(row["turns_std"]);
    std::istringstream goals(row["avg_goals"]);
    for (std::string goal; std::getline(goals, goal, ';');) {
      const std::size_t sign = goal.find('=');
      p.goals[goal.substr(0, sign)] = std::stod(goal.substr(sign + 1));
    }
  }
  return result;
}

// The means of two samples agree within four standard errors (and the rounding in the table).
void expect_same_mean(double ours, double variance, double plays, double theirs, double their_variance,
                      double their_plays) {
  EXPECT_NEAR(ours, theirs, 4 * std::sqrt(variance / plays + their_variance / their_plays) + 0.01);
}

TEST(HrgOracle, PlaysLikeTheReference) {
  const auto all = reference_playouts();
  if (all.empty()) GTEST_SKIP() << "no oracle in " << shared() << "; set RGTRANS_SHARED";
  for (const auto& [name, reference] : all) {
    SCOPED_TRACE(name);
    const auto path = shared() / "corpus" / "hrg" / (name + ".hrg");
    if (!fs::exists(path)) continue;
    const ir::Game game = load(path);
    if (HasFailure()) return;
    const auto reasoner = make_interpreter(game);
    PlayoutOptions options;
    const double quick = std::clamp(reference.per_second * 2, 10.0, 1'000.0);  // two seconds of the reference
    options.count = full() ? 10'000 : static_cast<std::uint64_t>(quick);
    const PlayoutStats stats = reasoner->playouts(options);
    const auto n = static_cast<double>(stats.playouts);
    const double mean = static_cast<double>(stats.moves) / n;
    expect_same_mean(mean, std::max(0.0, stats.length_squares / n - mean * mean), n, reference.length,
                     reference.deviation * reference.deviation, reference.plays);
    for (std::size_t player = 0; player < reasoner->info().players.size(); ++player) {
      SCOPED_TRACE(reasoner->info().players[player]);
      const auto goal = reference.goals.find(reasoner->info().players[player]);
      if (goal == reference.goals.end() || std::isnan(goal->second)) continue;
      const double ours = stats.goal_sum[player] / n;
      // One playout with another outcome may be missing by chance.
      const double rare = 100.0 * 100.0 / std::min(n, reference.plays);
      const double variance = std::max(rare, stats.goal_squares[player] / n - ours * ours);
      expect_same_mean(ours, variance, n, goal->second, variance, reference.plays);
    }
  }
}

}  // namespace
}  // namespace rgtrans
