// Faces: values that people know as dice or cards. A die has six numbers and something in its name says so; cards are
// called like cards.
#pragma once

#include <string_view>
#include <vector>

#include "backends/scene/picture.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

enum class Faces : std::uint8_t { none, dice, cards };

// The common face of all values of a variable that is no map.
Faces faces_of(const ir::Game& game, ir::VarId variable);
// "R(3,4)": two dice; "D(jack,?)": two cards, one of them face down.
std::vector<Face> faces_in(std::string_view value, bool dice);

}  // namespace rgtrans::scene
