// The join order of a body: literals without a choice first, cheap ones before expensive ones. If a choice is
// necessary, the planner simulates each option: it plans the rest of the body behind it, and estimates its steps and
// live walks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

namespace {

constexpr std::size_t kMaxCounted = 20'000;  // rows visited to plan a choice
constexpr std::size_t kMaxPlanned = 16;      // literals of a body whose choices are simulated
constexpr std::size_t kMaxOptions = 10;
constexpr std::size_t kMinSharing = 2;    // derived relations that share a variable, so that it may be chosen for them
constexpr double kMaxEstimate = 1e7;      // steps; larger estimates are not compared
constexpr double kMaxCostRatio = 0.95;    // an option must cost less than this share of the greedy one
constexpr double kTestSelectivity = 0.6;  // of a test about which nothing is known
constexpr double kFactSelectivity = 0.2;
constexpr double kRecursionSteps = 30;
constexpr double kForwardSteps = 60;  // of a recursion that is evaluated forwards
constexpr double kFewResults = 8;
constexpr double kMaxTried = 100;        // values of results; up to so many are tried one by one
constexpr double kCallCostRatio = 0.5;   // cost of a call for results, relative to calls for each value
constexpr double kDerivationLength = 3;  // tuples of a recursion per tuple of its non-recursive rules
constexpr double kFewSteps = 30;
constexpr double kManySteps = 400;           // steps of a relation with determined results
constexpr double kStepsPerValue = 0.25;      // tried, or per fact read
constexpr double kStepsPerResult = 2;        // of a walk that reaches its end
constexpr double kStepsPerSharedResult = 6;  // the same if several walks may reach one result
constexpr std::size_t kMaxSparsity = 8;  // up to this ratio of bound to count, numbers are counted without renumbering

// The projections of tuples to some columns, encoded as numbers below a bound.
struct Numbers {
  std::vector<std::uint64_t> of;  // by tuple
  std::uint64_t bound = 1;

  // Renumbers densely, in the same order.
  void renumber() {
    std::vector<std::uint64_t> known = of;
    sort_unique(known);
    for (std::uint64_t& number : of)
      number = static_cast<std::uint64_t>(std::ranges::lower_bound(known, number) - known.begin());
    bound = known.size();
  }
  [[nodiscard]] bool has_room_for(std::uint64_t range) const {
    return bound <= std::numeric_limits<std::uint64_t>::max() / range;
  }
};

Numbers numbers_of(const std::vector<const std::uint32_t*>& tuples, const std::vector<std::size_t>& columns) {
  Numbers numbers{std::vector<std::uint64_t>(tuples.size())};
  for (const std::size_t c : columns) {
    std::uint64_t range = 1;
    for (const std::uint32_t* const row : tuples) range = std::max(range, std::uint64_t{row[c]} + 1);
    if (!numbers.has_room_for(range)) numbers.renumber();
    for (std::size_t i = 0; i < tuples.size(); ++i) numbers.of[i] = numbers.of[i] * range + tuples[i][c];
    numbers.bound *= range;
  }
  return numbers;
}

// The first components of all different pairs (numbers, others).
Numbers different(Numbers numbers, Numbers others) {
  if (!numbers.has_room_for(others.bound)) {
    numbers.renumber();
    others.renumber();
  }
  for (std::size_t i = 0; i < others.of.size(); ++i) others.of[i] += numbers.of[i] * others.bound;
  sort_unique(others.of);
  numbers.of.clear();
  for (const std::uint64_t both : others.of) numbers.of.push_back(both / others.bound);
  return numbers;
}

// The frequency of the most frequent number.
std::size_t most_frequent(Numbers numbers) {
  if (numbers.bound > kMaxSparsity * numbers.of.size()) numbers.renumber();
  std::vector<std::size_t> times(numbers.bound);
  for (const std::uint64_t number : numbers.of) ++times[number];
  return times.empty() ? 0 : std::ranges::max(times);
}

}  // namespace

bool Walks::callable(const BodyState& f, const EngineLiteral& literal) {
  if (literal.negated) return false;
  const RelKey key = Model::key(literal);
  if (!m_.recursive(key)) return true;
  const std::vector<Use> uses = uses_of(f, literal);
  return passes_results_on(key, uses) || forwards(key, uses) != nullptr;
}

