// Replaces steps whose effects are never read by empty steps.
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/liveness.hpp"

namespace rgtrans::rbg {

bool drop_idle_steps(Draft& draft) {
  FlowGraph& flow = draft.flow;
  const LaterReads liveness(draft.description, draft.relations, flow);
  const FlowGraph before = draft.stages != nullptr ? flow : FlowGraph();
  FlowClaims claims{.rewrite = "drop-idle-steps"};
  bool changed = false;
  for (EdgeId id : flow.living_edges()) {
    FlowGraph::Edge& edge = flow.edge(id);
    if (edge.step.kind == Do::skip || !liveness.idle(edge.step, edge.to)) continue;
    edge.step = FlowStep{.where = edge.step.where};
    claims.idle.push_back(id);
    changed = true;
  }
  if (draft.stages != nullptr) draft.stages->keep(before, claims);
  return changed;
}

}  // namespace rgtrans::rbg
