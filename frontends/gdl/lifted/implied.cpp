#include "frontends/gdl/lifted/implied.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/support/coverage.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using Tuple = StaticJoins::Tuple;

// The only recursive literal of a rule, if there is exactly one.
std::optional<std::uint32_t> recursive_literal_of(const EngineRule& rule) {
  std::optional<std::uint32_t> result;
  for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
    const EngineLiteral& l = rule.body[i];
    if (!l.relation.valid() || l.relation != rule.head.relation || l.negated) continue;
    if (result) return std::nullopt;
    result = i;
  }
  return result;
}

}  // namespace

// Joins static literals of a rule with tuples of its recursive literal. Takes the static literals whose variables
// positive ones bind; skipping the others only allows more tuples. Null if an argument is unbound.
std::optional<Implied::Tuples> Implied::join(const EngineRule& rule, const EngineLiteral* recursive,
                                             const Tuples& tuples, const std::set<std::uint32_t>& left_out,
                                             const std::vector<Pattern>& arguments, Effort& effort) {
  std::set<std::uint32_t> literals, given;
  for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
    const EngineLiteral& l = rule.body[i];
    if (!joins_.fixed(l) || !l.relation.valid() || l.negated || left_out.contains(i)) continue;
    literals.insert(i);
    given.merge(l.variables());
  }
  for (std::uint32_t i = 0; i < rule.body.size(); ++i)
    if (joins_.fixed(rule.body[i]) && !left_out.contains(i) && std::ranges::includes(given, rule.body[i].variables()))
      literals.insert(i);
  if (recursive != nullptr) given.merge(recursive->variables());
  if (std::ranges::any_of(arguments, [&](Pattern p) { return p.is_variable() && !given.contains(p.number()); }))
    return std::nullopt;
  return joins_.project(rule, literals, arguments, effort, recursive, tuples);
}

// An upper bound of the relation: its fixpoint if all conditions on the state were true.
std::optional<Implied::Tuples> Implied::bound(RelId relation) {
  Effort effort("bounds of recursive relations", kLiftedEfforts.join, limits::effort);
  Tuples result, fresh;
  const auto derive = [&](bool again) {
    const Tuples from = std::exchange(fresh, {});
    for (const EngineRule& rule : rules_) {
      const auto recursive = recursive_literal_of(rule);
      if (rule.head.relation != relation || recursive.has_value() != again) continue;
      const auto found = join(rule, again ? &rule.body[*recursive] : nullptr, from, {}, rule.head.arguments, effort);
      if (!found) return false;
      for (const Tuple& tuple : *found)
        if (result.insert(tuple).second) fresh.insert(tuple);
    }
    return result.size() <= kLiftedLimits.bound_tuples;
  };
  if (!derive(false)) return std::nullopt;
  while (!fresh.empty())
    if (!derive(true)) return std::nullopt;
  return result;
}

bool Implied::implies(const EngineRule& rule, std::uint32_t recursive, const std::set<std::uint32_t>& asked,
                      const Tuples& tuples) {
  std::set<std::uint32_t> of;
  for (const std::uint32_t i : asked) of.merge(rule.body[i].variables());
  std::vector<Pattern> arguments;
  for (const std::uint32_t v : of) arguments.push_back(Pattern::variable(v));
  Effort effort("static literals that a recursion entails", kLiftedEfforts.join, limits::effort);
  const auto rows = join(rule, &rule.body[recursive], tuples, asked, arguments, effort);
  return rows && std::ranges::all_of(*rows, [&](const Tuple& values) {
           Tuple row(rule.variables);
           for (std::size_t c = 0; c < arguments.size(); ++c) row[arguments[c].number()] = values[c];
           return std::ranges::all_of(asked, [&](std::uint32_t i) { return joins_.holds(rule.body[i], row); });
         });
}

// Considers variables that the recursion passes on and that occur otherwise in static literals only.
bool Implied::drop(EngineRule& rule, std::uint32_t recursive, const Tuples& tuples) {
  bool dropped = false;
  for (const std::uint32_t v : rule.body[recursive].variables()) {
    if (!rule.head.variables().contains(v)) continue;
    std::set<std::uint32_t> asked;
    bool alone = true;
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
      if (i == recursive || !rule.body[i].variables().contains(v)) continue;
      if (joins_.fixed(rule.body[i]))
        asked.insert(i);
      else
        alone = false;
    }
    if (!alone || asked.empty() || !implies(rule, recursive, asked, tuples)) continue;
    for (auto it = asked.rbegin(); it != asked.rend(); ++it) {
      rule.body.erase(rule.body.begin() + *it);
      if (*it < recursive) --recursive;
    }
    dropped = true;
  }
  return dropped;
}

bool Implied::drop() {
  bool dropped = false;
  std::map<RelId, std::optional<Tuples>> bounds;
  for (EngineRule& rule : rules_) {
    const auto recursive = recursive_literal_of(rule);
    if (!recursive || rule.head.kind != RelationInfo::Kind::ordinary) continue;
    const auto [it, fresh] = bounds.try_emplace(rule.head.relation);
    if (fresh) it->second = bound(rule.head.relation);
    if (!it->second || !drop(rule, *recursive, *it->second)) continue;
    dropped = true;
    reached("lifted", "implied");
  }
  return dropped;
}

}  // namespace rgtrans::gdl::lifted
