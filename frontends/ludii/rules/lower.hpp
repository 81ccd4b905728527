// Lowers a game to an automaton.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"

namespace rgtrans::ludii {

// Throws Refused.
void lower(const Description& description, const Equipment& equipment, ir::Game& game);

}  // namespace rgtrans::ludii
