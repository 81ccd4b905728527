// Avoids redundant tests at a node with edges "not X" and "X". If another test at the node leads to the same target as
// "not X", it moves behind "X": if X is false, the target is reached already.
#include <algorithm>

#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

bool order_questions(Draft& draft) {
  FlowGraph& flow = draft.flow;
  const FlowGraph before = draft.stages != nullptr ? flow : FlowGraph();
  FlowClaims claims{.rewrite = "order-questions"};
  bool changed = false;
  const ByNode<char> fixed = fixed_nodes(flow);
  for (NodeId node : flow.nodes()) {
    const std::vector<EdgeId> list = flow.out(node);
    if (list.size() < 3 || list.size() > 64) continue;
    for (EdgeId no : list) {
      if (flow.edge(no).from != node || !is_plain_test(flow.edge(no).step)) continue;
      const FlowGraph::Edge negative = flow.edge(no);
      const auto yes = std::ranges::find_if(list, [&](EdgeId id) {
        const FlowGraph::Edge& edge = flow.edge(id);
        return edge.from == node && edge.step.kind == negative.step.kind && edge.step.index == negative.step.index &&
               edge.step.at == negative.step.at && edge.step.left == negative.step.left &&
               edge.step.right == negative.step.right && edge.step.relation == negative.step.relation &&
               edge.step.negated != negative.step.negated && fixed[edge.to] == 0 && flow.in(edge.to).size() == 1 &&
               edge.to != node;
      });
      if (yes == list.end()) continue;
      const NodeId later = flow.edge(*yes).to;
      for (EdgeId other : list) {
        const FlowGraph::Edge& edge = flow.edge(other);
        if (other == no || other == *yes || edge.from != node || edge.to != negative.to || !is_plain_test(edge.step))
          continue;
        if (claims.opposites.empty() || claims.opposites.back().first != no) claims.opposites.emplace_back(no, *yes);
        flow.set_from(other, later);
        changed = true;
      }
      if (changed) break;
    }
  }
  if (draft.stages != nullptr) draft.stages->keep(before, claims);
  return changed;
}

}  // namespace rgtrans::rbg
