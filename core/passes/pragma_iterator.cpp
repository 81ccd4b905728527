// pragma-iterator: writes @iterator for choices that a constant map filters.
//
//   @iterator a b c : v;          a, b: v = T(*) and b, c: M[v] == 1 are the only ways out of a and b
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::NodeId;

std::size_t pragma_iterator(ir::Game& game, const PassContext&) {
  const ir::Automaton& graph = game.graph;
  const ir::Expressions& e = game.expressions();
  const SymbolId one = game.symbols.intern("1");
  std::vector<ir::Pragma> fresh;
  for (NodeId a : graph.nodes()) {
    if (graph.out_degree(a) != 1) continue;
    const ir::EdgeId first = *graph.out_edges(a).begin();
    const auto* any = std::get_if<ir::AssignAny>(&graph.label(first));
    if (any == nullptr || !ir::writes_whole(game, *any)) continue;
    const ir::VarId v = game.assigned_variable(any->lhs);
    const NodeId b = graph.target(first);
    if (graph.out_degree(b) != 1) continue;
    const ir::EdgeId second = *graph.out_edges(b).begin();
    const auto* compare = std::get_if<ir::Compare>(&graph.label(second));
    if (compare == nullptr || compare->negated) continue;
    const ir::ExprId lhs = e.uncast(compare->lhs);
    if (e.kind(e.uncast(compare->rhs)) != ir::ExprKind::symbol || game.constant_symbol(compare->rhs) != one) continue;
    if (e.kind(lhs) != ir::ExprKind::access || e.kind(e.root(lhs)) != ir::ExprKind::constant) continue;
    const ir::ExprId index = e.uncast(e.index(lhs));
    if (e.kind(index) != ir::ExprKind::variable || e.variable(index) != v) continue;
    if (ir::reads(game, e.map(lhs), v)) continue;
    fresh.push_back({ir::Iterator{a, b, graph.target(second), v}, {}});
  }
  return replace_pragmas<ir::Iterator>(game, std::move(fresh));
}

}  // namespace rgtrans::passes
