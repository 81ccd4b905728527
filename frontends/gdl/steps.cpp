#include "frontends/gdl/steps.hpp"

#include <fmt/format.h>

namespace rgtrans::gdl {

int goal_of(const std::string& text) {
  const std::optional<int> value = goal_number(text);
  if (!value) throw Error(fmt::format("the goal value '{}' is no number", text), "goals are numbers from 0 to 100");
  return *value;
}

}  // namespace rgtrans::gdl
