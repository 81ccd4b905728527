// Passing: moves that change no board and choose no place, whatever cells their steps show. They are found where a
// language numbers the steps of its moves: from the numbers alone follows which walks are possible.
#pragma once

#include <set>
#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// The asides of such moves, as RG writes them, separated by blanks.
std::set<std::string> find_passes(const ir::Game& game);

}  // namespace rgtrans::scene
