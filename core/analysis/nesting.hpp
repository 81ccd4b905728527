// The nodes of a flow graph in an order for solvers that repeat inner loops before outer ones (Bourdoncle's weak
// topological order): strong components in topological order, in each of them first a head, then the rest, taken
// apart in the same manner without the head. Strong components are the loops of the order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

[[nodiscard]] Order nested_order(const Flow& flow);
// Of the numbers below that of `nodes`, which are in reverse post-order; `next` has those that each leads to.
[[nodiscard]] Order nested_order(const std::vector<std::uint32_t>& nodes, const Grouped& next);

}  // namespace rgtrans::analysis
