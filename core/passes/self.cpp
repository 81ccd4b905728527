// self-assignments, self-comparisons, self-loops, check-tags: labels that do nothing.
//   x = x      is empty;  x == x  is empty;  x != x  can never be taken: the edge goes.
//   q, q: c;   a condition on the way back to the same node goes nowhere new: the edge goes.
//   $ t        inside a check contributes to no move: it becomes empty (only where no move passes).
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

namespace {

bool same_value(ir::Game& game, ir::ExprId a, ir::ExprId b) {
  return a == b || game.strip_casts(a) == game.strip_casts(b);
}

}  // namespace

std::size_t self_assignments(ir::Game& game, const PassContext& context) {
  std::size_t changes = 0;
  for (ir::EdgeId edge : changed_edges(game, context)) {
    const auto* a = std::get_if<ir::Assign>(&game.graph.label(edge));
    if (a == nullptr || game.is_player_assignment(*a) || !same_value(game, a->lhs, a->rhs)) continue;
    game.graph.set_label(edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

std::size_t self_comparisons(ir::Game& game, const PassContext& context) {
  std::size_t changes = 0;
  for (ir::EdgeId edge : changed_edges(game, context)) {
    const auto* c = std::get_if<ir::Compare>(&game.graph.label(edge));
    if (c == nullptr) continue;
    bool equal = same_value(game, c->lhs, c->rhs);
    if (!equal) {
      // Two different symbols, spelled out or looked up in constants.
      const auto a = game.constant_symbol(c->lhs);
      const auto b = game.constant_symbol(c->rhs);
      if (!a || !b) continue;
      equal = *a == *b;
    }
    if (equal != c->negated) {
      game.graph.set_label(edge, ir::Empty{});
    } else {
      game.graph.remove_edge(edge);
    }
    ++changes;
  }
  return changes;
}

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

std::size_t check_tags(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  std::size_t changes = 0;
  for (ir::EdgeId edge : game.graph.edges()) {
    if (!ir::is_tag(game.graph.label(edge)) || flow.main(game.graph.source(edge))) continue;
    game.graph.set_label(edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
