// What expressions and labels are made of. Whoever looks through expressions, replaces parts of them or evaluates them
// does it with these, so that the kinds of expressions are known here, to the printers and to the type checker alone.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "core/ir/game.hpp"

namespace rgtrans::ir {

// --- Expressions. ---

// f(part) for the direct parts: the map and the index of an access, the operand of a cast.
template <class F>
void for_each_part(const Expressions& expressions, ExprId id, F&& f) {
  switch (expressions.kind(id)) {
    case ExprKind::access:
      f(expressions.map(id));
      f(expressions.index(id));
      break;
    case ExprKind::cast:
      f(expressions.operand(id));
      break;
    case ExprKind::symbol:
    case ExprKind::constant:
    case ExprKind::variable:
      break;
  }
}

// f(part) for the expression and everything in it; the parts of what f says no to are left out.
template <class F>
void visit_parts(const Expressions& expressions, ExprId id, F&& f) {
  if (f(id)) for_each_part(expressions, id, [&](ExprId part) { visit_parts(expressions, part, f); });
}

// The access or cast with other parts.
inline ExprId with_parts(Game& game, ExprId id, ExprId map, ExprId index) {
  const bool same = map == game.expressions().map(id) && index == game.expressions().index(id);
  return same ? id : game.access(map, index);
}
inline ExprId with_parts(Game& game, ExprId id, ExprId operand) {
  return operand == game.expressions().operand(id) ? id : game.cast(game.expressions().cast_type(id), operand);
}

// The expression with f(part) in the place of each direct part.
template <class F>
ExprId replace_parts(Game& game, ExprId id, F&& f) {
  const Expressions& e = game.expressions();
  switch (e.kind(id)) {
    case ExprKind::access: {
      const ExprId old_index = e.index(id);
      const ExprId map = f(e.map(id));
      return with_parts(game, id, map, f(old_index));
    }
    case ExprKind::cast:
      return with_parts(game, id, f(e.operand(id)));
    case ExprKind::symbol:
    case ExprKind::constant:
    case ExprKind::variable:
      break;
  }
  return id;
}

// From the outside in: f(part) is what comes into the place of a part, or none where the parts of it are asked.
template <class F>
ExprId rewrite(Game& game, ExprId id, F&& f) {
  if (const ExprId now = f(id); now.valid()) return now;
  return replace_parts(game, id, [&](ExprId part) { return rewrite(game, part, f); });
}

// In the indices of a left side: what it writes to stays.
template <class F>
ExprId rewrite_indices(Game& game, ExprId lhs, F&& f) {
  const Expressions& e = game.expressions();
  if (e.kind(lhs) == ExprKind::cast) return with_parts(game, lhs, rewrite_indices(game, e.operand(lhs), f));
  if (e.kind(lhs) != ExprKind::access) return lhs;
  const ExprId old_index = e.index(lhs);
  const ExprId map = rewrite_indices(game, e.map(lhs), f);
  return with_parts(game, lhs, map, rewrite(game, old_index, f));
}

// f(index) for the indices along the way from an expression to its root, the outermost (last) first.
template <class F>
void for_each_index(const Expressions& expressions, ExprId id, F&& f) {
  for (;;) {
    if (expressions.kind(id) == ExprKind::access) {
      f(expressions.index(id));
      id = expressions.map(id);
    } else if (expressions.kind(id) == ExprKind::cast) {
      id = expressions.operand(id);
    } else {
      return;
    }
  }
}
// The same, first index first.
[[nodiscard]] std::vector<ExprId> indices_of(const Expressions& expressions, ExprId id);

// What an expression is known to be: a symbol, a map, or (both none) nothing certain.
struct Folded {
  SymbolId symbol;
  ValueId map;
  [[nodiscard]] bool known() const { return symbol.valid() || map.valid(); }
  bool operator==(const Folded&) const = default;
};
[[nodiscard]] inline Folded folded(const Game& game, ValueId value) {
  return game.values.is_symbol(value) ? Folded{game.values.as_symbol(value), {}} : Folded{{}, value};
}

// Evaluates. bound(part) is the value of a part where that is assumed, or nothing certain.
template <class Bound>
Folded fold(const Game& game, ExprId id, const Bound& bound) {
  if (const Folded known = bound(id); known.known()) return known;
  const Expressions& e = game.expressions();
  switch (e.kind(id)) {
    case ExprKind::symbol:
      return {e.symbol(id), {}};
    case ExprKind::constant:
      return folded(game, game.constant(e.constant(id)).value);
    case ExprKind::cast:
      return fold(game, e.operand(id), bound);
    case ExprKind::access: {
      const Folded map = fold(game, e.map(id), bound);
      if (!map.map.valid()) return {};
      const Folded key = fold(game, e.index(id), bound);
      return key.symbol.valid() ? folded(game, game.values.at(map.map, key.symbol)) : Folded{};
    }
    case ExprKind::variable:
      break;
  }
  return {};
}
// Without assumptions.
[[nodiscard]] Folded fold(const Game& game, ExprId id);

// How many names and accesses an expression has.
[[nodiscard]] std::size_t expression_size(const Game& game, ExprId id);

// --- Labels: what they read and write, the one definition that every analysis, pass and back end goes by. ---

// The variable that an assignment of either kind writes to, as a whole or in one cell; none otherwise.
inline VarId written_variable(const Game& game, const Label& label) {
  if (const auto* a = std::get_if<Assign>(&label)) return game.assigned_variable(a->lhs);
  if (const auto* a = std::get_if<AssignAny>(&label)) return game.assigned_variable(a->lhs);
  return {};
}

inline bool is_assignment(const Label& label) {
  return std::holds_alternative<Assign>(label) || std::holds_alternative<AssignAny>(label);
}
inline bool is_tag(const Label& label) {
  return std::holds_alternative<Tag>(label) || std::holds_alternative<TagVariable>(label);
}
inline bool is_condition(const Label& label) {
  return std::holds_alternative<Compare>(label) || std::holds_alternative<Reachability>(label);
}

// The left side of an assignment of either kind, or none.
inline ExprId left_side(const Label& label) {
  if (const auto* a = std::get_if<Assign>(&label)) return a->lhs;
  if (const auto* a = std::get_if<AssignAny>(&label)) return a->lhs;
  return {};
}

// True when the label replaces the whole variable, false when it writes one cell of a map (or nothing).
inline bool writes_whole(const Game& game, const Label& label) {
  const ExprId lhs = left_side(label);
  return lhs.valid() && game.expressions().kind(game.expressions().uncast(lhs)) == ExprKind::variable;
}

// f(expression) for each expression of a label; where the label may change, f may put another one in its place.
template <class AnyLabel, class F>
requires std::same_as<std::remove_const_t<AnyLabel>, Label>
void for_each_expression(AnyLabel& label, F&& f) {
  std::visit(
      [&](auto& l) {
        using Kind = std::remove_cvref_t<decltype(l)>;
        if constexpr (std::is_same_v<Kind, Compare> || std::is_same_v<Kind, Assign>) {
          f(l.lhs);
          f(l.rhs);
        } else if constexpr (std::is_same_v<Kind, AssignAny>) {
          f(l.lhs);
        }
      },
      label);
}

// rewrite() for all that the label reads, but for the variable of a tag.
template <class F>
Label rewrite_reads(Game& game, Label label, F&& f) {
  if (auto* c = std::get_if<Compare>(&label)) {
    c->lhs = rewrite(game, c->lhs, f);
    c->rhs = rewrite(game, c->rhs, f);
  } else if (auto* a = std::get_if<Assign>(&label)) {
    a->lhs = rewrite_indices(game, a->lhs, f);
    a->rhs = rewrite(game, a->rhs, f);
  } else if (auto* any = std::get_if<AssignAny>(&label)) {
    any->lhs = rewrite_indices(game, any->lhs, f);
  }
  return label;
}

// f(VarId) for each variable in the index expressions of a left side, the root left out.
template <class F>
void for_each_index_variable(const Game& game, ExprId lhs, F&& f) {
  for_each_index(game.expressions(), lhs, [&](ExprId index) { game.for_each_variable(index, f); });
}

// f(VarId) for each variable whose value the label reads, with repetitions. The root of a cell write counts as
// written, not as read; what a reachability check reads inside its automaton is not included.
template <class F>
void for_each_read(const Game& game, const Label& label, F&& f) {
  if (const auto* c = std::get_if<Compare>(&label)) {
    game.for_each_variable(c->lhs, f);
    game.for_each_variable(c->rhs, f);
  } else if (const auto* a = std::get_if<Assign>(&label)) {
    for_each_index_variable(game, a->lhs, f);
    game.for_each_variable(a->rhs, f);
  } else if (const auto* any = std::get_if<AssignAny>(&label)) {
    for_each_index_variable(game, any->lhs, f);
  } else if (const auto* t = std::get_if<TagVariable>(&label)) {
    f(t->variable);
  }
}

[[nodiscard]] bool reads(const Game& game, ExprId expression, VarId variable);
[[nodiscard]] bool reads(const Game& game, const Label& label, VarId variable);

// By symbol: the tags that @artificialTag lists. They keep walks apart for analyses and are no part of a move.
[[nodiscard]] std::vector<bool> artificial_tags(const Game& game);

// The same condition with the two sides of a comparison in a fixed order (a symbol on the right), so that equal
// conditions are equal labels.
[[nodiscard]] Label canonical(const Game& game, Label label);
// The opposite of a condition.
[[nodiscard]] Label negated(Label label);

}  // namespace rgtrans::ir
