// Plays one game with two engines in parallel.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/reasoner.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::corpus {

// The legal moves in sorted order, with their indices.
inline std::vector<std::pair<std::string, std::size_t>> sorted_moves(Reasoner& reasoner) {
  std::vector<std::pair<std::string, std::size_t>> moves;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) moves.emplace_back(reasoner.move_text(i), i);
  std::ranges::sort(moves);
  return moves;
}

// The difference between two lists of moves, ignoring their order, or "".
inline std::string texts_differ(std::vector<std::string> a, std::vector<std::string> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  if (a == b) return "";
  std::vector<std::string> only_a, only_b;
  std::ranges::set_difference(a, b, std::back_inserter(only_a));
  std::ranges::set_difference(b, a, std::back_inserter(only_b));
  return fmt::format("{} and {} moves; only the first have {}, only the others {}", a.size(), b.size(),
                     fmt::join(only_a, ", "), fmt::join(only_b, ", "));
}

struct Alike {
  std::string difference;  // the first one, or ""
  int moves = 0;
  bool whole = true;   // the playout reached its end or the maximum length
  bool stuck = false;  // some mover had no move
};

struct LockStep {
  double until = std::numeric_limits<double>::infinity();  // limit on processor time, tested before each move
  int longest = 2000;
  int observed = 12;      // number of moves for which all players' observations are compared
  bool keeper = true;     // false: ignore keeper's moves, of which a pass may have selected one of several
  bool improper = false;  // skip moves with several walks, whose result is undefined
  std::function<std::string()> also = {};  // an additional comparison before each move: a difference, or ""
};

// Makes keeper's moves that have no alternative. Returns false if keeper has several moves or none.
inline bool make_keeper_moves(Reasoner& reasoner) {
  constexpr int kMost = 60;
  for (int made = 0; reasoner.keeper_moves(); ++made) {
    if (made == kMost || reasoner.move_count() != 1) return false;
    reasoner.apply(0);
  }
  return true;
}

// Plays one playout with both engines and compares ends, movers, legal moves, observations and goals.
template <class Random>
Alike play_both(Reasoner& a, Reasoner& b, Random& random, const LockStep& limits) {
  a.reset();
  b.reset();
  int step = 0;
  for (; step < limits.longest; ++step) {
    if (processor_seconds() > limits.until) return {"", step, false};
    if (!limits.keeper && !make_keeper_moves(a)) return {"", step, false};
    if (!limits.keeper && !make_keeper_moves(b)) return {fmt::format("step {}: the keeper has no move", step)};
    if (a.terminal() != b.terminal()) return {fmt::format("step {}: only one is terminal\n{}", step, a.describe())};
    if (a.terminal()) break;
    if (a.mover() != b.mover()) return {fmt::format("step {}: the mover differs\n{}", step, a.describe())};
    const auto moves = sorted_moves(a);
    const auto others = sorted_moves(b);
    const auto text = [](const auto& move) { return move.first; };
    if (!std::ranges::equal(moves, others, {}, text, text))
      return {fmt::format("step {}: {}\n{}", step, texts_differ(a.move_texts(), b.move_texts()), a.describe())};
    if (const std::string difference = limits.also ? limits.also() : ""; !difference.empty())
      return {fmt::format("step {}: {}", step, difference)};
    if (moves.empty()) return {"", step, true, true};
    std::vector<std::size_t> certain;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (!limits.improper || a.walk_count(moves[i].second) == 1) certain.push_back(i);
    }
    if (certain.empty()) return {"", step, false};
    const std::size_t choice = certain[random() % certain.size()];
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
