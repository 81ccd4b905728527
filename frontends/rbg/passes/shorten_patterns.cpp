// Shortens patterns. A check only tests whether the end is reachable, so nodes from which it certainly is get an empty
// step to the end.
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/continuing.hpp"

namespace rgtrans::rbg {

bool shorten_patterns(Draft& draft) {
  FlowGraph& flow = draft.flow;
  const ByNode<char> sure = surely_continuing(draft.description, draft.relations, flow);
  const FlowGraph before = draft.stages != nullptr ? flow : FlowGraph();
  FlowClaims claims{.rewrite = "shorten-patterns"};
  std::vector<NodeId> stack;
  ByNode<char> seen(flow.node_count());
  for (const FlowGraph::Pattern& pattern : flow.patterns) {
    if (!pattern.alive) continue;
    stack.push_back(pattern.start);
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      if (seen[node] != 0 || node == pattern.end) continue;
      seen[node] = 1;
      const std::vector<EdgeId> out = flow.out(node);
      for (EdgeId id : out) {
        if (sure[node] != 0) {
          flow.edge(id).alive = false;
        } else {
          stack.push_back(flow.edge(id).to);
        }
      }
      if (sure[node] == 0) continue;
      claims.ways.push_back({node, node, pattern.end});
      flow.add_edge(node, pattern.end, FlowStep{});
    }
  }
  if (draft.stages != nullptr) draft.stages->keep(before, claims);
  flow.rebuild();
  return false;
}

}  // namespace rgtrans::rbg
