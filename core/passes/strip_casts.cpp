// strip-casts: removes all casts. Casts have no effect at run time; they only help the type checker. Without them,
// equal expressions have equal ids, and later passes compare ids. A label that would be ill-typed without its casts
// keeps them: the types of its two sides have no common value otherwise.
//
//   a, b: board[Position(pos)] == Piece(e);     =>     a, b: board[pos] == e;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t strip_casts(ir::Game& game, const PassContext& context) {
  std::size_t changes = 0;
  for (ir::EdgeId edge : changed_edges(game, context)) {
    const ir::Label old = game.graph.label(edge);
    ir::Label bare = old;
    ir::for_each_expression(bare, [&](ir::ExprId& expression) { expression = game.strip_casts(expression); });
    if (bare == old || !ir::well_typed(game, bare)) continue;
    game.graph.set_label(edge, bare);
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
