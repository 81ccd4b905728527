// The limits on what a text in definitions of line games may grow to (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::linegames::limits {

extern constinit Limit points, values;

// In the order in which they are shown.
std::span<Limit* const> all();

}  // namespace rgtrans::linegames::limits
