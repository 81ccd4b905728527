#include "core/analysis/uses.hpp"

namespace rgtrans::analysis {

std::vector<bool> artificial_tags(const ir::Game& game) {
  std::vector<bool> artificial(game.symbols.size());
  for (const ir::Pragma& pragma : game.pragmas) {
    const auto* list = std::get_if<ir::ArtificialTag>(&pragma.content);
    if (list == nullptr) continue;
    for (SymbolId tag : list->tags) artificial[tag.value] = true;
  }
  return artificial;
}

std::size_t expression_size(const ir::Game& game, ir::ExprId expression) {
  const ir::Expressions& expressions = game.expressions();
  switch (expressions.kind(expression)) {
    case ir::ExprKind::access:
      return 1 + expression_size(game, expressions.map(expression)) +
             expression_size(game, expressions.index(expression));
    case ir::ExprKind::cast:
      return expression_size(game, expressions.operand(expression));
    case ir::ExprKind::symbol:
    case ir::ExprKind::constant:
    case ir::ExprKind::variable:
      break;
  }
  return 1;
}

}  // namespace rgtrans::analysis
