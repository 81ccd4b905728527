// The plainest of the solvers, for graphs that are not a game's flow graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rgtrans::analysis {

// All nodes from 0 to `count`, so that, but for cycles, each comes behind those that it leads to. The search begins at
// `starts`. next(node, i): where its i-th edge leads, kNowhere when it does not count.
inline constexpr std::uint32_t kNowhere = 0xffffffffU;
template <class OutCount, class Next>
std::vector<std::uint32_t> post_order(std::size_t count, std::span<const std::uint32_t> starts, OutCount&& out_count,
                                      Next&& next) {
  std::vector<std::uint32_t> order;
  order.reserve(count);
  std::vector<bool> seen(count, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // with the next edge to follow
  const auto open = [&](std::uint32_t node) {
    if (node == kNowhere || seen[node]) return;
    seen[node] = true;
    path.emplace_back(node, 0);
  };
  const auto search = [&](std::uint32_t root) {
    open(root);
    while (!path.empty()) {
      auto& [node, edge] = path.back();
      if (edge == out_count(node)) {
        order.push_back(node);
        path.pop_back();
      } else {
        open(next(node, edge++));
      }
    }
  };
  for (const std::uint32_t start : starts) search(start);
  for (std::uint32_t node = 0; node < count; ++node) search(node);
  return order;
}

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
