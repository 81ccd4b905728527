// explicit-casts: casts every part of an expression to its named type, for tools that require casts. This is the
// opposite of strip-casts, so run it last.
//
//   m[k] = r      =>      C(M(m)[C(k)]) = C(r)
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::TypeId;

namespace {

// The first alias of exactly this type, or none.
TypeId named(ir::Game& game, TypeId type) {
  if (!type.valid() || game.types.kind(type) == ir::TypeKind::alias) return type;
  for (const ir::TypeDef& def : game.type_defs()) {
    if (def.alive && game.resolve(def.type) == type) return game.types.alias(def.name);
  }
  return {};
}

// Casts every part whose type has a name.
ExprId cast_parts(ir::Game& game, ExprId expression, bool root_of_left_side) {
  const ir::Expressions& e = game.expressions();
  const ir::ExprKind kind = e.kind(expression);
  if (kind == ir::ExprKind::cast || kind == ir::ExprKind::symbol) return expression;
  if (kind == ir::ExprKind::variable && root_of_left_side) return expression;
  if (kind == ir::ExprKind::access) {
    const ExprId old_index = e.index(expression);
    const ExprId map = cast_parts(game, e.map(expression), root_of_left_side);
    expression = ir::with_parts(game, expression, map, cast_parts(game, old_index, false));
  }
  const TypeId type = named(game, game.expressions().type(expression));
  return type.valid() ? game.cast(type, expression) : expression;
}

ExprId with_type(ir::Game& game, ExprId expression, TypeId type) {
  if (game.expressions().kind(expression) != ir::ExprKind::symbol || !type.valid()) return expression;
  return game.index_of(type, game.expressions().symbol(expression)) >= 0 ? game.cast(type, expression) : expression;
}

}  // namespace

std::size_t explicit_casts(ir::Game& game, const PassContext&) {
  std::size_t changes = 0;
  for (EdgeId edge : game.graph.edges()) {
    const ir::Label old = game.graph.label(edge);
    ir::Label now = old;
    if (game.is_player_assignment(old)) continue;
    if (auto* c = std::get_if<ir::Compare>(&now)) {
      const TypeId left = named(game, game.expressions().type(c->lhs));
      const TypeId right = named(game, game.expressions().type(c->rhs));
      c->lhs = with_type(game, cast_parts(game, c->lhs, false), right);
      c->rhs = with_type(game, cast_parts(game, c->rhs, false), left);
    } else if (auto* a = std::get_if<ir::Assign>(&now)) {
      const TypeId left = named(game, game.expressions().type(a->lhs));
      a->lhs = cast_parts(game, a->lhs, true);
      a->rhs = with_type(game, cast_parts(game, a->rhs, false), left);
    }
    if (now == old || !ir::well_typed(game, now)) continue;
    game.graph.set_label(edge, now);
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
