// Liveness: which variables can still influence the game from a node on. It is the strong form: reading a
// variable only to compute another one that is itself never needed does not count.
#pragma once

#include "core/analysis/flow.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

class Liveness {
 public:
  Liveness(const ir::Game& game, const Flow& flow);

  // At a reached node.
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
