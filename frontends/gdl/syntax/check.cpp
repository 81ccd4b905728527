// Static checks that need the whole program: roles, dependencies, safety, arities.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/support/letters.hpp"
#include "frontends/gdl/syntax/predicate_graph.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

namespace {

class Checker {
 public:
  Checker(Program& program, Diagnostics& diagnostics, Range asked)
      : program_(program), diagnostics_(diagnostics), asked_(asked) {}

  void run() {
    roles();
    if (!diagnostics_.has_errors()) suspect(program_, diagnostics_);
    drop_unneeded();
    safety();
    dependencies();
    arities();
    undefined();
  }

 private:
  [[nodiscard]] Keyword keyword(PredId id) const { return program_[id].keyword; }
  [[nodiscard]] std::string name(PredId id) const { return program_.symbols.str(program_[id].name); }

  void roles() {
    for (const Rule& rule : program_.rules) {
      if (keyword(rule.head.predicate) == Keyword::role)
        diagnostics_.error(rule.where, "roles must be given by facts", "write (role name) for each role");
    }
    for (const Fact& fact : program_.facts) {
      if (keyword(fact.predicate) != Keyword::role) continue;
      const TermId role = program_.arguments(fact)[0];
      if (std::ranges::find(program_.roles, role) == program_.roles.end()) program_.roles.push_back(role);
      const std::string text = lower_case(program_.symbols.text(program_.patterns.terms.symbol(role)));
      if (text == "random" && program_.patterns.terms.arity(role) == 0)
        program_.random = program_.patterns.terms.symbol(role);
    }
    if (program_.facts.empty() && program_.rules.empty()) {
      diagnostics_.error({}, "the description is empty",
                         "a game needs at least a role, legal moves and a terminal condition");
    } else if (program_.roles.empty() && !diagnostics_.has_errors()) {
      diagnostics_.error({}, "the description has no role", "add (role name)");
    }
    const auto defined = [&](Keyword k) {
      const PredId id = program_.find_keyword(k);
      return id.valid() && program_[id].defined;
    };
    if (diagnostics_.has_errors()) return;
    if (!defined(Keyword::legal)) diagnostics_.warning({}, "no rule defines 'legal': nobody can ever move");
    if (!defined(Keyword::terminal)) diagnostics_.warning({}, "no rule defines 'terminal': the game never ends");
  }

  enum class Direction : std::uint8_t { to_heads, to_bodies };

  // Extends a set of predicates to everything that is reachable through rules in the given direction.
  void close(std::vector<bool>& set, Direction direction) const {
    const PredicateGraph graph(program_);
    const auto root = [&](PredId p) { return set[p.value]; };
    set = direction == Direction::to_bodies ? graph.needed_by(root) : graph.depending_on(root);
  }

  // Removes the rules on which neither a keyword nor a rule in the range `asked_` depends, safe or not.
  void drop_unneeded() {
    std::vector<bool> needed(program_.predicates.size());
    for (std::size_t p = 0; p < needed.size(); ++p) {
      switch (program_.predicates[p].keyword) {
        case Keyword::role:
        case Keyword::init:
        case Keyword::next:
        case Keyword::legal:
        case Keyword::goal:
        case Keyword::terminal:
        case Keyword::sees:
          needed[p] = true;
          break;
        default:
          break;
      }
    }
    for (const Rule& rule : program_.rules)
      if (rule.where.begin >= asked_.begin && rule.where.begin < asked_.end) needed[rule.head.predicate.value] = true;
    close(needed, Direction::to_bodies);
    std::erase_if(program_.rules, [&](const Rule& rule) {
      const bool drop = !needed[rule.head.predicate.value];
      if (drop && !unsafe_variables(rule).empty()) {
        diagnostics_.warning(
            rule.where, fmt::format("'{}' is never used, and this rule for it is not safe", name(rule.head.predicate)),
            "the rule is left out");
      }
      return drop;
    });
    std::erase_if(program_.facts, [&](const Fact& fact) { return !needed[fact.predicate.value]; });
    needed_ = std::move(needed);
  }

  template <class F>
  void for_each_variable(const Literal& literal, F&& f) const {
    for (const Pattern p : literal.arguments) program_.patterns.for_each_variable(p, f);
  }

  [[nodiscard]] bool binds(const Literal& literal) const {
    return !literal.negated && keyword(literal.predicate) != Keyword::distinct;
  }

  [[nodiscard]] std::set<std::uint32_t> unsafe_variables(const Rule& rule) const {
    std::set<std::uint32_t> open;
    for_each_variable(rule.head, [&](std::uint32_t v) { open.insert(v); });
    for (const Literal& literal : rule.body) for_each_variable(literal, [&](std::uint32_t v) { open.insert(v); });
    for (const Literal& literal : rule.body)
      if (binds(literal)) for_each_variable(literal, [&](std::uint32_t v) { open.erase(v); });
    return open;
  }

  // Safety: a positive literal must bind every variable. A variable that occurs in tests only still has a meaning: the
  // rule abbreviates its instances with all terms.
  void safety() {
    const std::size_t count = program_.rules.size();
    for (std::size_t r = 0; r < count; ++r) {
      for (const std::uint32_t v : unsafe_variables(program_.rules[r])) {
        if (settle_free(program_.rules[r], v)) continue;
        const Rule& rule = program_.rules[r];
        diagnostics_.error(
            place_of(rule, v),
            fmt::format("variable ?{} of the rule for '{}' is not bound by any positive sentence of the body",
                        program_.symbols.text(rule.variables[v]), name(rule.head.predicate)),
            "add a sentence that says which values it may take");
        if (diagnostics_.full()) return;
      }
    }
  }

