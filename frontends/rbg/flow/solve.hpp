// Data-flow over a flow graph, by the solver of core/analysis. A check is also a way to the start of its pattern.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "core/analysis/nesting.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Calls lead(to) for all that a node leads to.
template <class Lead>
void for_each_next(const FlowGraph& flow, NodeId node, Lead&& lead) {
  for (EdgeId id : flow.out(node)) {
    const FlowGraph::Edge& edge = flow.edge(id);
    lead(edge.to);
    if (edge.step.kind == Do::check) lead(flow.patterns[edge.step.index].start);
  }
}

// All nodes; but for cycles, each comes behind those that it leads to.
inline std::vector<NodeId> post_order(const FlowGraph& flow) {
  std::vector<NodeId> roots = {flow.begin};
  for (NodeId node = 0; node < flow.node_count(); ++node) roots.push_back(node);
  return analysis::post_order(flow.node_count(), roots,
                              [&](NodeId node, auto&& lead) { for_each_next(flow, node, lead); });
}

// Calls process(node, wake) for all nodes in this order, and again for those that it wakes by wake(node), until none is
// left.
template <class Process>
void solve(const analysis::Order& order, Process&& process) {
  analysis::Worklist work(order, true);
  work.run([&](NodeId node) {
    process(node, [&](NodeId other) { work.queue(other); });
    return true;
  });
}

// Those before a node first, as far as loops allow.
inline analysis::Order forward_order(const FlowGraph& flow) {
  std::vector<NodeId> nodes = post_order(flow);
  std::ranges::reverse(nodes);
  return analysis::Order(std::move(nodes));
}
// And inner loops before outer ones: dearer to find, for what loops change often.
inline analysis::Order nested_order(const FlowGraph& flow) {
  const Grouped next(flow.node_count(), [&](auto&& add) {
    for (NodeId node = 0; node < flow.node_count(); ++node)
      for_each_next(flow, node, [&](NodeId to) { add(node, to); });
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

}  // namespace rgtrans::rbg
