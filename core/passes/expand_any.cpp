// expand-any: replaces an any-assignment by one assignment per member, for tools without any-assignments.
//
//   a, b: k = C(*);      =>      a, b: k = r;   a, b: k = g;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;

std::size_t expand_any(ir::Game& game, const PassContext& context) {
  std::size_t changes = 0;
  for (const EdgeId edge : changed_edges(game, context)) {
    const auto* any = std::get_if<ir::AssignAny>(&game.graph.label(edge));
    if (any == nullptr || !game.is_set(any->type)) continue;
    const ExprId lhs = any->lhs;
    const auto span = game.members(any->type);
    const NodeId source = game.graph.source(edge);
    const NodeId target = game.graph.target(edge);
    const Range where = game.graph.where(edge);
    game.graph.remove_edge(edge);
    for (SymbolId member : std::vector<SymbolId>(span.begin(), span.end())) {
      game.graph.add_edge(source, target, ir::Assign{lhs, game.symbol(member)}, where);
    }
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
