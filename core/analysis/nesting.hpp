// Bourdoncle's weak topological order of a flow graph, for solvers that iterate inner loops before outer ones. Strongly
// connected components are in topological order. Each starts with a head; the remaining nodes are decomposed
// recursively without the head. The components are the loops of the order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

[[nodiscard]] Order nested_order(const Flow& flow);
// `nodes`: node numbers in reverse post-order; `next`: the successors of each node.
[[nodiscard]] Order nested_order(const std::vector<std::uint32_t>& nodes, const Grouped& next);

}  // namespace rgtrans::analysis
