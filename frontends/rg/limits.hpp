// Limits for texts in RG (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::rg::limits {

extern constinit Limit nesting, json_values;

// All limits, in display order.
std::span<Limit* const> all();

}  // namespace rgtrans::rg::limits
