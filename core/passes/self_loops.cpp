// self-loops: removes an edge with a condition from a node to itself, which leads to no new state.
//
//   q, q: k == r;   q, end: ;      =>      q, end: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t self_loops(ir::Game& game, const PassContext& context) {
  std::size_t changes = 0;
  for (ir::EdgeId edge : changed_edges(game, context)) {
    if (game.graph.source(edge) != game.graph.target(edge)) continue;
    const ir::Label& label = game.graph.label(edge);
    if (!ir::is_condition(label) && !std::holds_alternative<ir::Empty>(label)) continue;
    game.graph.remove_edge(edge);
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
