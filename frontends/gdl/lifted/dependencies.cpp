#include "frontends/gdl/lifted/dependencies.hpp"

#include <algorithm>
#include <set>

#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/lifted/recursion.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// Candidates: all columns depend on the empty key (a scalar); one column on the others (last column first); then other
// subsets.
std::vector<Dependency> candidates(std::uint32_t arity) {
  std::vector<Dependency> result;
  const auto add = [&](std::uint32_t values) {
    Dependency d;
    for (std::uint32_t c = 0; c < arity; ++c) (((values >> c) & 1U) != 0 ? d.values : d.key).push_back(c);
    result.push_back(std::move(d));
  };
  const std::uint32_t all = (1U << arity) - 1;
  add(all);
  for (std::uint32_t c = arity; arity > 1 && c-- > 0;) add(1U << c);
  if (arity > kLiftedLimits.subset_columns) return result;
  for (std::uint32_t set = all; set-- > 1;)
    if ((set & (set - 1)) != 0) add(set);
  return result;
}

bool holds_at_first(const Relation& tuples, const Dependency& d) {
  return determines(rows_of(tuples), d.key, d.values);
}

// No two instances of the rules derive tuples with equal keys and different values.
bool exclude(Refuter& refuter, const LiftedRule& a, const LiftedRule& b, const std::vector<std::uint32_t>& key,
             const std::vector<std::uint32_t>& values) {
  refuter.clear();
  const auto x = refuter.add_body(a);
  const auto y = refuter.add_body(b);
  const auto& p = a.rule->head.arguments;
  const auto& q = b.rule->head.arguments;
  for (const std::uint32_t c : key)
    if (!refuter.equal(refuter.term(p[c], x), refuter.term(q[c], y))) return true;
  Refuter::Terms of_a;
  Refuter::Terms of_b;
  for (const std::uint32_t c : values) {
    of_a.push_back(refuter.term(p[c], x));
    of_b.push_back(refuter.term(q[c], y));
  }
  refuter.different(of_a, of_b);
  return refuter.refuted();
}

class DependencySearch {
 public:
  // Assumes `implies` as candidates for inclusions.
  DependencySearch(Model& model, Proofs& proofs, const std::map<RelId, std::vector<Dependency::Inclusion>>& implies,
                   std::uint64_t most)
      : m_(model),
        implies_(implies),
        most_(scaled_effort(most)),
        refuter_(model, current_, "proofs of functional dependencies", most, &proofs) {}

  Dependencies run() {
    std::map<RelId, std::vector<Dependency>> open;
    for (const RelId fact : m_.facts()) {
      const Relation& tuples = *m_.info(fact).tuples;
      if (tuples.arity() == 0 || tuples.arity() > 20) continue;
      std::vector<Dependency> list = candidates(tuples.arity());
      std::erase_if(list, [&](const Dependency& d) { return !holds_at_first(tuples, d) || as_good_as_sets(fact, d); });
      if (list.empty()) continue;
      if (const auto found = implies_.find(fact); found != implies_.end())
        for (Dependency& d : list) d.implies = found->second;
      std::ranges::reverse(list);
      current_[fact] = list.back();
      open[fact] = std::move(list);
    }
    suppose_exclusions();
    // Starts with the cheapest facts.
    std::vector<RelId> order;
    for (const auto& entry : open) order.push_back(entry.first);
    std::ranges::stable_sort(order, {}, [&](RelId fact) { return m_.rules({fact, true}).size(); });
    const auto settled = [&](RelId fact) { return open.at(fact).empty() || proofs_.contains(fact); };
    while (!std::ranges::all_of(order, settled)) {
      for (const RelId fact : order) {
        std::vector<Dependency>& list = open.at(fact);
        while (!list.empty() && !known(fact)) {
          list.pop_back();
          if (list.empty())
            current_.erase(fact);
          else
            current_[fact] = list.back();
          forget(fact);
        }
      }
    }
    for (auto& [fact, dependency] : current_) shorten(fact, dependency);
    return current_;
  }

