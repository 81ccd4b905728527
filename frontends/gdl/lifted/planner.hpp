// Plans the bodies of rules: the order of their literals as data, before a walk is written. planning.cpp decides the
// next step, plan.cpp makes lists of steps and prints them, and estimates.cpp simulates what is left.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/dependencies.hpp"
#include "frontends/gdl/lifted/recursion.hpp"
#include "frontends/gdl/lifted/static_tables.hpp"

namespace rgtrans::gdl::lifted {

class BodyPlanner {
 public:
  BodyPlanner(Model& model, const Dependencies& dependencies, Tables& tables, StaticTables& statics)
      : m_(model), t_(tables), s_(statics), derived_(model, dependencies) {}

  // The state before a body is planned. A procedure with results returns only to callers in the same region, so no
  // check can be left through it.
  [[nodiscard]] BodyState body_state(const LiftedRule& rule, std::size_t region);
  [[nodiscard]] BodyPlan plan_body(BodyState f);
  // The plans of all rules: of `legal` for a role, of `next` for its facts, of other rules as a test of their heads.
  [[nodiscard]] std::string plans(const Sources& sources);
  // One line for each node of the plan.
  [[nodiscard]] std::string plan_text(const LiftedRule& rule, const BodyPlan& plan, std::size_t indent = 1) const;
  // The next step; `none` at the end.
  struct Plan {
    enum class Kind : std::uint8_t { none, literal, choose } kind = Kind::none;
    std::uint32_t index = 0;       // of a literal, or of a variable
    std::uint32_t key_of = kNone;  // the fact whose key contains the variable
    bool operator==(const Plan&) const = default;
  };
  // A literal that needs no choice.
  [[nodiscard]] Plan ready(const BodyState& f);
  // The variables with which a plan for the rest of a body could begin.
  [[nodiscard]] std::vector<std::uint32_t> choosable(const BodyState& f);
  // The expected cost of the rest of the body if this variable is chosen next.
  [[nodiscard]] double expected_steps(const BodyState& f, std::uint32_t variable);
  // The expected cost of the rest of a body, and the number of walks that reach its end.
  struct Estimate {
    double walks = 1;
    double steps = 0;
  };
  [[nodiscard]] Estimate expected(const BodyState& f);
  // Binds the variable in a simulation; returns the number of its values if it was unbound.
  double suppose(BodyState& f, Pattern p);
  // After the arguments of this literal are bound, the rest of the body determines all of `what` without a choice.
  [[nodiscard]] bool determines(const LiftedRule& rule, std::uint32_t literal, const std::vector<Pattern>& what);
  // Functional dependency: in each state, `key` determines `values` in a derived relation.
  [[nodiscard]] bool determines(RelKey relation, const std::vector<std::uint32_t>& key,
                                const std::vector<std::uint32_t>& values) {
    return derived_.holds(relation, key, values);
  }
  [[nodiscard]] std::vector<ArgumentUse> uses_of(const BodyState& f, const EngineLiteral& literal) const;
  // A recursion to evaluate forwards, because its calls do not pass results on unchanged; null if it may not terminate.
  [[nodiscard]] const Recursion* forwards(RelKey key, const std::vector<ArgumentUse>& uses);

 private:
  [[nodiscard]] PlanNode node_of(const BodyState& f, const Plan& next);
  [[nodiscard]] PlanNode exists(const BodyState& f, std::vector<std::uint32_t> literals);
  // Binds the variables that a step of the plan binds.
  void assume(BodyState& f, const Plan& next);
  [[nodiscard]] std::vector<std::uint32_t> independent_literals(const BodyState& f) const;
  [[nodiscard]] std::vector<std::uint32_t> required_facts(const BodyState& f, std::uint32_t call);

  // --- The next step. ---
  [[nodiscard]] int readiness(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] Plan plan(const BodyState& f);
  [[nodiscard]] double choice_bits(const BodyState& f, std::uint32_t variable);
  [[nodiscard]] std::pair<double, double> choices(const BodyState& f, const EngineLiteral& literal,
                                                  std::uint32_t& variable);
  [[nodiscard]] bool callable(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] Plan greedy(const BodyState& f);
  [[nodiscard]] bool only_derived(const BodyState& f, Pattern p) const;
  [[nodiscard]] std::vector<Plan> options(const BodyState& f);
  [[nodiscard]] std::vector<Plan> calls_for_results(const BodyState& f);

  // --- Estimates. ---
  [[nodiscard]] Plan next_of(const BodyState& f, std::uint32_t key_of);
  [[nodiscard]] Estimate simulate(BodyState f, Plan next, double most);
  [[nodiscard]] Estimate of_literal(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] double share(RelId fact, std::uint32_t column, SortId values);
  [[nodiscard]] bool determines_results(RelKey key, const std::vector<ArgumentUse>& uses);
  [[nodiscard]] Estimate of_relation(RelKey key, const std::vector<ArgumentUse>& uses);
  [[nodiscard]] Estimate of_rule(const LiftedRule& rule, RelKey key, const std::vector<ArgumentUse>& uses);
  [[nodiscard]] double possible_results(RelKey key, const std::vector<ArgumentUse>& uses);
  [[nodiscard]] Estimate reached(RelKey key, const std::vector<ArgumentUse>& uses);
  [[nodiscard]] bool gives_results(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] bool few_results(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] std::pair<double, double> result_bits(const BodyState& f, const EngineLiteral& literal);

  Model& m_;
  Tables& t_;
  StaticTables& s_;
  DerivedDependencies derived_;
  std::map<std::pair<RelKey, std::vector<ArgumentUse>>, Estimate> estimates_;
  std::map<RelKey, std::optional<Recursion>> forwards_;  // that terminate
  std::map<std::tuple<RelId, std::uint32_t, SortId>, double> shares_;
};

}  // namespace rgtrans::gdl::lifted
