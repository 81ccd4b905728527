// Tests look ahead instead of moving the cursor first:
//
//   go up; is it empty?        becomes      is it empty above?; go up
//
// Then steps of the cursor become adjacent and are combined, and they disappear where the cursor is no longer needed.
// This is correct because neither step changes the board. If the move fails, so does the test: no piece is outside the
// board.
#include <algorithm>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

bool look_ahead(Draft& draft) {
  Relations& relations = draft.relations;
  FlowGraph& flow = draft.flow;
  const ByNode<char> fixed = fixed_nodes(flow);
  bool changed = false;
  for (EdgeId id : flow.living_edges()) {
    if (flow.edge(id).step.kind != Do::move) continue;
    const FlowGraph::Edge move = flow.edge(id);
    const NodeId middle = move.to;
    if (fixed[middle] != 0 || flow.in(middle).size() != 1 || flow.out(middle).empty()) continue;
    if (move.from == middle || relations.function_count() > kPassLimits.functions) continue;
    const bool only_moves = std::ranges::all_of(flow.out(middle), [&](EdgeId out) {
      return flow.edge(out).step.kind == Do::move && flow.edge(out).to != middle;
    });
    if (only_moves && flow.out(middle).size() > 1) {
      const std::vector<EdgeId> list = flow.out(middle);
      for (EdgeId out : list) {
        FlowStep& step = flow.edge(out).step;
        step.index = compose(relations, move.step.index, step.index);
        step.total = move.step.total && step.total;
        flow.set_from(out, move.from);
      }
      flow.remove_edge(id);
      changed = true;
      continue;
    }
    if (flow.out(middle).size() != 1) continue;
    const EdgeId next_id = flow.out(middle).front();
    const FlowGraph::Edge next = flow.edge(next_id);
    if (next.step.kind == Do::move && next.to != middle) {
      FlowStep both = next.step;
      both.index = compose(relations, move.step.index, next.step.index);
      both.total = move.step.total && next.step.total;
      flow.remove_edge(next_id);
      flow.edge(id).step = both;
      flow.set_to(id, next.to);
      changed = true;
    } else if (next.step.kind == Do::on && !next.step.negated) {
      FlowStep test = next.step;
      test.at = test.at == kNone ? move.step.index : compose(relations, move.step.index, test.at);
      FlowStep walk = move.step;
      walk.total = true;
      flow.edge(id).step = test;
      flow.edge(next_id).step = walk;
      changed = true;
    } else if (next.step.kind == Do::where) {
      std::vector<std::uint32_t> domain;
      const std::vector<std::uint32_t>& f = relations.function(move.step.index);
      const auto inside = relations.members(SetId(next.step.index));
      for (std::uint32_t v = 0; v < f.size(); ++v) {
        if (f[v] != kNone && std::ranges::binary_search(inside, f[v]) != next.step.negated) domain.push_back(v);
      }
      FlowStep test = next.step;
      test.negated = false;
      test.index = relations.intern(domain).value;
      FlowStep walk = move.step;
      walk.total = true;
      flow.edge(id).step = test;
      flow.edge(next_id).step = walk;
      changed = true;
    }
  }
  if (changed) flow.rebuild();
  return changed;
}

}  // namespace rgtrans::rbg
