// self-comparisons: empties x == x, and removes edges with x != x. Does the same for comparisons of constants.
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t self_comparisons(ir::Game& game, const PassContext& context) {
  constexpr std::string_view kName = "self-comparisons";
  Relabelling relabelling(game, kName);
  std::size_t changes = 0;
  std::vector<ir::EdgeId> unwalked;
  for (ir::EdgeId edge : changed_edges(game, context)) {
    const auto* c = std::get_if<ir::Compare>(&game.graph.label(edge));
    if (c == nullptr) continue;
    bool equal = same_value(game, c->lhs, c->rhs);
    if (!equal) {
      // Two different symbols, written directly or read from constants.
      const auto a = game.constant_symbol(c->lhs);
      const auto b = game.constant_symbol(c->rhs);
      if (!a || !b) continue;
      equal = *a == *b;
    }
    if (equal == c->negated) {
      claim_impassable(game, kName, edge);
      unwalked.push_back(edge);
      continue;
    }
    relabelling.set_label(edge, ir::Empty{});
    ++changes;
  }
  return changes + remove_unwalked(game, unwalked);
}

}  // namespace rgtrans::passes
