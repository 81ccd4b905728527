// What a label reads and writes: the one definition that every analysis and every pass goes by.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

// The variable that an assignment of either kind writes to, as a whole or in one cell; none otherwise.
inline ir::VarId written_variable(const ir::Game& game, const ir::Label& label) {
  if (const auto* a = std::get_if<ir::Assign>(&label)) return game.assigned_variable(a->lhs);
  if (const auto* a = std::get_if<ir::AssignAny>(&label)) return game.assigned_variable(a->lhs);
  return {};
}

inline bool is_assignment(const ir::Label& label) {
  return std::holds_alternative<ir::Assign>(label) || std::holds_alternative<ir::AssignAny>(label);
}
inline bool is_tag(const ir::Label& label) {
  return std::holds_alternative<ir::Tag>(label) || std::holds_alternative<ir::TagVariable>(label);
}
inline bool is_condition(const ir::Label& label) {
  return std::holds_alternative<ir::Compare>(label) || std::holds_alternative<ir::Reachability>(label);
}

// The left side of an assignment of either kind, or none.
inline ir::ExprId left_side(const ir::Label& label) {
  if (const auto* a = std::get_if<ir::Assign>(&label)) return a->lhs;
  if (const auto* a = std::get_if<ir::AssignAny>(&label)) return a->lhs;
  return {};
}

// True when the label replaces the whole variable, false when it writes one cell of a map (or nothing).
inline bool writes_whole(const ir::Game& game, const ir::Label& label) {
  const ir::ExprId lhs = left_side(label);
  if (!lhs.valid()) return false;
  return game.expressions().kind(game.expressions().uncast(lhs)) == ir::ExprKind::variable;
}

// f(VarId) for each variable in the index expressions of a left side, the root left out.
template <class F>
void for_each_index_variable(const ir::Game& game, ir::ExprId lhs, F&& f) {
  const ir::Expressions& expressions = game.expressions();
  for (;;) {
    switch (expressions.kind(lhs)) {
      case ir::ExprKind::cast:
        lhs = expressions.operand(lhs);
        break;
      case ir::ExprKind::access:
        game.for_each_variable(expressions.index(lhs), f);
        lhs = expressions.map(lhs);
        break;
      default:
        return;
    }
  }
}

// f(VarId) for each variable whose value the label reads, with repetitions. The root of a cell write counts as
// written, not as read; what a reachability check reads inside its automaton is not included.
template <class F>
void for_each_read(const ir::Game& game, const ir::Label& label, F&& f) {
  std::visit(ir::Overloaded{
                 [](const ir::Empty&) {},
                 [&](const ir::Compare& c) {
                   game.for_each_variable(c.lhs, f);
                   game.for_each_variable(c.rhs, f);
                 },
                 [&](const ir::Assign& a) {
                   for_each_index_variable(game, a.lhs, f);
                   game.for_each_variable(a.rhs, f);
                 },
                 [&](const ir::AssignAny& a) { for_each_index_variable(game, a.lhs, f); },
                 [](const ir::Reachability&) {},
                 [](const ir::Tag&) {},
                 [&](const ir::TagVariable& t) { f(t.variable); },
             },
             label);
}

// By symbol: the tags that @artificialTag lists. They keep walks apart for analyses and are no part of a move.
std::vector<bool> artificial_tags(const ir::Game& game);

// How many names and accesses an expression has.
std::size_t expression_size(const ir::Game& game, ir::ExprId expression);

}  // namespace rgtrans::analysis
