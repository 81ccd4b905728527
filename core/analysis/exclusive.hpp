// Exclusive conditions: which outgoing edges of a node can never be legal in the same state.
#pragma once

#include <vector>

#include "core/analysis/known_conditions.hpp"
#include "core/analysis/value_sets.hpp"

namespace rgtrans::analysis {

class Exclusive {
 public:
  Exclusive(ir::Game& game, ValueSets& values) : game_(game), values_(values) {}

  // Two edges out of the same reached node.
  bool never_both(ir::EdgeId a, ir::EdgeId b);

  // A largest group of outgoing edges of which at most one is legal. Every edge to one of their targets is in the
  // group. Empty when there are no two such edges.
  struct Group {
    std::vector<ir::EdgeId> edges;
    bool exhaustive = false;  // exactly one of them is legal
    const char* reason = "";
  };
  Group group(ir::NodeId node);

 private:
  // The values of `expression` for which the comparison can hold.
  SetId when(const ir::Compare& compare, ir::ExprId expression, ir::NodeId node);

  ir::Game& game_;
  ValueSets& values_;
};

}  // namespace rgtrans::analysis
