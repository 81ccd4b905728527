// The limits on what a text in RG may grow to (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::rg::limits {

extern constinit Limit nesting, json_values;

// In the order in which they are shown.
std::span<Limit* const> all();

}  // namespace rgtrans::rg::limits
