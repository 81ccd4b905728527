// Join plans. A greedy order takes the literal with the fewest expected matches first. The estimate divides the size of
// a relation by the number of distinct values in each bound column. A literal with bound variables only is a filter and
// comes at once.
#include <algorithm>

#include "frontends/gdl/datalog/engine.hpp"

namespace rgtrans::gdl {

namespace {

bool all_bound(const Patterns& patterns, Pattern pattern, const std::vector<bool>& bound) {
  bool all = true;
  patterns.for_each_variable(pattern, [&](std::uint32_t v) { all = all && bound[v]; });
  return all;
}

}  // namespace

double Engine::cost(const EngineLiteral& literal, const std::vector<bool>& bound) {
  const Patterns& patterns = program.patterns;
  const bool filter = std::ranges::all_of(literal.arguments, [&](Pattern p) { return all_bound(patterns, p, bound); });
  if (!literal.relation.valid() || literal.negated) return filter ? -1 : 1e300;
  if (filter) return 0;
  RelationInfo& info = relations[literal.relation.value];
  double rows =
      std::max(1.0, static_cast<double>(info.recursive ? std::max(info.tuples->size(), 8U) : info.tuples->size()));
  bool connected = false;
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    if (!all_bound(patterns, literal.arguments[c], bound)) continue;
    connected = connected || !literal.arguments[c].is_ground();
    rows /= info.tuples->distinct(c);
  }
  return connected ? rows : rows * 4;
}

Plan Engine::make_plan(const EngineRule& rule, std::size_t delta) {
  Plan plan;
  plan.registers = rule.variables;
  std::vector<bool> bound(rule.variables);
  std::vector<bool> done(rule.body.size());
  const auto take = [&](std::size_t i) {
    done[i] = true;
    add_step(plan, rule, i, delta, bound);
  };
  // Negated dynamic literals become part of the instance instead of being tested.
  std::size_t open = 0;
  for (std::size_t i = 0; i < rule.body.size(); ++i) {
    done[i] = rule.body[i].negated && rule.body[i].dynamic;
    open += done[i] ? 0 : 1;
  }
  if (delta < rule.body.size()) {
    take(delta);
    --open;
  }
  for (; open > 0; --open) {
    std::size_t best = rule.body.size();
    double best_cost = 2e300;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      if (done[i]) continue;
      const double c = cost(rule.body[i], bound);
      if (c < best_cost) {
        best = i;
        best_cost = c;
      }
    }
    take(best);
  }
  // The instance contains the variables of the head and of dynamic literals.
  std::vector<bool> shown(rule.variables);
  const auto show = [&](const EngineLiteral& literal) {
    for (const Pattern p : literal.arguments)
      program.patterns.for_each_variable(p, [&](std::uint32_t v) { shown[v] = true; });
  };
  show(rule.head);
  for (const EngineLiteral& literal : rule.body)
    if (literal.dynamic) show(literal);
  plan.emit_level = -1;
  std::vector<int> hides;
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    for (const JoinStep::Op& op : plan.steps[s].ops) {
      if (op.kind != JoinStep::Op::Kind::bind) continue;
      if (shown[op.value]) plan.emit_level = static_cast<int>(s);
      if (!shown[op.value]) hides.push_back(static_cast<int>(s));
    }
  }
  plan.may_repeat = std::ranges::any_of(hides, [&](int s) { return s <= plan.emit_level; });
  for (const EngineLiteral& literal : rule.body)
    plan.sizes.push_back(literal.relation.valid() ? relations[literal.relation.value].tuples->size() : 0);
  return plan;
}

void Engine::add_step(Plan& plan, const EngineRule& rule, std::size_t literal, std::size_t delta,
                      std::vector<bool>& bound) {
  const EngineLiteral& l = rule.body[literal];
  JoinStep step;
  step.literal = static_cast<std::uint32_t>(literal);
  if (!l.relation.valid()) {
    step.kind = JoinStep::Kind::distinct;
    for (const Pattern p : l.arguments) step.key.push_back({p});
    plan.steps.push_back(std::move(step));
    return;
  }
  RelationInfo& info = relations[l.relation.value];
  step.relation = info.tuples.get();
  if (info.recursive && delta < rule.body.size())
    step.limit = literal == delta  ? JoinStep::Limit::delta
                 : literal < delta ? JoinStep::Limit::old
                                   : JoinStep::Limit::all;
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < l.arguments.size(); ++c)
    if (all_bound(program.patterns, l.arguments[c], bound)) columns.push_back(c);
  const bool full = columns.size() == l.arguments.size();
  if (l.negated) {
    step.kind = JoinStep::Kind::absent;
  } else if (step.limit == JoinStep::Limit::delta && !full) {
    step.kind = JoinStep::Kind::scan;
  } else if (full) {
    step.kind = JoinStep::Kind::member;
  } else {
    step.kind = columns.empty() ? JoinStep::Kind::scan : JoinStep::Kind::probe;
  }
  const bool keyed = step.kind != JoinStep::Kind::scan;
  if (keyed)
    for (const std::uint32_t c : columns) step.key.push_back({l.arguments[c]});
  step.scratch.resize(step.key.size());
  if (step.kind == JoinStep::Kind::probe) step.index = &info.tuples->index(columns);
  if (step.kind == JoinStep::Kind::scan || step.kind == JoinStep::Kind::probe) {
    for (std::uint32_t c = 0; c < l.arguments.size(); ++c) {
      if (keyed && std::ranges::find(columns, c) != columns.end()) continue;
      compile_match(plan, step, true, c, l.arguments[c], bound);
    }
  }
  plan.steps.push_back(std::move(step));
}

void Engine::compile_match(Plan& plan, JoinStep& step, bool from_row, std::uint32_t from, Pattern pattern,
                           std::vector<bool>& bound) {
  using Op = JoinStep::Op;
  if (pattern.is_ground()) {
    step.ops.push_back({Op::Kind::constant, from_row, from, pattern.term().value, {}, 0});
    return;
  }
  if (pattern.is_variable()) {
    const std::uint32_t v = pattern.number();
    step.ops.push_back({bound[v] ? Op::Kind::same : Op::Kind::bind, from_row, from, v, {}, 0});
    bound[v] = true;
    return;
  }
  const std::uint32_t arity = program.patterns.arity(pattern);
  const std::uint32_t first = plan.registers;
  plan.registers += arity;
  step.ops.push_back({Op::Kind::expand, from_row, from, first, program.patterns.symbol(pattern), arity});
  for (std::uint32_t i = 0; i < arity; ++i)
    compile_match(plan, step, false, first + i, program.patterns.argument(pattern, i), bound);
}

bool Engine::stale(const EngineRule& rule, const Plan& plan) const {
  for (std::size_t i = 0; i < rule.body.size(); ++i) {
    const RelId id = rule.body[i].relation;
    if (!id.valid() || !relations[id.value].recursive) continue;
    const std::uint32_t size = relations[id.value].tuples->size();
    if (size > 8 && size / 4 > plan.sizes[i]) return true;
  }
  return false;
}

}  // namespace rgtrans::gdl
