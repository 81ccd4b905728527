// Games of the library. Versions of one game in several languages have the same perft where the rules agree, and on
// small games the naive evaluator counts what the engines count.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;

const fs::path kGames = fs::path(RGTRANS_SOURCE_DIR) / "games";

using corpus::full;

ir::Game load(const std::string& name, int level) {
  Diagnostics diagnostics;
  LoadRequest request;
  request.path = kGames / name;
  ir::Game game = load_game(request, diagnostics);
  passes::OptimizeOptions options;
  options.level = level;
  passes::optimize(game, options);
  return game;
}

TEST(Library, VersionsOfAGameHaveTheSamePerft) {
  const std::vector<std::vector<std::string>> versions = {
      {"hrg/tic-tac-toe.hrg", "rbg/tic-tac-toe.rbg", "gdl/tic-tac-toe.kif"},
      {"hrg/connect-four.hrg", "rbg/connect-four.rbg", "gdl/connect-four.kif"},
      {"hrg/breakthrough.hrg", "rbg/breakthrough.rbg"},
      {"hrg/knightthrough.hrg", "rbg/knightthrough.rbg"},
      {"hrg/gomoku.hrg", "rbg/gomoku.rbg"},
      {"hrg/reversi.hrg", "rbg/reversi.rbg", "gdl/reversi.kif"},
      {"hrg/english-draughts.hrg", "rbg/english-draughts.rbg"},
      {"hrg/nine-mens-morris.hrg", "rbg/nine-mens-morris.rbg"},
      {"hrg/hex.hrg", "rbg/hex.rbg"},
      {"hrg/amazons.hrg", "rbg/amazons.rbg"},
      {"hrg/clobber.hrg", "rbg/clobber.rbg"},
      {"hrg/chess.hrg", "rbg/chess.rbg", "gdl/chess.kif"},
      {"hrg/oware.hrg", "gdl/oware.kif"},
  };
  const std::uint64_t most = full() ? 2'000'000 : 20'000;
  for (const auto& names : versions) {
    std::vector<std::unique_ptr<Reasoner>> reasoners;
    reasoners.reserve(names.size());
    for (const std::string& name : names) reasoners.push_back(make_interpreter(load(name, 2)));
    for (unsigned depth = 1; depth <= 6; ++depth) {
      const std::uint64_t first = reasoners[0]->perft(depth);
      for (std::size_t i = 1; i < names.size(); ++i) {
        EXPECT_EQ(reasoners[i]->perft(depth), first) << names[i] << " and " << names[0] << ", depth " << depth;
      }
      if (first * 20 > most) break;
    }
  }
}

// It remembers every walk, so that only few states can be visited.
TEST(Library, TheNaiveEvaluatorCountsTheSame) {
  const std::vector<std::pair<std::string, unsigned>> games = {
      {"hrg/tic-tac-toe.hrg", 3},   {"rbg/tic-tac-toe.rbg", 2},
      {"gdl/tic-tac-toe.kif", 3},   {"hrg/nim.hrg", 4},
      {"hrg/kuhn-poker.hrg", 4},    {"gdl/three-player-nim.kif", 3},
      {"gdl/monty-hall.kif", 4},    {"gdl/prisoners-dilemma.kif", 3},
      {"gdl/eight-puzzle.kif", 4},  {"hrg/connect-four.hrg", 2},
      {"gdl/blocker.kif", 2},       {"hrg/domineering.hrg", 2},
      {"gdl/silverman-4x5.kif", 2}, {"linegames/variants/alquerque-single-optional.linegame", 1},
      {"rbg/breakthrough.rbg", 1},  {"hrg/clobber.hrg", 1},
  };
  for (const auto& [name, depth] : games) {
    for (const int level : {0, 2}) {
      if (level == 0 && !full()) continue;
      const ir::Game game = load(name, level);
      naive::Evaluator evaluator(game, {.plain = true, .effort = 50});
      const auto reasoner = make_interpreter(game);
      for (unsigned d = 1; d <= depth + (full() ? 1 : 0); ++d) {
        const std::uint64_t expected = reasoner->perft(d);
        if (expected > (full() ? 20'000U : 1'000U)) break;
        EXPECT_EQ(evaluator.perft(evaluator.initial(), d), expected) << name << " -O" << level << ", depth " << d;
      }
    }
  }
}

}  // namespace
}  // namespace rgtrans::test
