// Data-flow over a flow graph, by the solver of core/analysis. A check is also a way to the start of its pattern.
#pragma once

#include <algorithm>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// All nodes; but for cycles, each comes behind those that it leads to.
inline std::vector<NodeId> post_order(const FlowGraph& flow) {
  return analysis::post_order(
      flow.node_count(), std::vector<NodeId>{flow.begin}, [&](NodeId node) { return 2 * flow.out(node).size(); },
      [&](NodeId node, std::size_t i) {
        const FlowGraph::Edge& edge = flow.edge(flow.out(node)[i / 2]);
        if (i % 2 == 0) return edge.to;
        return edge.step.kind == Do::check ? flow.patterns[edge.step.index].start : kNowhere;
      });
}

// Calls process(node, wake) for all nodes, those before a node first as far as loops allow, and again for those that
// it wakes by wake(node), until none is left.
template <class Process>
void solve_forward(const FlowGraph& flow, Process&& process) {
  std::vector<NodeId> order = post_order(flow);
  std::ranges::reverse(order);
  analysis::settle(order, process);
}
// The same with those behind a node first.
template <class Process>
void solve_backward(const FlowGraph& flow, Process&& process) {
  analysis::settle(post_order(flow), process);
}

}  // namespace rgtrans::rbg
