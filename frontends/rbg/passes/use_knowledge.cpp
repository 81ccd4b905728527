// Removes steps that are never possible and tests that always hold.
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

bool use_knowledge(Draft& draft) {
  const Description& description = draft.description;
  const Relations& relations = draft.relations;
  FlowGraph& flow = draft.flow;
  const Knowledge known = analyse(description, relations, flow);
  if (!known.known()) return false;
  if (draft.stages != nullptr) draft.stages->keep(flow, {.rewrite = "use-knowledge", .known = &known});
  for (EdgeId id : flow.living_edges()) {
    FlowGraph::Edge& edge = flow.edge(id);
    Bits cursors = known.cursors[edge.from], pieces = known.pieces[edge.from];
    if (!cursors.any()) {
      edge.alive = false;
      continue;
    }
    const Bits before_cursors = cursors, before_pieces = pieces;
    if (!advance(description, relations, flow, edge.step, cursors, pieces)) {
      edge.alive = false;
      continue;
    }
    const bool test = edge.step.kind == Do::where || (edge.step.kind == Do::on && edge.step.at == kNone);
    if (test && cursors == before_cursors && pieces == before_pieces) edge.step = FlowStep{.where = edge.step.where};
    if (edge.step.kind == Do::move) {
      // A direction that is defined for all possible cursors needs no test.
      bool total = true;
      before_cursors.for_each([&](std::size_t v) { total = total && relations.function(edge.step.index)[v] != kNone; });
      edge.step.total = total;
    }
  }
  flow.rebuild();
  return false;
}

}  // namespace rgtrans::rbg
