// The optimizer on real games: the size of its result compared with the published system, and perft before and after.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>

#include "backends/lockstep/lockstep.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans {
namespace {

using namespace corpus;

TEST(OptimizerOracle, GamesAreSmallerThanTheReferenceMakesThem) {
  SKIP_WITHOUT_SHARED();
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::string>> reference;
  for (auto& row : table(shared() / "oracle" / "reference_translate.tsv")) {
    if (row["mode"] == "all") reference[{row["kind"], row["game"]}] = row;
  }
  const bool show = std::getenv("RGTRANS_TABLE") != nullptr;
  std::size_t games = 0;
  std::size_t not_larger = 0;
  std::uint64_t ours[3] = {};
  std::uint64_t theirs[3] = {};
  double logarithm = 0;
  std::size_t timed = 0;
  for (const CorpusGame& game : all_games()) {
    const auto it = reference.find({game.kind, game.name});
    if (it == reference.end() || game.kind == "rg") continue;
    const bool large = it->second["status"] != "ok";
    if (large && !full() && !show) continue;
    const double start = processor_seconds();
    ir::Game g;
    try {
      g = load(game);
    } catch (const Error& e) {
      ADD_FAILURE() << game.name << ": " << e.what();
      continue;
    }
    const double loaded = processor_seconds();
    passes::optimize(g);
    const double optimized = processor_seconds();
    const std::string text = rg::print(g);
    const double seconds = processor_seconds() - start;
    const stats::Stats s = stats::collect(g);
    EXPECT_LT(seconds, 1.5 * kPatience) << game.name;
    if (large) {
      if (show)
        fmt::print("{:<4} {:<34} {:>6} {:>6} {:>7}  (reference: timeout)  {:.1f} + {:.1f} ms\n", game.kind, game.name,
                   s.nodes, s.edges, s.state_size, (loaded - start) * 1e3, (optimized - loaded) * 1e3);
      continue;
    }
    const std::uint64_t a[3] = {s.nodes, s.edges, s.state_size};
    const std::uint64_t b[3] = {std::stoull(it->second["nodes"]), std::stoull(it->second["edges"]),
                                std::stoull(it->second["state_size"])};
    ++games;
    bool fine = true;
    for (int i = 0; i < 3; ++i) {
      ours[i] += a[i];
      theirs[i] += b[i];
      fine = fine && a[i] <= b[i];
    }
    not_larger += fine;
    const double their_seconds = std::stod(it->second["cpu_seconds"]);
    logarithm += std::log(their_seconds / std::max(seconds, 1e-6));
    ++timed;
    if (show) {
      fmt::print("{:<4} {:<34} {:>6}/{:<6} {:>6}/{:<6} {:>7}/{:<7} {} {:.1f} + {:.1f} ms, {:.0f}x\n", game.kind,
                 game.name, a[0], b[0], a[1], b[1], a[2], b[2], fine ? "" : "LARGER", (loaded - start) * 1e3,
                 (optimized - loaded) * 1e3, their_seconds / seconds);
    }
  }
  if (games == 0) GTEST_SKIP() << "no front end for a game with reference figures";
  fmt::print("{} of {} games are not larger; nodes {} / {}, edges {} / {}, state {} / {}; {:.1f} times faster\n",
             not_larger, games, ours[0], theirs[0], ours[1], theirs[1], ours[2], theirs[2],
             std::exp(logarithm / static_cast<double>(timed)));
  EXPECT_GE(static_cast<double>(not_larger), 0.95 * static_cast<double>(games));
  for (int i = 0; i < 3; ++i) EXPECT_LE(static_cast<double>(ours[i]), 0.9 * static_cast<double>(theirs[i]));
}

// Perft at -O0, -O1 and -O2, as deep as a small budget allows.
TEST(OptimizerOracle, PerftIsTheSameAtEveryLevel) {
  SKIP_WITHOUT_SHARED();
  const std::uint64_t most_leaves = full() ? 100'000 : 600;
  const char* const only = std::getenv("RGTRANS_ONLY");
  for (const CorpusGame& game : all_games()) {
    if (only != nullptr && game.name != only) continue;
    try {
      const ir::Game plain = load(game);
      if (plain.graph.edge_count() > 6000 && !full()) continue;
      const auto expected = make_interpreter(plain);
      const auto start = std::chrono::steady_clock::now();
      std::vector<std::uint64_t> counts;
      for (unsigned depth = 1; depth <= 6; ++depth) {
        counts.push_back(expected->perft(depth));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double growth = counts.size() > 1 && counts[counts.size() - 2] > 0
                                  ? static_cast<double>(counts.back()) / static_cast<double>(counts[counts.size() - 2])
                                  : static_cast<double>(counts.back());
        if (counts.back() == 0 || static_cast<double>(counts.back()) * growth > static_cast<double>(most_leaves) ||
            seconds > (full() ? 10 : 0.2))
          break;
      }
      for (const int level : {1, 2}) {
        ir::Game optimized = plain;
        passes::OptimizeOptions options;
        options.level = level;
        passes::optimize(optimized, options);
        const auto reasoner = make_interpreter(optimized);
        for (unsigned depth = 1; depth <= counts.size(); ++depth) {
          EXPECT_EQ(reasoner->perft(depth), counts[depth - 1])
              << game.kind << " " << game.name << " -O" << level << " depth " << depth;
        }
      }
    } catch (const Error& e) {
      ADD_FAILURE() << game.name << ": " << e.what();
    }
  }
}

// Random plays in lock-step before and after each pass: 200 of them in the full run.
TEST(OptimizerOracle, EveryPassKeepsTheGame) {
  SKIP_WITHOUT_SHARED();
  const char* const only = std::getenv("RGTRANS_ONLY");
  for (const CorpusGame& game : all_games()) {
    if (only != nullptr && game.name != only) continue;
    try {
      ir::Game g = load(game);
      if (g.graph.edge_count() > 90 && !full()) continue;
      passes::OptimizeOptions options;
      lockstep::WalkOptions walks;
      walks.walks = full() ? 200 : 1;
      walks.longest = full() ? 200 : 15;
      options.verify_each = lockstep::comparison(walks);
      passes::optimize(g, options);
    } catch (const Error& e) {
      ADD_FAILURE() << game.kind << " " << game.name << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace rgtrans
