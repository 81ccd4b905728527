#include "frontends/gdl/lifted/walks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

namespace {

// Tests above these selectivities are not added: of a static relation, and of the argument pairs of a recursion.
constexpr double kMaxTestSelectivity = 0.5;
constexpr double kMaxPairSelectivity = 0.25;
constexpr double kMaxPairCells = 20'000;

}  // namespace

// --- Edges. ---

ir::EdgeId Walks::edge(NodeId from, NodeId to, ir::Label label) {
  if (game_.graph.edge_count() > kLiftedLimits.edges) throw TooLarge();
  return game_.graph.add_edge(from, to, std::move(label), place_);
}

NodeId Walks::then(NodeId from, ir::Label label) {
  const NodeId to = node();
  if (sharing_) {
    for (const ir::EdgeId e : game_.graph.out_edges(alike(from)))
      if (walked_.contains(game_.graph.target(e)) && game_.graph.label(e) == label)
        alike_.try_emplace(to, game_.graph.target(e));
    walked_.insert(to);
  }
  edge(from, to, std::move(label));
  return to;
}

NodeId Walks::loop(std::string_view wish, SortId sort, std::set<ir::VarId>& busy, NodeId from,
                   const std::function<NodeId(const Value&, NodeId)>& body) {
  const auto& terms = m_.terms(sort);
  if (terms.empty()) return from;
  if (terms.size() == 1) return body(t_.constant(TermId(terms[0])), from);
  const Register& r = t_.scratch(wish, sort, busy, "each");
  busy.insert(r.variable);
  const NodeId out = loop_over(r, from, [&](NodeId begin) { return body({{}, r.expression, sort, false}, begin); });
  busy.erase(r.variable);
  return out;
}

NodeId Walks::loop_values(const BodyState& f, std::uint32_t variable, NodeId from,
                          const std::function<NodeId(BodyState&, NodeId)>& body) {
  const SortId sort = f.rule->sorts[variable];
  const std::string wish = Names::readable(m_.program().symbols.str(f.rule->rule->source->variables[variable]));
  BodyState next = f;
  const auto listed = lister(f, variable);
  if (!listed) {
    return loop(wish, sort, next.busy, from, [&](const Value& value, NodeId begin) {
      BodyState inside = next;
      inside.values[variable] = value;
      return body(inside, begin);
    });
  }
  const EngineLiteral& literal = f.rule->rule->body[listed->literal];
  const BoundRows asked = bound_rows(f, literal);
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
  finish(next, listed->literal);
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

NodeId Walks::loop_over(const Register& r, NodeId from, const std::function<NodeId(NodeId)>& body) {
  const auto& terms = m_.terms(r.sort);
  const NodeId again = then(from, ir::Assign{r.expression, game_.symbol(t_.symbol(terms[0]))});
  const NodeId last = body(again);
  if (terms.size() == 1) return last;
  const ExprId end = game_.symbol(t_.symbol(terms.back()));
  const NodeId more = then(last, ir::Compare{r.expression, end, true});
  edge(more, again, ir::Assign{r.expression, game_.access(t_.successor(r.sort), r.expression)});
  return then(last, ir::Compare{r.expression, end, false});
}

// Ignores checks, which leave no assignments behind.
NodeId Walks::forget(NodeId begin, NodeId at) {
  const ir::Automaton& g = game_.graph;
  std::set<NodeId> after = {begin};
  std::set<NodeId> before = {at};
  std::vector<NodeId> open = {at};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const ir::EdgeId e : g.in_edges(n))
      if (n != begin && before.insert(g.source(e)).second) open.push_back(g.source(e));
  }
  std::set<ir::VarId> dirty;
  open = {begin};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const ir::EdgeId e : g.out_edges(n)) {
      if (!before.contains(g.target(e))) continue;
      const ir::VarId written = ir::written_variable(game_, g.label(e));
      if (written.valid() && t_.scratch_initial().contains(written)) dirty.insert(written);
      if (g.target(e) != at && after.insert(g.target(e)).second) open.push_back(g.target(e));
    }
  }
  for (const ir::VarId v : dirty)
    at = then(at, ir::Assign{game_.variable_ref(v), game_.symbol(t_.scratch_initial().at(v))});
  return at;
}

// --- Values. ---

Walks::BodyState Walks::body_state(const LiftedRule& rule, std::size_t region) {
  at(rule.rule->source->where);
  BodyState f;
  f.region = region;
  f.rule = &rule;
  f.values.resize(rule.sorts.size());
  f.wanted.resize(rule.sorts.size());
  for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i) f.open.push_back(i);
  for (std::size_t v = 0; v < rule.sorts.size(); ++v)
    if (m_.terms(rule.sorts[v]).size() == 1) f.values[v] = t_.constant(TermId(m_.terms(rule.sorts[v])[0]));
  merge_negated_facts(f);
  return f;
}

