// Whose turn it is: a scalar fact whose value alone tells its next value, and under whose values roles are forced to a
// single move. Of several columns one tells that.
#pragma once

#include <optional>

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

struct Turns {
  struct Phase {
    std::vector<std::uint32_t> values;         // of the scalar's column; none when there is no scalar
    std::vector<std::optional<RelId>> forced;  // per role the move, which has no arguments
  };
  RelId scalar;  // none: one phase
  std::uint32_t column = 0;
  std::vector<Phase> phases;
  bool single = true;  // never does more than one role decide
};

// Where a move tells that the scalar holds the role that makes it, rules about the move say so from now on.
Turns find_turns(Model& model, const Dependencies& dependencies, bool keep_forced);

}  // namespace rgtrans::gdl::lifted
