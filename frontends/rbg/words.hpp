// How people write the cells of a board, and where the cells lie on paper.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

void add_words(const Description& description, ir::Game& game);

}  // namespace rgtrans::rbg
