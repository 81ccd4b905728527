// Removes static literals that a recursion entails. In
//
//   slide(C, D) <- step(C, E), not taken(E), slide(E, D), same_row(C, D)
//
// all tuples of `slide` are in one row, and E is in the row of C, so the test of D's row is redundant. After that the
// recursive literal can be the last one of the rule, or the recursion can run from its end.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "frontends/gdl/lifted/joins.hpp"

namespace rgtrans::gdl::lifted {

class Implied {
 public:
  Implied(StaticJoins& joins, std::vector<EngineRule>& rules) : joins_(joins), rules_(rules) {}

  // Removes such literals from the rules; returns whether there were any.
  bool drop();

 private:
  using Tuple = StaticJoins::Tuple;
  using Tuples = std::set<Tuple>;

  [[nodiscard]] std::optional<Tuples> join(const EngineRule& rule, const EngineLiteral* recursive, const Tuples& tuples,
                                           const std::set<std::uint32_t>& left_out,
                                           const std::vector<Pattern>& arguments, Effort& effort);
  [[nodiscard]] std::optional<Tuples> bound(RelId relation);
  bool drop(EngineRule& rule, std::uint32_t recursive, const Tuples& tuples);
  [[nodiscard]] bool implies(const EngineRule& rule, std::uint32_t recursive, const std::set<std::uint32_t>& asked,
                             const Tuples& tuples);

  StaticJoins& joins_;
  std::vector<EngineRule>& rules_;
};

}  // namespace rgtrans::gdl::lifted
