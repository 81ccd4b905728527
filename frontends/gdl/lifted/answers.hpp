// Goal conditions that several rules share, such as a comparison of stones, are evaluated once at the end of a game if
// they need recursion. A flag stores the result.
#pragma once

#include <vector>

#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

struct GoalQuestion {
  RelKey key;
  std::vector<std::uint32_t> arguments;
  auto operator<=>(const GoalQuestion&) const = default;
};

// The conditions without free variables that rules for goals share, for one role or for several, and that need
// recursion. Rules for the least goal value do not count, because it is the default.
[[nodiscard]] std::vector<GoalQuestion> shared_conditions(Model& model, RelId goal, TermId least);

}  // namespace rgtrans::gdl::lifted
