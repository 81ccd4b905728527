// Strong liveness: the variables that can still influence the game from a node on. Reading a variable to compute
// another one does not count unless that one is needed itself.
//
//   a, b: n = next[n];   b, c: x = 1;   c, d: $$ x;      n is dead if nothing else reads it; x is dead at a and b
#pragma once

#include "core/analysis/flow.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

class Liveness {
 public:
  Liveness(const ir::Game& game, const Flow& flow);

  // `node` must be reached.
  [[nodiscard]] bool live(ir::VarId variable, ir::NodeId node) const {
    return live_[flow_->index(node)].test(variable.value);
  }
  [[nodiscard]] const Bits& at(ir::NodeId node) const { return live_[flow_->index(node)]; }
  [[nodiscard]] const Bits& at_index(std::uint32_t index) const { return live_[index]; }

 private:
  const Flow* flow_;
  std::vector<Bits> live_;
};

}  // namespace rgtrans::analysis
