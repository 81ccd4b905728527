#include "frontends/gdl/lifted/joins.hpp"

#include <algorithm>
#include <string>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"
#include "core/support/truth.hpp"
#include "frontends/gdl/lifted/flatten.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

bool StaticJoins::fixed(const EngineLiteral& literal) const {
  if (literal.kind != RelationInfo::Kind::ordinary || literal.derived) return false;
  return !literal.relation.valid() || !u_.info(literal.relation).dynamic;
}

// The static literals of one body.
class StaticJoins::Body {
 public:
  Body(StaticJoins& joins, EngineRule& rule, RelId at, const Values& values)
      : joins_(joins), rule_(rule), at_(at), values_(values), inner_(rule.variables, true), owners_(rule.variables) {
    const auto outside = [&](const EngineLiteral& literal) {
      for (const std::uint32_t v : literal.variables()) inner_[v] = false;
    };
    outside(rule.head);
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
      if (joins.fixed(rule.body[i]))
        fixed_.push_back(i);
      else
        outside(rule.body[i]);
    }
    for (const std::uint32_t i : fixed_) {
      if (!is_at(i)) continue;
      inner_[rule.body[i].arguments[0].number()] = false;
      for (const Pattern p : rule.body[i].arguments)
        if (inner(p)) owners_[p.number()].push_back(i);
    }
  }

  // False if the rule never holds.
  bool join() {
    find_units();
    find_subjects();
    join_owners();
    std::vector<EngineLiteral> made;
    std::set<std::uint32_t> kept;
    for (const Subject& subject : subjects_) {
      const Truth holds = relate(subject, made);
      if (holds == Truth::no) return false;
      if (holds == Truth::yes) continue;
      for (const Unit& unit : units_)
        if (includes(subject, unit.about)) kept.insert(unit.literals.begin(), unit.literals.end());
      keep_shared(subject, kept);
    }
    // Literals that stay need the literals of their coordinates.
    for (const std::uint32_t i : std::set(kept))
      for (const Pattern p : rule_.body[i].arguments)
        if (inner(p)) kept.insert(owners_[p.number()].begin(), owners_[p.number()].end());
    std::vector<EngineLiteral> body;
    for (std::uint32_t i = 0; i < rule_.body.size(); ++i)
      if (!joins_.fixed(rule_.body[i]) || kept.contains(i)) body.push_back(rule_.body[i]);
    body.insert(body.end(), made.begin(), made.end());
    rule_.body = std::move(body);
    return true;
  }

 private:
  using Subject = std::set<std::uint32_t>;  // variables
  struct Unit {
    std::set<std::uint32_t> literals;
    Subject about;
  };

  [[nodiscard]] bool is_at(std::uint32_t literal) const { return rule_.body[literal].relation == at_; }
  [[nodiscard]] bool inner(Pattern p) const { return p.is_variable() && inner_[p.number()]; }
  [[nodiscard]] std::uint32_t owner(std::uint32_t at) const { return rule_.body[at].arguments[0].number(); }
  static bool includes(const Subject& whole, const Subject& part) { return std::ranges::includes(whole, part); }

  // Groups literals that share a variable without a cell into units.
  void find_units() {
    std::vector<std::uint32_t> rest = fixed_;
    while (!rest.empty()) {
      std::vector<std::uint32_t> part = {rest.back()};
      rest.pop_back();
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto shares = [&](std::uint32_t other) {
          return std::ranges::any_of(rule_.body[other].arguments, [&](Pattern p) {
            return inner(p) && owners_[p.number()].empty() && rule_.body[part[i]].mentions(p);
          });
        };
        std::ranges::copy_if(std::vector(rest), std::back_inserter(part), shares);
        std::erase_if(rest, shares);
      }
      Unit& unit = units_.emplace_back();
      unit.literals.insert(part.begin(), part.end());
      unit.about = about(part);
    }
  }

  // The outer variables, and one cell for each coordinate; prefers a cell that is mentioned anyway.
  [[nodiscard]] Subject about(const std::vector<std::uint32_t>& literals) const {
    Subject result;
    std::vector<std::uint32_t> shared;
    for (const std::uint32_t i : literals) {
      for (const Pattern p : rule_.body[i].arguments) {
        if (p.is_variable() && !inner(p)) result.insert(p.number());
        if (!inner(p) || is_at(i) || owners_[p.number()].empty()) continue;
        if (owners_[p.number()].size() == 1)
          result.insert(owner(owners_[p.number()][0]));
        else
          shared.push_back(p.number());
      }
    }
    for (const std::uint32_t v : shared) {
      const auto there = [&](std::uint32_t at) { return result.contains(owner(at)); };
      if (std::ranges::none_of(owners_[v], there)) result.insert(owner(owners_[v][0]));
    }
    return result;
  }

  // A condition on a subset of the variables joins the unit that covers the larger set.
  void find_subjects() {
    for (const Unit& unit : units_) {
      if (std::ranges::any_of(subjects_, [&](const Subject& s) { return includes(s, unit.about); })) continue;
      std::erase_if(subjects_, [&](const Subject& s) { return includes(unit.about, s); });
      subjects_.push_back(unit.about);
    }
  }

  // Cells that share a coordinate are connected by a common subject; adds one if necessary.
  void join_owners() {
    for (const std::vector<std::uint32_t>& ats : owners_) {
      if (ats.size() < 2) continue;
      std::vector<Subject> parts;
      for (const std::uint32_t at : ats) parts.push_back({owner(at)});
      const auto unite = [&](std::uint32_t a, std::uint32_t b) {
        const auto part = [&](std::uint32_t v) {
          return std::ranges::find_if(parts, [&](const Subject& s) { return s.contains(v); });
        };
        if (part(a) == part(b)) return false;
        Subject moved = *part(b);
        parts.erase(part(b));
        part(a)->merge(moved);
        return true;
      };
      for (const Subject& subject : subjects_)
        for (const std::uint32_t a : ats)
          for (const std::uint32_t b : ats)
            if (subject.contains(owner(a)) && subject.contains(owner(b))) unite(owner(a), owner(b));
      for (std::size_t i = 1; i < ats.size(); ++i)
        if (unite(owner(ats[i - 1]), owner(ats[i]))) subjects_.push_back({owner(ats[i - 1]), owner(ats[i])});
    }
    std::erase_if(subjects_, [&](const Subject& s) {
      return std::ranges::any_of(subjects_, [&](const Subject& o) { return o.size() > s.size() && includes(o, s); });
    });
  }

  // Keeps the literals of cells of the subject that share a coordinate: without a relation, only they say so.
  void keep_shared(const Subject& subject, std::set<std::uint32_t>& kept) const {
    for (const std::vector<std::uint32_t>& ats : owners_) {
      std::vector<std::uint32_t> shared = ats;
      std::erase_if(shared, [&](std::uint32_t at) { return !subject.contains(owner(at)); });
      if (shared.size() > 1) kept.insert(shared.begin(), shared.end());
    }
  }

  // Replaces all conditions on the subject by one literal. No: the rule never holds. Unknown: the literals stay,
  // because the relation would be too large or needs no change.
  Truth relate(const Subject& subject, std::vector<EngineLiteral>& made) {
    std::set<std::uint32_t> literals;
    for (const Unit& unit : units_)
      if (includes(subject, unit.about)) literals.insert(unit.literals.begin(), unit.literals.end());
    const bool old = literals.size() == 1 &&
                     std::ranges::none_of(rule_.body[*literals.begin()].arguments, [&](Pattern p) { return inner(p); });
    if (old) return Truth::unknown;
    for (const std::uint32_t i : fixed_)
      if (is_at(i) && subject.contains(owner(i))) literals.insert(i);
    if (std::ranges::none_of(literals, [&](std::uint32_t i) { return is_at(i); })) return Truth::unknown;
    const Tuple variables(subject.begin(), subject.end());
    const auto tuples = project(literals, variables);
    if (!tuples) return Truth::unknown;
    if (tuples->empty()) return Truth::no;
    if (auto literal = joins_.about(variables, *tuples, values_, name_of(literals)))
      made.push_back(std::move(*literal));
    return Truth::yes;
  }

  // Negated literals need bound variables, so state-dependent literals provide the values.
  [[nodiscard]] std::optional<std::set<Tuple>> project(std::set<std::uint32_t> literals, const Tuple& variables) {
    std::set<std::uint32_t> given;
    for (const std::uint32_t i : literals)
      if (!rule_.body[i].negated && rule_.body[i].relation.valid()) given.merge(rule_.body[i].variables());
    EngineRule rule = rule_.unplanned();
    for (const std::uint32_t v : variables) {
      if (given.contains(v) || !values_[v]) continue;
      std::set<Tuple> values;
      for (const std::uint32_t term : *values_[v]) values.insert({term});
      literals.insert(static_cast<std::uint32_t>(rule.body.size()));
      rule.body.push_back(joins_.literal_of({v}, values, "can_be"));
    }
    return joins_.project(rule, literals, variables);
  }

  [[nodiscard]] std::string name_of(const std::set<std::uint32_t>& literals) const {
    std::string name;
    std::set<RelId> seen;
    for (const std::uint32_t i : literals) {
      const RelId relation = rule_.body[i].relation;
      if (!relation.valid() || is_at(i) || rule_.body[i].arguments.size() < 2 || !seen.insert(relation).second)
        continue;
      const PredId predicate = joins_.u_.info(relation).predicate;
      name += (name.empty() ? "" : "_") + joins_.program_.symbols.str(joins_.program_[predicate].name);
      if (seen.size() == 2) break;
    }
    return name.empty() ? "are" : name;
  }

  StaticJoins& joins_;
  EngineRule& rule_;
  RelId at_;
  const Values& values_;
  std::vector<bool> inner_;                         // variables that only static literals mention, except cells
  std::vector<std::vector<std::uint32_t>> owners_;  // by variable: the literals that relate it to its cells
  std::vector<std::uint32_t> fixed_;
  std::vector<Unit> units_;
  std::vector<Subject> subjects_;
};

