// Relations that ask themselves at most once in each of their rules: what holds is found by going forwards from what
// the rules without recursion derive.
#pragma once

#include <optional>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

struct Recursion {
  struct Step {
    const LiftedRule* rule;
    std::uint32_t again;  // the literal that asks the relation itself
  };
  std::vector<const LiftedRule*> first;  // rules without recursion
  std::vector<Step> steps;
  std::vector<bool> kept;  // columns that no step changes
};

std::optional<Recursion> recursion_of(const Model& model, RelKey relation);
// No way forwards ever comes back to where it was.
bool ends(Model& model, const Recursion& recursion);

}  // namespace rgtrans::gdl::lifted
