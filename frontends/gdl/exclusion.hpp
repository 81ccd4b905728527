// Facts that exclude each other: proposed by random playouts, proved by induction over the steps. Facts of one functor
// that agree in some arguments form a group when in no reachable state two of them hold.
#pragma once

#include <vector>

#include "frontends/gdl/groups.hpp"

namespace rgtrans::gdl {

// `groups` are those known so far, first the ones with a rule for the successor; they and their numbers stay.
std::vector<FactGroup> find_exclusions(const GroundProgram& program, const Network& network,
                                       const std::vector<FactGroup>& groups, const TurnStructure& turns);

}  // namespace rgtrans::gdl