  [[nodiscard]] Range place_of(const Rule& rule, std::uint32_t variable) const {
    Range place;
    const auto look = [&](const Literal& literal) {
      for_each_variable(literal, [&](std::uint32_t v) {
        if (v == variable && !place.known()) place = literal.where;
      });
    };
    look(rule.head);
    for (const Literal& literal : rule.body) look(literal);
    return place;
  }

  // Handles a variable that occurs in negated literals and `distinct` only. With function symbols there are infinitely
  // many terms and the tests exclude finitely many, so they hold for some value in every state and are removed. Without
  // function symbols, the variable ranges over the constants.
  bool settle_free(Rule& rule, std::uint32_t variable) {
    const auto occurs = [&](const Literal& literal) {
      return std::ranges::any_of(literal.arguments, [&](Pattern p) { return program_.patterns.occurs(variable, p); });
    };
    if (occurs(rule.head)) return false;
    const auto test = std::ranges::find_if(rule.body, occurs);
    if (test == rule.body.end()) return true;  // removed together with another variable's tests
    diagnostics_.warning(test->where,
                         fmt::format("variable ?{} occurs in tests only, which hold for some value in every state",
                                     program_.symbols.text(rule.variables[variable])),
                         "they are left out; to say that there is no such value, negate a relation that is defined "
                         "without the variable");
    if (infinitely_many_terms()) {
      std::erase_if(rule.body, occurs);
      return true;
    }
    Literal any;
    any.predicate = constants();
    any.arguments = {Pattern::variable(variable)};
    any.where = test->where;
    rule.body.push_back(std::move(any));
    return true;
  }

  [[nodiscard]] bool infinitely_many_terms() const {
    if (program_.patterns.compound_count() > 0) return true;
    const Terms& terms = program_.patterns.terms;
    for (std::uint32_t t = 0; t < terms.size(); ++t)
      if (terms.arity(TermId(t)) > 0) return true;
    return false;
  }

  // The relation of all constants in the description.
  PredId constants() {
    if (constants_.valid()) return constants_;
    constants_ = program_.auxiliary(1, {});
    for (std::uint32_t t = 0; t < program_.patterns.terms.size(); ++t) {
      program_.facts.push_back({constants_, static_cast<std::uint32_t>(program_.fact_arguments.size()), {}});
      program_.fact_arguments.emplace_back(t);
    }
    return constants_;
  }

  // The predicates that depend on `from` through rules.
  std::vector<bool> dependents(std::initializer_list<Keyword> from) {
    std::vector<bool> result(program_.predicates.size());
    for (std::size_t p = 0; p < result.size(); ++p)
      result[p] = std::ranges::find(from, program_.predicates[p].keyword) != from.end();
    close(result, Direction::to_heads);
    return result;
  }

  void dependencies() {
    const std::vector<bool> on_state = dependents(
        {Keyword::fact, Keyword::does, Keyword::legal, Keyword::next, Keyword::goal, Keyword::terminal, Keyword::sees});
    const std::vector<bool> on_move = dependents({Keyword::does});
    for (const Rule& rule : program_.rules) {
      const Keyword k = keyword(rule.head.predicate);
      const bool early = k == Keyword::init || k == Keyword::role;
      const bool before_move = k == Keyword::legal || k == Keyword::goal || k == Keyword::terminal;
      if (!early && !before_move) continue;
      for (const Literal& literal : rule.body) {
        if (early && on_state[literal.predicate.value]) {
          diagnostics_.error(
              literal.where,
              fmt::format("'{}' depends on the state through '{}'", name(rule.head.predicate), name(literal.predicate)),
              "the initial state is known before any state");
        }
        if (before_move && on_move[literal.predicate.value]) {
          diagnostics_.error(
              literal.where,
              fmt::format("'{}' depends on 'does' through '{}'", name(rule.head.predicate), name(literal.predicate)),
              "it is evaluated before anybody moves");
        }
        if (diagnostics_.full()) return;
      }
    }
  }

  void arities() {
    std::map<SymbolId, PredId> first;
    std::set<SymbolId> reported;
    for (std::uint32_t p = 0; p < program_.predicates.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      if (predicate.keyword != Keyword::none || !needed(p)) continue;
      const auto [it, fresh] = first.try_emplace(predicate.name, PredId(p));
      if (fresh || !reported.insert(predicate.name).second) continue;
      Diagnostic& warning = diagnostics_.warning(
          predicate.where,
          fmt::format("relation '{}' is used with {} and with {} arguments", program_.symbols.text(predicate.name),
                      program_[it->second].arity, predicate.arity),
          "they are taken for different relations");
      warning.notes.push_back({program_[it->second].where, "first used here"});
    }
  }

  void undefined() {
    std::vector<std::string_view> names = {"role", "true", "does", "distinct", "not"};
    for (const Predicate& p : program_.predicates)
      if (p.defined && p.keyword == Keyword::none) names.push_back(program_.symbols.text(p.name));
    for (std::uint32_t p = 0; p < program_.predicates.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      if (predicate.keyword != Keyword::none || predicate.defined || !needed(p)) continue;
      diagnostics_.warning(
          predicate.where,
          fmt::format("no fact or rule defines '{}'; it is always false", program_.describe(PredId(p))),
          did_you_mean(program_.symbols.text(predicate.name), names));
    }
  }

  [[nodiscard]] bool needed(std::uint32_t p) const { return p >= needed_.size() || needed_[p]; }

  Program& program_;
  Diagnostics& diagnostics_;
  Range asked_;
  std::vector<bool> needed_;
  PredId constants_;
};

}  // namespace

void check(Program& program, Diagnostics& diagnostics, Range asked) { Checker(program, diagnostics, asked).run(); }

}  // namespace rgtrans::gdl
