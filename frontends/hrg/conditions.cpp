// Converts conditions to edges between a node and the nodes for "true" and "false". Negations are pushed down to the
// tests, and comparisons of constants are evaluated.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/hrg/lowering.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;

Lowering::Condition Lowering::condition(ast::ExprId id, bool negated) {
  const ast::Expr& e = program_[id];
  switch (e.kind) {
    case ExpressionKind::all:
    case ExpressionKind::any:
      return joined(e, negated);
    case ExpressionKind::negation:
      return condition(program_.items(e.args)[0], !negated);
    case ExpressionKind::call:
      return condition_call(e, negated);
    case ExpressionKind::binary:
      return comparison(e, negated);
    default:
      break;
  }
  env_.fail(e.where, "this is no condition", "compare it with a value, as in x == y");
}

Lowering::Condition Lowering::joined(const ast::Expr& e, bool negated) {
  // not (a && b) equals (not a) || (not b).
  const bool all = (e.kind == ExpressionKind::all) != negated;
  const auto absorbing = all ? Condition::Kind::never : Condition::Kind::always;
  const auto neutral = all ? Condition::Kind::always : Condition::Kind::never;
  Condition result;
  result.kind = all ? Condition::Kind::all : Condition::Kind::any;
  for (ast::ExprId arg : program_.items(e.args)) {
    Condition part = condition(arg, negated);
    if (part.kind == absorbing) result.kind = absorbing;  // tests have no side effects, so the others are irrelevant
    if (result.kind == absorbing && emitting_) break;
    if (part.kind != neutral) result.parts.push_back(std::move(part));
  }
  if (result.kind == absorbing || result.parts.empty()) {
    if (result.kind != absorbing) result.kind = neutral;
    result.parts.clear();
    return result;
  }
  if (result.parts.size() > 1) return result;
  Condition only = std::move(result.parts.front());
  return only;
}

Lowering::Condition Lowering::comparison(const ast::Expr& e, bool negated) {
  const auto args = program_.items(e.args);
  if (e.op != ast::Operator::equal && e.op != ast::Operator::unequal) {
    const bool order = e.op >= ast::Operator::less;
    env_.fail(e.where, order ? "graphs compare with == and != only" : "this is no condition in a graph",
              order ? "declare a function that compares, as in: less(I(X), I(Y)) = if X < Y then 1 else 0"
                    : "declare a function and compare its value, as in f(x) == 1");
  }
  const Typed left = expr(args[0]);
  const Typed right = expr(args[1], left.type);
  negated = negated != (e.op == ast::Operator::unequal);
  const ir::Game& game = env_.game;
  const auto a = game.constant_symbol(left.expr);
  const auto b = game.constant_symbol(right.expr);
  Condition result;
  if (a && b && emitting_) {
    result.kind = (*a == *b) != negated ? Condition::Kind::always : Condition::Kind::never;
    return result;
  }
  if (!(a && b)) expect_assignable(left, right, e.where, "compared with");
  result.kind = Condition::Kind::test;
  result.label = ir::Compare{fit(left, raw_type(right.expr)), right.expr, negated};
  if (auto& compare = std::get<ir::Compare>(result.label); emitting_) compare.rhs = fit(right, raw_type(compare.lhs));
  return result;
}

Lowering::Condition Lowering::condition_call(const ast::Expr& e, bool negated) {
  const auto args = program_.items(e.args);
  const ast::Expr& callee = program_[args[0]];
  const Builtin builtin = callee.kind == ExpressionKind::name ? builtins_.find(callee.name) : Builtin::none;
  const std::size_t expected = builtin == Builtin::not_ || builtin == Builtin::reachable ? 1 : 0;
  if (builtin >= Builtin::not_ && args.size() - 1 != expected) {
    env_.fail(e.where,
              fmt::format("{} takes {}", env_.text(callee.name), expected == 1 ? "one argument" : "no arguments"));
  }
  Condition result;
  switch (builtin) {
    case Builtin::not_:
      return condition(args[1], !negated);
    case Builtin::true_:
    case Builtin::false_:
      result.kind = (builtin == Builtin::true_) != negated ? Condition::Kind::always : Condition::Kind::never;
      return result;
    case Builtin::reachable: {
      result.kind = Condition::Kind::test;
      result.label = reachability(program_[args[1]]);
      std::get<ir::Reachability>(result.label).negated = negated;
      return result;
    }
    default:
      break;
  }
  if (callee.kind == ExpressionKind::name && env_.graph(callee.name) >= 0) {
    env_.fail(e.where, fmt::format("{} is a graph, not a condition", env_.text(callee.name)),
              fmt::format("ask whether it can be passed: reachable({}(…))", env_.text(callee.name)));
  }
  env_.fail(e.where, "this is no condition", "compare it with a value, as in f(x) == 1");
}

// Whether at most one of these tests can hold, because they compare one expression with different symbols.
bool Lowering::exclusive(const std::vector<Condition>& parts) const {
  std::vector<SymbolId> symbols;
  ir::ExprId tested;
  for (const Condition& part : parts) {
    const auto* compare = part.kind == Condition::Kind::test ? std::get_if<ir::Compare>(&part.label) : nullptr;
    if (compare == nullptr || compare->negated) return false;
    const auto symbol = env_.game.constant_symbol(compare->rhs);
    if (!symbol || (tested.valid() && tested != compare->lhs)) return false;
    if (std::ranges::find(symbols, *symbol) != symbols.end()) return false;
    symbols.push_back(*symbol);
    tested = compare->lhs;
  }
  return true;
}

// Without a node for "false", a walk ends here if the condition fails.
void Lowering::emit(const Condition& c, ir::NodeId p, ir::NodeId t, ir::NodeId f, Range where) {
  switch (c.kind) {
    case Condition::Kind::always:
      if (t.valid()) edge(p, t, ir::Empty{}, where);
      return;
    case Condition::Kind::never:
      if (f.valid()) edge(p, f, ir::Empty{}, where);
      return;
    case Condition::Kind::test: {
      if (t.valid()) edge(p, t, c.label, where);
      if (f.valid()) edge(p, f, ir::negated(c.label), where);
      return;
    }
    case Condition::Kind::all:
    case Condition::Kind::any:
      break;
  }
  const bool all = c.kind == Condition::Kind::all;
  // Exclusive alternatives may be parallel. Others are tested in sequence, so that only one walk leads to "true".
  const bool parallel = !all && !f.valid() && exclusive(c.parts);
  const std::size_t before = env_.game.graph.edge_bound();
  for (std::size_t i = 0; i < c.parts.size(); ++i) {
    const bool last = i + 1 == c.parts.size();
    if (last || parallel) {
      emit(c.parts[i], p, t, f, where);
      continue;
    }
    const ir::NodeId next = fresh(where);
    emit(c.parts[i], p, all ? next : t, all ? f : next, where);
    p = next;
  }
  if (!parallel || !env_.game.claims.wanted()) return;
  ir::Alternatives one;
  for (std::size_t e = before; e < env_.game.graph.edge_bound(); ++e) one.edges.emplace_back(e);
  env_.game.claims.add("parallel alternatives", std::move(one), where);
}

Lowering::Place Lowering::check(ast::ExprId id, Place p, ir::NodeId q, Range where) {
  const Condition c = condition(id, false);
  if (p.dead() || c.kind == Condition::Kind::never) return {};
  if (c.kind == Condition::Kind::always) return p;
  const bool open = !q.valid();
  if (open) q = fresh(where);
  emit(c, p.node, q, {}, where);
  return {q, open};
}

}  // namespace rgtrans::hrg