bool StaticJoins::join(EngineRule& rule, RelId at, const Values& values) {
  check_wanted();
  if (std::ranges::none_of(rule.body, [&](const EngineLiteral& l) { return l.relation == at; })) return true;
  return Body(*this, rule, at, values).join();
}

const Domain* StaticJoins::possible(RelId relation, std::uint32_t column) {
  if (u_.domains->wanted_whole(relation)) return &u_.domains->column(relation, column);
  if (!all_ || first_of_all_ != u_.first) {
    all_ = std::make_unique<Domains>(u_.engine(), u_.first, Domains::Whole::all);
    first_of_all_ = u_.first;
  }
  if (!all_->usable() || !all_->complete()) return nullptr;
  all_->add_relations();
  return &all_->column(relation, column);
}

StaticJoins::Values StaticJoins::given(const EngineRule& rule) {
  Values result(rule.variables);
  for (const EngineLiteral& literal : rule.body) {
    if (literal.negated || !literal.relation.valid() || fixed(literal)) continue;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      const Domain* const domain = p.is_variable() ? possible(literal.relation, c) : nullptr;
      if (domain == nullptr || !domain->only_constants()) continue;
      std::set<std::uint32_t> values(domain->constants().begin(), domain->constants().end());
      auto& known = result[p.number()];
      if (known) std::erase_if(values, [&](std::uint32_t t) { return !known->contains(t); });
      known = std::move(values);
    }
  }
  return result;
}

