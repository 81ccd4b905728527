// Relations of the author's text that the game keeps in several variables are drawn as one board.
#pragma once

#include <vector>

#include "backends/scene/layout.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// As if the relation were one variable, a map from its columns to Bool; each source names the variable that keeps it.
// None where that would be no board.
std::vector<Layout> find_layouts(const ir::Game& game, const ir::Words::Relation& relation);

}  // namespace rgtrans::scene