// If a fact is negated for all values of its key, one of the literals represents all of them.
void Walks::merge_negated_facts(BodyState& f) {
  const auto& body = f.rule->rule->body;
  const auto denied = [&](std::uint32_t i) { return body[i].negated && m_.kind(body[i]) == LiteralKind::fact; };
  for (std::uint32_t first = 0; first < body.size(); ++first) {
    if (!denied(first) || std::ranges::find(f.open, first) == f.open.end()) continue;
    const Stored& s = t_.stored_of(body[first].relation);
    if (s.values.empty()) continue;
    const auto same_key = [&](std::uint32_t i) {
      return denied(i) && body[i].relation == body[first].relation && std::ranges::all_of(s.key, [&](std::uint32_t c) {
               return body[i].arguments[c] == body[first].arguments[c];
             });
    };
    std::set<std::uint32_t> others;
    std::set<std::vector<std::uint32_t>> values;
    for (std::uint32_t i = first; i < body.size(); ++i) {
      if (!same_key(i)) continue;
      std::vector<std::uint32_t> mine;
      for (const std::uint32_t c : s.values) {
        const Pattern p = body[i].arguments[c];
        if (p.is_ground() && m_.contains(s.columns[c], p.term().value)) mine.push_back(p.term().value);
      }
      if (mine.size() < s.values.size()) continue;
      values.insert(std::move(mine));
      if (i != first) others.insert(i);
    }
    double possible = 1;
    for (const std::uint32_t c : s.values) possible *= static_cast<double>(m_.terms(s.columns[c]).size());
    if (others.empty() || static_cast<double>(values.size()) != possible) continue;
    f.absent.insert(first);
    std::erase_if(f.open, [&](std::uint32_t i) { return others.contains(i); });
  }
}

std::optional<Value> Walks::value(const BodyState& f, Pattern p) {
  if (p.is_ground()) return t_.constant(p.term());
  return f.values[p.number()];
}

NodeId Walks::test_equal(const Value& a, const Value& b, NodeId from, bool negated) {
  if (a.constant && b.constant) return (*a.constant == *b.constant) != negated ? from : NodeId();
  if (m_.disjoint(a.sort, b.sort)) return negated ? from : NodeId();
  const ExprId x = t_.expression(a);
  const ExprId y = t_.expression(b);
  if (x == y) return negated ? NodeId() : from;
  return then(from, ir::Compare{x, y, negated});
}

NodeId Walks::assign(std::vector<std::pair<const Register*, Value>> places, std::set<ir::VarId> busy,
                     const std::string& pool, NodeId from) {
  std::erase_if(places, [&](const auto& entry) { return t_.expression(entry.second) == entry.first->expression; });
  const auto reads = [&](const Value& value, const Register& place) {
    bool found = false;
    game_.for_each_variable(t_.expression(value), [&](ir::VarId v) { found = found || v == place.variable; });
    return found;
  };
  bool conflict = false;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j)
      conflict = conflict || reads(places[j].second, *places[i].first);
  for (auto& [place, value] : places) {
    if (!conflict) break;
    const Register& spare = t_.scratch("spare", place->sort, busy, pool);
    busy.insert(spare.variable);
    from = then(from, ir::Assign{spare.expression, t_.expression(value)});
    value = Value{{}, spare.expression, place->sort, false};
  }
  for (const auto& [place, value] : places) from = then(from, ir::Assign{place->expression, t_.expression(value)});
  return from;
}

NodeId Walks::guard(const std::vector<std::pair<Value, SortId>>& what, NodeId from) {
  for (const auto& [value, sort] : what) {
    if (!value.maybe_none && m_.subset(value.sort, sort)) continue;
    if (value.constant || m_.disjoint(value.sort, sort)) return {};
    if (m_.subset(value.sort, sort)) {
      from = then(from, ir::Compare{value.expression, t_.none(), true});
      continue;
    }
    const ExprId member = game_.access(t_.membership(value.sort, value.maybe_none, sort), value.expression);
    from = then(from, ir::Compare{member, t_.one(), false});
  }
  return from;
}

// A static relation without `none` proves that the value exists, so its test replaces that for presence.
NodeId Walks::test_present(BodyState& f, std::uint32_t variable, Value& value, NodeId from) {
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::fixed) continue;
    const Pattern own = Pattern::variable(variable);
    if (!literal.mentions(own)) continue;
    if (!std::ranges::all_of(literal.arguments, [&](Pattern p) { return p == own || known(f, p); })) continue;
    f.values[variable] = value;
    const NodeId tested = test_with_none(f, literal, from);
    f.values[variable].reset();
    if (!tested.valid()) continue;
    value.maybe_none = false;
    finish(f, i);
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
  if (keep || (!plain && occurrences(f, variable) > 1)) {
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

std::size_t Walks::occurrences(const BodyState& f, std::uint32_t variable) const {
  std::size_t count = f.wanted[variable] ? 1 : 0;
  for (const std::uint32_t i : f.open)
    count += static_cast<std::size_t>(std::ranges::count(f.rule->rule->body[i].arguments, Pattern::variable(variable)));
  return count;
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
    if (from.valid() && (f.open != step.open || bindings_of(f) != step.bindings)) return run(f, from);
  }
  return from;
}

