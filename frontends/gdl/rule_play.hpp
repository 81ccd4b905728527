// Plays of a description by its rules as they stand, in which claims about the rules are evaluated.
#pragma once

#include <memory>
#include <span>

#include "frontends/frontend.hpp"

namespace rgtrans::gdl {

std::unique_ptr<RulePlay> play_rules(const Sources::File& file, const FrontendOptions& options,
                                     std::span<const ir::Claim> claims);

}  // namespace rgtrans::gdl