 private:
  // Per-state facts with a binary value column: nothing is overwritten, and a query of one of the two sets need not
  // read the other.
  bool as_good_as_sets(RelId fact, const Dependency& d) {
    constexpr std::size_t kFew = 2;
    return !d.key.empty() && d.values.size() == 1 && m_.terms(m_.column(fact, d.values[0])).size() <= kFew &&
           !m_.kept(fact);
  }
  // Proposes the exclusion of pairs of scalars that do not both hold initially.
  void suppose_exclusions() {
    for (auto& [a, x] : current_) {
      for (const auto& [b, y] : current_) {
        if (!(a < b) || !x.key.empty() || !y.key.empty()) continue;
        if (m_.info(a).tuples->size() + m_.info(b).tuples->size() > 1) continue;
        const std::size_t pairs = m_.rules({a, true}).size() * m_.rules({b, true}).size();
        if (pairs <= kLiftedLimits.rule_pairs) x.excludes.push_back(b);
      }
    }
  }
  // Shortens the key, given all proved dependencies. The proofs for the longer key remain valid, because the shorter
  // one implies it.
  void shorten(RelId fact, Dependency& dependency) {
    for (std::size_t i = dependency.key.size(); i-- > 0;) {
      const Dependency before = dependency;
      dependency.values.push_back(before.key[i]);
      std::ranges::sort(dependency.values);
      dependency.key.erase(dependency.key.begin() + static_cast<std::ptrdiff_t>(i));
      if (!holds_at_first(*m_.info(fact).tuples, dependency) || !proved(fact)) dependency = before;
    }
  }
  // A proof stays valid while its premises do.
  bool known(RelId fact) {
    if (proofs_.contains(fact)) return true;
    const std::uint64_t before = refuter_.spent();
    std::uint64_t& spent = spent_[fact];
    const std::uint64_t reserved = scaled_effort(kLiftedEfforts.fact);
    const std::uint64_t left = spent < reserved ? reserved - spent : 0;
    const std::uint64_t most =
        std::min(most_ / 4 * 3 - std::min(most_ / 4 * 3, spent), most_ - std::min(most_, before));
    refuter_.limit(before + std::max(left, most));
    const bool result = shown(fact);
    spent += refuter_.spent() - before;
    return result;
  }
  bool shown(RelId fact) {
    Dependency& d = current_.at(fact);
    const auto both = [&](RelId other) { return !apart(fact, other); };
    const auto outside = [&](const Dependency::Inclusion& inclusion) { return !included(fact, inclusion); };
    static_cast<void>(refuter_.take_used());
    while (std::erase_if(d.excludes, both) + std::erase_if(d.implies, outside) > 0) {
      forget(fact);
      static_cast<void>(refuter_.take_used());
    }
    if (!proved(fact)) return false;
    proofs_[fact] = refuter_.take_used();
    return true;
  }
  void forget(RelId changed) {
    std::erase_if(proofs_, [&](const auto& proof) { return proof.first == changed || proof.second.contains(changed); });
  }
  bool apart(RelId a, RelId b) {
    return std::ranges::all_of(m_.rules({a, true}), [&](const LiftedRule& x) {
      return std::ranges::all_of(m_.rules({b, true}), [&](const LiftedRule& y) {
        refuter_.clear();
        refuter_.add_body(x);
        refuter_.add_body(y);
        return refuter_.refuted();
      });
    });
  }
  bool included(RelId fact, const Dependency::Inclusion& inclusion) {
    return std::ranges::all_of(m_.rules({fact, true}), [&](const LiftedRule& rule) {
      refuter_.clear();
      const auto variables = refuter_.add_body(rule);
      std::map<std::uint32_t, Refuter::Term> arguments;
      for (const auto& [other, own] : inclusion.columns)
        arguments[other] = refuter_.term(rule.rule->head.arguments[own], variables);
      return refuter_.derives_next(inclusion.in, arguments);
    });
  }
  bool proved(RelId fact) {
    const std::vector<LiftedRule>& rules = m_.rules({fact, true});
    const Dependency& d = current_.at(fact);
    std::vector<Excluded> excluded;
    const auto shown = [&](std::size_t i, std::size_t j) {
      if (std::ranges::any_of(excluded, [&](const Excluded& e) { return covers(e, rules[i], rules[j]); })) return true;
      if (!exclude(refuter_, rules[i], rules[j], d.key, d.values)) return false;
      excluded.push_back(needed(rules[i], rules[j]));
      return true;
    };
    // Retries the pair that failed last, because it will probably fail again.
    std::pair<std::size_t, std::size_t>& doubtful = doubtful_[fact];
    if (doubtful.first < rules.size() && !shown(doubtful.first, doubtful.second)) return false;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (shown(i, j)) continue;
        doubtful = {i, j};
        return false;
      }
    }
    return true;
  }

  // Two rules, and the literals that sufficed to prove their exclusion; the proof covers rules with the same literals.
  struct Excluded {
    struct Part {
      const LiftedRule* rule;
      std::vector<const EngineLiteral*> literals;
    };
    Part first, second;
  };
  [[nodiscard]] Excluded needed(const LiftedRule& a, const LiftedRule& b) const {
    std::size_t number = 0;
    const auto part = [&](const LiftedRule& rule) {
      Excluded::Part result{&rule, {}};
      for (const EngineLiteral& literal : rule.rule->body)
        if (refuter_.needed(number++)) result.literals.push_back(&literal);
      return result;
    };
    return {part(a), part(b)};  // braces guarantee this order
  }
  [[nodiscard]] bool covers(const Excluded& e, const LiftedRule& a, const LiftedRule& b) const {
    return covers(e.first, a) && covers(e.second, b);
  }
  [[nodiscard]] bool covers(const Excluded::Part& part, const LiftedRule& rule) const {
    if (part.rule == &rule) return true;
    if (part.rule->rule->head.arguments != rule.rule->head.arguments || part.rule->sorts.size() > rule.sorts.size())
      return false;
    for (std::size_t v = 0; v < part.rule->sorts.size(); ++v)
      if (!m_.subset(rule.sorts[v], part.rule->sorts[v])) return false;
    return std::ranges::all_of(part.literals, [&](const EngineLiteral* literal) {
      return std::ranges::find(rule.rule->body, *literal) != rule.rule->body.end();
    });
  }

  Model& m_;
  const std::map<RelId, std::vector<Dependency::Inclusion>>& implies_;
  std::uint64_t most_;
  Dependencies current_;
  Refuter refuter_;
  std::map<RelId, std::uint64_t> spent_;
  std::map<RelId, std::pair<std::size_t, std::size_t>> doubtful_;
  std::map<RelId, std::set<RelId>> proofs_;  // with the facts whose dependencies they use
};

