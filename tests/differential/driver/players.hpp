// Engines that are no Reasoner, behind the part of that interface that a comparison uses.
#pragma once

#include <memory>
#include <string>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"
#include "tests/differential/driver/engines.hpp"
#include "tests/differential/driver/samples.hpp"

namespace rgtrans::differential {

// One play of a batch environment. A state is the actions that lead to it, so no two ways meet. Throws Error for games
// whose actions have no number for a whole move, and for those in which something is random, which a batch draws
// itself.
std::unique_ptr<Reasoner> make_env_player(const ir::Game& written, const ir::Game& played);

// The reasoner of `rgtrans page`, in a process of node that all games share. Throws Error where there is no node.
std::unique_ptr<Reasoner> make_page_player(const ir::Game& game);

// Plays a few random games that evaluate what front end, optimizer and interpreter claim of this form of a text.
struct FailedClaim {
  std::string message;  // "" where all hold
  std::string kind;     // the rewrite and the kind of claim
};
// Throws Error where the text has no such form. `rules`: most ground rules, 0 for the limit of the language.
FailedClaim failed_claim(const Sample& sample, const EngineName& engine, std::uint64_t rules);

}  // namespace rgtrans::differential