// The tuples within the values of the variables; null if some variable has no known values.
std::optional<std::set<StaticJoins::Tuple>> StaticJoins::given(const Tuple& variables, const std::set<Tuple>& tuples,
                                                               const Values& values) {
  if (std::ranges::any_of(variables, [&](std::uint32_t v) { return !values[v]; })) return std::nullopt;
  std::set<Tuple> result = tuples;
  std::erase_if(result, [&](const Tuple& tuple) {
    for (std::size_t i = 0; i < tuple.size(); ++i)
      if (!values[variables[i]]->contains(tuple[i])) return true;
    return false;
  });
  return result;
}

bool StaticJoins::trivial(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values) {
  const auto found = given(variables, tuples, values);
  double all = 1;
  for (const std::uint32_t v : variables) all *= values[v] ? static_cast<double>(values[v]->size()) : 0;
  return found && static_cast<double>(found->size()) == all;
}

// The tuples are exactly those with two different values.
bool StaticJoins::unequal(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values) {
  const auto found = given(variables, tuples, values);
  if (!found || variables.size() != 2) return false;
  const std::set<std::uint32_t>& a = *values[variables[0]];
  const std::set<std::uint32_t>& b = *values[variables[1]];
  const auto equal = static_cast<std::size_t>(std::ranges::count_if(a, [&](std::uint32_t t) { return b.contains(t); }));
  return found->size() == a.size() * b.size() - equal &&
         std::ranges::none_of(*found, [](const Tuple& t) { return t[0] == t[1]; });
}

