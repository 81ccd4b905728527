// Derived relations as procedures: checks, walks with results, and recursions that are followed from their base cases.
#include <fmt/format.h>

#include <algorithm>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/lifted/walks.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

std::size_t Walks::procedure(RelKey key, const std::vector<ArgumentUse>& uses, std::size_t region) {
  const bool results = std::ranges::find(uses, ArgumentUse::result) != uses.end();
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
    if (uses[c] != ArgumentUse::ignored) {
      SortId sort = uses[c] == ArgumentUse::known ? m_.argument(key, c) : m_.column(key.relation, c);
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
    if (p.uses[c] != ArgumentUse::known) continue;
    from = guard({{*arguments[c], p.places[c]->sort}}, from);
    if (!from.valid()) return from;
    from = then(from, ir::Assign{p.places[c]->expression, t_.expression(*arguments[c])});
  }
  return from;
}

// Before a recursion, tests whether static relations allow it to connect two arguments. Uses the pair of arguments with
// the best selectivity.
NodeId Walks::test_possible(const Procedure& p, const std::vector<std::optional<Value>>& arguments, NodeId from) {
  double least = kPlanCosts.pair_test;
  std::pair<std::size_t, std::size_t> columns;
  for (std::size_t b = 0; b < arguments.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (p.uses[a] != ArgumentUse::known || p.uses[b] != ArgumentUse::known) continue;
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
  if (cells > kLiftedLimits.pair_cells || !m_.recursive(key)) return 1;
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
    if (p.uses[c] == ArgumentUse::known)
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
  const std::vector<ArgumentUse> uses = planner.uses_of(f, literal);
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
    if (uses[c] != ArgumentUse::result || f.singleton(literal.arguments[c])) continue;
    const Value v{{}, p.places[c]->expression, p.places[c]->sort, false};
    const Pattern a = literal.arguments[c];
    from = f.known(a) ? test_equal(*value(f, a), v, from) : bind(f, a.number(), v, from, true);
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

void Walks::branch(RelKey key, const std::vector<std::optional<Value>>& arguments, NodeId from, NodeId yes, NodeId no,
                   const Which& which) {
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
  const Procedure& p = procedures_[procedure(key, std::vector<ArgumentUse>(arguments.size(), ArgumentUse::known), 0)];
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
  if (const Recursion* recursion = planner.forwards(key, procedures_[index].uses); recursion != nullptr) {
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
    if (p.uses[c] == ArgumentUse::known && recursion.kept[c])
      given[c] = Value{{}, place->expression, place->sort, false};
    else if (p.uses[c] == ArgumentUse::known)
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
    if (p.uses[c] == ArgumentUse::known && !given[c])
      at = test_equal(*now[c], {{}, p.places[c]->expression, p.places[c]->sort, false}, at);
  if (at.valid()) edge(at, p.exit, ir::Empty());
}

void Walks::emit_rule(std::size_t index, const LiftedRule& rule) {
  check_wanted();
  const RelKey key = procedures_[index].key;
  BodyState f = body_state(rule, procedures_[index].region);
  const std::vector<ArgumentUse> uses = procedures_[index].uses;
  if (procedures_[index].back.valid()) f.pool = procedures_[index].name;
  std::vector<std::optional<Value>> given(uses.size());
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const Register* place = procedures_[index].places[c];
    if (place != nullptr) {
      f.busy.insert(place->variable);
      if (uses[c] == ArgumentUse::known) given[c] = Value{{}, place->expression, place->sort, false};
    }
    if (uses[c] == ArgumentUse::result) f.want(rule.rule->head.arguments[c]);
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
      const bool passed_on = same && uses[c] == ArgumentUse::result && p == rule.rule->head.arguments[c];
      std::ptrdiff_t count = 0;
      for (const EngineLiteral& l : rule.rule->body) count += std::ranges::count(l.arguments, p);
      const bool needed = same && procedures_[index].back.valid() && uses[c] == ArgumentUse::known;
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
    if (uses[c] != ArgumentUse::result) continue;
    const auto v = value(f, rule.rule->head.arguments[c]);
    at = then(at, ir::Assign{p.places[c]->expression, t_.expression(*v)});
  }
  edge(at, p.exit, ir::Empty());
}

// A tail call: the recursive call enters a procedure with other arguments.
NodeId Walks::repeat(BodyState& f, std::size_t index, const EngineLiteral& call, NodeId from) {
  const bool results = procedures_[index].back.valid();
  std::vector<ArgumentUse> uses = procedures_[index].uses;
  if (!results) {
    for (std::size_t c = 0; c < call.arguments.size(); ++c) {
      if (c >= uses.size()) uses.push_back(ArgumentUse::known);
      uses[c] = f.known(call.arguments[c]) ? ArgumentUse::known : ArgumentUse::ignored;
    }
    uses.resize(call.arguments.size());
  }
  const std::size_t target = procedure(Model::key(call), uses, f.region);
  const Procedure& p = procedures_[target];
  std::vector<std::pair<const Register*, Value>> moves;
  std::vector<std::pair<Value, SortId>> guards;
  for (std::size_t c = 0; c < uses.size(); ++c) {
    if (uses[c] != ArgumentUse::known) continue;
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
