// Lowers a game to an automaton.
#pragma once

#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"

namespace rgtrans::ludii {

struct Refusal {
  Range where;
  std::string message, hint;
};

// One refusal for each ludeme that is not translated; then the game is useless.
std::vector<Refusal> lower(const Description& description, const Equipment& equipment, ir::Game& game);

}  // namespace rgtrans::ludii
