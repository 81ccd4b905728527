// Two engines play one game side by side.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/reasoner.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::corpus {

// The legal moves, each with its place in the list.
inline std::vector<std::pair<std::string, std::size_t>> sorted_moves(Reasoner& reasoner) {
  std::vector<std::pair<std::string, std::size_t>> moves;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) moves.emplace_back(reasoner.move_text(i), i);
  std::ranges::sort(moves);
  return moves;
}

struct Alike {
  std::string difference;  // the first one, or ""
  int moves = 0;
  bool whole = true;  // the playout came to its end, or to its longest
};

struct LockStep {
  double until = std::numeric_limits<double>::infinity();  // of the processor time; it is looked at before each move
  int longest = 2000;
  int observed = 12;  // moves of which it is compared what every player sees
};

// One playout with both: the same ends, movers, legal moves, observations and goals.
inline Alike play_both(Reasoner& a, Reasoner& b, std::mt19937& random, const LockStep& limits) {
  a.reset();
  b.reset();
  int step = 0;
  for (; step < limits.longest; ++step) {
    if (processor_seconds() > limits.until) return {"", step, false};
    if (a.terminal() != b.terminal()) return {fmt::format("step {}: only one is terminal\n{}", step, a.describe())};
    if (a.terminal()) break;
    if (a.mover() != b.mover()) return {fmt::format("step {}: the mover differs\n{}", step, a.describe())};
    const auto moves = sorted_moves(a);
    const auto others = sorted_moves(b);
    const auto text = [](const auto& move) { return move.first; };
    if (!std::ranges::equal(moves, others, {}, text, text))
      return {fmt::format("step {}: {} and {} moves\n{}", step, moves.size(), others.size(), a.describe())};
    if (moves.empty()) break;
    const std::size_t choice = random() % moves.size();
    for (std::size_t p = 0; step < limits.observed && p < a.info().players.size(); ++p) {
      const std::string seen = a.observed_move_text(moves[choice].second, p);
      if (const std::string other = b.observed_move_text(others[choice].second, p); seen != other)
        return {fmt::format("step {}: player {} sees {} and {}", step, p, seen, other)};
    }
    a.apply(moves[choice].second);
    b.apply(others[choice].second);
  }
  for (std::size_t p = 0; p < a.info().players.size(); ++p) {
    if (a.terminal() && a.goal(p) != b.goal(p)) return {"the goals differ"};
  }
  return {"", step};
}

}  // namespace rgtrans::corpus
