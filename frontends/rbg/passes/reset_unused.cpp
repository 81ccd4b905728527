// Resets the cursor and the scratch variable at the end of a keeper's move if their values are no longer needed and can
// differ between walks. Equal positions then become equal states.
#include <algorithm>
#include <utility>

#include "frontends/rbg/flow/solve.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/liveness.hpp"

namespace rgtrans::rbg {

bool reset_unused(Draft& draft) {
  Relations& relations = draft.relations;
  FlowGraph& flow = draft.flow;
  const LaterReads live(draft.description, relations, flow);
  constexpr char kCursor = 1, kChoice = 2;
  ByNode<char> changed(flow.node_count());
  // Which of the two may have been set in several ways since the last switch.
  auto after = [&](const FlowGraph::Edge& edge) {
    char bits = changed[edge.from];
    if (ends_move(edge.step.kind)) return char{0};
    if (edge.step.kind == Do::any && relations.size(SetId(edge.step.index)) > 1)
      bits = static_cast<char>(bits | kCursor);
    if (edge.step.kind == Do::select) bits = kCursor | kChoice;
    const bool scans =
        std::ranges::any_of(flow.in(edge.to), [&](EdgeId in) { return flow.edge(in).step.kind == Do::any; });
    if (edge.step.kind == Do::move && (scans || flow.out(edge.from).size() > 1))
      bits = static_cast<char>(bits | kCursor);
    return bits;
  };
  solve_forward(flow, [&](NodeId node, auto&& wake) {
    for (EdgeId id : flow.out(node)) {
      const FlowGraph::Edge& edge = flow.edge(id);
      const char bits = static_cast<char>(changed[edge.to] | after(edge));
      if (bits != std::exchange(changed[edge.to], bits)) wake(edge.to);
    }
  });
  for (EdgeId id : flow.living_edges()) {
    const FlowGraph::Edge edge = flow.edge(id);
    if (!ends_move(edge.step.kind)) continue;
    auto before = [&](FlowStep step) {
      const NodeId middle = flow.add_node();
      step.where = edge.step.where;
      flow.add_edge(flow.edge(id).from, middle, step);
      flow.set_from(id, middle);
    };
    if ((changed[edge.from] & kCursor) != 0 && edge.step.modifier == 0 && !live.cursor(edge.to)) {
      before(FlowStep{.kind = Do::any, .index = 0});
    }
    if ((changed[edge.from] & kChoice) != 0) before(FlowStep{.kind = Do::forget});
  }
  flow.rebuild();
  return false;
}

}  // namespace rgtrans::rbg
