// The reachability checks of an automaton, and which of them may need their own result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ir/automaton.hpp"

namespace rgtrans::ir {

struct CheckOf {
  NodeId from, to;
  EdgeId edge;                     // the first edge with this check
  std::vector<std::size_t> inner;  // checks on the edges that its evaluation can meet
  bool reached = true;             // some path leads from `from` to `to`
  bool meets_itself = false;       // it is one of its inner checks
  bool recursive = false;          // it is evaluated within its own evaluation, or within that of an inner check
  std::uint32_t component = 0;     // checks that are evaluated within each other have the same number
};

// Explores each distinct check once, up to its target. With more edges on the way than the budget, the rest is not
// explored, and no check counts as recursive.
std::vector<CheckOf> reachability_checks(const Automaton& graph, std::size_t budget = SIZE_MAX);

}  // namespace rgtrans::ir