// Every recursive call passes its results on unchanged.
bool Walks::passes_results_on(RelKey key, const std::vector<Use>& uses) const {
  for (const LiftedRule& rule : m_.rules(key)) {
    for (const EngineLiteral& call : rule.rule->body) {
      if (m_.kind(call) != LiteralKind::derived || !m_.same_component(key, Model::key(call))) continue;
      if (Model::key(call) != key || call.negated) return false;
      for (std::size_t c = 0; c < uses.size(); ++c) {
        if (uses[c] == Use::known) continue;
        const Pattern head = rule.rule->head.arguments[c];
        if (uses[c] == Use::ignored || !head.is_variable() || call.arguments[c] != head) return false;
        std::ptrdiff_t count = 0;
        rule.rule->for_each_literal([&](const EngineLiteral& l) { count += std::ranges::count(l.arguments, head); });
        if (count != 2) return false;
      }
    }
  }
  return true;
}

const Recursion* Walks::forwards(RelKey key, const std::vector<Use>& uses) {
  if (std::ranges::find(uses, Use::result) == uses.end() || passes_results_on(key, uses)) return nullptr;
  const auto [it, fresh] = forwards_.try_emplace(key);
  if (fresh) {
    it->second = recursion_of(m_, key);
    if (it->second && !ends(m_, *it->second)) it->second.reset();
  }
  return it->second ? &*it->second : nullptr;
}

// The priority of a literal, smallest first; -1 if a variable must be chosen first.
int Walks::readiness(const BodyState& f, const EngineLiteral& literal) {
  const auto all_known = [&] { return std::ranges::all_of(literal.arguments, [&](Pattern p) { return known(f, p); }); };
  const LiteralKind kind = m_.kind(literal);
  if (kind == LiteralKind::distinct) return all_known() ? 0 : -1;
  if (literal.negated) return !all_known() ? -1 : kind == LiteralKind::derived ? 7 : 2;
  if (kind == LiteralKind::does) return known(f, literal.arguments[0]) ? 1 : -1;
  if (kind == LiteralKind::fact) {
    const Stored& s = t_.stored_of(literal.relation);
    if (!std::ranges::all_of(s.key, [&](std::uint32_t c) { return known(f, literal.arguments[c]); })) return -1;
    return all_known() ? 1 : 3;
  }
  const auto waits = [&](Pattern p) { return !known(f, p) && !singleton(f, p); };
  const bool waiting = std::ranges::any_of(literal.arguments, waits);
  if (kind == LiteralKind::derived) return waiting ? -1 : 6;
  if (!waiting) return 2;
  return fan_out(f, literal) <= 1 ? 4 : -1;
}

// The choice bits of a variable: the logarithm of the number of values to try.
double Walks::choice_bits(const BodyState& f, std::uint32_t variable) {
  const auto listed = lister(f, variable);
  const double values = listed ? listed->values : static_cast<double>(m_.terms(f.rule->sorts[variable]).size());
  return std::log2(std::max(1.0, values));
}