// Finds open literals that share no unbound variable with the others, nor a wanted one. They form an independent
// existence test, which runs once instead of once per choice of the others.
std::vector<std::uint32_t> Walks::independent_literals(const BodyState& f) const {
  const auto open = [&](Pattern p) { return p.is_variable() && !f.values[p.number()]; };
  const auto& body = f.rule->rule->body;
  std::vector<std::uint32_t> rest = f.open;
  while (!rest.empty()) {
    std::vector<std::uint32_t> part = {rest.back()};
    rest.pop_back();
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto shares = [&](std::uint32_t other) {
        return std::ranges::any_of(body[other].arguments,
                                   [&](Pattern p) { return open(p) && body[part[i]].mentions(p); });
      };
      for (const std::uint32_t other : rest)
        if (shares(other)) part.push_back(other);
      std::erase_if(rest, shares);
    }
    const auto wanted = [&](std::uint32_t i) {
      return std::ranges::any_of(body[i].arguments, [&](Pattern p) { return open(p) && f.wanted[p.number()]; });
    };
    if (std::ranges::any_of(part, wanted)) continue;
    const bool walk = std::ranges::find(f.wanted, true) != f.wanted.end();
    if (walk || part.size() < f.open.size()) return part;
  }
  return {};
}

Walks::BodyState Walks::apart_from(const BodyState& f, const std::vector<std::uint32_t>& literals) {
  BodyState apart = f;
  apart.open = literals;
  apart.wanted.assign(f.wanted.size(), false);
  return apart;
}

// Tests whether the literals hold for some values of their unbound variables.
NodeId Walks::test_existence(const BodyState& f, const PlanNode& test, NodeId from) {
  BodyState apart = apart_from(f, test.apart);
  apart.region = new_region();
  const NodeId first = node();
  const NodeId last = execute(apart, test.inside, first);
  if (!last.valid() || last == first) return last.valid() ? from : last;
  return then(from, ir::Reachability{first, last, false});
}

// Before a call for results, tests whether any fact exists that the results must match. Tests only facts without
// initial instances, because others usually exist.
std::vector<std::uint32_t> Walks::required_facts(const BodyState& f, std::uint32_t call) {
  const std::vector<Use> uses = uses_of(f, f.rule->rule->body[call]);
  if (std::ranges::find(uses, Use::result) == uses.end()) return {};
  std::vector<std::uint32_t> result = f.open;
  std::erase_if(result, [&](std::uint32_t i) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    return i == call || literal.negated || m_.kind(literal) != LiteralKind::fact ||
           t_.stored_of(literal.relation).never || holds_at_first(*f.rule, literal);
  });
  return result;
}

bool Walks::holds_at_first(const LiftedRule& rule, const EngineLiteral& fact) {
  const Relation& tuples = *m_.info(fact.relation).tuples;
  const auto fits = [&](std::uint32_t r) {
    for (std::size_t c = 0; c < fact.arguments.size(); ++c) {
      const Pattern p = fact.arguments[c];
      const std::uint32_t term = tuples.row(r)[c];
      if (p.is_ground() ? p.term().value != term : !m_.contains(rule.sorts[p.number()], term)) return false;
    }
    return true;
  };
  for (std::uint32_t r = 0; r < tuples.size(); ++r)
    if (fits(r)) return true;
  return false;
}

NodeId Walks::run_certain(BodyState& f, NodeId from) {
  for (Plan next = ready(f); from.valid() && next.kind != Plan::Kind::none; next = ready(f))
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
  const auto listed = lister(f, variable);
  if (listed) {
    const EngineLiteral& literal = f.rule->rule->body[listed->literal];
    const BoundRows asked = bound_rows(f, literal);
    const Tables::List& list = list_of(f, variable, literal, asked);
    const Register& number = t_.number(list, f.busy, f.pool);
    from = then(from, ir::AssignAny{number.expression, list.numbers});
    const ExprId value = game_.access(lookup(list.table, asked.keys), number.expression);
    if (!list.full) from = then(from, ir::Compare{value, t_.none(), true});
    from = then(from, ir::Assign{r.expression, value});
    finish(f, listed->literal);
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
    if (std::ranges::all_of(literal.arguments, [&](Pattern p) { return known(f, p); })) continue;
    if (presence(f, literal) >= kMaxTestSelectivity) continue;
    if (from.valid()) from = fixed_test(f, literal, from);
  }
  return from;
}

// --- Literals. ---

void Walks::finish(BodyState& f, std::uint32_t index) {
  const EngineLiteral& literal = f.rule->rule->body[index];
  std::erase(f.open, index);
  if (m_.kind(literal) != LiteralKind::fixed) return;
  for (const std::uint32_t other : companions(*f.rule, literal)) std::erase(f.open, other);
}

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
  finish(f, index);
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
    const Procedure& p = procedures_[procedure(Model::key(literal), uses_of(f, literal), f.region)];
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

