// Subset tests. A value has candidates (targets, or the next values of a round), and each of them is possible where the
// board has all cells that it needs. A vector of candidates is compared with masks of the board at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/support/bits.hpp"

namespace rgtrans::cpp {

// Words that one instruction compares.
constexpr std::size_t kLanes = 8;
constexpr std::size_t whole_vectors(std::size_t lanes) { return (lanes + kLanes - 1) / kLanes * kLanes; }

struct Subset {
  std::vector<Bits> needs;  // by source: cells
  std::uint64_t shown = 0;  // of a target: its tags
  std::uint32_t to = 0;     // what the function that follows is handed, or the value that is reached
  bool sure = true;         // it is a move where the cells hold what it needs
  bool reached = false;     // by a cycle
};
using Subsets = std::vector<std::vector<Subset>>;  // by value

// The most that one value has.
inline std::size_t most_of(const Subsets& all) {
  std::size_t most = 0;
  for (const auto& of_value : all) most = std::max(most, of_value.size());
  return most;
}

}  // namespace rgtrans::cpp
