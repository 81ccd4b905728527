// dead-stores: empties an assignment to a variable, or to a cell of a map, that can no longer be read. Uses strong
// liveness: a variable that serves only to compute itself is dead. Tag variables, indices of any-assignments, `goals`
// at the end and `visible` at tags count as reads. Without an any-assignment, only repetitions of equal walks
// disappear.
//
//   k = n[l];   l == r;   k = r;   $$ k;        =>        (empty)   l == r;   k = r;   $$ k;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t dead_stores(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  const analysis::Liveness& liveness = context.analyses->liveness();
  std::size_t changes = 0;
  for (const analysis::FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call) continue;
    const ir::Label& label = game.graph.label(e.edge);
    const ir::VarId written = ir::written_variable(game, label);
    if (!written.valid() || liveness.at_index(e.to).test(written.value)) continue;
    if (game.is_player_assignment(label) && flow.main(flow.node(e.from))) continue;
    game.claims.add("dead-stores", ir::Unread{e.edge, {}, {}}, game.graph.where(e.edge));
    game.graph.set_label(e.edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
