// Estimates of plans: a simulation of the rest of a body, with the expected number of steps and of live walks.
#include <algorithm>
#include <cmath>
#include <utility>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/lifted/planner.hpp"

namespace rgtrans::gdl::lifted {

namespace {

double possible_values(Model& model, RelKey key, std::uint32_t column) {
  return static_cast<double>(model.terms(model.column(key.relation, column)).size());
}

}  // namespace

double BodyPlanner::suppose(BodyState& f, Pattern p) {
  if (f.known(p)) return 1;
  const SortId sort = f.rule->sorts[p.number()];
  f.values[p.number()] = Value{{}, {}, sort, false};
  return static_cast<double>(m_.terms(sort).size());
}

// Simulates the plan behind a first step, until it exceeds `most` steps.
BodyPlanner::Estimate BodyPlanner::simulate(BodyState f, Plan next, double most) {
  const auto& body = f.rule->rule->body;
  const auto tests = [&](std::uint32_t i) { return m_.kind(body[i]) == LiteralKind::fixed && !body[i].negated; };
  const auto all_bound = [&] {
    for (std::size_t v = 0; v < f.wanted.size(); ++v)
      if (f.wanted[v] && !f.values[v]) return false;
    return true;
  };
  std::vector<double> present(body.size(), 1);
  for (const std::uint32_t i : f.open)
    if (tests(i)) present[i] = s_.presence(f, body[i]);
  Estimate e;
  double ways = all_bound() ? 0 : -1;  // walks at which all wanted variables were bound; -1 before
  bool again = false;                  // several walks may reach the same result
  const std::uint32_t key_of = next.key_of;
  for (; next.kind != Plan::Kind::none && e.steps < most; next = next_of(f, key_of)) {
    if (next.kind == Plan::Kind::choose) {
      again = again || (ways < 0 && !f.wanted[next.index]);
      if (const auto listed = s_.lister(f, next.index)) {
        e.walks *= listed->values / present[listed->literal];
        e.steps += e.walks;
        suppose(f, Pattern::variable(next.index));
        s_.finish(f, listed->literal);
      } else {
        e.walks *= suppose(f, Pattern::variable(next.index));
        e.steps += kPlanCosts.value_steps * e.walks;
      }
      for (const std::uint32_t i : f.open) {
        if (!tests(i)) continue;
        const double now = s_.presence(f, body[i]);
        e.walks *= now / std::exchange(present[i], now);
      }
    } else {
      const EngineLiteral& literal = body[next.index];
      const Estimate own = of_literal(f, literal);
      e.steps += e.walks * own.steps * (m_.kind(literal) == LiteralKind::fact ? kPlanCosts.value_steps : 1);
      e.walks *= own.walks;
      s_.finish(f, next.index);
      double values = 1;
      for (const Pattern p : literal.arguments)
        if (!literal.negated) values *= suppose(f, p);
      if (tests(next.index)) e.walks *= values * s_.presence(f, literal) / present[next.index];
    }
    if (ways < 0 && all_bound()) ways = e.walks;
  }
  // Once all wanted variables are bound, one walk suffices.
  if (ways > 0) e.walks = std::min(e.walks, ways);
  e.steps += (again ? kPlanCosts.shared_result_steps : kPlanCosts.result_steps) * e.walks;
  return e;
}

// A choice that began the key of a fact continues with the rest of that key.
BodyPlanner::Plan BodyPlanner::next_of(const BodyState& f, std::uint32_t key_of) {
  if (const Plan next = ready(f); next.kind != Plan::Kind::none) return next;
  if (std::ranges::find(f.open, key_of) != f.open.end()) {
    const EngineLiteral& literal = f.rule->rule->body[key_of];
    for (const std::uint32_t c : t_.stored_of(literal.relation).key)
      if (!f.known(literal.arguments[c])) return {Plan::Kind::choose, literal.arguments[c].number(), key_of};
  }
  return greedy(f);
}

// The cost of a literal, and the share of walks that continue. Does not include the selectivity of static relations.
BodyPlanner::Estimate BodyPlanner::of_literal(const BodyState& f, const EngineLiteral& literal) {
  switch (m_.kind(literal)) {
    case LiteralKind::distinct:
      return {1, 1};
    case LiteralKind::fixed:
      return {literal.negated ? kPlanCosts.test : 1, 1};
    case LiteralKind::does:
      return {kPlanCosts.test, 1};
    case LiteralKind::fact: {
      const Stored& s = t_.stored_of(literal.relation);
      Estimate e{s.key.empty() ? 1 : kPlanCosts.test, 1};
      if (literal.negated) return e;
      // A Boolean relation with a large key usually contains few of its possible tuples.
      if (s.values.empty()) {
        double cells = 1;
        for (const SortId column : s.columns) cells *= static_cast<double>(m_.terms(column).size());
        e.walks = s.key.size() < 2 ? kPlanCosts.fact : std::min(kPlanCosts.fact, 1 / std::sqrt(cells));
      }
      for (const std::uint32_t c : s.values) {
        const Pattern p = literal.arguments[c];
        const SortId sort = p.is_ground() ? m_.single(p.term()) : f.rule->sorts[p.number()];
        const double of_all = share(literal.relation, c, sort);
        const auto values = static_cast<double>(std::max<std::size_t>(1, m_.terms(sort).size()));
        e.walks *= std::min(1.0, f.known(p) ? of_all / values : of_all);
      }
      return e;
    }
    case LiteralKind::derived: {
      const std::vector<ArgumentUse> uses = uses_of(f, literal);
      Estimate e = of_relation(Model::key(literal), uses);
      if (literal.negated || std::ranges::find(uses, ArgumentUse::result) == uses.end()) e.walks = kPlanCosts.test;
      e.walks = std::max(e.walks, kPlanCosts.test);
      return e;
    }
  }
  return {};
}

// The estimated share of facts with one of these values in the column: the mean of a uniform distribution and of the
// initial state.
double BodyPlanner::share(RelId fact, std::uint32_t column, SortId values) {
  const auto [it, fresh] = shares_.try_emplace({fact, column, values});
  if (!fresh) return it->second;
  const SortId all = t_.stored_of(fact).columns[column];
  const auto part = static_cast<double>(m_.terms(m_.intersect(values, all)).size()) /
                    static_cast<double>(std::max<std::size_t>(1, m_.terms(all).size()));
  const Relation& tuples = *m_.info(fact).tuples;
  if (tuples.size() == 0) return it->second = part;
  double found = 0;
  for (std::uint32_t r = 0; r < tuples.size(); ++r) found += m_.contains(values, tuples.row(r)[column]) ? 1 : 0;
  return it->second = (part + found / static_cast<double>(tuples.size())) / 2;
}

// The bound arguments of a relation determine its results.
bool BodyPlanner::determines_results(RelKey key, const std::vector<ArgumentUse>& uses) {
  std::vector<std::uint32_t> known, results;
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    if (uses[c] == ArgumentUse::known) known.push_back(c);
    if (uses[c] == ArgumentUse::result) results.push_back(c);
  }
  return !results.empty() && derived_.holds(key, known, results);
}

