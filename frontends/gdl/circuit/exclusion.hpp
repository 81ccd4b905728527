// Mutually exclusive facts: random playouts propose candidates, and an induction over the steps proves them. Facts of
// one functor that agree in some arguments form a group if no two of them hold in one reachable state.
//
// Example: (cell 1 1 x), (cell 1 1 o) and (cell 1 1 b) agree in the first two arguments, the key of their group.
#pragma once

#include <string>
#include <vector>

#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// Violations of well-formedness that the playouts met. `stuck`: per role, the moves after which it had no legal move
// before the end ("" if never). The others: per role, missing or multiple goal values at the end.
struct PlayoutFindings {
  std::vector<std::string> stuck;
  std::vector<bool> no_goal, several_goals;
};

struct ExclusiveAtoms {
  std::vector<FactGroup> groups;
  std::vector<DerivedGroups> derived;  // unproved
};

// `groups` are those known so far, deterministic ones first. They keep their numbers.
ExclusiveAtoms find_exclusions(const GroundProgram& program, const Network& network,
                               const std::vector<FactGroup>& groups, const TurnStructure& turns,
                               const DerivedLimits& limits, PlayoutFindings& findings);

}  // namespace rgtrans::gdl
