// Whose turn it is: a scalar fact whose value alone tells its next value, and under whose values roles are forced to a
// single move. Of several columns one tells that. Or several scalars of which exactly one always holds, as
// `placeControl` and `rotateControl`.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

struct Turns {
  struct Scalar {
    RelId relation;
    std::uint32_t column = 0;
  };
  struct Phase {
    std::vector<std::pair<std::size_t, std::uint32_t>> values;  // of the columns of scalars; none when there is none
    std::vector<std::optional<RelId>> forced;                   // per role the move, which has no arguments
    std::set<const LiftedRule*> never{};  // rules of `legal` that do not hold for the one who decides alone
  };
  std::vector<Scalar> scalars;  // none: one phase
  std::vector<Phase> phases;
  bool single = true;  // never does more than one role decide
};

// Where a move tells that a scalar holds the role that makes it, rules about the move say so from now on.
Turns find_turns(Model& model, const Dependencies& dependencies, bool keep_forced);

}  // namespace rgtrans::gdl::lifted
