// Steps: the constants of a game that lead from cell to cell, such as directions. They distinguish hexagons from
// squares and rings from rectangles, and determine which way is up.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::scene {

struct Neighbours {
  std::string name;  // of the direction, or of the constant
  std::vector<std::pair<SymbolId, SymbolId>> pairs;
};

// All that stay among these cells from at least a quarter of them; the lines of the author's board are one of them.
std::vector<Neighbours> find_steps(const ir::Game& game, std::span<const SymbolId> cells);

}  // namespace rgtrans::scene
