#include "core/analysis/exploration/promises.hpp"

#include <algorithm>

namespace rgtrans::analysis {

Promises::Promises(const ir::Game& game) {
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* disjoint = std::get_if<ir::Disjoint>(&pragma.content)) {
      targets_[disjoint->node].push_back(disjoint->targets);
    }
  }
}

bool Promises::exclude(ir::NodeId node, ir::NodeId first, ir::NodeId second) const {
  const auto it = targets_.find(node);
  if (it == targets_.end()) return false;
  return std::ranges::any_of(it->second, [&](const std::vector<ir::NodeId>& targets) {
    if (first == second) return std::ranges::count(targets, first) >= 2;
    return std::ranges::find(targets, first) != targets.end() && std::ranges::find(targets, second) != targets.end();
  });
}

}  // namespace rgtrans::analysis
