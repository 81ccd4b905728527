// Data-flow over a flow graph, by the solver of core/analysis. A check is also a way to the start of its pattern.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "core/support/components.hpp"
#include "core/support/reach.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// The solver and its orders know nodes by their numbers. Calls lead(to) for all that a node leads to.
template <class Lead>
void for_each_next(const FlowGraph& flow, std::uint32_t node, Lead&& lead) {
  for (EdgeId id : flow.out(NodeId(node))) {
    const FlowGraph::Edge& edge = flow.edge(id);
    lead(edge.to.value);
    if (edge.step.kind == Do::check) lead(flow.pattern(edge.step).start.value);
  }
}

// All nodes; but for cycles, each comes behind those that it leads to.
inline std::vector<std::uint32_t> post_order(const FlowGraph& flow) {
  std::vector<std::uint32_t> roots = {flow.begin.value};
  for (NodeId node : flow.nodes()) roots.push_back(node.value);
  return analysis::post_order(flow.node_count(), roots,
                              [&](std::uint32_t node, auto&& lead) { for_each_next(flow, node, lead); });
}

// Calls process(node, wake) for all nodes in this order, and again for those that it wakes by wake(node), until none is
// left.
template <class Process>
void solve(const analysis::Order& order, Process&& process) {
  analysis::Worklist work(order, true);
  work.run([&](std::uint32_t node) {
    process(NodeId(node), [&](NodeId other) { work.queue(other.value); });
    return true;
  });
}

// Those before a node first, as far as loops allow.
inline analysis::Order forward_order(const FlowGraph& flow) {
  std::vector<std::uint32_t> nodes = post_order(flow);
  std::ranges::reverse(nodes);
  return analysis::Order(std::move(nodes));
}
// And inner loops before outer ones: dearer to find, for what loops change often.
inline analysis::Order nested_order(const FlowGraph& flow) {
  const Grouped next(flow.node_count(), [&](auto&& add) {
    for (NodeId node : flow.nodes()) for_each_next(flow, node.value, [&](std::uint32_t to) { add(node.value, to); });
  });
  return analysis::nested_order(forward_order(flow).places, next);
}
template <class Process>
void solve_forward(const FlowGraph& flow, Process&& process) {
  solve(forward_order(flow), process);
}
// Those behind a node first.
template <class Process>
void solve_backward(const FlowGraph& flow, Process&& process) {
  solve(analysis::Order(post_order(flow)), process);
}

// Whether a node is one of the roots or is come to from one; next(node, reach) calls reach(to) for each way on.
template <class Next>
ByNode<bool> reached_from(const FlowGraph& flow, const std::vector<NodeId>& roots, Next&& next) {
  std::vector<std::uint32_t> numbers;
  for (NodeId root : roots) numbers.push_back(root.value);
  return ByNode<bool>(rgtrans::reached_from(flow.node_count(), numbers, [&](std::uint32_t node, auto&& reach) {
    next(NodeId(node), [&](NodeId to) { reach(to.value); });
  }));
}

// The strong components of the graph with those edges whose kind of step is wanted, by node; and how many they are.
template <class Wanted>
std::pair<ByNode<std::uint32_t>, std::uint32_t> components(const FlowGraph& flow, Wanted&& wanted) {
  Arcs arcs;
  for (EdgeId id : flow.living_edges()) {
    const FlowGraph::Edge& edge = flow.edge(id);
    if (wanted(edge.step.kind)) arcs.emplace_back(edge.from.value, edge.to.value);
  }
  std::ranges::sort(arcs);
  Components found = strong_components(flow.node_count(), arcs);
  return {ByNode<std::uint32_t>(std::move(found.of)), found.count};
}

}  // namespace rgtrans::rbg
