// Static literals that recursion implies: in
//
//   slide(C, D) <- step(C, E), not taken(E), slide(E, D), same_row(C, D)
//
// all tuples of `slide` lie in one row, and E lies in the row of C, so nobody has to ask for the row of D. Then the
// recursion is the last thing that the rule does, or can be followed from its end.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "frontends/gdl/lifted/joins.hpp"

namespace rgtrans::gdl::lifted {

class Implied {
 public:
  Implied(StaticJoins& joins, std::vector<EngineRule>& rules) : joins_(joins), rules_(rules) {}

  // Takes such literals out of the rules; whether there were any.
  bool drop();

 private:
  using Tuple = StaticJoins::Tuple;
  using Tuples = std::set<Tuple>;
  // What the static literals of a rule allow the variables that its head and its recursive literal mention.
  struct Step {
    Tuple variables;
    std::vector<Tuple> rows;
  };

  [[nodiscard]] std::optional<Step> step(const EngineRule& rule, std::optional<std::uint32_t> again,
                                         const std::set<std::uint32_t>& left_out, const std::set<std::uint32_t>& of);
  [[nodiscard]] std::optional<Tuples> bound(RelId relation);
  bool drop(EngineRule& rule, std::uint32_t again, const Tuples& tuples);
  [[nodiscard]] bool implies(const EngineRule& rule, std::uint32_t again, const std::set<std::uint32_t>& asked,
                             const Tuples& tuples);

  StaticJoins& joins_;
  std::vector<EngineRule>& rules_;
};

}  // namespace rgtrans::gdl::lifted
