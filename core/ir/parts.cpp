#include "core/ir/parts.hpp"

#include <algorithm>

namespace rgtrans::ir {

std::vector<ExprId> indices_of(const Expressions& expressions, ExprId id) {
  std::vector<ExprId> indices;
  for_each_index(expressions, id, [&](ExprId index) { indices.push_back(index); });
  std::ranges::reverse(indices);
  return indices;
}

Folded fold(const Game& game, ExprId id) {
  return fold(game, id, [](ExprId) { return Folded{}; });
}

std::size_t expression_size(const Game& game, ExprId id) {
  const Expressions& e = game.expressions();
  std::size_t size = e.kind(id) == ExprKind::cast ? 0 : 1;
  for_each_part(e, id, [&](ExprId part) { size += expression_size(game, part); });
  return size;
}

bool reads(const Game& game, ExprId expression, VarId variable) {
  bool found = false;
  game.for_each_variable(expression, [&](VarId v) { found = found || v == variable; });
  return found;
}

bool reads(const Game& game, const Label& label, VarId variable) {
  bool found = false;
  for_each_read(game, label, [&](VarId v) { found = found || v == variable; });
  return found;
}

Label canonical(const Game& game, Label label) {
  if (auto* c = std::get_if<Compare>(&label)) {
    const bool left = game.expressions().kind(c->lhs) == ExprKind::symbol;
    const bool right = game.expressions().kind(c->rhs) == ExprKind::symbol;
    if (left != right ? left : c->rhs < c->lhs) std::swap(c->lhs, c->rhs);
  }
  return label;
}

Label negated(Label label) {
  if (auto* c = std::get_if<Compare>(&label)) c->negated = !c->negated;
  if (auto* r = std::get_if<Reachability>(&label)) r->negated = !r->negated;
  return label;
}

std::vector<bool> artificial_tags(const Game& game) {
  std::vector<bool> artificial(game.symbols.size());
  for (const Pragma& pragma : game.pragmas) {
    const auto* list = std::get_if<ArtificialTag>(&pragma.content);
    if (list == nullptr) continue;
    for (SymbolId tag : list->tags) artificial[tag.value] = true;
  }
  return artificial;
}

}  // namespace rgtrans::ir