// Continues if no walk leads from `first` to `last`; an invalid `last` means that none ever does.
NodeId Walks::negate_walk(NodeId first, NodeId last, NodeId from) {
  if (!last.valid()) return from;
  if (last == first) return {};
  const NodeId to = node();
  add_negated_edge(first, last, from, to);
  return to;
}

// The comparison, if it is the complete walk from `first` to `last`.
std::optional<ir::Compare> Walks::only_comparison(NodeId first, NodeId last) const {
  const ir::Automaton& g = game_.graph;
  if (g.out_degree(first) != 1 || g.in_degree(last) != 1 || g.out_degree(last) != 0) return std::nullopt;
  const ir::EdgeId only = g.out_edge_list(first)[0];
  const auto* compare = std::get_if<ir::Compare>(&g.label(only));
  if (g.target(only) != last || compare == nullptr) return std::nullopt;
  return *compare;
}

// Adds an edge for the absence of a walk from `first` to `last`. A walk of one comparison becomes the opposite
// comparison.
void Walks::add_negated_edge(NodeId first, NodeId last, NodeId from, NodeId to) {
  const auto compare = only_comparison(first, last);
  if (!compare) {
    edge(from, to, ir::Reachability{first, last, true});
    return;
  }
  edge(from, to, ir::Compare{compare->lhs, compare->rhs, !compare->negated});
  ir::Automaton& g = game_.graph;
  g.remove_edge(g.out_edge_list(first)[0]);
  g.remove_node(first);
  g.remove_node(last);
}

ExprId Walks::cell(ir::VarId map, const Stored&, const std::vector<Value>& key) {
  return lookup(game_.variable_ref(map), key);
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
  return from.valid() ? then(from, ir::Compare{cell(s.maps[0], s, key), t_.none(), true}) : from;
}