BodyPlanner::Estimate BodyPlanner::of_relation(RelKey key, const std::vector<ArgumentUse>& uses) {
  const auto [it, fresh] = estimates_.try_emplace({key, uses});
  if (!fresh) return it->second;
  Estimate all{0, 0};
  if (m_.recursive(key)) {
    const bool follows = forwards(key, uses) != nullptr;
    all = {1, follows ? kPlanCosts.forward_steps : kPlanCosts.recursion_steps};
    if (follows && determines_results(key, uses)) return it->second = all;
    if (std::ranges::find(uses, ArgumentUse::result) == uses.end()) return it->second = all;
    const Estimate own = reached(key, uses);
    all = {std::min(own.walks, possible_results(key, uses)), std::max(own.steps, all.steps)};
    return it->second = all;
  }
  for (const LiftedRule& rule : m_.rules(key)) {
    const Estimate own = of_rule(rule, key, uses);
    all.walks += own.walks;
    all.steps += 1 + own.steps;
  }
  if (all.walks > 1 && determines_results(key, uses)) all.walks = 1;
  return it->second = all;  // the recursion above leaves the iterator valid
}

BodyPlanner::Estimate BodyPlanner::of_rule(const LiftedRule& rule, RelKey key, const std::vector<ArgumentUse>& uses) {
  BodyState f = body_state(rule, 0);
  double share = 1;  // of the calls that match the head
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    const Pattern p = rule.rule->head.arguments[c];
    if (uses[c] == ArgumentUse::known && f.known(p)) share /= std::max(1.0, possible_values(m_, key, c));
    if (uses[c] == ArgumentUse::known) suppose(f, p);
    if (uses[c] == ArgumentUse::result) f.want(p);
  }
  const Estimate own = simulate(f, next_of(f, kNone), kPlanCosts.most_steps);
  return {share * own.walks, share * own.steps};
}

