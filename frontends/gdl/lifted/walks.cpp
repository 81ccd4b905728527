#include "frontends/gdl/lifted/walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <range/v3/range/primitives.hpp>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

NodeId Walks::loop_values(const BodyState& f, std::uint32_t variable, NodeId from,
                          const std::function<NodeId(BodyState&, NodeId)>& body) {
  const SortId sort = f.rule->sorts[variable];
  const std::string wish = Names::readable(m_.program().symbols.str(f.rule->rule->source->variables[variable]));
  BodyState next = f;
  const auto listed = statics.lister(f, variable);
  if (!listed) {
    return loop(wish, sort, next.busy, from, [&](const Value& value, NodeId begin) {
      BodyState inside = next;
      inside.values[variable] = value;
      return body(inside, begin);
    });
  }
  const EngineLiteral& literal = f.rule->rule->body[listed->literal];
  const BoundRows asked = statics.bound_rows(f, literal);
  const Tables::List& list = list_of(f, variable, literal, asked);
  const Register& number = t_.number(list, next.busy, "each");
  next.busy.insert(number.variable);
  const Register& r = t_.scratch(wish, sort, next.busy, "each");
  next.busy.insert(r.variable);
  const ExprId value = game_.access(lookup(list.table, asked.keys), number.expression);
  const NodeId out = node();
  const NodeId again = then(from, ir::Assign{number.expression, game_.symbol(list.first)});
  NodeId inside = again;
  if (!list.full) {
    if (!list.gaps) edge(again, out, ir::Compare{value, t_.none(), false});
    inside = then(again, ir::Compare{value, t_.none(), true});
  }
  inside = then(inside, ir::Assign{r.expression, value});
  next.values[variable] = Value{{}, r.expression, sort, false};
  statics.finish(next, listed->literal);
  const NodeId last = body(next, inside);
  if (list.gaps) edge(again, last, ir::Compare{value, t_.none(), false});
  if (list.first == list.last) {
    edge(last, out, ir::Empty());
    return out;
  }
  const NodeId more = then(last, ir::Compare{number.expression, game_.symbol(list.last), true});
  edge(more, again, ir::Assign{number.expression, game_.access(list.behind, number.expression)});
  edge(last, out, ir::Compare{number.expression, game_.symbol(list.last), false});
  return out;
}

// --- Values. ---

// A static relation without `none` proves that the value exists, so its test replaces that for presence.
NodeId Walks::test_present(BodyState& f, std::uint32_t variable, Value& value, NodeId from) {
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::fixed) continue;
    const Pattern own = Pattern::variable(variable);
    if (!literal.mentions(own)) continue;
    if (!std::ranges::all_of(literal.arguments, [&](Pattern p) { return p == own || f.known(p); })) continue;
    f.values[variable] = value;
    const NodeId tested = test_with_none(f, literal, from);
    f.values[variable].reset();
    if (!tested.valid()) continue;
    value.maybe_none = false;
    statics.finish(f, i);
    return tested;
  }
  return from;
}

NodeId Walks::bind(BodyState& f, std::uint32_t variable, Value value, NodeId from, bool keep) {
  const SortId sort = f.rule->sorts[variable];
  if (value.maybe_none && m_.subset(value.sort, sort)) from = test_present(f, variable, value, from);
  if (from.valid()) from = guard({{value, sort}}, from);
  if (!from.valid()) return from;
  value.maybe_none = false;
  value.sort = m_.intersect(value.sort, sort);
  const bool plain = value.constant || game_.expressions().kind(value.expression) == ir::ExprKind::variable;
  if (keep || (!plain && f.occurrences(variable) > 1)) {
    const auto place = f.places.find(variable);
    const std::string wish = Names::readable(m_.program().symbols.str(f.rule->rule->source->variables[variable]));
    const Register& r = place != f.places.end() ? *place->second : t_.scratch(wish, sort, f.busy, f.pool);
    f.busy.insert(r.variable);
    from = then(from, ir::Assign{r.expression, t_.expression(value)});
    value = {{}, r.expression, value.sort, false};
  }
  f.values[variable] = value;
  return from;
}

NodeId Walks::match(BodyState& f, Pattern p, const Value& v, NodeId from) {
  if (const auto known = value(f, p)) return test_equal(*known, v, from);
  return bind(f, p.number(), v, from);
}

NodeId Walks::unify(BodyState& f, const EngineLiteral& literal, const std::vector<std::optional<Value>>& values,
                    NodeId from) {
  const Sharing sharing(*this);
  for (std::size_t c = 0; c < values.size() && from.valid(); ++c)
    if (values[c]) from = match(f, literal.arguments[c], *values[c], from);
  return from;
}

// --- Bodies. ---