NodeId Walks::fact(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const Stored& s = t_.stored_of(literal.relation);
  std::vector<Value> key;
  from = with_key(f, literal, key, from);
  if (!from.valid()) return from;
  if (s.values.empty()) return then(from, ir::Compare{cell(s.maps[0], s, key), t_.one(), false});
  // Determines the tested columns before any is matched, because the first match of a variable binds it for the others.
  std::vector<bool> tested;
  for (const std::uint32_t c : s.values) tested.push_back(known(f, literal.arguments[c]));
  bool present = false;
  for (const bool tests : {true, false}) {
    for (std::size_t i = 0; i < s.values.size() && from.valid(); ++i) {
      const Pattern p = literal.arguments[s.values[i]];
      if (tested[i] != tests) continue;
      const Value v{{}, cell(s.maps[i], s, key), s.columns[s.values[i]], !present};
      if (singleton(f, p)) {
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

SymbolId Walks::move_symbol(RelId shape) {
  const auto found = move_symbols_.find(shape);
  if (found != move_symbols_.end()) return found->second;
  const RelationInfo& info = m_.info(shape);
  const TermId plain = m_.program().patterns.terms.find(info.functor, {});
  const bool constant = info.tuples->arity() == 1 && plain.valid();
  const SymbolId symbol = constant ? t_.symbol(plain.value) : t_.symbol(t_.fresh(Names::readable(m_.name(shape))));
  return move_symbols_[shape] = symbol;
}

// Finds a variable for the next argument of this shape. It shares one with arguments of other shapes that have the same
// sort, or else a common value. Mixing pieces and cells in one variable would make tables about either range over both.
void Walks::find_place(RelId shape, SortId sort) {
  std::vector<std::size_t>& own = move_places_[shape];
  const auto first = [&](auto&& fits) {
    std::size_t i = 0;
    while (i < argument_sorts_.size() && (std::ranges::find(own, i) != own.end() || !fits(argument_sorts_[i]))) ++i;
    return i;
  };
  std::size_t place = first([&](SortId other) { return other == sort; });
  if (place == argument_sorts_.size()) place = first([&](SortId other) { return !m_.disjoint(other, sort); });
  if (place == argument_sorts_.size()) argument_sorts_.push_back(sort);
  argument_sorts_[place] = m_.unite(argument_sorts_[place], sort);
  own.push_back(place);
}

void Walks::declare_moves(bool shared) {
  std::vector<SymbolId> functors;
  for (const RelId shape : m_.moves()) {
    if (m_.rules({shape, true}).empty()) continue;
    functors.push_back(move_symbol(shape));
    for (std::uint32_t c = 1; c < m_.info(shape).tuples->arity(); ++c) find_place(shape, m_.column(shape, c));
  }
  if (functors.empty()) throw NotLifted{"nobody ever moves"};
  const SymbolId name = t_.symbol(t_.fresh("Move"));
  game_.define_type(name, game_.types.set(functors));
  const ir::TypeId players = game_.types.alias(t_.symbol("Player"));
  const auto across = [&](ir::TypeId type, SymbolId first, std::string_view wish) {
    const ir::ValueId value = game_.values.map(game_.values.symbol(first), {});
    return t_.variable(wish, game_.types.arrow(players, type), value);
  };
  does.functor = across(game_.types.alias(name), functors[0], "does");
  does.shared = shared;
  for (std::size_t i = 0; i < argument_sorts_.size(); ++i) {
    const std::string wish = fmt::format("argument_{}", i + 1);
    if (shared) {
      const Register r = t_.declare(wish, argument_sorts_[i]);
      does.arguments.push_back(r.variable);
    } else {
      does.arguments.push_back(
          across(t_.type(argument_sorts_[i], false, wish), t_.symbol(m_.terms(argument_sorts_[i])[0]), wish));
    }
  }
}

ExprId Walks::does_argument(const Value& role, std::size_t place) {
  const ExprId variable = game_.variable_ref(does.arguments[place]);
  return does.shared ? variable : game_.access(variable, t_.expression(role));
}

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
    from = then(from, ir::Compare{functor, game_.symbol(move_symbol(literal.relation)), false});
  }
  for (std::uint32_t c = 1; c < literal.arguments.size() && from.valid(); ++c) {
    if (singleton(f, literal.arguments[c])) continue;
    const Value v{{}, does_argument(role, place(literal.relation, c)), m_.column(literal.relation, c), false};
    from = match(f, literal.arguments[c], v, from);
  }
  return from;
}

// --- Derived relations. ---

std::vector<Walks::Use> Walks::uses_of(const BodyState& f, const EngineLiteral& literal) const {
  std::vector<Use> uses;
  const bool recursive = m_.recursive(Model::key(literal));
  for (const Pattern p : literal.arguments)
    uses.push_back(known(f, p) ? Use::known : singleton(f, p) ? Use::ignored : Use::result);
  // Recursion can pass an unused result on, but cannot always ignore it.
  if (recursive && std::ranges::find(uses, Use::result) != uses.end())
    std::ranges::replace(uses, Use::ignored, Use::result);
  return uses;
}

std::size_t Walks::procedure(RelKey key, const std::vector<Use>& uses, std::size_t region) {
  const bool results = std::ranges::find(uses, Use::result) != uses.end();
  const auto [it, fresh] = index_.try_emplace({key, uses, results ? region : 0}, procedures_.size());
  if (!fresh) return it->second;
  const std::size_t index = it->second;
  Procedure& p = procedures_.emplace_back();
  p.key = key;
  p.uses = uses;
  p.region = results ? region : new_region();
  const std::string name = (key.derived && m_.info(key.relation).kind == RelationInfo::Kind::move ? "legal_" : "") +
                           Names::readable(m_.name(key.relation));
  p.name = t_.fresh(name);
  p.entry = node();
  p.exit = node();
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    const Register* place = nullptr;
    if (uses[c] != Use::ignored) {
      SortId sort = uses[c] == Use::known ? m_.argument(key, c) : m_.column(key.relation, c);
      if (!sort.valid()) sort = m_.column(key.relation, c);
      if (m_.terms(sort).empty()) sort = m_.argument(key, c);
      place = &t_.scratch(fmt::format("{}_{}", p.name, c + 1), sort, {}, "");
    }
    p.places.push_back(place);
  }
  if (results) {
    p.back_type = t_.symbol(t_.fresh("Caller_of_" + p.name));
    const SymbolId nobody = t_.symbol(t_.fresh(p.name + "_nobody"));
    p.callers.push_back(nobody);
    p.back = t_.variable(p.name + "_caller", game_.types.alias(p.back_type), game_.values.symbol(nobody));
    t_.add_scratch(p.back, nobody);
  }
  unwritten_.push_back(index);
  return index;
}

NodeId Walks::pass(const Procedure& p, const std::vector<std::optional<Value>>& arguments, NodeId from) {
  for (std::size_t c = 0; c < arguments.size(); ++c) {
    if (p.uses[c] != Use::known) continue;
    from = guard({{*arguments[c], p.places[c]->sort}}, from);
    if (!from.valid()) return from;
    from = then(from, ir::Assign{p.places[c]->expression, t_.expression(*arguments[c])});
  }
  return from;
}

// Before a recursion, tests whether static relations allow it to connect two arguments. Uses the pair of arguments with
// the best selectivity.
NodeId Walks::test_possible(const Procedure& p, const std::vector<std::optional<Value>>& arguments, NodeId from) {
  double least = kMaxPairSelectivity;
  std::pair<std::size_t, std::size_t> columns;
  for (std::size_t b = 0; b < arguments.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (p.uses[a] != Use::known || p.uses[b] != Use::known) continue;
      if (arguments[a]->constant || arguments[b]->constant) continue;
      const double share = possible_share(p.key, a, b, *arguments[a], *arguments[b]);
      if (share >= least) continue;
      least = share;
      columns = {a, b};
    }
  }
  const auto& [a, b] = columns;
  if (b == 0) return from;
  const std::vector<SortId> sorts = {arguments[a]->sort, arguments[b]->sort};
  const std::vector<bool> with_none = {arguments[a]->maybe_none, arguments[b]->maybe_none};
  ExprId& table = possible_tables_[{p.key, columns, sorts, with_none}];
  if (!table.valid()) {
    std::vector<Tuple> rows;
    for (const auto& [first, second] : *possible_of(p.key, a, b))
      if (m_.contains(sorts[0], first) && m_.contains(sorts[1], second)) rows.push_back({first, second});
    if (rows.empty()) return {};
    table = t_.bool_table(m_.name(p.key.relation) + "_possible", sorts, rows, with_none);
  }
  return then(from, ir::Compare{lookup(table, {*arguments[a], *arguments[b]}), t_.one(), false});
}

