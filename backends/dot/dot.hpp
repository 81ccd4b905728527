// The automaton as Graphviz text. For each check, a cluster groups the nodes that only reachability checks enter.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::dot {

std::string print(const ir::Game& game);

}  // namespace rgtrans::dot
