// The join order of a body: literals without a choice first, cheap ones before expensive ones. If a choice is
// necessary, the planner simulates each option: it plans the rest of the body behind it, and estimates its steps and
// live walks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/lifted/planner.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// Every recursive call passes its results on unchanged.
bool passes_results_on(const Model& model, RelKey key, const std::vector<ArgumentUse>& uses) {
  for (const LiftedRule& rule : model.rules(key)) {
    for (const EngineLiteral& call : rule.rule->body) {
      if (model.kind(call) != LiteralKind::derived || !model.same_component(key, Model::key(call))) continue;
      if (Model::key(call) != key || call.negated) return false;
      for (std::size_t c = 0; c < uses.size(); ++c) {
        if (uses[c] == ArgumentUse::known) continue;
        const Pattern head = rule.rule->head.arguments[c];
        if (uses[c] == ArgumentUse::ignored || !head.is_variable() || call.arguments[c] != head) return false;
        std::ptrdiff_t count = 0;
        rule.rule->for_each_literal([&](const EngineLiteral& l) { count += std::ranges::count(l.arguments, head); });
        if (count != 2) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool BodyPlanner::callable(const BodyState& f, const EngineLiteral& literal) {
  if (literal.negated) return false;
  const RelKey key = Model::key(literal);
  if (!m_.recursive(key)) return true;
  const std::vector<ArgumentUse> uses = uses_of(f, literal);
  return passes_results_on(m_, key, uses) || forwards(key, uses) != nullptr;
}

const Recursion* BodyPlanner::forwards(RelKey key, const std::vector<ArgumentUse>& uses) {
  if (std::ranges::find(uses, ArgumentUse::result) == uses.end() || passes_results_on(m_, key, uses)) return nullptr;
  const auto [it, fresh] = forwards_.try_emplace(key);
  if (fresh) {
    it->second = recursion_of(m_, key);
    if (it->second && !ends(m_, *it->second)) it->second.reset();
  }
  return it->second ? &*it->second : nullptr;
}

// The priority of a literal, smallest first; -1 if a variable must be chosen first.
int BodyPlanner::readiness(const BodyState& f, const EngineLiteral& literal) {
  const auto all_known = [&] { return f.all_known(literal); };
  const LiteralKind kind = m_.kind(literal);
  if (kind == LiteralKind::distinct) return all_known() ? 0 : -1;
  if (literal.negated) return !all_known() ? -1 : kind == LiteralKind::derived ? 7 : 2;
  if (kind == LiteralKind::does) return f.known(literal.arguments[0]) ? 1 : -1;
  if (kind == LiteralKind::fact) {
    const Stored& s = t_.stored_of(literal.relation);
    if (!std::ranges::all_of(s.key, [&](std::uint32_t c) { return f.known(literal.arguments[c]); })) return -1;
    return all_known() ? 1 : 3;
  }
  const auto waits = [&](Pattern p) { return !f.known(p) && !f.singleton(p); };
  const bool waiting = std::ranges::any_of(literal.arguments, waits);
  if (kind == LiteralKind::derived) return waiting ? -1 : 6;
  if (!waiting) return 2;
  return s_.fan_out(f, literal) <= 1 ? 4 : -1;
}

// The choice bits of a variable: the logarithm of the number of values to try.
double BodyPlanner::choice_bits(const BodyState& f, std::uint32_t variable) {
  const auto listed = s_.lister(f, variable);
  const double values = listed ? listed->values : static_cast<double>(m_.terms(f.rule->sorts[variable]).size());
  return std::log2(std::max(1.0, values));
}

// The choice bits of a literal: per newly bound variable, and in total. `variable` becomes the first variable to
// choose.
std::pair<double, double> BodyPlanner::choices(const BodyState& f, const EngineLiteral& literal,
                                               std::uint32_t& variable) {
  const LiteralKind kind = m_.kind(literal);
  double bits = 0;
  double least = 1e9;
  std::set<std::uint32_t> bound;
  const auto look = [&](std::size_t c, bool chosen) {
    const Pattern p = literal.arguments[c];
    if (f.known(p) || !bound.insert(p.number()).second || !chosen) return;
    const double own = choice_bits(f, p.number());
    bits += own;
    if (own >= least) return;
    least = own;
    variable = p.number();
  };
  if (kind == LiteralKind::fact) {
    const Stored& s = t_.stored_of(literal.relation);
    for (const std::uint32_t c : s.key) look(c, true);
    for (const std::uint32_t c : s.values) look(c, false);
  } else if (kind == LiteralKind::does) {
    look(0, true);
    for (std::size_t c = 1; c < literal.arguments.size(); ++c) look(c, false);
  } else {
    // Starts with the variable that leaves the fewest bits in total.
    for (const Pattern p : literal.arguments) {
      if (f.known(p) || f.singleton(p) || !bound.insert(p.number()).second) continue;
      BodyState then = f;
      then.values[p.number()] = Value{{}, {}, f.rule->sorts[p.number()], false};
      const bool small = s_.rows_of(*f.rule, literal).count <= kLiftedLimits.counted_rows;
      const double left = small ? static_cast<double>(std::max<std::size_t>(1, s_.fan_out(then, literal))) : 2;
      const double own = choice_bits(f, p.number()) + std::log2(left);
      if (own >= least) continue;
      least = own;
      variable = p.number();
    }
    bits = least;
  }
  if (bound.empty()) return {1e9, 1e9};
  return {bits / static_cast<double>(bound.size()), bits};
}

// Among equal priorities, takes the literal that covers most others.
BodyPlanner::Plan BodyPlanner::ready(const BodyState& f) {
  Plan best;
  std::pair<int, int> least(1000, 0);
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    std::pair<int, int> cost(readiness(f, literal), 0);
    if (cost.first < 0 || cost.first > least.first) continue;
    if (m_.kind(literal) == LiteralKind::fixed) cost.second = -static_cast<int>(s_.companions(*f.rule, literal).size());
    if (cost >= least) continue;
    least = cost;
    best = {Plan::Kind::literal, i};
  }
  return best;
}

// Chooses the literal with the fewest choice bits per newly bound variable.
BodyPlanner::Plan BodyPlanner::greedy(const BodyState& f) {
  Plan best;
  std::pair<double, double> fewest(1e8, 0);
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    const LiteralKind kind = m_.kind(literal);
    const bool derived = kind == LiteralKind::derived;
    if (literal.negated || kind == LiteralKind::distinct || (derived && !few_results(f, literal))) continue;
    std::uint32_t variable = 0;
    const std::pair<double, double> bits = derived ? result_bits(f, literal) : choices(f, literal, variable);
    if (bits >= fewest) continue;
    fewest = bits;
    best = derived ? Plan{Plan::Kind::literal, i} : Plan{Plan::Kind::choose, variable};
  }
  if (best.kind != Plan::Kind::none) return best;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (m_.kind(literal) == LiteralKind::derived && callable(f, literal)) return {Plan::Kind::literal, i};
  }
  for (const bool singletons_too : {false, true})
    for (const std::uint32_t i : f.open)
      for (const Pattern p : f.rule->rule->body[i].arguments)
        if (!f.known(p) && (singletons_too || !f.singleton(p))) return {Plan::Kind::choose, p.number()};
  return best;
}

BodyPlanner::Plan BodyPlanner::plan(const BodyState& f) {
  check_wanted();
  if (const Plan next = ready(f); next.kind != Plan::Kind::none) return next;
  Plan best = greedy(f);
  if (best.kind == Plan::Kind::none || f.open.size() > kLiftedLimits.planned_literals) return best;
  const std::vector<Plan> all = options(f);
  const std::vector<Plan> calls =
      all.size() > kLiftedLimits.planned_options ? std::vector<Plan>() : calls_for_results(f);
  if (all.size() + calls.size() < 2 || all.size() > kLiftedLimits.planned_options) return best;
  double least = kPlanCosts.option * simulate(f, best, kPlanCosts.most_steps).steps;
  const auto look = [&](const Plan& option, double share) {
    const double steps = simulate(f, option, share * least).steps;
    if (steps >= share * least) return;
    least = steps;
    best = option;
  };
  // Tries all values of a determined result only if that is far cheaper, because the selectivity of the call is a
  // guess.
  const auto is_told = [&](const Plan& option) {
    if (best.kind != Plan::Kind::literal || option.kind != Plan::Kind::choose || s_.lister(f, option.index))
      return false;
    const EngineLiteral& call = f.rule->rule->body[best.index];
    return call.mentions(Pattern::variable(option.index)) && determines_results(Model::key(call), uses_of(f, call));
  };
  for (const Plan& option : all) look(option, is_told(option) ? kPlanCosts.call : 1);
  for (const Plan& call : calls) look(call, kPlanCosts.call);
  return best;
}

// The derived relations that can compute all of their unbound arguments.
std::vector<BodyPlanner::Plan> BodyPlanner::calls_for_results(const BodyState& f) {
  std::vector<Plan> result;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::derived) continue;
    if (!few_results(f, literal) && gives_results(f, literal)) result.push_back({Plan::Kind::literal, i});
  }
  return result;
}

