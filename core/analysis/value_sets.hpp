// Value sets: the symbols that a variable can hold at a node, starting from the initial state and considering which
// comparisons can hold. Edges that cannot be taken contribute nothing. Sparse conditional constant propagation is the
// special case of sets with one member. A map variable has one set for all its cells.
//
//   begin, a: x = T(*);   a, b: x != 1;   b, c: y = x;      with T = { 1, 2, 3 }, x and y are in { 2, 3 } at c
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/dataflow.hpp"
#include "core/analysis/environments.hpp"
#include "core/analysis/flow.hpp"
#include "core/analysis/possible.hpp"

namespace rgtrans::analysis {

class ValueSets final : public Possible {
 public:
  // `most_maps`: if an index can select more rows of a map than this, the analysis uses all cells instead. Around
  // loops, sets grow to an eighth of this number of members before they are widened.
  ValueSets(const ir::Game& game, const Flow& flow, std::size_t most_maps = 40);

  // Whether the analysis found a walk to the node. `node` must be reached in the flow graph.
  [[nodiscard]] bool possible(ir::NodeId node) const override { return at_[flow_->index(node)].has_value(); }
  SetId values(ir::ExprId expression, ir::NodeId node) override {
    return evaluate(expression, *at_[flow_->index(node)]);
  }

 private:
  friend struct ValueSetProblem;
  using Environment = Environments::Id;  // by variable: its set

  SetId evaluate(ir::ExprId expression, Environment environment) {
    return Possible::evaluate(expression, [&](ir::VarId v) { return environments_.get(environment, v.value); });
  }
  std::optional<Environment> transfer(const FlowEdge& edge, Environment before);

  const Flow* flow_;
  Environments environments_;
  std::vector<std::optional<Environment>> at_;
};

}  // namespace rgtrans::analysis