// Writes the steps of a plan. A step may find more than was planned: a value that is a constant, or a static relation
// that proves the presence of a fact. The rest is planned again then.
NodeId Walks::execute(BodyState& f, const BodyPlan& plan, NodeId from) {
  const Sharing sharing(*this);
  for (const PlanNode& step : plan) {
    if (!from.valid()) break;
    at(f.rule->rule->source->where);
    if (!step.apart.empty()) {
      from = test_existence(f, step, from);
      f.open = step.open;
    } else if (step.kind == PlanNode::Kind::choose || step.kind == PlanNode::Kind::range_scan) {
      from = choose(f, step.index, from);
    } else {
      from = advance(f, step.index, from);
    }
    if (from.valid() && (f.open != step.open || f.bindings() != step.bindings)) return run(f, from);
  }
  return from;
}

// Tests whether the literals hold for some values of their unbound variables.
NodeId Walks::test_existence(const BodyState& f, const PlanNode& test, NodeId from) {
  BodyState apart = f.apart(test.apart);
  apart.region = new_region();
  const NodeId first = node();
  const NodeId last = execute(apart, test.inside, first);
  if (!last.valid() || last == first) return last.valid() ? from : last;
  return then(from, ir::Reachability{first, last, false});
}

NodeId Walks::run_certain(BodyState& f, NodeId from) {
  using Plan = BodyPlanner::Plan;
  for (Plan next = planner.ready(f); from.valid() && next.kind != Plan::Kind::none; next = planner.ready(f))
    from = advance(f, next.index, from);
  return from;
}

NodeId Walks::choose(BodyState& f, std::uint32_t variable, NodeId from) {
  const SortId sort = f.rule->sorts[variable];
  const auto place = f.places.find(variable);
  const std::string wish = Names::readable(m_.program().symbols.str(f.rule->rule->source->variables[variable]));
  // A cell is chosen from the whole board, which some registers cannot store.
  const bool fits = place != f.places.end() && m_.subset(t_.whole(sort), t_.whole(place->second->sort));
  const Register& r = fits ? *place->second : t_.scratch(wish, sort, f.busy, f.pool);
  f.busy.insert(r.variable);
  const auto listed = statics.lister(f, variable);
  if (listed) {
    const EngineLiteral& literal = f.rule->rule->body[listed->literal];
    const BoundRows asked = statics.bound_rows(f, literal);
    const Tables::List& list = list_of(f, variable, literal, asked);
    const Register& number = t_.number(list, f.busy, f.pool);
    from = then(from, ir::AssignAny{number.expression, list.numbers});
    const ExprId value = game_.access(lookup(list.table, asked.keys), number.expression);
    if (!list.full) from = then(from, ir::Compare{value, t_.none(), true});
    from = then(from, ir::Assign{r.expression, value});
    statics.finish(f, listed->literal);
  } else {
    from = then(from, ir::AssignAny{r.expression, t_.type(sort, false, wish)});
    if (const SortId whole = t_.whole(sort); whole != sort)
      from = then(from, ir::Compare{game_.access(t_.membership(whole, false, sort), r.expression), t_.one(), false});
  }
  f.values[variable] = Value{{}, r.expression, sort, false};
  return narrow(f, variable, from);
}

NodeId Walks::narrow(BodyState& f, std::uint32_t variable, NodeId from) {
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::fixed) continue;
    if (!literal.mentions(Pattern::variable(variable))) continue;
    if (f.all_known(literal)) continue;
    if (statics.presence(f, literal) >= kPlanCosts.static_test) continue;
    if (from.valid()) from = fixed_test(f, literal, from);
  }
  return from;
}

// --- Literals. ---

NodeId Walks::advance(BodyState& f, std::uint32_t index, NodeId from) {
  const EngineLiteral& literal = f.rule->rule->body[index];
  const Range before = place_;
  at(literal.where);
  if (f.absent.contains(index)) {
    const NodeId first = node();
    from = negate_walk(first, some_fact(f, literal, first), from);
  } else {
    from = literal.negated ? negative(f, literal, from) : positive(f, literal, from);
  }
  statics.finish(f, index);
  place_ = before;
  return from;
}

NodeId Walks::positive(BodyState& f, const EngineLiteral& literal, NodeId from) {
  switch (m_.kind(literal)) {
    case LiteralKind::distinct:
      return test_equal(*value(f, literal.arguments[0]), *value(f, literal.arguments[1]), from, true);
    case LiteralKind::fixed:
      return fixed(f, literal, from);
    case LiteralKind::fact:
      return fact(f, literal, from);
    case LiteralKind::does:
      return move(f, literal, from);
    case LiteralKind::derived:
      return derived(f, literal, from);
  }
  return {};
}

