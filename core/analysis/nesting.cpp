// See nesting.hpp.
#include "core/analysis/nesting.hpp"

#include <algorithm>
#include <numeric>

#include "core/support/components.hpp"
#include "core/support/support.hpp"

namespace rgtrans::analysis {

namespace {

// Deeper loops are not decomposed further, because each level visits all their edges again.
constexpr int kDeepestLoops = 12;

class Nesting {
 public:
  Nesting(std::size_t bound, const Grouped& next) : next_(next), local_(bound, kNone) {
    order_.loop_of.assign(bound, kNone);
  }

  Order run(const std::vector<std::uint32_t>& nodes) {
    place(nodes, kNone, 0);
    order_.number();
    return std::move(order_);
  }

 private:
  void add(std::uint32_t node, std::uint32_t loop) {
    order_.places.push_back(node);
    order_.loop_of[node] = loop;
  }

  // `nodes` must be in reverse post-order.
  void place(const std::vector<std::uint32_t>& nodes, std::uint32_t loop, int depth) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = i;
    Arcs arcs;
    std::vector<bool> repeats(nodes.size(), false);  // whether the node has an edge to itself
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      for (const std::uint32_t to : next_[nodes[i]]) {
        if (local_[to] == kNone) continue;
        arcs.emplace_back(i, local_[to]);
        if (local_[to] == i) repeats[i] = true;
      }
    }
    const Components components = strong_components(nodes.size(), arcs);
    const Grouped members = components.members();
    for (const std::uint32_t node : nodes) local_[node] = kNone;
    for (std::uint32_t c = components.count; c-- > 0;) {
      const auto group = members[c];
      if (group.size() == 1 && !repeats[group[0]]) {
        add(nodes[group[0]], loop);
        continue;
      }
      const auto inner = static_cast<std::uint32_t>(order_.loops.size());
      order_.loops.push_back({static_cast<std::uint32_t>(order_.places.size()), 0, loop});
      add(nodes[group[0]], inner);
      std::vector<std::uint32_t> rest;
      for (const std::uint32_t i : group.subspan(1)) rest.push_back(nodes[i]);
      if (depth < kDeepestLoops) {
        place(rest, inner, depth + 1);
      } else {
        for (const std::uint32_t node : rest) add(node, inner);
      }
      order_.loops[inner].end = static_cast<std::uint32_t>(order_.places.size());
    }
  }

  const Grouped& next_;
  Order order_;
  std::vector<std::uint32_t> local_;  // local index by node, valid during place()
};

}  // namespace

Order nested_order(const std::vector<std::uint32_t>& nodes, const Grouped& next) {
  return Nesting(nodes.size(), next).run(nodes);
}

Order nested_order(const Flow& flow) {
  std::vector<std::uint32_t> nodes(flow.size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  const Grouped next(flow.size(), [&](auto&& add) {
    for (const std::uint32_t node : nodes) {
      for (const FlowEdge& edge : flow.out(node)) add(node, edge.to);
    }
  });
  return nested_order(nodes, next);
}

}  // namespace rgtrans::analysis
