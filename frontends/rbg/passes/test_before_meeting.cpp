// If several steps of the cursor lead to one test and the cursor is dead behind it, each step gets its own copy of the
// test. The steps then disappear.
#include <algorithm>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/liveness.hpp"

namespace rgtrans::rbg {

bool test_before_meeting(Draft& draft) {
  Relations& relations = draft.relations;
  FlowGraph& flow = draft.flow;
  const ByNode<char> fixed = fixed_nodes(flow);
  const LaterReads live(draft.description, relations, flow);
  bool changed = false;
  for (NodeId node : flow.nodes()) {
    if (fixed[node] != 0 || flow.in(node).empty() || flow.out(node).size() != 1) continue;
    const EdgeId test_id = flow.out(node).front();
    const FlowGraph::Edge test = flow.edge(test_id);
    if (test.step.kind != Do::on || test.step.negated || test.to == node || live.cursor(test.to)) continue;
    const std::vector<EdgeId> in = flow.in(node);
    const bool all_moves = std::ranges::all_of(in, [&](EdgeId id) { return flow.edge(id).step.kind == Do::move; });
    if (!all_moves || relations.function_count() > kPassLimits.functions) continue;
    for (EdgeId id : in) {
      FlowStep step = test.step;
      const std::uint32_t walked = flow.edge(id).step.index;
      step.at = step.at == kNone ? walked : compose(relations, walked, step.at);
      flow.edge(id).step = step;
      flow.set_to(id, test.to);
    }
    flow.remove_edge(test_id);
    changed = true;
  }
  return changed;
}

}  // namespace rgtrans::rbg
