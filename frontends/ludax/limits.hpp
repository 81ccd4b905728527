// Limits for Ludax descriptions (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::ludax::limits {

extern constinit Limit nesting, cells, table;

// All limits, in display order.
std::span<Limit* const> all();

}  // namespace rgtrans::ludax::limits
