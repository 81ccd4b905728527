#include "core/analysis/exploration/promises.hpp"

#include <algorithm>

namespace rgtrans::analysis {

Promises::Promises(const ir::Game& game) {
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* disjoint = std::get_if<ir::Disjoint>(&pragma.content)) {
      targets_[disjoint->node].push_back(disjoint->targets);
    } else if (const auto* unique = std::get_if<ir::Unique>(&pragma.content)) {
      unique_.insert(unique->nodes.begin(), unique->nodes.end());
    } else if (const auto* repeat = std::get_if<ir::Repeat>(&pragma.content)) {
      Bits& set = told_apart_by_.emplace_back(game.variables().size());
      for (const ir::VarId variable : repeat->variables) set.set(variable.value);
      for (const ir::NodeId node : repeat->nodes) repeat_.emplace(node, told_apart_by_.size() - 1);
    }
  }
}

const Bits* Promises::repeat(ir::NodeId node) const {
  const auto it = repeat_.find(node);
  return it == repeat_.end() ? nullptr : &told_apart_by_[it->second];
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
