// Plays a description on its original rules, and evaluates claims about them.
#pragma once

#include <memory>
#include <span>

#include "frontends/frontend.hpp"

namespace rgtrans::gdl {

std::unique_ptr<RulePlay> play_rules(const Sources::File& file, const FrontendOptions& options,
                                     std::span<const ir::Claim> claims);

}  // namespace rgtrans::gdl
