// Questions that several goals ask, such as who has more stones, are asked once at the end of a game: recursion takes
// long, and a flag holds what it has found.
#pragma once

#include <vector>

#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

struct GoalQuestion {
  RelKey key;
  std::vector<std::uint32_t> arguments;
  auto operator<=>(const GoalQuestion&) const = default;
};

// Those about constants alone that rules of the goals ask more than once, for one role or for several, and that need
// recursion. Nobody asks for the least value of a goal.
[[nodiscard]] std::vector<GoalQuestion> asked_again(Model& model, RelId goal, TermId least);

}  // namespace rgtrans::gdl::lifted
