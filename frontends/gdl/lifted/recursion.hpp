// Linear recursion: each rule has at most one recursive literal. The relation can be computed forwards from the tuples
// of its non-recursive rules.
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
    std::uint32_t recursive_literal;  // index in its body
  };
  std::vector<const LiftedRule*> first;  // non-recursive rules
  std::vector<Step> steps;
  std::vector<bool> kept;  // columns that no step changes
};

std::optional<Recursion> recursion_of(const Model& model, RelKey relation);
// Forward evaluation terminates: no sequence of steps returns to an earlier tuple.
bool ends(Model& model, const Recursion& recursion);
// The pairs of values in two columns that the static literals allow; null if these do not bound them.
using TermPairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
std::optional<TermPairs> possible_pairs(Model& model, const Recursion& recursion, std::size_t a, std::size_t b);

}  // namespace rgtrans::gdl::lifted
