// The plainest of the solvers, for graphs that are not a game's flow graph.
#pragma once

#include <cstdint>
#include <vector>

namespace rgtrans::analysis {

// Calls `process` for all nodes in this order, and again for those that it queues, until none is left.
template <class Process>
void settle(const std::vector<std::uint32_t>& order, Process&& process) {
  std::vector<bool> queued(order.size(), true);
  for (bool again = true; again;) {
    again = false;
    std::vector<bool> passed(order.size(), false);
    for (std::uint32_t node : order) {
      passed[node] = true;
      if (!queued[node]) continue;
      queued[node] = false;
      process(node, [&](std::uint32_t other) {
        queued[other] = true;
        again = again || passed[other];
      });
    }
  }
}

}  // namespace rgtrans::analysis
