// Labelings: every sequence of tags that a move of a player or of random can have, as far as the automaton and the
// value sets tell. Some of them may never be legal; none that is legal is missing.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

// Each once, in no particular order; none where there are more than `most`, or without end.
std::optional<std::vector<std::vector<SymbolId>>> labelings(ir::Game& game, std::size_t most);

}  // namespace rgtrans::analysis
