// The limits on what a Ludax description may grow to (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::ludax::limits {

extern constinit Limit nesting, cells, table;

// In the order in which they are shown.
std::span<Limit* const> all();

}  // namespace rgtrans::ludax::limits
