// Counts the distinct states, positions and futures of a game at each ply. A position is a set of states that
// canonical() maps to one representative; a future is a class of positions that no sequence of moves can distinguish.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "backends/reasoner.hpp"

namespace rgtrans::test {

struct PlyCount {
  std::size_t states = 0, positions = 0;
  // Positions that no future distinguishes: blocks of the coarsest bisimulation of all reachable positions.
  std::optional<std::size_t> futures;
  bool operator==(const PlyCount&) const = default;
};

// From the first position in which a player or random moves. Fewer plies if there are more states than `most_states` in
// one; futures if the game has at most `most_positions`.
std::vector<PlyCount> count_positions(Reasoner& game, std::size_t plies, std::size_t most_states,
                                      std::size_t most_positions);

}  // namespace rgtrans::test
