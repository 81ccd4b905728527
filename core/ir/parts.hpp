// The parts of expressions and labels. Code that traverses, rewrites or evaluates expressions uses these functions, so
// that only this file, the printers and the type checker distinguish the kinds of expressions.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "core/ir/game.hpp"

namespace rgtrans::ir {

// --- Expressions. ---

// Calls f(part) for the direct parts: the map and the index of an access, the operand of a cast.
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

// Calls f for the expression and, recursively, its parts. If f returns false, the parts of that expression are skipped.
template <class F>
void visit_parts(const Expressions& expressions, ExprId id, F&& f) {
  if (f(id)) for_each_part(expressions, id, [&](ExprId part) { visit_parts(expressions, part, f); });
}

// The access or cast with its parts replaced.
inline ExprId with_parts(Game& game, ExprId id, ExprId map, ExprId index) {
  const bool same = map == game.expressions().map(id) && index == game.expressions().index(id);
  return same ? id : game.access(map, index);
}
inline ExprId with_parts(Game& game, ExprId id, ExprId operand) {
  return operand == game.expressions().operand(id) ? id : game.cast(game.expressions().cast_type(id), operand);
}

// The expression with each direct part replaced by f(part).
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

// Top-down rewriting: f(part) is the replacement of a part, or none to rewrite its parts instead.
template <class F>
ExprId rewrite(Game& game, ExprId id, F&& f) {
  if (const ExprId now = f(id); now.valid()) return now;
  return replace_parts(game, id, [&](ExprId part) { return rewrite(game, part, f); });
}

// Rewrites the indices of a left side; the assigned variable stays.
template <class F>
ExprId rewrite_indices(Game& game, ExprId lhs, F&& f) {
  const Expressions& e = game.expressions();
  if (e.kind(lhs) == ExprKind::cast) return with_parts(game, lhs, rewrite_indices(game, e.operand(lhs), f));
  if (e.kind(lhs) != ExprKind::access) return lhs;
  const ExprId old_index = e.index(lhs);
  const ExprId map = rewrite_indices(game, e.map(lhs), f);
  return with_parts(game, lhs, map, rewrite(game, old_index, f));
}

// Calls f(index) for the indices of nested accesses, from the outermost (the last one written) to the root.
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
// The same indices in the order in which they are written.
[[nodiscard]] std::vector<ExprId> indices_of(const Expressions& expressions, ExprId id);

// The known value of an expression: a symbol, a map, or none.
struct Folded {
  SymbolId symbol;
  ValueId map;
  [[nodiscard]] bool known() const { return symbol.valid() || map.valid(); }
  bool operator==(const Folded&) const = default;
};
[[nodiscard]] inline Folded folded(const Game& game, ValueId value) {
  return game.values.is_symbol(value) ? Folded{game.values.as_symbol(value), {}} : Folded{{}, value};
}

// Evaluates an expression. bound(part) is the assumed value of a part, or none.
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
// Evaluates without assumptions.
[[nodiscard]] Folded fold(const Game& game, ExprId id);

// The number of names and accesses in an expression.
[[nodiscard]] std::size_t expression_size(const Game& game, ExprId id);

// --- Labels: the reads and writes of each kind, defined here for all analyses, passes and back ends. ---

// The variable that an assignment of either kind changes, completely or in one cell; none for other labels.
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

// True if the label replaces the whole variable; false if it writes one cell of a map or nothing.
inline bool writes_whole(const Game& game, const Label& label) {
  const ExprId lhs = left_side(label);
  return lhs.valid() && game.expressions().kind(game.expressions().uncast(lhs)) == ExprKind::variable;
}

// Calls f(expression) for each expression of a label. For a mutable label, f may replace the expression.
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

// Applies rewrite() to all expressions that the label reads, except the variable of a tag.
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

// Calls f(VarId) for each variable in the indices of a left side, excluding the assigned variable.
template <class F>
void for_each_index_variable(const Game& game, ExprId lhs, F&& f) {
  for_each_index(game.expressions(), lhs, [&](ExprId index) { game.for_each_variable(index, f); });
}

// Calls f(VarId) for each variable that the label reads, with repetitions. A write to one cell does not count as a read
// of the variable. Variables read inside the automaton of a reachability check are not included.
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

// By symbol: the tags of @artificialTag. They distinguish walks for analyses and are not part of a move.
[[nodiscard]] std::vector<bool> artificial_tags(const Game& game);

// The condition in normal form: the sides of a comparison are in a fixed order (a symbol on the right), so that equal
// conditions are equal labels.
[[nodiscard]] Label canonical(const Game& game, Label label);
// The negation of a condition.
[[nodiscard]] Label negated(Label label);

}  // namespace rgtrans::ir
