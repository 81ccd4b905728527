#include "frontends/gdl/lifted/alike.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using Kind = RelationInfo::Kind;
using Tuple = StaticJoins::Tuple;
using Tuples = std::set<Tuple>;
using Values = StaticJoins::Values;

// A rule with its variables renumbered in the order of occurrence: in the head, in state-dependent literals, and in
// static literals, which come last.
struct Canonical {
  EngineRule rule;
  std::uint32_t outer = 0;  // variables that also occur outside static literals
  std::size_t dynamic = 0;  // number of dynamic literals
};

class Alike {
 public:
  Alike(Program& program, Unground& unground, OpenRules& open)
      : program_(program), u_(unground), joins_(open.joins), open_(open), changed_(open.changed) {}

  void simplify_tables() {
    for (EngineRule& rule : open_.rules) rule = simpler(std::move(rule));
  }
  void merge_rules() {
    for (const EngineRule& rule : open_.rules) rules_.push_back(canonical(rule));
    join_rules();
    write_back();
  }
  void merge_roles(const std::function<bool()>& one_moves) {
    for (EngineRule& rule : open_.rules) rules_.push_back(measured(std::move(rule)));
    join_roles(one_moves);
    write_back();
  }

 private:
  // A static relation other than `distinct`, of analysable size.
  [[nodiscard]] bool table(const EngineLiteral& literal) const {
    return literal.relation.valid() && joins_.fixed(literal) &&
           u_.info(literal.relation).tuples->size() <= kLiftedLimits.table_rows;
  }

  [[nodiscard]] std::string name_of(const EngineLiteral& literal) const {
    if (!literal.relation.valid()) return "are";
    return program_.symbols.str(program_[u_.info(literal.relation).predicate].name);
  }

  // --- Static relations. ---

  EngineRule simpler(EngineRule rule) {
    check_wanted();
    for (std::size_t i = 0; i < rule.body.size(); ++i)
      while (drop_column(rule, i)) {
        changed_ = true;
        reached("lifted", "alike: a column apart");
      }
    while (join_determining(rule)) {
      changed_ = true;
      reached("lifted", "alike: told together");
    }
    return rule;
  }