// The choice bits of a literal: per newly bound variable, and in total. `variable` becomes the first variable to
// choose.
std::pair<double, double> Walks::choices(const BodyState& f, const EngineLiteral& literal, std::uint32_t& variable) {
  const LiteralKind kind = m_.kind(literal);
  double bits = 0;
  double least = 1e9;
  std::set<std::uint32_t> bound;
  const auto look = [&](std::size_t c, bool chosen) {
    const Pattern p = literal.arguments[c];
    if (known(f, p) || !bound.insert(p.number()).second || !chosen) return;
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
      if (known(f, p) || singleton(f, p) || !bound.insert(p.number()).second) continue;
      BodyState then = f;
      then.values[p.number()] = Value{{}, {}, f.rule->sorts[p.number()], false};
      const bool small = rows_of(*f.rule, literal).count <= kMaxCounted;
      const double left = small ? static_cast<double>(std::max<std::size_t>(1, fan_out(then, literal))) : 2;
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
Walks::Plan Walks::ready(const BodyState& f) {
  Plan best;
  std::pair<int, int> least(1000, 0);
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    std::pair<int, int> cost(readiness(f, literal), 0);
    if (cost.first < 0 || cost.first > least.first) continue;
    if (m_.kind(literal) == LiteralKind::fixed) cost.second = -static_cast<int>(companions(*f.rule, literal).size());
    if (cost >= least) continue;
    least = cost;
    best = {Plan::Kind::literal, i};
  }
  return best;
}

// Chooses the literal with the fewest choice bits per newly bound variable.
Walks::Plan Walks::greedy(const BodyState& f) {
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
        if (!known(f, p) && (singletons_too || !singleton(f, p))) return {Plan::Kind::choose, p.number()};
  return best;
}

Walks::Plan Walks::plan(const BodyState& f) {
  check_wanted();
  if (const Plan next = ready(f); next.kind != Plan::Kind::none) return next;
  Plan best = greedy(f);
  if (best.kind == Plan::Kind::none || f.open.size() > kMaxPlanned) return best;
  const std::vector<Plan> all = options(f);
  const std::vector<Plan> calls = all.size() > kMaxOptions ? std::vector<Plan>() : calls_for_results(f);
  if (all.size() + calls.size() < 2 || all.size() > kMaxOptions) return best;
  double least = kMaxCostRatio * simulate(f, best, kMaxEstimate).steps;
  const auto look = [&](const Plan& option, double share) {
    const double steps = simulate(f, option, share * least).steps;
    if (steps >= share * least) return;
    least = steps;
    best = option;
  };
  // Tries all values of a determined result only if that is far cheaper, because the selectivity of the call is a
  // guess.
  const auto is_told = [&](const Plan& option) {
    if (best.kind != Plan::Kind::literal || option.kind != Plan::Kind::choose || lister(f, option.index)) return false;
    const EngineLiteral& call = f.rule->rule->body[best.index];
    return call.mentions(Pattern::variable(option.index)) && determines_results(Model::key(call), uses_of(f, call));
  };
  for (const Plan& option : all) look(option, is_told(option) ? kCallCostRatio : 1);
  for (const Plan& call : calls) look(call, kCallCostRatio);
  return best;
}

// The derived relations that can compute all of their unbound arguments.
std::vector<Walks::Plan> Walks::calls_for_results(const BodyState& f) {
  std::vector<Plan> result;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::derived) continue;
    if (!few_results(f, literal) && gives_results(f, literal)) result.push_back({Plan::Kind::literal, i});
  }
  return result;
}

// An unbound variable that several derived relations mention, but no fact and no static relation.
bool Walks::only_derived(const BodyState& f, Pattern p) const {
  if (known(f, p)) return false;
  std::size_t derived = 0;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || !literal.mentions(p)) continue;
    const LiteralKind kind = m_.kind(literal);
    if (kind != LiteralKind::derived && kind != LiteralKind::distinct) return false;
    derived += kind == LiteralKind::derived ? 1 : 0;
  }
  return derived >= kMinSharing;
}

// The possible next steps if no literal is ready.
std::vector<Walks::Plan> Walks::options(const BodyState& f) {
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
      if (kind == LiteralKind::fixed) return !singleton(f, literal.arguments[c]);
      return std::ranges::count(t_.stored_of(literal.relation).key, c) > 0;
    };
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      if (known(f, literal.arguments[c]) || !chosen(c)) continue;
      add({Plan::Kind::choose, literal.arguments[c].number(), kind == LiteralKind::fact ? i : kNone});
    }
  }
  return result;
}

std::vector<std::uint32_t> Walks::choosable(const BodyState& f) {
  std::vector<std::uint32_t> result;
  for (const Plan& option : options(f))
    if (option.kind == Plan::Kind::choose) result.push_back(option.index);
  return result;
}

double Walks::expected_steps(const BodyState& f, std::uint32_t variable) {
  return simulate(f, {Plan::Kind::choose, variable}, kMaxEstimate).steps;
}

Walks::Estimate Walks::expected(const BodyState& f) { return simulate(f, next_of(f, kNone), kMaxEstimate); }

bool Walks::determines(const LiftedRule& rule, std::uint32_t literal, const std::vector<Pattern>& what) {
  BodyState f = body_state(rule, 0);
  f.want(what);
  std::erase(f.open, literal);
  for (const Pattern p : rule.rule->body[literal].arguments) suppose(f, p);
  for (Plan next = ready(f); next.kind != Plan::Kind::none; next = ready(f)) {
    const EngineLiteral& done = rule.rule->body[next.index];
    for (const Pattern p : done.arguments)
      if (!done.negated && !singleton(f, p)) suppose(f, p);
    std::erase(f.open, next.index);
  }
  return std::ranges::all_of(what, [&](Pattern p) { return known(f, p); });
}