const std::optional<TermPairs>& Walks::possible_of(RelKey key, std::size_t a, std::size_t b) {
  const auto [it, fresh] = possible_.try_emplace({key, a, b});
  if (fresh)
    if (const auto recursion = recursion_of(m_, key)) it->second = possible_pairs(m_, *recursion, a, b);
  return it->second;
}

// The share of possible pairs of values.
double Walks::possible_share(RelKey key, std::size_t a, std::size_t b, const Value& first, const Value& second) {
  const double cells =
      static_cast<double>(m_.terms(first.sort).size()) * static_cast<double>(m_.terms(second.sort).size());
  if (cells > kMaxPairCells || !m_.recursive(key)) return 1;
  const std::optional<TermPairs>& pairs = possible_of(key, a, b);
  if (!pairs) return 1;
  const auto fits = [&](const auto& pair) {
    return m_.contains(first.sort, pair.first) && m_.contains(second.sort, pair.second);
  };
  return static_cast<double>(std::ranges::count_if(*pairs, fits)) / cells;
}

// The node at which a check of these arguments begins; invalid if they never hold.
NodeId Walks::check_of(const Procedure& p, const std::vector<std::optional<Value>>& arguments) {
  std::vector<std::tuple<ExprId, SortId, bool>> asked;
  for (std::size_t c = 0; c < arguments.size(); ++c)
    if (p.uses[c] == Use::known)
      asked.emplace_back(t_.expression(*arguments[c]), arguments[c]->sort, arguments[c]->maybe_none);
  const auto [it, fresh] = checks_.try_emplace({p.entry, std::move(asked)});
  if (!fresh) return it->second;
  const NodeId begin = node();
  const NodeId possible = test_possible(p, arguments, begin);
  const NodeId entry = possible.valid() ? pass(p, arguments, possible) : possible;
  if (!entry.valid()) return {};
  if (entry == begin) return it->second = p.entry;
  edge(entry, p.entry, ir::Empty());
  return it->second = begin;
}

std::vector<std::optional<Value>> Walks::values_of(const BodyState& f, const EngineLiteral& literal) {
  std::vector<std::optional<Value>> values;
  for (const Pattern p : literal.arguments) values.push_back(value(f, p));
  return values;
}

NodeId Walks::derived(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const RelKey key = Model::key(literal);
  if (m_.rules(key).empty()) return {};
  if (const ExprId known = answer(f, literal); known.valid()) return then(from, ir::Compare{known, t_.one(), false});
  const std::vector<Use> uses = uses_of(f, literal);
  const std::size_t index = procedure(key, uses, f.region);
  Procedure& p = procedures_[index];
  if (!p.back.valid()) {
    const NodeId first = check_of(p, values_of(f, literal));
    return first.valid() ? then(from, ir::Reachability{first, p.exit, false}) : first;
  }
  from = pass(p, values_of(f, literal), from);
  if (!from.valid()) return from;
  from = call(p, from);
  for (std::size_t c = 0; c < uses.size() && from.valid(); ++c) {
    if (uses[c] != Use::result || singleton(f, literal.arguments[c])) continue;
    const Value v{{}, p.places[c]->expression, p.places[c]->sort, false};
    const Pattern a = literal.arguments[c];
    from = known(f, a) ? test_equal(*value(f, a), v, from) : bind(f, a.number(), v, from, true);
  }
  return from;
}

// The node after a call of the procedure. If an equal node has called it before, control continues after that call.
NodeId Walks::call(Procedure& p, NodeId from) {
  const auto [it, fresh] = calls_.try_emplace({alike(from), p.entry});
  if (!fresh) return it->second;
  const SymbolId site = t_.symbol(t_.fresh(fmt::format("{}_caller_{}", p.name, p.callers.size())));
  p.callers.push_back(site);
  edge(from, p.entry, ir::Assign{game_.variable_ref(p.back), game_.symbol(site)});
  return it->second = then(p.exit, ir::Compare{game_.variable_ref(p.back), game_.symbol(site), false});
}

