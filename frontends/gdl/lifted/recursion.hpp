// Relations that ask themselves at most once in each of their rules: what holds is found by going forwards from what
// the rules without recursion derive.
#pragma once

#include <optional>
#include <set>
#include <utility>
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
// The pairs of values that static relations alone allow in two columns; none where they do not tell that.
using TermPairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
std::optional<TermPairs> possible_pairs(Model& model, const Recursion& recursion, std::size_t a, std::size_t b);

}  // namespace rgtrans::gdl::lifted
