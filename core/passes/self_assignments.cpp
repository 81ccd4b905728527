// self-assignments: empties x = x. An assignment to `player` stays, because it ends the move.
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t self_assignments(ir::Game& game, const PassContext& context) {
  Relabelling relabelling(game, "self-assignments");
  std::size_t changes = 0;
  for (ir::EdgeId edge : changed_edges(game, context)) {
    const auto* a = std::get_if<ir::Assign>(&game.graph.label(edge));
    if (a == nullptr || game.is_player_assignment(*a) || !same_value(game, a->lhs, a->rhs)) continue;
    relabelling.set_label(edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