// --- Simulation. ---

double Walks::suppose(BodyState& f, Pattern p) {
  if (known(f, p)) return 1;
  const SortId sort = f.rule->sorts[p.number()];
  f.values[p.number()] = Value{{}, {}, sort, false};
  return static_cast<double>(m_.terms(sort).size());
}

// Simulates the plan behind a first step, until it exceeds `most` steps.
Walks::Estimate Walks::simulate(BodyState f, Plan next, double most) {
  const auto& body = f.rule->rule->body;
  const auto tests = [&](std::uint32_t i) { return m_.kind(body[i]) == LiteralKind::fixed && !body[i].negated; };
  const auto all_bound = [&] {
    for (std::size_t v = 0; v < f.wanted.size(); ++v)
      if (f.wanted[v] && !f.values[v]) return false;
    return true;
  };
  std::vector<double> present(body.size(), 1);
  for (const std::uint32_t i : f.open)
    if (tests(i)) present[i] = presence(f, body[i]);
  Estimate e;
  double ways = all_bound() ? 0 : -1;  // walks at which all wanted variables were bound; -1 before
  bool again = false;                  // several walks may reach the same result
  const std::uint32_t key_of = next.key_of;
  for (; next.kind != Plan::Kind::none && e.steps < most; next = next_of(f, key_of)) {
    if (next.kind == Plan::Kind::choose) {
      again = again || (ways < 0 && !f.wanted[next.index]);
      if (const auto listed = lister(f, next.index)) {
        e.walks *= listed->values / present[listed->literal];
        e.steps += e.walks;
        suppose(f, Pattern::variable(next.index));
        finish(f, listed->literal);
      } else {
        e.walks *= suppose(f, Pattern::variable(next.index));
        e.steps += kStepsPerValue * e.walks;
      }
      for (const std::uint32_t i : f.open) {
        if (!tests(i)) continue;
        const double now = presence(f, body[i]);
        e.walks *= now / std::exchange(present[i], now);
      }
    } else {
      const EngineLiteral& literal = body[next.index];
      const Estimate own = of_literal(f, literal);
      e.steps += e.walks * own.steps * (m_.kind(literal) == LiteralKind::fact ? kStepsPerValue : 1);
      e.walks *= own.walks;
      finish(f, next.index);
      double values = 1;
      for (const Pattern p : literal.arguments)
        if (!literal.negated) values *= suppose(f, p);
      if (tests(next.index)) e.walks *= values * presence(f, literal) / present[next.index];
    }
    if (ways < 0 && all_bound()) ways = e.walks;
  }
  // Once all wanted variables are bound, one walk suffices.
  if (ways > 0) e.walks = std::min(e.walks, ways);
  e.steps += (again ? kStepsPerSharedResult : kStepsPerResult) * e.walks;
  return e;
}

// A choice that began the key of a fact continues with the rest of that key.
Walks::Plan Walks::next_of(const BodyState& f, std::uint32_t key_of) {
  if (const Plan next = ready(f); next.kind != Plan::Kind::none) return next;
  if (std::ranges::find(f.open, key_of) != f.open.end()) {
    const EngineLiteral& literal = f.rule->rule->body[key_of];
    for (const std::uint32_t c : t_.stored_of(literal.relation).key)
      if (!known(f, literal.arguments[c])) return {Plan::Kind::choose, literal.arguments[c].number(), key_of};
  }
  return greedy(f);
}

