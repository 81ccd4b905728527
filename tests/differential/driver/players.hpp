// Engines that are no Reasoner, behind that interface, as far as a comparison asks.
#pragma once

#include <memory>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::differential {

// One play of a batch environment. A state is the actions that lead to it, so no two ways meet. Throws Error for games
// whose actions have no number for a whole move, and for those in which something is random, which a batch draws
// itself.
std::unique_ptr<Reasoner> make_env_player(const ir::Game& written, const ir::Game& played);

// The reasoner of `rgtrans page`, in a process of node that all games share. Throws Error where there is no node.
std::unique_ptr<Reasoner> make_page_player(const ir::Game& game);

}  // namespace rgtrans::differential