  // Splits off an independent column: its values and the other columns form a Cartesian product.
  bool drop_column(EngineRule& rule, std::size_t i) {
    const EngineLiteral literal = rule.body[i];
    if (literal.negated || !table(literal) || literal.arguments.size() < 2) return false;
    const Relation& tuples = *u_.info(literal.relation).tuples;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      if (!p.is_variable() || std::ranges::count(literal.arguments, p) > 1) continue;
      std::set<std::uint32_t> values;
      Tuples rest;
      for (std::uint32_t r = 0; r < tuples.size(); ++r) {
        Tuple row(tuples.row(r), tuples.row(r) + tuples.arity());
        values.insert(row[c]);
        row.erase(row.begin() + c);
        rest.insert(std::move(row));
      }
      if (values.size() * rest.size() != tuples.size()) continue;
      std::vector<Pattern> others = literal.arguments;
      others.erase(others.begin() + c);
      rule.body[i] = joins_.literal_of(Tuple(others.size()), rest, name_of(literal));
      rule.body[i].arguments = others;
      Tuples alone;
      for (const std::uint32_t v : values) alone.insert({v});
      const auto mentions = [&](const EngineLiteral& l) { return l.mentions(p); };
      if (!mentions(rule.head) && std::ranges::none_of(rule.body, mentions)) return true;
      if (auto own = joins_.about({p.number()}, alone, joins_.given(rule), name_of(literal))) rule.body.push_back(*own);
      return true;
    }
    return false;
  }

  // The other columns determine the variable.
  [[nodiscard]] bool determines(const EngineLiteral& literal, std::uint32_t variable) const {
    std::vector<std::uint32_t> key, value;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
      (literal.arguments[c] == Pattern::variable(variable) ? value : key).push_back(c);
    return gdl::determines(rows_of(*u_.info(literal.relation).tuples), key, value);
  }

  // Finds a literal whose variables determine another variable only jointly with further literals, and joins them all
  // into one table.
  bool join_determining(EngineRule& rule) {
    const auto asks = [&](std::size_t i) { return !rule.body[i].negated && table(rule.body[i]); };
    for (std::size_t whole = 0; whole < rule.body.size(); ++whole) {
      const std::set<std::uint32_t> own = rule.body[whole].variables();
      if (!asks(whole) || own.size() < 2) continue;
      for (std::uint32_t v = 0; v < rule.variables; ++v) {
        if (own.contains(v)) continue;
        std::set<std::uint32_t> literals = {static_cast<std::uint32_t>(whole)};
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
          std::set<std::uint32_t> about = rule.body[i].variables();
          if (!asks(i) || about.erase(v) == 0 || !std::ranges::includes(own, about)) continue;
          literals.insert(determines(rule.body[i], v) ? static_cast<std::uint32_t>(rule.body.size()) : i);
        }
        if (literals.size() < 3 || literals.contains(static_cast<std::uint32_t>(rule.body.size()))) continue;
        if (replace(rule, literals, own, v)) return true;
      }
    }
    return false;
  }

  bool replace(EngineRule& rule, const std::set<std::uint32_t>& literals, const std::set<std::uint32_t>& own,
               std::uint32_t determined) {
    Tuple variables(own.begin(), own.end());
    variables.push_back(determined);
    const auto tuples = joins_.project(rule, literals, variables);
    if (!tuples || tuples->empty() || tuples->size() > kLiftedLimits.table_rows) return false;
    if (const auto last = static_cast<std::uint32_t>(own.size());
        !gdl::determines(*tuples, columns_without(variables.size(), last), {last}))
      return false;
    EngineLiteral made = joins_.literal_of(variables, *tuples, name_of(rule.body[*literals.begin()]));
    for (auto it = literals.rbegin(); it != literals.rend(); ++it) rule.body.erase(rule.body.begin() + *it);
    rule.body.push_back(std::move(made));
    return true;
  }

  // --- Rules. ---

  Canonical canonical(const EngineRule& old) {
    std::vector<Pattern> names(old.variables);
    std::vector<bool> met(old.variables);
    std::uint32_t count = 0;
    const auto meet = [&](const EngineLiteral& l) {
      for (const Pattern p : l.arguments) {
        if (!p.is_variable() || met[p.number()]) continue;
        met[p.number()] = true;
        names[p.number()] = Pattern::variable(count++);
      }
    };
    Canonical result{old.unplanned()};
    std::vector<EngineLiteral>& body = result.rule.body;
    std::stable_partition(body.begin(), body.end(), [&](const EngineLiteral& l) { return !joins_.fixed(l); });
    meet(result.rule.head);
    for (const EngineLiteral& l : result.rule.body) {
      if (joins_.fixed(l)) break;
      meet(l);
      ++result.dynamic;
    }
    result.outer = count;
    for (const EngineLiteral& l : result.rule.body) meet(l);
    Rule& source = u_.source_like(*old.source, 0);
    source.variables.assign(count, SymbolId(0U));
    for (std::uint32_t v = 0; v < old.variables; ++v)
      if (met[v] && v < old.source->variables.size()) source.variables[names[v].number()] = old.source->variables[v];
    result.rule.for_each_literal([&](EngineLiteral& l) {
      for (Pattern& p : l.arguments)
        if (p.is_variable()) p = names[p.number()];
    });
    result.rule.variables = count;
    result.rule.source = &source;
    return result;
  }

  // The same for a rule that is already in this form.
  [[nodiscard]] Canonical measured(EngineRule rule) const {
    Canonical result{std::move(rule)};
    std::uint32_t outer = 0;
    const auto look = [&](const EngineLiteral& l) {
      for (const Pattern p : l.arguments)
        if (p.is_variable()) outer = std::max(outer, p.number() + 1);
    };
    look(result.rule.head);
    for (; result.dynamic < result.rule.body.size() && !joins_.fixed(result.rule.body[result.dynamic]);
         ++result.dynamic)
      look(result.rule.body[result.dynamic]);
    result.outer = outer;
    return result;
  }

  void write_back() {
    open_.rules.clear();
    for (Canonical& c : rules_) open_.rules.push_back(std::move(c.rule));
  }

  // Equal up to constants.
  static bool alike(const EngineLiteral& a, const EngineLiteral& b) {
    const auto fits = [](Pattern p, Pattern q) { return p == q || (p.is_ground() && q.is_ground()); };
    return a.relation == b.relation && a.kind == b.kind && a.negated == b.negated && a.derived == b.derived &&
           std::ranges::equal(a.arguments, b.arguments, fits);
  }
  static bool alike(const Canonical& a, const Canonical& b) {
    return a.dynamic == b.dynamic && a.outer == b.outer && alike(a.rule.head, b.rule.head) &&
           std::equal(a.rule.body.begin(), a.rule.body.begin() + static_cast<std::ptrdiff_t>(a.dynamic),
                      b.rule.body.begin(), [](const auto& x, const auto& y) { return alike(x, y); });
  }

  void join_rules() {
    if (rules_.size() > kLiftedLimits.compared_rules) return;
    std::vector<Canonical> done;
    for (Canonical& next : rules_) {
      bool joined = false;
      for (Canonical& known : done) {
        if (!alike(known, next)) continue;
        auto both = join(known, next);
        if (!both) continue;
        known = canonical(*both);
        changed_ = joined = true;
        reached("lifted", "alike: rules");
        break;
      }
      if (!joined) done.push_back(std::move(next));
    }
    rules_ = std::move(done);
  }

  // One rule for two with equal state-dependent parts.
  std::optional<EngineRule> join(const Canonical& a, const Canonical& b) {
    const auto differs = [](const Canonical& x, const Canonical& y) {
      return x.rule.head != y.rule.head ||
             !std::equal(x.rule.body.begin(), x.rule.body.begin() + static_cast<std::ptrdiff_t>(x.dynamic),
                         y.rule.body.begin());
    };
    if (differs(a, b)) return std::nullopt;
    const std::vector<EngineLiteral> mine = own_of(a, b);
    const std::vector<EngineLiteral> others = own_of(b, a);
    if (mine.empty()) return a.rule;
    if (others.empty()) return b.rule;
    std::set<std::uint32_t> about = outer_of(a, mine);
    const std::set<std::uint32_t> also = outer_of(b, others);
    const bool same_variables = about == also;
    about.insert(also.begin(), also.end());
    const Values values = joins_.given(a.rule);
    const auto bound = [&](std::uint32_t v) { return values[v].has_value(); };
    if (about.empty() || about.size() > kLiftedLimits.merged_columns) return std::nullopt;
    const bool all_bound = std::ranges::all_of(about, bound);
    if (!same_variables && !all_bound) return std::nullopt;
    const Tuple variables(about.begin(), about.end());
    auto tuples = allowed(a, mine, variables);
    const auto more = tuples ? allowed(b, others, variables) : std::nullopt;
    if (!more) return std::nullopt;
    if (!all_bound && functional(*tuples) && functional(*more)) return std::nullopt;
    tuples->insert(more->begin(), more->end());
    if (tuples->empty() || tuples->size() > kLiftedLimits.merged_tuples) return std::nullopt;
    EngineRule result = a.rule;
    std::erase_if(result.body, [&](const EngineLiteral& l) { return std::ranges::count(mine, l) > 0; });
    if (auto literal = joins_.about(variables, *tuples, values, name_of(mine[0]))) result.body.push_back(*literal);
    return result;
  }

  // The other columns determine one of several columns.
  static bool functional(const Tuples& tuples) {
    const std::size_t columns = tuples.empty() ? 0 : tuples.begin()->size();
    for (std::uint32_t c = 0; columns > 1 && c < columns; ++c)
      if (gdl::determines(tuples, columns_without(columns, c), {c})) return true;
    return false;
  }

  // The static literals that the other rule lacks.
  static std::vector<EngineLiteral> own_of(const Canonical& c, const Canonical& other) {
    const auto first = static_cast<std::ptrdiff_t>(c.dynamic);
    std::vector<EngineLiteral> result(c.rule.body.begin() + first, c.rule.body.end());
    std::erase_if(result, [&](const EngineLiteral& l) {
      return std::ranges::all_of(l.variables(), [&](std::uint32_t v) { return v < c.outer; }) &&
             std::find(other.rule.body.begin() + first, other.rule.body.end(), l) != other.rule.body.end();
    });
    return result;
  }
  static std::set<std::uint32_t> outer_of(const Canonical& c, const std::vector<EngineLiteral>& literals) {
    std::set<std::uint32_t> result;
    for (const EngineLiteral& l : literals)
      for (const std::uint32_t v : l.variables())
        if (v < c.outer) result.insert(v);
    return result;
  }

  // The tuples of the variables that the literals allow. A variable that they do not bind ranges over its domain in the
  // rule.
  std::optional<Tuples> allowed(const Canonical& c, const std::vector<EngineLiteral>& literals,
                                const Tuple& variables) {
    EngineRule rule = c.rule.unplanned();
    rule.body = literals;
    u_.domains->add_relations();
    const std::vector<Domain> domains = u_.domains->variables(c.rule);
    double combinations = 1;
    for (const std::uint32_t v : variables) {
      const bool given = std::ranges::any_of(literals, [&](const EngineLiteral& l) {
        return !l.negated && l.relation.valid() && l.variables().contains(v);
      });
      if (given) continue;
      const Domain& domain = domains[v];
      if (!domain.only_constants()) return std::nullopt;
      combinations *= static_cast<double>(domain.constants().size());
      Tuples values;
      for (const std::uint32_t t : domain.constants()) values.insert({t});
      rule.body.push_back(joins_.literal_of({v}, values, "can_be"));
    }
    if (combinations > kLiftedLimits.unbound_combinations) return std::nullopt;
    std::set<std::uint32_t> all;
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) all.insert(i);
    return joins_.project(rule, all, variables);
  }

  // --- Roles. ---

  // The role whose move a rule for `next` reads.
  [[nodiscard]] std::optional<TermId> mover(const Canonical& c) const {
    if (!c.rule.head.derived) return std::nullopt;
    for (const EngineLiteral& l : c.rule.body)
      if (l.kind == Kind::move && !l.derived && !l.negated && l.relation.valid() && l.arguments[0].is_ground())
        return l.arguments[0].term();
    return std::nullopt;
  }

  // Merges rules that are equal up to constants, one per role.
  void join_roles(const std::function<bool()>& one_moves) {
    if (rules_.size() > kLiftedLimits.compared_rules) return;
    bool asked = false;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto role = mover(rules_[i]);
      if (!role) continue;
      std::vector<std::size_t> group = {i};
      std::set<std::uint32_t> roles = {role->value};
      for (std::size_t j = i + 1; j < rules_.size(); ++j) {
        const auto other = alike(rules_[i], rules_[j]) ? mover(rules_[j]) : std::nullopt;
        if (other && roles.insert(other->value).second) group.push_back(j);
      }
      if (group.size() < 2) continue;
      if (!std::exchange(asked, true) && !one_moves()) return;
      auto both = for_all(group);
      if (!both) continue;
      rules_[i] = canonical(*both);
      reached("lifted", "alike: roles");
      for (auto it = group.rbegin(); *it != i; ++it) rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(*it));
      changed_ = true;
    }
  }

  // Generalises the constants in which the rules differ to variables, and binds these by a table, together with the
  // static conditions of each rule.
  std::optional<EngineRule> for_all(const std::vector<std::size_t>& group) {
    EngineRule result = rules_[group[0]].rule.unplanned();
    std::map<Tuple, std::uint32_t> variables;  // by the constants of the rules
    const auto generalise = [&](auto literal_of_rule) {
      EngineLiteral& literal = literal_of_rule(result);
      for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
        Tuple constants;
        for (const std::size_t i : group)
          if (const Pattern p = literal_of_rule(rules_[i].rule).arguments[c]; p.is_ground())
            constants.push_back(p.term().value);
        if (constants.empty() || std::ranges::count(constants, constants[0]) == std::ssize(constants)) continue;
        const auto [it, fresh] = variables.try_emplace(constants, result.variables);
        if (fresh) ++result.variables;
        literal.arguments[c] = Pattern::variable(it->second);
      }
    };
    generalise([](EngineRule& rule) -> EngineLiteral& { return rule.head; });
    for (std::size_t i = 0; i < rules_[group[0]].dynamic; ++i)
      generalise([&](EngineRule& rule) -> EngineLiteral& { return rule.body[i]; });
    Rule& source = u_.raw.variants.emplace_back(*result.source);
    source.variables.resize(result.variables, program_.symbols.intern("?of_role"));
    result.source = &source;
    Tuple columns, movers;
    std::vector<Tuple> rows(group.size());
    for (const auto& [constants, variable] : variables) {
      columns.push_back(variable);
      for (std::size_t k = 0; k < group.size(); ++k) rows[k].push_back(constants[k]);
    }
    // The role variable, for which no two rules have the same constant.
    for (const std::size_t i : group) movers.push_back(mover(rules_[i])->value);
    const auto own = variables.find(movers);
    if (own == variables.end() || !add_own(result, group, own->second, columns, rows)) return std::nullopt;
    if (auto literal = joins_.about(columns, Tuples(rows.begin(), rows.end()), joins_.given(result), "of_role"))
      result.body.push_back(*literal);
    return result;
  }

  // Adds the static literals of the individual rules, by role.
  bool add_own(EngineRule& result, const std::vector<std::size_t>& group, std::uint32_t role, const Tuple& columns,
               const std::vector<Tuple>& rows) {
    std::vector<std::vector<EngineLiteral>> own;
    std::set<std::uint32_t> about;
    bool same_variables = true;
    for (const std::size_t i : group) {
      own.emplace_back();
      for (const std::size_t j : group)
        for (const EngineLiteral& l : own_of(rules_[i], rules_[j]))
          if (std::ranges::count(own.back(), l) == 0) own.back().push_back(l);
      const std::set<std::uint32_t> outer = outer_of(rules_[i], own.back());
      same_variables = same_variables && (own.size() == 1 || outer == about);
      about.insert(outer.begin(), outer.end());
    }
    if (std::ranges::all_of(own, [](const auto& list) { return list.empty(); })) return true;
    const Values values = joins_.given(result);
    const auto bound = [&](std::uint32_t v) { return values[v].has_value(); };
    if (about.size() >= kLiftedLimits.merged_columns || (!same_variables && !std::ranges::all_of(about, bound)))
      return false;
    Tuple variables(about.begin(), about.end());
    const auto place = static_cast<std::size_t>(std::ranges::find(columns, role) - columns.begin());
    Tuples tuples;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const auto allowed_here = allowed(rules_[group[k]], own[k], variables);
      if (!allowed_here) return false;
      for (Tuple tuple : *allowed_here) {
        tuple.push_back(rows[k][place]);
        tuples.insert(std::move(tuple));
      }
    }
    if (tuples.empty() || tuples.size() > kLiftedLimits.merged_tuples) return false;
    std::erase_if(result.body, [&](const EngineLiteral& l) { return std::ranges::count(own[0], l) > 0; });
    variables.push_back(role);
    const auto named = std::ranges::find_if(own, [](const auto& list) { return !list.empty(); });
    if (auto literal = joins_.about(variables, tuples, values, name_of(named->front())))
      result.body.push_back(*literal);
    return true;
  }

  Program& program_;
  Unground& u_;
  StaticJoins& joins_;
  OpenRules& open_;
  bool& changed_;
  std::vector<Canonical> rules_;
};

}  // namespace

void simplify_tables(Program& program, Unground& unground, OpenRules& open) {
  Alike(program, unground, open).simplify_tables();
}

void merge_rules(Program& program, Unground& unground, OpenRules& open) {
  Alike(program, unground, open).merge_rules();
}

void merge_roles(Program& program, Unground& unground, OpenRules& open, const std::function<bool()>& one_moves) {
  Alike(program, unground, open).merge_roles(one_moves);
}

}  // namespace rgtrans::gdl::lifted
