// Which symbols a variable can ever hold, whatever the order of the assignments: coarser than value sets
// (value_sets.hpp), but counters of some hundred values are followed to their end. A map variable has one set for all
// its cells.
#pragma once

#include <vector>

#include "core/analysis/value_sets.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

class HeldValues {
 public:
  explicit HeldValues(const ir::Game& game);

  [[nodiscard]] const std::vector<SymbolId>& of(ir::VarId variable) const { return sets_.of(held_[variable.value]); }

  enum class Holds : std::uint8_t { never, sometimes, always };
  // Whether a comparison can hold; "sometimes" where that is not known.
  [[nodiscard]] Holds holds(const ir::Compare& compare);

 private:
  void follow_assignments();
  SetId assigned(const ir::Label& label);
  SetId evaluate(ir::ExprId expression);
  std::vector<ir::ValueId> maps(ir::ExprId expression);
  SetId leaves(ir::ValueId value);
  SetId members(ir::TypeId type);

  const ir::Game& game_;
  SymbolSets sets_;
  std::vector<SetId> held_;
};

// Removes conditions that never hold, and what asks for conditions that always do.
void drop_decided_conditions(ir::Game& game);

}  // namespace rgtrans::analysis
