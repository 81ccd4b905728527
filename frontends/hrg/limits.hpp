// The limits on what a text in HRG may grow to (see core/support/limits.hpp).
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::hrg::limits {

extern constinit Limit nesting, operators, domain_elements, table_cells, call_depth, expression_depth, evaluation_steps,
    edges, statements, block_depth;

// In the order in which they are shown.
std::span<Limit* const> all();

}  // namespace rgtrans::hrg::limits
