#include "core/ir/relations.hpp"

#include <algorithm>

namespace rgtrans::ir {

namespace {

// Compares two types of one kind recursively; sets(a, b) compares two sets.
template <class Sets>
bool compare(const Game& game, TypeId a, TypeId b, const Sets& sets) {
  if (a == b && a.valid() && game.types.kind(a) != TypeKind::alias) return true;
  a = game.resolve(a);
  b = game.resolve(b);
  if (!a.valid() || !b.valid()) return false;
  if (a == b) return true;
  const Types& types = game.types;
  if (types.kind(a) != types.kind(b)) return false;
  if (types.kind(a) == TypeKind::set) return sets(a, b);
  return compare(game, types.from(a), types.from(b), sets) && compare(game, types.to(a), types.to(b), sets);
}

}  // namespace

bool overlap(const Game& game, TypeId a, TypeId b) {
  const Types& types = game.types;
  return compare(game, a, b, [&](TypeId x, TypeId y) {
    if (types.members(x).size() > types.members(y).size()) std::swap(x, y);
    return std::ranges::any_of(types.members(x), [&](SymbolId m) { return types.index_of(y, m) >= 0; });
  });
}

bool includes(const Game& game, TypeId whole, TypeId part) {
  const Types& types = game.types;
  return compare(game, whole, part, [&](TypeId x, TypeId y) {
    return std::ranges::all_of(types.members(y), [&](SymbolId m) { return types.index_of(x, m) >= 0; });
  });
}

bool well_typed(const Game& game, ExprId expression) {
  const Expressions& e = game.expressions();
  switch (e.kind(expression)) {
    case ExprKind::access: {
      if (!well_typed(game, e.map(expression)) || !well_typed(game, e.index(expression))) return false;
      const TypeId map = game.resolve(e.type(e.map(expression)));
      const TypeId index = e.type(e.index(expression));
      return game.is_arrow(map) && game.is_set(index) && overlap(game, game.types.from(map), index);
    }
    case ExprKind::cast:
      return well_typed(game, e.operand(expression)) &&
             overlap(game, e.cast_type(expression), e.type(e.operand(expression)));
    case ExprKind::symbol:
    case ExprKind::constant:
    case ExprKind::variable:
      break;
  }
  return e.type(expression).valid();
}

bool well_typed(const Game& game, const Label& label) {
  const auto both = [&](ExprId a, ExprId b) {
    return well_typed(game, a) && well_typed(game, b) &&
           overlap(game, game.expressions().type(a), game.expressions().type(b));
  };
  if (const auto* c = std::get_if<Compare>(&label)) return both(c->lhs, c->rhs);
  if (const auto* a = std::get_if<Assign>(&label)) return both(a->lhs, a->rhs);
  if (const auto* a = std::get_if<AssignAny>(&label)) return well_typed(game, a->lhs);
  return true;
}

namespace {

constexpr std::size_t kMaxShown = 6;
constexpr int kMaxShownDepth = 8;

std::string describe_type(const Game& game, TypeId type, int depth) {
  if (!type.valid()) return "no type";
  if (depth > kMaxShownDepth) return "…";
  switch (game.types.kind(type)) {
    case TypeKind::alias:
      return game.symbols.str(game.types.alias_name(type));
    case TypeKind::arrow:
      return describe_type(game, game.types.from(type), depth + 1) + " -> " +
             describe_type(game, game.types.to(type), depth + 1);
    case TypeKind::set:
      break;
  }
  std::string text = "{ ";
  std::size_t shown = 0;
  for (SymbolId member : game.types.members(type)) {
    if (shown == kMaxShown) {
      text += ", …";
      break;
    }
    if (shown++ > 0) text += ", ";
    text += game.symbols.text(member);
  }
  return text + " }";
}

}  // namespace

std::string describe_type(const Game& game, TypeId type) { return describe_type(game, type, 0); }

std::string describe_expression(const Game& game, ExprId expression, Casts casts) {
  const Expressions& e = game.expressions();
  switch (e.kind(expression)) {
    case ExprKind::symbol:
      return game.symbols.str(e.symbol(expression));
    case ExprKind::constant:
      return game.symbols.str(game.constant(e.constant(expression)).name);
    case ExprKind::variable:
      return game.symbols.str(game.variable(e.variable(expression)).name);
    case ExprKind::access:
      return describe_expression(game, e.map(expression), casts) + "[" +
             describe_expression(game, e.index(expression), casts) + "]";
    case ExprKind::cast:
      break;
  }
  std::string operand = describe_expression(game, e.operand(expression), casts);
  return casts == Casts::hidden ? operand : describe_type(game, e.cast_type(expression)) + "(" + operand + ")";
}

}  // namespace rgtrans::ir
