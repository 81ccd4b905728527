// Data-flow analysis of a flow graph with the solver of core/analysis. A check also leads to the start of its pattern.
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

// Calls lead(to) for all successors of a node. The solver and its orders use node numbers.
template <class Lead>
void for_each_next(const FlowGraph& flow, std::uint32_t node, Lead&& lead) {
  for (EdgeId id : flow.out(NodeId(node))) {
    const FlowGraph::Edge& edge = flow.edge(id);
    lead(edge.to.value);
    if (edge.step.kind == Do::check) lead(flow.pattern(edge.step).start.value);
  }
}

// All nodes in post-order: each follows its successors, ignoring back edges.
inline std::vector<std::uint32_t> post_order(const FlowGraph& flow) {
  std::vector<std::uint32_t> roots = {flow.begin.value};
  for (NodeId node : flow.nodes()) roots.push_back(node.value);
  return analysis::post_order(flow.node_count(), roots,
                              [&](std::uint32_t node, auto&& lead) { for_each_next(flow, node, lead); });
}

// Calls process(node, wake) for all nodes in this order, and again for nodes woken by wake(node), until none is left.
template <class Process>
void solve(const analysis::Order& order, Process&& process) {
  analysis::Worklist work(order, true);
  work.run([&](std::uint32_t node) {
    process(NodeId(node), [&](NodeId other) { work.queue(other.value); });
    return true;
  });
}

// Reverse post-order: predecessors first, except in loops.
inline analysis::Order forward_order(const FlowGraph& flow) {
  std::vector<std::uint32_t> nodes = post_order(flow);
  std::ranges::reverse(nodes);
  return analysis::Order(std::move(nodes));
}
// The same, with inner loops before outer ones. Costs more, but saves iterations if loops change often.
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
// Solves backward: successors first.
template <class Process>
void solve_backward(const FlowGraph& flow, Process&& process) {
  solve(analysis::Order(post_order(flow)), process);
}

// Whether a node is reachable from a root. next(node, reach) calls reach(to) for each successor.
template <class Next>
ByNode<bool> reached_from(const FlowGraph& flow, const std::vector<NodeId>& roots, Next&& next) {
  std::vector<std::uint32_t> numbers;
  for (NodeId root : roots) numbers.push_back(root.value);
  return ByNode<bool>(rgtrans::reached_from(flow.node_count(), numbers, [&](std::uint32_t node, auto&& reach) {
    next(NodeId(node), [&](NodeId to) { reach(to.value); });
  }));
}

// The strong components of the graph restricted to edges whose step is wanted: component by node, and their number.
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
