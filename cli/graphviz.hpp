// Drawings of automata as files: with the places of Graphviz, a program of its own, where it is installed.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::cli {

// SVG.
std::string draw(const ir::Game& game);

}  // namespace rgtrans::cli
