// The symbols that a variable can ever hold, independent of the order of assignments. Coarser than value sets
// (value_sets.hpp), but it tracks counters of several hundred values exactly. A map variable has one set for all its
// cells.
//
//   x = 1 initially;   a, b: x = next[x];   with next = { 1: 2, 2: 3, :3 }, x can hold 1, 2 and 3
#pragma once

#include <vector>

#include "core/analysis/possible.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

class HeldValues final : public Possible {
 public:
  // `members`: assume that a variable can hold all members of its type, regardless of its assignments.
  explicit HeldValues(const ir::Game& game, bool members = false);

  [[nodiscard]] SetId ever(ir::VarId variable) const { return held_[variable.value]; }
  [[nodiscard]] const std::vector<SymbolId>& of(ir::VarId variable) const { return sets_.of(ever(variable)); }
  // Replaces the set of a variable by a more precise one, in any order.
  void narrow(ir::VarId variable, std::vector<SymbolId> symbols);
  SetId values(ir::ExprId expression, ir::NodeId = {}) override {
    return evaluate(expression, [&](ir::VarId v) { return held_[v.value]; });
  }

 private:
  void follow_assignments();

  std::vector<SetId> held_;
};

// Removes edges whose conditions never hold, and conditions that always hold.
void drop_decided_conditions(ir::Game& game);

}  // namespace rgtrans::analysis
