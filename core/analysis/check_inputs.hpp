// The inputs of a reachability check: the variables whose values can decide its result. A variable that each walk of
// the check assigns before it reads it is none of them.
//
//   ? 5 -> 7    5, 6: cell = Cell(*);   6, 7: board[cell] == empty;      only board is an input
#pragma once

#include <map>
#include <utility>

#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

// Adds the variables that decide, where an edge with the label begins, which conditions hold there and later. `after`:
// those where it ends. An assignment passes on what it reads if its own variable is among them. The inputs of a check
// on the edge are not added.
void add_deciding(const ir::Game& game, const ir::Label& label, const Bits& after, Bits& before);

class CheckInputs {
 public:
  explicit CheckInputs(const ir::Game& game) : game_(game) {}
  // No check may need its own result.
  const Bits& of(const ir::Reachability& check);

 private:
  const ir::Game& game_;
  std::map<std::pair<ir::NodeId, ir::NodeId>, Bits> inputs_;
};

}  // namespace rgtrans::analysis
