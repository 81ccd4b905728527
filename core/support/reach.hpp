// Reachability from a set of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rgtrans {

// By number below `bound`: whether the number is a root or reachable from one. for_each_next(number, f) calls f(to) for
// each successor. It is called once per reached number.
template <class ForEachNext>
std::vector<bool> reached_from(std::size_t bound, std::span<const std::uint32_t> roots, ForEachNext&& for_each_next) {
  std::vector<bool> reached(bound, false);
  std::vector<std::uint32_t> work;
  const auto reach = [&](std::uint32_t number) {
    if (reached[number]) return;
    reached[number] = true;
    work.push_back(number);
  };
  for (const std::uint32_t root : roots) reach(root);
  while (!work.empty()) {
    const std::uint32_t number = work.back();
    work.pop_back();
    for_each_next(number, reach);
  }
  return reached;
}

// By node of an automaton: whether a path leads there from one of the roots.
template <class Graph, class Node>
std::vector<bool> nodes_reached_from(const Graph& graph, const std::vector<Node>& roots) {
  std::vector<std::uint32_t> numbers;
  for (const Node root : roots) numbers.push_back(root.value);
  return reached_from(graph.node_bound(), numbers, [&](std::uint32_t node, auto&& reach) {
    for (const auto edge : graph.out_edges(Node(node))) reach(graph.target(edge).value);
  });
}

template <class Graph, class Node>
bool leads_to(const Graph& graph, Node from, Node to) {
  return nodes_reached_from(graph, std::vector{from})[to.value];
}

}  // namespace rgtrans
