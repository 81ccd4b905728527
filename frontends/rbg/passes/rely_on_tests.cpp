// Marks steps that may leave the board without a check of their own, because the next test fails outside the board.
#include <algorithm>

#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

bool rely_on_tests(Draft& draft) {
  FlowGraph& flow = draft.flow;
  const ByNode<char> fixed = fixed_nodes(flow);
  for (NodeId node : flow.nodes()) {
    if (fixed[node] != 0 || flow.in(node).empty() || flow.out(node).empty()) continue;
    const bool tested = std::ranges::all_of(flow.out(node), [&](EdgeId id) {
      const FlowStep& step = flow.edge(id).step;
      return step.kind == Do::on && !step.negated && step.at == kNone;
    });
    bool leaves = false;
    for (EdgeId id : flow.in(node)) {
      const FlowStep& step = flow.edge(id).step;
      leaves = leaves || (step.kind == Do::move && !step.total) || step.kind == Do::select;
    }
    if (!tested || !leaves) continue;
    for (EdgeId id : flow.in(node)) {
      FlowStep& step = flow.edge(id).step;
      if (step.kind == Do::move || step.kind == Do::select) step.unchecked = true;
    }
    for (EdgeId id : flow.out(node)) flow.edge(id).step.unchecked = true;
  }
  return false;
}

}  // namespace rgtrans::rbg