// An unbound variable that several derived relations mention, but no fact and no static relation.
bool BodyPlanner::only_derived(const BodyState& f, Pattern p) const {
  if (f.known(p)) return false;
  std::size_t derived = 0;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || !literal.mentions(p)) continue;
    const LiteralKind kind = m_.kind(literal);
    if (kind != LiteralKind::derived && kind != LiteralKind::distinct) return false;
    derived += kind == LiteralKind::derived ? 1 : 0;
  }
  return derived >= kPlanCosts.sharing;
}

// The possible next steps if no literal is ready.
std::vector<BodyPlanner::Plan> BodyPlanner::options(const BodyState& f) {
  std::vector<Plan> result;
  const auto add = [&](const Plan& plan) {
    if (std::ranges::find(result, plan) == result.end()) result.push_back(plan);
  };
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    const LiteralKind kind = m_.kind(literal);
    if (literal.negated || kind == LiteralKind::distinct) continue;
    if (kind == LiteralKind::derived) {
      if (few_results(f, literal)) add({Plan::Kind::literal, i});
      for (const Pattern p : literal.arguments)
        if (only_derived(f, p)) add({Plan::Kind::choose, p.number()});
      continue;
    }
    const auto chosen = [&](std::uint32_t c) {
      if (kind == LiteralKind::does) return c == 0;
      if (kind == LiteralKind::fixed) return !f.singleton(literal.arguments[c]);
      return std::ranges::count(t_.stored_of(literal.relation).key, c) > 0;
    };
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      if (f.known(literal.arguments[c]) || !chosen(c)) continue;
      add({Plan::Kind::choose, literal.arguments[c].number(), kind == LiteralKind::fact ? i : kNone});
    }
  }
  return result;
}

