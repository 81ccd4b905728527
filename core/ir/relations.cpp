#include "core/ir/relations.hpp"

#include <algorithm>

namespace rgtrans::ir {

namespace {

std::uint64_t pair_key(TypeId a, TypeId b) { return (std::uint64_t{a.value} << 32U) | b.value; }

}  // namespace

bool TypeRelations::loose(TypeId a, TypeId b) {
  a = game_.resolve(a);
  b = game_.resolve(b);
  if (!a.valid() || !b.valid()) return false;
  if (a == b) return true;
  if (b < a) std::swap(a, b);
  const auto it = loose_.find(pair_key(a, b));
  if (it != loose_.end()) return it->second;
  return loose_[pair_key(a, b)] = compute_loose(a, b);
}

bool TypeRelations::compute_loose(TypeId a, TypeId b) {
  const Types& types = game_.types;
  if (types.kind(a) != types.kind(b)) return false;
  if (types.kind(a) == TypeKind::arrow) {
    return loose(types.from(a), types.from(b)) && loose(types.to(a), types.to(b));
  }
  if (types.members(a).size() > types.members(b).size()) std::swap(a, b);
  return std::ranges::any_of(types.members(a), [&](SymbolId m) { return types.index_of(b, m) >= 0; });
}

bool TypeRelations::strict(TypeId part, TypeId whole) {
  part = game_.resolve(part);
  whole = game_.resolve(whole);
  if (!part.valid() || !whole.valid()) return false;
  if (part == whole) return true;
  const auto it = strict_.find(pair_key(part, whole));
  if (it != strict_.end()) return it->second;
  return strict_[pair_key(part, whole)] = compute_strict(part, whole);
}

bool TypeRelations::compute_strict(TypeId part, TypeId whole) {
  const Types& types = game_.types;
  if (types.kind(part) != types.kind(whole)) return false;
  if (types.kind(part) == TypeKind::arrow) {
    return strict(types.from(part), types.from(whole)) && strict(types.to(part), types.to(whole));
  }
  return std::ranges::all_of(types.members(part), [&](SymbolId m) { return types.index_of(whole, m) >= 0; });
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
