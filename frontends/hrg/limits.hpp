// Limits for texts in HRG (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::hrg::limits {

extern constinit Limit nesting, operators, domain_elements, table_cells, call_depth, expression_depth, evaluation_steps,
    edges, statements, block_depth;

// All limits, in display order.
std::span<Limit* const> all();

}  // namespace rgtrans::hrg::limits