std::vector<std::uint32_t> BodyPlanner::choosable(const BodyState& f) {
  std::vector<std::uint32_t> result;
  for (const Plan& option : options(f))
    if (option.kind == Plan::Kind::choose) result.push_back(option.index);
  return result;
}

double BodyPlanner::expected_steps(const BodyState& f, std::uint32_t variable) {
  return simulate(f, {Plan::Kind::choose, variable}, kPlanCosts.most_steps).steps;
}

BodyPlanner::Estimate BodyPlanner::expected(const BodyState& f) {
  return simulate(f, next_of(f, kNone), kPlanCosts.most_steps);
}

bool BodyPlanner::determines(const LiftedRule& rule, std::uint32_t literal, const std::vector<Pattern>& what) {
  BodyState f = body_state(rule, 0);
  f.want(what);
  std::erase(f.open, literal);
  for (const Pattern p : rule.rule->body[literal].arguments) suppose(f, p);
  for (Plan next = ready(f); next.kind != Plan::Kind::none; next = ready(f)) {
    const EngineLiteral& done = rule.rule->body[next.index];
    for (const Pattern p : done.arguments)
      if (!done.negated && !f.singleton(p)) suppose(f, p);
    std::erase(f.open, next.index);
  }
  return std::ranges::all_of(what, [&](Pattern p) { return f.known(p); });
}

}  // namespace rgtrans::gdl::lifted
