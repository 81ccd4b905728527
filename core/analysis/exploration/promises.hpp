// The pragmas @disjoint, @unique and @repeat: promises by the author of a game, or facts proved by passes.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

class Promises {
 public:
  Promises() = default;
  explicit Promises(const ir::Game& game);

  // At most one of the node's edges to these two targets is legal.
  [[nodiscard]] bool exclude(ir::NodeId node, ir::NodeId first, ir::NodeId second) const;
  // No exploration reaches the node twice with the same tags and equal relevant variables.
  [[nodiscard]] bool unique(ir::NodeId node) const { return unique_.contains(node); }
  [[nodiscard]] bool any_unique() const { return !unique_.empty(); }
  // The variables that distinguish arrivals at the node, or null.
  [[nodiscard]] const Bits* repeat(ir::NodeId node) const;

 private:
  std::unordered_map<ir::NodeId, std::vector<std::vector<ir::NodeId>>> targets_;
  std::unordered_set<ir::NodeId> unique_;
  std::vector<Bits> told_apart_by_;
  std::unordered_map<ir::NodeId, std::size_t> repeat_;  // position in told_apart_by_
};

}  // namespace rgtrans::analysis
