// unused-variables: removes variables that are never read, and empties their assignments. Every occurrence in a label
// is a read, also as the variable of a tag or in an index, except as the assigned variable. Built-in variables stay,
// and so do variables that a move of random may write.
//
//   var v: T = a;   begin, end: v = b;      =>      begin, end: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t unused_variables(ir::Game& game, const PassContext& context) {
  std::vector<bool> read(game.variables().size(), false);
  for (ir::VarId builtin : {game.player(), game.goals(), game.visible()}) {
    if (builtin.valid()) read[builtin.value] = true;
  }
  for (ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    const ir::VarId written = ir::written_variable(game, label);
    ir::for_each_read(game, label, [&](ir::VarId v) {
      if (v != written) read[v.value] = true;
    });
  }
  const auto any_unread = [&] {
    for (std::uint32_t i = 0; i < read.size(); ++i) {
      if (!read[i] && game.variable(ir::VarId(i)).alive) return true;
    }
    return false;
  };
  if (!any_unread()) return 0;
  const analysis::Flow& flow = context.analyses->flow();
  const analysis::RandomMoves random(game, flow);
  for (const analysis::FlowEdge& edge : flow.edges()) {
    if (edge.call || !edge.edge.valid() || !random.inside[edge.from]) continue;
    const ir::VarId written = ir::written_variable(game, game.graph.label(edge.edge));
    if (written.valid()) read[written.value] = true;
  }
  std::size_t changes = 0;
  if (!any_unread()) return 0;
  for (ir::EdgeId edge : game.graph.edges()) {
    const ir::VarId written = ir::written_variable(game, game.graph.label(edge));
    if (!written.valid() || read[written.value]) continue;
    game.claims.add("unused-variables", ir::Unread{edge, {}, {}}, game.graph.where(edge));
    game.graph.set_label(edge, ir::Empty{});
    ++changes;
  }
  for (std::uint32_t i = 0; i < read.size(); ++i) {
    if (read[i] || !game.variable(ir::VarId(i)).alive) continue;
    game.remove_variable(ir::VarId(i));
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
