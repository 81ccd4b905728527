// The automaton as Graphviz text. Nodes that only reachability checks enter are grouped in a cluster for each check.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::dot {

std::string print(const ir::Game& game);

}  // namespace rgtrans::dot