void Walks::branch_rest(const BodyState& f, NodeId from, NodeId yes, NodeId no) {
  BodyState copy = f;
  copy.region = new_region();
  const NodeId first = node();
  const NodeId last = run(copy, first);
  if (!last.valid()) {
    edge(from, no, ir::Empty());
  } else if (last == first) {
    edge(from, yes, ir::Empty());
  } else {
    const auto compare = only_comparison(first, last);
    edge(from, yes, compare ? ir::Label(*compare) : ir::Label(ir::Reachability{first, last, false}));
    add_negated_edge(first, last, from, no);
  }
}

void Walks::branch(RelKey key, const std::vector<std::optional<Value>>& arguments, NodeId from, NodeId yes, NodeId no) {
  branch(
      key, [](const LiftedRule&) { return true; }, arguments, from, yes, no);
}

void Walks::branch(RelKey key, const Which& which, const std::vector<std::optional<Value>>& arguments, NodeId from,
                   NodeId yes, NodeId no) {
  const NodeId first = node();
  const NodeId last = node();
  const std::size_t region = new_region();
  for (const LiftedRule& rule : m_.rules(key)) {
    if (!which(rule)) continue;
    BodyState f = body_state(rule, region);
    NodeId at = unify(f, rule.rule->head, arguments, first);
    if (at.valid()) at = run(f, at);
    if (at.valid()) edge(at, last, ir::Empty());
  }
  if (game_.graph.in_degree(last) == 0) {
    if (no.valid()) edge(from, no, ir::Empty());
    return;
  }
  if (yes.valid()) edge(from, yes, ir::Reachability{first, last, false});
  if (no.valid()) edge(from, no, ir::Reachability{first, last, true});
}

void Walks::branch_shared(RelKey key, const std::vector<TermId>& arguments, NodeId from, NodeId yes, NodeId no) {
  const Procedure& p = procedures_[procedure(key, std::vector<Use>(arguments.size(), Use::known), 0)];
  std::vector<std::optional<Value>> values;
  for (const TermId term : arguments) values.emplace_back(t_.constant(term));
  const NodeId first = check_of(p, values);
  if (!first.valid()) {
    edge(from, no, ir::Empty());
    return;
  }
  edge(from, yes, ir::Reachability{first, p.exit, false});
  edge(from, no, ir::Reachability{first, p.exit, true});
}

// --- Procedures. ---

void Walks::emit_procedures() {
  while (!unwritten_.empty()) {
    const std::size_t index = unwritten_.back();
    unwritten_.pop_back();
    emit(index);
  }
}

void Walks::emit(std::size_t index) {
  const RelKey key = procedures_[index].key;
  if (const Recursion* recursion = forwards(key, procedures_[index].uses); recursion != nullptr) {
    emit_forwards(index, *recursion);
    return;
  }
  for (const LiftedRule& rule : m_.rules(key)) emit_rule(index, rule);
}

// Forward evaluation: starts with the tuples of the non-recursive rules, applies steps, and ends at the requested
// tuple.
void Walks::emit_forwards(std::size_t index, const Recursion& recursion) {
  rgtrans::reached("lifted", "recursion: forwards");
  const Procedure p = procedures_[index];
  std::vector<const Register*> there;
  std::set<ir::VarId> busy;
  std::vector<std::optional<Value>> given(p.uses.size()), now;
  for (std::uint32_t c = 0; c < p.uses.size(); ++c) {
    const Register* place = p.places[c];
    busy.insert(place->variable);
    if (p.uses[c] == Use::known && recursion.kept[c])
      given[c] = Value{{}, place->expression, place->sort, false};
    else if (p.uses[c] == Use::known)
      place = &t_.scratch(fmt::format("{}_{}_now", p.name, c + 1), m_.column(p.key.relation, c), {}, p.name);
    busy.insert(place->variable);
    there.push_back(place);
    now.emplace_back(Value{{}, place->expression, place->sort, false});
  }
  const NodeId begin = node();
  const auto go = [&](const LiftedRule& rule, std::optional<std::uint32_t> again) {
    check_wanted();
    BodyState f = body_state(rule, p.region);
    f.pool = p.name;
    f.busy = busy;
    if (again) std::erase(f.open, *again);
    const EngineLiteral& known = again ? rule.rule->body[*again] : rule.rule->head;
    const auto& head = rule.rule->head.arguments;
    for (std::size_t c = 0; c < head.size(); ++c)
      if (!given[c]) f.want(head[c]);
    NodeId at = unify(f, known, again ? now : given, again ? begin : p.entry);
    if (at.valid()) at = run(f, at);
    std::vector<std::pair<const Register*, Value>> moves;
    std::vector<std::pair<Value, SortId>> guards;
    for (std::size_t c = 0; at.valid() && c < head.size(); ++c) {
      if (given[c] || (again && recursion.kept[c])) continue;
      moves.emplace_back(there[c], *value(f, head[c]));
      guards.emplace_back(moves.back().second, there[c]->sort);
    }
    if (at.valid()) at = guard(guards, at);
    if (at.valid()) edge(assign(std::move(moves), f.busy, f.pool, at), begin, ir::Empty());
  };
  for (const LiftedRule* rule : recursion.first) go(*rule, {});
  for (const Recursion::Step& step : recursion.steps) go(*step.rule, step.recursive_literal);
  NodeId at = begin;
  for (std::uint32_t c = 0; c < p.uses.size() && at.valid(); ++c)
    if (p.uses[c] == Use::known && !given[c])
      at = test_equal(*now[c], {{}, p.places[c]->expression, p.places[c]->sort, false}, at);
  if (at.valid()) edge(at, p.exit, ir::Empty());
}

