// The sums over plays that every engine keeps.
#pragma once

#include <cstdint>
#include <span>

#include "backends/reasoner.hpp"

namespace rgtrans {

// Adds so many plays that ended with these goals. One player wins with more than all others; who plays alone, with
// something.
inline void add_result(PlayoutStats& stats, std::span<const double> goals, std::uint64_t times) {
  const auto weight = static_cast<double>(times);
  for (std::size_t p = 0; p < goals.size(); ++p) {
    stats.goal_sum[p] += weight * goals[p];
    stats.goal_squares[p] += weight * goals[p] * goals[p];
    bool best = goals.size() > 1 || goals[p] > 0;
    for (std::size_t q = 0; q < goals.size(); ++q) best = best && (q == p || goals[p] > goals[q]);
    if (best) stats.wins[p] += times;
  }
}

}  // namespace rgtrans