// The cost of a literal, and the share of walks that continue. Does not include the selectivity of static relations.
Walks::Estimate Walks::of_literal(const BodyState& f, const EngineLiteral& literal) {
  switch (m_.kind(literal)) {
    case LiteralKind::distinct:
      return {1, 1};
    case LiteralKind::fixed:
      return {literal.negated ? kTestSelectivity : 1, 1};
    case LiteralKind::does:
      return {kTestSelectivity, 1};
    case LiteralKind::fact: {
      const Stored& s = t_.stored_of(literal.relation);
      Estimate e{s.key.empty() ? 1 : kTestSelectivity, 1};
      if (literal.negated) return e;
      // A Boolean relation with a large key usually contains few of its possible tuples.
      if (s.values.empty()) {
        double cells = 1;
        for (const SortId column : s.columns) cells *= static_cast<double>(m_.terms(column).size());
        e.walks = s.key.size() < 2 ? kFactSelectivity : std::min(kFactSelectivity, 1 / std::sqrt(cells));
      }
      for (const std::uint32_t c : s.values) {
        const Pattern p = literal.arguments[c];
        const SortId sort = p.is_ground() ? m_.single(p.term()) : f.rule->sorts[p.number()];
        const double of_all = share(literal.relation, c, sort);
        const auto values = static_cast<double>(std::max<std::size_t>(1, m_.terms(sort).size()));
        e.walks *= std::min(1.0, known(f, p) ? of_all / values : of_all);
      }
      return e;
    }
    case LiteralKind::derived: {
      const std::vector<Use> uses = uses_of(f, literal);
      Estimate e = of_relation(Model::key(literal), uses);
      if (literal.negated || std::ranges::find(uses, Use::result) == uses.end()) e.walks = kTestSelectivity;
      e.walks = std::max(e.walks, kTestSelectivity);
      return e;
    }
  }
  return {};
}

// The estimated share of facts with one of these values in the column: the mean of a uniform distribution and of the
// initial state.
double Walks::share(RelId fact, std::uint32_t column, SortId values) {
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
bool Walks::determines_results(RelKey key, const std::vector<Use>& uses) {
  std::vector<std::uint32_t> known, results;
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    if (uses[c] == Use::known) known.push_back(c);
    if (uses[c] == Use::result) results.push_back(c);
  }
  return !results.empty() && derived_.holds(key, known, results);
}