void Walks::emit_rule(std::size_t index, const LiftedRule& rule) {
  check_wanted();
  const RelKey key = procedures_[index].key;
  BodyState f = body_state(rule, procedures_[index].region);
  const std::vector<Use> uses = procedures_[index].uses;
  if (procedures_[index].back.valid()) f.pool = procedures_[index].name;
  std::vector<std::optional<Value>> given(uses.size());
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const Register* place = procedures_[index].places[c];
    if (place != nullptr) {
      f.busy.insert(place->variable);
      if (uses[c] == Use::known) given[c] = Value{{}, place->expression, place->sort, false};
    }
    if (uses[c] == Use::result) f.want(rule.rule->head.arguments[c]);
  }
  const EngineLiteral* call = nullptr;
  for (const std::uint32_t i : std::vector<std::uint32_t>(f.open)) {
    const EngineLiteral& literal = rule.rule->body[i];
    if (m_.kind(literal) != LiteralKind::derived || !m_.recursive(key)) continue;
    if (!m_.same_component(key, Model::key(literal))) continue;
    if (call != nullptr || literal.negated)
      throw NotLifted{fmt::format("'{}' depends on itself in a way that is no walk", procedures_[index].name)};
    call = &literal;
    std::erase(f.open, i);
    // Binds the arguments of the recursive call; its results need no binding here.
    for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      if (!p.is_variable()) continue;
      // Columns of another relation in the component differ from those of the head.
      const bool same = key == Model::key(literal);
      const bool passed_on = same && uses[c] == Use::result && p == rule.rule->head.arguments[c];
      std::ptrdiff_t count = 0;
      for (const EngineLiteral& l : rule.rule->body) count += std::ranges::count(l.arguments, p);
      const bool needed = same && procedures_[index].back.valid() && uses[c] == Use::known;
      f.wanted[p.number()] = !passed_on && (count > 1 || needed);
    }
  }
  NodeId at = unify(f, rule.rule->head, given, procedures_[index].entry);
  if (at.valid()) at = run(f, at);
  if (!at.valid()) return;
  if (call != nullptr) {
    repeat(f, index, *call, at);
    return;
  }
  const Procedure& p = procedures_[index];
  for (std::size_t c = 0; c < uses.size(); ++c) {
    if (uses[c] != Use::result) continue;
    const auto v = value(f, rule.rule->head.arguments[c]);
    at = then(at, ir::Assign{p.places[c]->expression, t_.expression(*v)});
  }
  edge(at, p.exit, ir::Empty());
}

// A tail call: the recursive call enters a procedure with other arguments.
NodeId Walks::repeat(BodyState& f, std::size_t index, const EngineLiteral& call, NodeId from) {
  const bool results = procedures_[index].back.valid();
  std::vector<Use> uses = procedures_[index].uses;
  if (!results) {
    for (std::size_t c = 0; c < call.arguments.size(); ++c) {
      if (c >= uses.size()) uses.push_back(Use::known);
      uses[c] = known(f, call.arguments[c]) ? Use::known : Use::ignored;
    }
    uses.resize(call.arguments.size());
  }
  const std::size_t target = procedure(Model::key(call), uses, f.region);
  const Procedure& p = procedures_[target];
  std::vector<std::pair<const Register*, Value>> moves;
  std::vector<std::pair<Value, SortId>> guards;
  for (std::size_t c = 0; c < uses.size(); ++c) {
    if (uses[c] != Use::known) continue;
    const Value v = *value(f, call.arguments[c]);
    guards.emplace_back(v, p.places[c]->sort);
    moves.emplace_back(p.places[c], v);
  }
  from = guard(guards, from);
  if (!from.valid()) return from;
  from = assign(std::move(moves), f.busy, f.pool, from);
  edge(from, p.entry, ir::Empty());
  // All procedures of a component end at the exit of the one that was entered first, so each exit leads to the others.
  if (target != index) edge(p.exit, procedures_[index].exit, ir::Empty());
  return from;
}

void Walks::define_return_types() {
  for (const Procedure& p : procedures_)
    if (p.back.valid()) game_.define_type(p.back_type, game_.types.set(p.callers));
}

}  // namespace rgtrans::gdl::lifted
