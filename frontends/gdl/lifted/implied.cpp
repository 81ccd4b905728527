#include "frontends/gdl/lifted/implied.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
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

// Bindings of variables.
using Known = std::map<std::uint32_t, std::uint32_t>;

bool take(Known& known, const std::vector<Pattern>& arguments, const Tuple& tuple) {
  for (std::size_t c = 0; c < tuple.size(); ++c) {
    if (arguments[c].is_ground()) {
      if (arguments[c].term().value != tuple[c]) return false;
    } else if (known.try_emplace(arguments[c].number(), tuple[c]).first->second != tuple[c]) {
      return false;
    }
  }
  return true;
}

// The join of a tuple with the static literals of a rule. False if there are too many results, or if `f` returns false.
class Ways {
 public:
  Ways(const std::vector<Pattern>& entry, const Tuple& variables, const std::vector<Tuple>& rows) : entry_(entry) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const bool shared = std::ranges::find(entry, Pattern::variable(variables[i])) != entry.end();
      (shared ? shared_ : others_).push_back({variables[i], i});
    }
    for (const Tuple& row : rows) {
      Tuple key;
      for (const auto& [variable, place] : shared_) key.push_back(row[place]);
      index_[std::move(key)].push_back(&row);
    }
  }
  bool each(const Tuple& tuple, std::size_t& steps, const std::function<bool(const Known&)>& f) const {
    Known known;
    if (!take(known, entry_, tuple)) return true;
    Tuple key;
    for (const auto& [variable, place] : shared_) key.push_back(known.at(variable));
    const auto found = index_.find(key);
    if (found == index_.end()) return true;
    for (const Tuple* row : found->second) {
      if (++steps > kLiftedLimits.bound_joins) return false;
      for (const auto& [variable, place] : others_) known[variable] = (*row)[place];
      if (!f(known)) return false;
    }
    return true;
  }

 private:
  const std::vector<Pattern>& entry_;
  std::vector<std::pair<std::uint32_t, std::size_t>> shared_, others_;
  std::map<Tuple, std::vector<const Tuple*>> index_;
};

}  // namespace

// Projects the static literals whose variables are bound by positive ones or by the recursive literal. Skipping the
// others only allows more tuples. Null if a variable is unbound.
std::optional<Implied::Step> Implied::step(const EngineRule& rule, std::optional<std::uint32_t> recursive,
                                           const std::set<std::uint32_t>& left_out, const std::set<std::uint32_t>& of) {
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
  const std::set<std::uint32_t> handed = recursive ? rule.body[*recursive].variables() : std::set<std::uint32_t>();
  Step result;
  for (const std::uint32_t v : of) {
    if (given.contains(v)) {
      result.variables.push_back(v);
    } else if (!handed.contains(v)) {
      return std::nullopt;
    }
  }
  const std::optional<Tuples> rows = joins_.project(rule, literals, result.variables);
  if (!rows) return std::nullopt;
  result.rows.assign(rows->begin(), rows->end());
  return result;
}

// An upper bound of the relation: its fixpoint if all conditions on the state were true.
std::optional<Implied::Tuples> Implied::bound(RelId relation) {
  struct Way {
    const EngineRule* rule;
    Step step;
    std::optional<Ways> ways;
  };
  std::vector<Way> first, steps;
  for (const EngineRule& rule : rules_) {
    if (rule.head.relation != relation) continue;
    const auto recursive = recursive_literal_of(rule);
    std::set<std::uint32_t> of = rule.head.variables();
    if (recursive) of.merge(rule.body[*recursive].variables());
    std::optional<Step> own = step(rule, recursive, {}, of);
    if (!own) return std::nullopt;
    (recursive ? steps : first).push_back({&rule, std::move(*own), {}});
  }
  static const std::vector<Pattern> nothing;
  for (Way& way : first) way.ways.emplace(nothing, way.step.variables, way.step.rows);
  for (Way& way : steps)
    way.ways.emplace(way.rule->body[*recursive_literal_of(*way.rule)].arguments, way.step.variables, way.step.rows);
  Tuples result;
  std::vector<Tuple> open;
  std::size_t count = 0;
  const auto derive = [&](const Way& way, const Tuple& from) {
    return way.ways->each(from, count, [&](const Known& known) {
      Tuple tuple;
      for (const Pattern p : way.rule->head.arguments)
        tuple.push_back(p.is_ground() ? p.term().value : known.at(p.number()));
      if (result.insert(tuple).second) open.push_back(std::move(tuple));
      return result.size() <= kLiftedLimits.bound_tuples;
    });
  };
  for (const Way& way : first)
    if (!derive(way, {})) return std::nullopt;
  while (!open.empty()) {
    check_wanted();
    const Tuple from = std::move(open.back());
    open.pop_back();
    for (const Way& way : steps)
      if (!derive(way, from)) return std::nullopt;
  }
  return result;
}

bool Implied::implies(const EngineRule& rule, std::uint32_t recursive, const std::set<std::uint32_t>& asked,
                      const Tuples& tuples) {
  std::set<std::uint32_t> of = rule.body[recursive].variables();
  for (const std::uint32_t i : asked) of.merge(rule.body[i].variables());
  const std::optional<Step> own = step(rule, recursive, asked, of);
  if (!own) return false;
  const Ways ways(rule.body[recursive].arguments, own->variables, own->rows);
  std::size_t count = 0;
  return std::ranges::all_of(tuples, [&](const Tuple& tuple) {
    return ways.each(tuple, count, [&](const Known& known) {
      Tuple row(rule.variables);
      for (const auto& [variable, value] : known) row[variable] = value;
      return std::ranges::all_of(asked, [&](std::uint32_t i) { return joins_.holds(rule.body[i], row); });
    });
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