Walks::Estimate Walks::of_relation(RelKey key, const std::vector<Use>& uses) {
  const auto [it, fresh] = estimates_.try_emplace({key, uses});
  if (!fresh) return it->second;
  Estimate all{0, 0};
  if (m_.recursive(key)) {
    const bool follows = forwards(key, uses) != nullptr;
    all = {1, follows ? kForwardSteps : kRecursionSteps};
    if (follows && determines_results(key, uses)) return it->second = all;
    if (std::ranges::find(uses, Use::result) == uses.end()) return it->second = all;
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

Walks::Estimate Walks::of_rule(const LiftedRule& rule, RelKey key, const std::vector<Use>& uses) {
  BodyState f = body_state(rule, 0);
  double share = 1;  // of the calls that match the head
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    const Pattern p = rule.rule->head.arguments[c];
    if (uses[c] == Use::known && known(f, p)) share /= std::max(1.0, possible_values(key, c));
    if (uses[c] == Use::known) suppose(f, p);
    if (uses[c] == Use::result) f.want(p);
  }
  const Estimate own = simulate(f, next_of(f, kNone), kMaxEstimate);
  return {share * own.walks, share * own.steps};
}

double Walks::possible_values(RelKey key, std::uint32_t column) {
  return static_cast<double>(m_.terms(m_.column(key.relation, column)).size());
}

// The number of combinations of result values.
double Walks::possible_results(RelKey key, const std::vector<Use>& uses) {
  double values = 1;
  for (std::uint32_t c = 0; c < uses.size(); ++c)
    if (uses[c] == Use::result) values *= possible_values(key, c);
  return values;
}

// Estimates a recursion: the results of its non-recursive rules, times an expected number of steps. In forward
// evaluation, known columns that steps change are results of these rules, too.
Walks::Estimate Walks::reached(RelKey key, const std::vector<Use>& uses) {
  const std::optional<Recursion> recursion = recursion_of(m_, key);
  if (!recursion) return {kMaxEstimate, 0};
  const bool follows = forwards(key, uses) != nullptr;
  std::vector<Use> begin = uses;
  double fitting = 1;
  for (std::uint32_t c = 0; c < uses.size(); ++c) {
    if (!follows || uses[c] != Use::known || recursion->kept[c]) continue;
    begin[c] = Use::result;
    fitting /= std::max(1.0, possible_values(key, c));
  }
  Estimate all{0, 0};
  for (const LiftedRule* rule : recursion->first) {
    const Estimate own = of_rule(*rule, key, begin);
    all.walks += kDerivationLength * fitting * own.walks;
    all.steps += kDerivationLength * own.steps;
  }
  return all;
}

// The bound arguments determine nearly all results.
bool Walks::few_results(const BodyState& f, const EngineLiteral& literal) {
  const auto given = [&](Pattern p) { return p.is_variable() && known(f, p); };
  const auto ground = [](Pattern p) { return p.is_ground(); };
  const bool any = std::ranges::any_of(literal.arguments, given);
  if ((!any && std::ranges::none_of(literal.arguments, ground)) || !callable(f, literal)) return false;
  const RelKey key = Model::key(literal);
  const std::vector<Use> uses = uses_of(f, literal);
  const Estimate e = of_relation(key, uses);
  const double most = m_.recursive(key) ? possible_results(key, uses) : e.walks;
  if (any && e.steps <= kFewSteps) return most <= kFewResults;
  return e.walks <= 1 && e.steps <= kManySteps && determines_results(key, uses);
}

// A call for the results costs much less than a call for each combination of their values.
bool Walks::gives_results(const BodyState& f, const EngineLiteral& literal) {
  if (std::ranges::none_of(literal.arguments, [&](Pattern p) { return known(f, p); })) return false;
  if (!callable(f, literal)) return false;
  const RelKey key = Model::key(literal);
  const std::vector<Use> uses = uses_of(f, literal);
  std::vector<Use> all = uses;
  std::ranges::replace(all, Use::result, Use::known);
  std::set<std::uint32_t> counted;
  double values = kCallCostRatio;
  for (std::size_t c = 0; c < uses.size(); ++c)
    if (const Pattern p = literal.arguments[c]; uses[c] == Use::result && counted.insert(p.number()).second)
      values *= std::exp2(choice_bits(f, p.number()));
  // Forward evaluation tests a bound argument only at the end, unless steps keep it. So few values are better tried one
  // by one.
  if (const Recursion* const recursion = forwards(key, uses); recursion != nullptr && values <= kMaxTried)
    for (std::size_t c = 0; c < uses.size(); ++c)
      if (uses[c] == Use::known && !recursion->kept[c]) return false;
  const Estimate e = of_relation(key, uses);
  return e.walks <= values && e.steps <= values * of_relation(key, all).steps;
}

// The choice bits of a call for results: per result, and in total.
std::pair<double, double> Walks::result_bits(const BodyState& f, const EngineLiteral& literal) {
  const std::vector<Use> uses = uses_of(f, literal);
  const auto results = static_cast<double>(std::ranges::count(uses, Use::result));
  const double bits = std::log2(std::max(1.0, of_relation(Model::key(literal), uses).walks));
  return {bits / std::max(1.0, results), bits};
}

// --- Static relations. ---

// The selectivity: the share of the combinations of bound values that occur in the relation.
double Walks::presence(const BodyState& f, const EngineLiteral& literal) {
  const Rows& rows = rows_of(*f.rule, literal);
  if (rows.count > kMaxCounted) return 1;
  const Signature known = signature(f, literal, rows);
  const auto [it, fresh] = presences_.try_emplace({&rows, known});
  if (!fresh) return it->second;
  const BoundRows asked = bound_rows(f, literal);
  std::vector<std::uint64_t> tuples = numbers_of(asked.tuples, asked.columns).of;
  sort_unique(tuples);
  // Bounded below, so that an empty relation does not dominate the estimates.
  return it->second = std::max(1e-6, static_cast<double>(tuples.size()) / asked.cells);
}

// The maximal number of results per combination of bound values.
std::size_t Walks::fan_out(const BodyState& f, const EngineLiteral& literal) {
  const Rows& rows = rows_of(*f.rule, literal);
  const Signature known = signature(f, literal, rows);
  std::vector<std::size_t> keys, results;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == kKnown) keys.push_back(i);
    if (known[i] == kOpen && !singleton(f, literal.arguments[rows.columns[i]])) results.push_back(i);
  }
  Signature asked = known;
  asked.insert(asked.end(), results.begin(), results.end());
  const auto [it, fresh] = fan_outs_.try_emplace({&rows, asked});
  if (!fresh) return it->second;
  const std::vector<Row> tuples = fitting(rows, known);
  Numbers key = numbers_of(tuples, keys);
  // Without an ignored column, all tuples differ in the bound values and results.
  if (std::ranges::count(known, kOpen) != static_cast<std::ptrdiff_t>(results.size()))
    key = different(std::move(key), numbers_of(tuples, results));
  return it->second = most_frequent(std::move(key));
}

}  // namespace rgtrans::gdl::lifted
