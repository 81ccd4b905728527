#include "frontends/gdl/lifted/dependencies.hpp"

#include <algorithm>
#include <set>

namespace rgtrans::gdl::lifted {

namespace {

// With more columns only the simplest candidates are looked at.
constexpr std::uint32_t kAllSubsets = 4;
constexpr std::size_t kMostShown = 6;  // rules of a derived relation

// All columns depend on nothing (a scalar), one of them on the others (the last first), then other subsets.
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
  if (arity > kAllSubsets) return result;
  for (std::uint32_t set = all; set-- > 1;)
    if ((set & (set - 1)) != 0) add(set);
  return result;
}

bool holds_at_first(const Relation& tuples, const Dependency& d) {
  std::set<std::vector<std::uint32_t>> keys;
  for (std::uint32_t r = 0; r < tuples.size(); ++r) {
    std::vector<std::uint32_t> key;
    for (const std::uint32_t c : d.key) key.push_back(tuples.row(r)[c]);
    if (!keys.insert(key).second) return false;
  }
  return true;
}

// No two instances of the rules can give tuples with one key that differ in this value.
bool exclude(Refuter& refuter, const LiftedRule& a, const LiftedRule& b, const std::vector<std::uint32_t>& key,
             std::uint32_t value) {
  refuter.clear();
  const auto x = refuter.add_body(a);
  const auto y = refuter.add_body(b);
  const auto& p = a.rule->head.arguments;
  const auto& q = b.rule->head.arguments;
  for (const std::uint32_t c : key)
    if (!refuter.equal(refuter.term(p[c], x), refuter.term(q[c], y))) return true;
  refuter.different(refuter.term(p[value], x), refuter.term(q[value], y));
  return refuter.refuted();
}

class DependencySearch {
 public:
  explicit DependencySearch(Model& model) : m_(model), refuter_(model, current_) {}

  Dependencies run() {
    std::map<RelId, std::vector<Dependency>> open;
    for (const RelId fact : m_.facts()) {
      const Relation& tuples = *m_.info(fact).tuples;
      if (tuples.arity() == 0 || tuples.arity() > 20) continue;
      std::vector<Dependency> list = candidates(tuples.arity());
      std::erase_if(list, [&](const Dependency& d) { return !holds_at_first(tuples, d); });
      if (list.empty()) continue;
      std::ranges::reverse(list);
      current_[fact] = list.back();
      open[fact] = std::move(list);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [fact, list] : open) {
        if (list.empty() || proved(fact)) continue;
        changed = true;
        list.pop_back();
        if (list.empty()) {
          current_.erase(fact);
        } else {
          current_[fact] = list.back();
        }
      }
    }
    for (auto& [fact, dependency] : current_) shorten(fact, dependency);
    return current_;
  }

 private:
  // Columns of a key that the others tell, too, given all that has been shown. What was shown with the longer key
  // follows from the shorter one.
  void shorten(RelId fact, Dependency& dependency) {
    for (std::size_t i = dependency.key.size(); i-- > 0;) {
      const Dependency before = dependency;
      dependency.values.push_back(before.key[i]);
      std::ranges::sort(dependency.values);
      dependency.key.erase(dependency.key.begin() + static_cast<std::ptrdiff_t>(i));
      if (!holds_at_first(*m_.info(fact).tuples, dependency) || !proved(fact)) dependency = before;
    }
  }
  bool proved(RelId fact) {
    const std::vector<LiftedRule>& rules = m_.rules({fact, true});
    const Dependency& d = current_.at(fact);
    for (std::size_t i = 0; i < rules.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        for (const std::uint32_t value : d.values)
          if (!exclude(refuter_, rules[i], rules[j], d.key, value)) return false;
    return true;
  }

  Model& m_;
  Dependencies current_;
  Refuter refuter_;
};

}  // namespace

bool DerivedDependencies::holds(RelKey relation, const std::vector<std::uint32_t>& key,
                                const std::vector<std::uint32_t>& values) {
  const std::vector<LiftedRule>& rules = m_.rules(relation);
  if (m_.recursive(relation) || rules.size() > kMostShown) return false;
  const auto [it, fresh] = known_.try_emplace({relation, key, values}, true);
  for (std::size_t i = 0; fresh && i < rules.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (const std::uint32_t value : values)
        it->second = it->second && exclude(refuter_, rules[i], rules[j], key, value);
  if (fresh && it->second) refuter_.learn(relation, {key, values});
  return it->second;
}

Dependencies find_dependencies(Model& model) { return DependencySearch(model).run(); }

}  // namespace rgtrans::gdl::lifted
