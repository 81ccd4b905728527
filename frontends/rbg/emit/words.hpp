// The cells of the board as players write them, and their positions in a drawing.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

void add_words(const Description& description, ir::Game& game);

}  // namespace rgtrans::rbg
