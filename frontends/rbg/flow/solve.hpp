// Data-flow over a flow graph, by the solver of core/analysis. A check is also a way to the start of its pattern.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// All nodes; but for cycles, each comes behind those that it leads to.
inline std::vector<NodeId> post_order(const FlowGraph& flow) {
  std::vector<NodeId> roots = {flow.begin};
  for (NodeId node = 0; node < flow.node_count(); ++node) roots.push_back(node);
  return analysis::post_order(flow.node_count(), roots, [&](NodeId node, auto&& lead) {
    for (EdgeId id : flow.out(node)) {
      const FlowGraph::Edge& edge = flow.edge(id);
      lead(edge.to);
      if (edge.step.kind == Do::check) lead(flow.patterns[edge.step.index].start);
    }
  });
}

// Calls process(node, wake) for all nodes in this order, and again for those that it wakes by wake(node), until none is
// left.
template <class Process>
void solve(std::vector<NodeId> nodes, Process&& process) {
  const analysis::Order order(std::move(nodes));
  analysis::Worklist work(order, true);
  work.run([&](NodeId node) {
    process(node, [&](NodeId other) { work.queue(other); });
    return true;
  });
}

// Those before a node first, as far as loops allow.
template <class Process>
void solve_forward(const FlowGraph& flow, Process&& process) {
  std::vector<NodeId> nodes = post_order(flow);
  std::ranges::reverse(nodes);
  solve(std::move(nodes), process);
}
// Those behind a node first.
template <class Process>
void solve_backward(const FlowGraph& flow, Process&& process) {
  solve(post_order(flow), process);
}

}  // namespace rgtrans::rbg
