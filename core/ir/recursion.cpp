#include "core/ir/recursion.hpp"

#include <map>
#include <utility>
#include <variant>

#include "core/support/components.hpp"

namespace rgtrans::ir {

std::vector<CheckOf> reachability_checks(const Automaton& graph, std::size_t budget) {
  std::vector<CheckOf> checks;
  std::map<std::pair<NodeId, NodeId>, std::size_t> index;
  for (const EdgeId edge : graph.edges()) {
    const auto* label = std::get_if<Reachability>(&graph.label(edge));
    if (label == nullptr || !index.try_emplace({label->from, label->to}, checks.size()).second) continue;
    CheckOf& check = checks.emplace_back();
    check.from = label->from;
    check.to = label->to;
    check.edge = edge;
  }
  Arcs needs;
  std::vector<std::size_t> visited_by(graph.node_bound(), SIZE_MAX);
  std::vector<NodeId> open;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    CheckOf& check = checks[i];
    check.reached = check.from == check.to;
    visited_by[check.from.value] = i;
    open.push_back(check.from);
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      if (node == check.to) continue;
      for (const EdgeId edge : graph.out_edges(node)) {
        if (budget-- == 0) {
          check.reached = true;
          return checks;
        }
        if (const auto* inner = std::get_if<Reachability>(&graph.label(edge)))
          check.inner.push_back(index.at({inner->from, inner->to}));
        const NodeId target = graph.target(edge);
        check.reached = check.reached || target == check.to;
        if (std::exchange(visited_by[target.value], i) != i) open.push_back(target);
      }
    }
    for (const std::size_t inner : check.inner) {
      needs.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(inner));
      check.meets_itself = check.meets_itself || inner == i;
    }
  }
  const Components components = strong_components(checks.size(), needs);
  std::vector<std::size_t> sizes(components.count);
  for (const std::uint32_t component : components.of) ++sizes[component];
  for (std::size_t i = 0; i < checks.size(); ++i) {
    checks[i].component = components.of[i];
    checks[i].recursive = checks[i].meets_itself || sizes[components.of[i]] > 1;
  }
  return checks;
}

}  // namespace rgtrans::ir
