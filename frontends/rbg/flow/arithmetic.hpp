// Arithmetic of the rules: which values an expression can take, and its value for given operands. Mathematical
// integers; what is undefined (division by zero, more than 63 bits) makes an action impossible.
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

  // The largest value that a variable (players first) ever has.
  [[nodiscard]] std::int64_t largest(std::uint32_t variable) const { return largest_[variable]; }
  // All assignments of the rules to that variable are constants (or there is none).
  [[nodiscard]] bool only_constants(std::uint32_t variable) const { return only_constants_[variable] != 0; }
  // The constants assigned to it.
  [[nodiscard]] const std::vector<std::int64_t>& constants(std::uint32_t variable) const {
    return constants_[variable];
  }

  // Values that the expression can have where it is defined; none when it never is (or the bounds overflow).
  [[nodiscard]] std::optional<Interval> interval(ArithId id) const;
  // Distinct variables and pieces in it, in order of occurrence.
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
