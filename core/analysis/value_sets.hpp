// Value sets: which symbols a variable can hold at a node, from the initial state on, taking into account which
// comparisons can hold at all. Edges that cannot be taken contribute nothing (sparse conditional constants are the
// special case of sets with one member). A map variable has one set for all its cells.
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
  // Of more rows of a map than `most_maps` cells are not looked at; sets grow around loops to an eighth as many
  // members.
  ValueSets(const ir::Game& game, const Flow& flow, std::size_t most_maps = 40);

  // Whether the analysis found a way to the node at all; `node` must be reached in the flow graph.
  [[nodiscard]] bool possible(ir::NodeId node) const override { return at_[flow_->index(node)].has_value(); }
  SetId values(ir::ExprId expression, ir::NodeId node) override {
    return evaluate(expression, *at_[flow_->index(node)]);
  }

 private:
  friend struct ValueSetProblem;
  using Environment = Environments::Id;  // by variable its set

  SetId evaluate(ir::ExprId expression, Environment environment) {
    return Possible::evaluate(expression, [&](ir::VarId v) { return environments_.get(environment, v.value); });
  }
  std::optional<Environment> transfer(const FlowEdge& edge, Environment before);

  const Flow* flow_;
  Environments environments_;
  std::vector<std::optional<Environment>> at_;
};

}  // namespace rgtrans::analysis