// Candidates for inclusions: another fact with columns of the same values, if the inclusion holds initially.
std::vector<Dependency::Inclusion> inclusions(Model& model, RelId fact) {
  std::vector<Dependency::Inclusion> result;
  const Relation& tuples = *model.info(fact).tuples;
  for (const RelId other : model.facts()) {
    if (other == fact || result.size() >= kLiftedLimits.inclusions) continue;
    const Relation& others = *model.info(other).tuples;
    Dependency::Inclusion inclusion{other, {}};
    std::set<std::uint32_t> taken;
    for (std::uint32_t c = 0; c < others.arity(); ++c) {
      for (std::uint32_t own = 0; own < tuples.arity(); ++own) {
        if (taken.contains(own) || model.column(other, c) != model.column(fact, own)) continue;
        inclusion.columns[c] = own;
        taken.insert(own);
        break;
      }
    }
    const auto has_other = [&](std::uint32_t row) {
      for (std::uint32_t r = 0; r < others.size(); ++r)
        if (std::ranges::all_of(inclusion.columns, [&](const auto& columns) {
              return others.row(r)[columns.first] == tuples.row(row)[columns.second];
            }))
          return true;
      return false;
    };
    bool at_first = !taken.empty();
    for (std::uint32_t row = 0; at_first && row < tuples.size(); ++row) at_first = has_other(row);
    if (at_first) result.push_back(std::move(inclusion));
  }
  return result;
}

}  // namespace

bool DerivedDependencies::holds(RelKey relation, const std::vector<std::uint32_t>& key,
                                const std::vector<std::uint32_t>& values) {
  const std::vector<LiftedRule>& rules = m_.rules(relation);
  if (rules.size() > kLiftedLimits.derived_rules) return false;
  const auto [it, fresh] = known_.try_emplace({relation, key, values}, true);
  if (!fresh) return it->second;
  // Induction over the length of derivations: assumes the dependency for the recursive literal.
  const bool recursive = m_.recursive(relation);
  std::optional<Refuter> supposing;
  if (recursive) {
    if (!recursion_of(m_, relation)) return it->second = false;
    supposing.emplace(refuter_).learn(relation, {key, values});
  }
  Refuter& refuter = recursive ? *supposing : refuter_;
  for (std::size_t i = 0; i < rules.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) it->second = it->second && exclude(refuter, rules[i], rules[j], key, values);
  if (it->second) refuter_.learn(relation, {key, values});
  return it->second;
}

std::optional<Undetermined> why_undetermined(Model& model, const Dependencies& dependencies, RelId fact) {
  const std::uint32_t arity = model.info(fact).tuples->arity();
  if (arity < 2) return std::nullopt;
  Dependency d;
  for (std::uint32_t c = 0; c + 1 < arity; ++c) d.key.push_back(c);
  d.values = {arity - 1};
  if (!holds_at_first(*model.info(fact).tuples, d)) return Undetermined{};
  Dependencies supposed = dependencies;
  supposed[fact] = d;
  Refuter refuter(model, supposed, {}, kLiftedEfforts.undetermined);
  const std::vector<LiftedRule>& rules = model.rules({fact, true});
  for (std::size_t i = 0; i < rules.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!exclude(refuter, rules[i], rules[j], d.key, d.values))
        return Undetermined{&rules[j], &rules[i], refuter.unfinished()};
  return std::nullopt;
}

// Tries facts without a dependency once more with inclusions as premises.
Dependencies find_dependencies(Model& model, Proofs& proofs, std::uint64_t most) {
  Dependencies simple = DependencySearch(model, proofs, {}, most).run();
  std::map<RelId, std::vector<Dependency::Inclusion>> implies;
  for (const RelId fact : model.facts()) {
    const std::uint32_t arity = model.info(fact).tuples->arity();
    if (arity < 2 || arity > kLiftedLimits.subset_columns || simple.contains(fact)) continue;
    if (auto list = inclusions(model, fact); !list.empty()) implies[fact] = std::move(list);
  }
  if (implies.empty()) return simple;
  Dependencies more = DependencySearch(model, proofs, implies, kLiftedEfforts.inclusions).run();
  return more.size() > simple.size() ? more : simple;
}

}  // namespace rgtrans::gdl::lifted
