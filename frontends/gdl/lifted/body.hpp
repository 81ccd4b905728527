// The body of a rule while it is planned or written, and its plan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontends/gdl/lifted/tables.hpp"

namespace rgtrans::gdl::lifted {

// An argument of a derived relation: the caller knows it, nobody needs it, or the relation computes it.
enum class ArgumentUse : std::uint8_t { known, ignored, result };

struct BodyState {
  const LiftedRule* rule = nullptr;
  std::vector<std::optional<Value>> values{};         // per variable
  std::vector<std::uint32_t> open{};                  // literals still to be written
  std::set<std::uint32_t> absent{};                   // literals of `open` that mean: no fact has this key
  std::vector<bool> wanted{};                         // variables that are used after the body
  std::map<std::uint32_t, const Register*> places{};  // the register that a variable should use
  std::set<ir::VarId> busy{};                         // registers in use
  std::string pool{};                                 // of the registers
  std::size_t region = 0;                             // the check or walk that contains the body

  void want(Pattern p) {
    if (p.is_variable()) wanted[p.number()] = true;
  }
  void want(const std::vector<Pattern>& all) {
    for (const Pattern p : all) want(p);
  }
  [[nodiscard]] bool known(Pattern p) const { return p.is_ground() || values[p.number()].has_value(); }
  [[nodiscard]] bool all_known(const EngineLiteral& literal) const {
    return std::ranges::all_of(literal.arguments, [&](Pattern p) { return known(p); });
  }
  [[nodiscard]] std::size_t occurrences(std::uint32_t variable) const {
    std::size_t count = wanted[variable] ? 1 : 0;
    for (const std::uint32_t i : open)
      count += static_cast<std::size_t>(std::ranges::count(rule->rule->body[i].arguments, Pattern::variable(variable)));
    return count;
  }
  // No other argument uses the unbound variable.
  [[nodiscard]] bool singleton(Pattern p) const {
    return p.is_variable() && !known(p) && occurrences(p.number()) == 1 && !wanted[p.number()];
  }
  // Of each variable: unbound, bound, or bound to a constant.
  [[nodiscard]] std::vector<std::uint8_t> bindings() const {
    std::vector<std::uint8_t> result;
    for (const std::optional<Value>& value : values) result.push_back(!value ? 0 : value->constant ? 2 : 1);
    return result;
  }
  // An existence test of these literals.
  [[nodiscard]] BodyState apart(const std::vector<std::uint32_t>& literals) const {
    BodyState result = *this;
    result.open = literals;
    result.wanted.assign(wanted.size(), false);
    return result;
  }
};

struct PlanNode {
  enum class Kind : std::uint8_t { test, key_lookup, range_scan, choose, call, exists, not_exists };
  Kind kind = Kind::test;
  std::uint32_t index = kNone;           // the literal, or the variable to choose
  double values = 1;                     // that a choice tries
  std::vector<std::uint32_t> apart{};    // the literals of an existence test of its own
  std::vector<PlanNode> inside{};        // their plan
  std::vector<std::uint32_t> open{};     // literals to write behind it
  std::vector<std::uint8_t> bindings{};  // of the variables behind it: BodyState::bindings()
};
// The order of the literals of a body, decided before a walk is written.
using BodyPlan = std::vector<PlanNode>;

}  // namespace rgtrans::gdl::lifted
