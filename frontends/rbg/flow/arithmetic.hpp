// Arithmetic of the rules: the possible values of an expression, and its value for given operands. Integers are
// mathematical ones; an undefined result (division by zero, more than 63 bits) makes the action impossible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/support/interval.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

std::optional<std::int64_t> apply(Arith kind, std::int64_t left, std::int64_t right);
bool holds(Comparison relation, std::int64_t left, std::int64_t right);

class Arithmetic {
 public:
  explicit Arithmetic(const Description& description);

  // The largest value of a variable (players first).
  [[nodiscard]] std::int64_t largest(std::uint32_t variable) const { return largest_[variable]; }
  // Whether the rules assign only constants to the variable, or nothing.
  [[nodiscard]] bool only_constants(std::uint32_t variable) const { return only_constants_[variable] != 0; }
  // The constants that the rules assign to the variable.
  [[nodiscard]] const std::vector<std::int64_t>& constants(std::uint32_t variable) const {
    return constants_[variable];
  }

  // The range of the expression where it is defined; none if it is always undefined or the bounds overflow.
  [[nodiscard]] std::optional<Interval> interval(ArithId id) const;
  // Whether some part of the expression may divide by zero or overflow.
  [[nodiscard]] bool may_be_undefined(ArithId id) const;
  // Appends the distinct variables and pieces in the expression, in order of occurrence.
  void leaves(ArithId id, std::vector<ArithId>& list) const;
  [[nodiscard]] std::optional<std::int64_t> evaluate(ArithId id, const std::vector<ArithId>& leaves,
                                                     std::span<const std::int64_t> values) const;
  [[nodiscard]] std::optional<std::int64_t> constant(ArithId id) const;

 private:
  const Description& d_;
  std::vector<std::int64_t> largest_;
  std::vector<char> only_constants_;
  std::vector<std::vector<std::int64_t>> constants_;
};

}  // namespace rgtrans::rbg