// The number of combinations of result values.
double BodyPlanner::possible_results(RelKey key, const std::vector<ArgumentUse>& uses) {
  double values = 1;
  for (std::uint32_t c = 0; c < uses.size(); ++c)
    if (uses[c] == ArgumentUse::result) values *= possible_values(m_, key, c);
  return values;
}

// Estimates a recursion: the results of its non-recursive rules, times an expected number of steps. In forward
// evaluation, known columns that steps change are results of these rules, too.
BodyPlanner::Estimate BodyPlanner::reached(RelKey key, const std::vector<ArgumentUse>& uses) {
  const std::optional<Recursion> recursion = recursion_of(m_, key);
  if (!recursion) return {kPlanCosts.most_steps, 0};
  const bool follows = forwards(key, uses) != nullptr;
  std::vector<ArgumentUse> begin = uses;
  double fitting = 1;
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    if (!follows || uses[c] != ArgumentUse::known || recursion->kept[c]) continue;
    begin[c] = ArgumentUse::result;
    fitting /= std::max(1.0, possible_values(m_, key, c));
  }
  Estimate all{0, 0};
  for (const LiftedRule* rule : recursion->first) {
    const Estimate own = of_rule(*rule, key, begin);
    all.walks += kPlanCosts.derivation * fitting * own.walks;
    all.steps += kPlanCosts.derivation * own.steps;
  }
  return all;
}

// The bound arguments determine nearly all results.
bool BodyPlanner::few_results(const BodyState& f, const EngineLiteral& literal) {
  const auto given = [&](Pattern p) { return p.is_variable() && f.known(p); };
  const auto ground = [](Pattern p) { return p.is_ground(); };
  const bool any = std::ranges::any_of(literal.arguments, given);
  if ((!any && std::ranges::none_of(literal.arguments, ground)) || !callable(f, literal)) return false;
  const RelKey key = Model::key(literal);
  const std::vector<ArgumentUse> uses = uses_of(f, literal);
  const Estimate e = of_relation(key, uses);
  const double most = m_.recursive(key) ? possible_results(key, uses) : e.walks;
  if (any && e.steps <= kPlanCosts.few_steps) return most <= kPlanCosts.few_results;
  return e.walks <= 1 && e.steps <= kPlanCosts.many_steps && determines_results(key, uses);
}

// A call for the results costs much less than a call for each combination of their values.
bool BodyPlanner::gives_results(const BodyState& f, const EngineLiteral& literal) {
  if (std::ranges::none_of(literal.arguments, [&](Pattern p) { return f.known(p); })) return false;
  if (!callable(f, literal)) return false;
  const RelKey key = Model::key(literal);
  const std::vector<ArgumentUse> uses = uses_of(f, literal);
  std::vector<ArgumentUse> all = uses;
  std::ranges::replace(all, ArgumentUse::result, ArgumentUse::known);
  std::set<std::uint32_t> counted;
  double values = kPlanCosts.call;
  for (std::size_t c = 0; c < uses.size(); ++c)
    if (const Pattern p = literal.arguments[c]; uses[c] == ArgumentUse::result && counted.insert(p.number()).second)
      values *= std::exp2(choice_bits(f, p.number()));
  // Forward evaluation tests a bound argument only at the end, unless steps keep it. So few values are better tried one
  // by one.
  if (const Recursion* const recursion = forwards(key, uses); recursion != nullptr && values <= kPlanCosts.tried_values)
    for (std::size_t c = 0; c < uses.size(); ++c)
      if (uses[c] == ArgumentUse::known && !recursion->kept[c]) return false;
  const Estimate e = of_relation(key, uses);
  return e.walks <= values && e.steps <= values * of_relation(key, all).steps;
}

// The choice bits of a call for results: per result, and in total.
std::pair<double, double> BodyPlanner::result_bits(const BodyState& f, const EngineLiteral& literal) {
  const std::vector<ArgumentUse> uses = uses_of(f, literal);
  const auto results = static_cast<double>(std::ranges::count(uses, ArgumentUse::result));
  const double bits = std::log2(std::max(1.0, of_relation(Model::key(literal), uses).walks));
  return {bits / std::max(1.0, results), bits};
}

}  // namespace rgtrans::gdl::lifted