NodeId Walks::negative(BodyState& f, const EngineLiteral& literal, NodeId from) {
  EngineLiteral opposite = literal;
  opposite.negated = false;
  if (m_.kind(literal) == LiteralKind::derived) {
    if (m_.rules(Model::key(literal)).empty()) return from;
    if (const ExprId known = answer(f, literal); known.valid()) return then(from, ir::Compare{known, t_.one(), true});
    const Procedure& p = procedures_[procedure(Model::key(literal), planner.uses_of(f, literal), f.region)];
    const NodeId first = check_of(p, values_of(f, literal));
    return first.valid() ? then(from, ir::Reachability{first, p.exit, true}) : from;
  }
  const NodeId first = node();
  BodyState copy = f;
  return negate_walk(first, positive(copy, opposite, first), from);
}

ExprId Walks::answer(const BodyState& f, const EngineLiteral& literal) {
  if (answers_.empty()) return {};
  std::vector<std::uint32_t> constants;
  for (const Pattern p : literal.arguments) {
    const std::optional<Value> v = value(f, p);
    if (!v || !v->constant) return {};
    constants.push_back(v->constant->value);
  }
  const auto found = answers_.find({Model::key(literal), constants});
  return found == answers_.end() ? ExprId() : found->second;
}

// Tests that the bound key of the literal is possible.
NodeId Walks::with_key(const BodyState& f, const EngineLiteral& literal, std::vector<Value>& key, NodeId from) {
  const Stored& s = t_.stored_of(literal.relation);
  if (s.never) return {};
  std::vector<std::pair<Value, SortId>> guards;
  for (const std::uint32_t c : s.key) {
    key.push_back(*value(f, literal.arguments[c]));
    guards.emplace_back(key.back(), s.columns[c]);
  }
  return guard(guards, from);
}

// Tests that some fact has the key, with any values.
NodeId Walks::some_fact(const BodyState& f, const EngineLiteral& literal, NodeId from) {
  const Stored& s = t_.stored_of(literal.relation);
  std::vector<Value> key;
  from = with_key(f, literal, key, from);
  return from.valid() ? then(from, ir::Compare{cell(s.maps[0], key), t_.none(), true}) : from;
}

NodeId Walks::fact(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const Stored& s = t_.stored_of(literal.relation);
  std::vector<Value> key;
  from = with_key(f, literal, key, from);
  if (!from.valid()) return from;
  if (s.values.empty()) return then(from, ir::Compare{cell(s.maps[0], key), t_.one(), false});
  // Determines the tested columns before any is matched, because the first match of a variable binds it for the others.
  std::vector<bool> tested;
  for (const std::uint32_t c : s.values) tested.push_back(f.known(literal.arguments[c]));
  bool present = false;
  for (const bool tests : {true, false}) {
    for (std::size_t i = 0; i < s.values.size() && from.valid(); ++i) {
      const Pattern p = literal.arguments[s.values[i]];
      if (tested[i] != tests) continue;
      const Value v{{}, cell(s.maps[i], key), s.columns[s.values[i]], !present};
      if (f.singleton(p)) {
        if (!present) from = then(from, ir::Compare{v.expression, t_.none(), true});
      } else {
        from = match(f, p, v, from);
      }
      present = true;
    }
  }
  return from;
}

// --- Moves. ---

NodeId Walks::move(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const Value role = *value(f, literal.arguments[0]);
  std::vector<std::uint32_t> roles;
  for (const TermId r : m_.program().roles) roles.push_back(r.value);
  from = guard({{role, m_.sort(roles)}}, from);
  if (!from.valid() || m_.rules({literal.relation, true}).empty()) return {};
  if (const auto mover = m_.holder(literal.relation); mover && f.rule->same_state) {
    const Stored& s = t_.stored_of(mover->first);
    const std::size_t at = s.map_of(mover->second);
    const ExprId holder = game_.variable_ref(s.maps[at]);
    from = test_equal(role, {{}, holder, s.columns[mover->second], false}, from);
    if (!from.valid()) return from;
    if (s.columns.size() == 1)
      std::erase_if(f.open, [&](std::uint32_t i) {
        const EngineLiteral& l = f.rule->rule->body[i];
        return !l.negated && l.relation == mover->first && l.arguments[0] == literal.arguments[0] &&
               m_.kind(l) == LiteralKind::fact;
      });
  } else {
    const ExprId functor = game_.access(game_.variable_ref(does.functor), t_.expression(role));
    from = then(from, ir::Compare{functor, game_.symbol(does.symbol(literal.relation)), false});
  }
  for (std::uint32_t c = 1; c < literal.arguments.size() && from.valid(); ++c) {
    if (f.singleton(literal.arguments[c])) continue;
    const Value v{{}, does.argument(role, does.place(literal.relation, c)), m_.column(literal.relation, c), false};
    from = match(f, literal.arguments[c], v, from);
  }
  return from;
}

}  // namespace rgtrans::gdl::lifted
