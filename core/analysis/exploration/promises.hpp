// What the author of a game promises with @disjoint: of the edges from a node to some targets at most one is legal in
// any state.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

class Promises {
 public:
  Promises() = default;
  explicit Promises(const ir::Game& game);

  // Of two edges from a node to these targets at most one is legal.
  [[nodiscard]] bool exclude(ir::NodeId node, ir::NodeId first, ir::NodeId second) const;

 private:
  std::unordered_map<ir::NodeId, std::vector<std::vector<ir::NodeId>>> targets_;
};

}  // namespace rgtrans::analysis