std::optional<EngineRule> StaticJoins::unite(const EngineRule& a, const EngineRule& b, const Values& values) const {
  if (a.body.size() != b.body.size() || a.head.relation != b.head.relation || a.head.arguments != b.head.arguments ||
      a.head.derived != b.head.derived)
    return std::nullopt;
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    const EngineLiteral& x = a.body[i];
    const EngineLiteral& y = b.body[i];
    if (x.kind != y.kind || x.negated != y.negated || x.derived != y.derived || x.arguments != y.arguments)
      return std::nullopt;
    if (x.relation == y.relation) continue;
    if (place || !tuples_.contains(x.relation) || !tuples_.contains(y.relation)) return std::nullopt;
    place = i;
  }
  if (!place) return std::nullopt;
  std::set<Tuple> tuples = *tuples_.at(a.body[*place].relation);
  const std::set<Tuple>& others = *tuples_.at(b.body[*place].relation);
  tuples.insert(others.begin(), others.end());
  Tuple variables;
  for (const Pattern p : a.body[*place].arguments) variables.push_back(p.number());
  if (!unequal(variables, tuples, values)) return std::nullopt;
  EngineRule rule = a.unplanned();
  rule.body[*place].relation = {};
  return rule;
}

EngineLiteral StaticJoins::literal_of(const Tuple& variables, const std::set<Tuple>& tuples, const std::string& name) {
  const auto [it, fresh] = relations_.try_emplace({variables.size(), tuples});
  if (fresh) {
    reached("lifted", "joins");
    const PredId predicate = program_.predicate(fresh_symbol(program_, name),
                                                static_cast<std::uint32_t>(variables.size()), Keyword::none, {});
    it->second = u_.engine().ordinary(predicate, false);
    for (const Tuple& tuple : tuples) u_.engine().insert(it->second, tuple.data());
    tuples_[it->second] = &it->first.second;
  }
  EngineLiteral literal;
  literal.relation = it->second;
  for (const std::uint32_t v : variables) literal.arguments.push_back(Pattern::variable(v));
  return literal;
}

std::optional<std::set<StaticJoins::Tuple>> StaticJoins::project(const EngineRule& rule,
                                                                 const std::set<std::uint32_t>& literals,
                                                                 const Tuple& variables) {
  std::vector<Pattern> arguments;
  for (const std::uint32_t v : variables) arguments.push_back(Pattern::variable(v));
  Effort effort("joins of static relations", kLiftedEfforts.join, limits::effort);
  return project(rule, literals, arguments, effort);
}

std::optional<std::set<StaticJoins::Tuple>> StaticJoins::project(const EngineRule& rule,
                                                                 const std::set<std::uint32_t>& literals,
                                                                 const std::vector<Pattern>& arguments, Effort& effort,
                                                                 const EngineLiteral* given,
                                                                 const std::set<Tuple>& tuples) {
  EngineRule join;
  join.variables = rule.variables;
  join.head.arguments = arguments;
  for (const std::uint32_t i : literals) join.body.push_back(rule.body[i]);
  RelId scratch;
  if (given != nullptr) {
    const auto [it, fresh] = scratch_.try_emplace(given->arguments.size());
    if (fresh) it->second = u_.engine().ordinary(program_.auxiliary(static_cast<std::uint32_t>(it->first), {}), false);
    scratch = it->second;
    for (const Tuple& tuple : tuples) u_.engine().insert(scratch, tuple.data());
    EngineLiteral& literal = join.body.emplace_back();
    literal.relation = scratch;
    literal.arguments = given->arguments;
  }
  auto found = u_.engine().query(join, effort);
  if (scratch.valid()) u_.info(scratch).tuples->clear();
  if (found && found->size() > kLiftedLimits.joined_tuples) found.reset();
  return found;
}

std::optional<EngineLiteral> StaticJoins::about(const Tuple& variables, const std::set<Tuple>& tuples,
                                                const Values& values, const std::string& name) {
  if (variables.empty() || trivial(variables, tuples, values)) return std::nullopt;
  if (!unequal(variables, tuples, values)) return literal_of(variables, tuples, name);
  EngineLiteral literal;
  for (const std::uint32_t v : variables) literal.arguments.push_back(Pattern::variable(v));
  return literal;
}

bool StaticJoins::holds(const EngineLiteral& literal, std::span<const std::uint32_t> row) const {
  Tuple values;
  for (const Pattern p : literal.arguments) values.push_back(p.is_ground() ? p.term().value : row[p.number()]);
  if (!literal.relation.valid()) return (values[0] != values[1]) != literal.negated;
  return (u_.info(literal.relation).tuples->find(values.data()) != kNone) != literal.negated;
}

}  // namespace rgtrans::gdl::lifted
