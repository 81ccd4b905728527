// Which symbols a variable can ever hold, whatever the order of the assignments: coarser than value sets
// (value_sets.hpp), but counters of some hundred values are followed to their end. A map variable has one set for all
// its cells.
#pragma once

#include <vector>

#include "core/analysis/possible.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

class HeldValues final : public Possible {
 public:
  // `members`: a variable can hold all members of its type, whatever is assigned to it.
  explicit HeldValues(const ir::Game& game, bool members = false);

  [[nodiscard]] SetId ever(ir::VarId variable) const { return held_[variable.value]; }
  [[nodiscard]] const std::vector<SymbolId>& of(ir::VarId variable) const { return sets_.of(ever(variable)); }
  // Somebody knows better: only these, in any order.
  void narrow(ir::VarId variable, std::vector<SymbolId> symbols);
  SetId values(ir::ExprId expression, ir::NodeId = {}) override {
    return evaluate(expression, [&](ir::VarId v) { return held_[v.value]; });
  }

 private:
  void follow_assignments();

  std::vector<SetId> held_;
};

// Removes conditions that never hold, and what asks for conditions that always do.
void drop_decided_conditions(ir::Game& game);

}  // namespace rgtrans::analysis
