// Limits for definitions of line games (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::linegames::limits {

extern constinit Limit points, values;

// All limits, in display order.
std::span<Limit* const> all();

}  // namespace rgtrans::linegames::limits
