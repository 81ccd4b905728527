// The drawing of the board, and the names of sites and pieces.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/ludii/equipment/equipment.hpp"

namespace rgtrans::ludii {

// Completes the words of a game that has been lowered.
void add_drawing(const Equipment& equipment, ir::Game& game);

}  // namespace rgtrans::ludii
