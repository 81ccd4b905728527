// Value sets: which symbols a variable can hold at a node, from the initial state on, taking into account which
// comparisons can hold at all. Edges that cannot be taken contribute nothing (sparse conditional constants are the
// special case of sets with one member). A map variable has one set for all its cells.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/analysis/dataflow.hpp"
#include "core/analysis/environments.hpp"
#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

using SetId = std::uint32_t;

// Interned sets of symbols.
class SymbolSets {
 public:
  SymbolSets() { intern({}); }
  static constexpr SetId kEmpty = 0;

  SetId intern(std::vector<SymbolId> sorted);
  SetId one(SymbolId symbol) { return intern({symbol}); }
  SetId unite(SetId a, SetId b);
  // Of many sets: one after the other would keep each set on the way.
  SetId unite_all(std::vector<SetId> parts);
  SetId intersect(SetId a, SetId b);
  SetId without(SetId set, SymbolId symbol);
  [[nodiscard]] const std::vector<SymbolId>& of(SetId id) const { return sets_[id]; }
  [[nodiscard]] bool disjoint(SetId a, SetId b) const;
  // The member of a set with one member, or none.
  [[nodiscard]] SymbolId single(SetId id) const { return sets_[id].size() == 1 ? sets_[id][0] : SymbolId(); }

 private:
  std::vector<std::vector<SymbolId>> sets_;
  IndexSet index_;
  Memo unions_;
};

class ValueSets {
 public:
  ValueSets(ir::Game& game, const Flow& flow);

  // Whether the analysis found a way to the node at all; `node` must be reached in the flow graph.
  [[nodiscard]] bool possible(ir::NodeId node) const { return at_[flow_->index(node)].has_value(); }
  // What an expression of a set type can be at a possible node.
  SetId values(ir::ExprId expression, ir::NodeId node) { return evaluate(expression, *at_[flow_->index(node)]); }
  // Whether the comparison on an edge of a possible node can be legal.
  bool can_hold(const ir::Compare& compare, ir::NodeId node);
  // One environment for the whole game had to do.
  [[nodiscard]] bool coarse() const { return coarse_; }
  // All that a variable ever holds.
  SetId ever(ir::VarId variable) const { return ever_[variable.value]; }
  SymbolSets& sets() { return sets_; }

 private:
  friend struct ValueSetProblem;
  using Environment = Environments::Id;  // by variable its set

  SetId evaluate(ir::ExprId expression, Environment environment);
  SetId look_up(ir::ExprId expression, Environment environment);
  // The values an expression of any type can have, if they are few constants.
  bool constants(ir::ExprId expression, Environment environment, std::vector<ir::ValueId>& out);
  SetId leaves(ir::ValueId value);
  SetId members(ir::TypeId type);
  Environment everywhere(struct ValueSetProblem& problem);
  std::optional<Environment> transfer(const FlowEdge& edge, Environment before);

  ir::Game& game_;
  const Flow* flow_;
  SymbolSets sets_;
  Environments environments_;
  std::unordered_map<ir::ValueId, SetId> leaves_;
  std::unordered_map<ir::TypeId, SetId> members_;
  std::unordered_map<std::uint64_t, SetId> lookups_;  // by a hash of the expression and the sets of its variables
  std::vector<std::optional<Environment>> at_;
  std::vector<SetId> ever_;
  bool coarse_ = false;
};

}  // namespace rgtrans::analysis
