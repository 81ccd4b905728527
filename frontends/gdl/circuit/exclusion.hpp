// Facts that exclude each other: proposed by random playouts, proved by induction over the steps. Facts of one functor
// that agree in some arguments form a group when in no reachable state two of them hold.
#pragma once

#include <string>
#include <vector>

#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// What the playouts saw on the way that no well-formed game has: per role, after which moves it had none though the
// game was not over ("" for never), and whether at the end it had no goal value or several.
struct PlayoutFindings {
  std::vector<std::string> stuck;
  std::vector<bool> no_goal, several_goals;
};

struct ExclusiveAtoms {
  std::vector<FactGroup> groups;
  std::vector<DerivedGroups> derived;  // nothing is proved about them
};

// `groups` are those known so far, first the ones with a rule for the successor; they and their numbers stay.
ExclusiveAtoms find_exclusions(const GroundProgram& program, const Network& network,
                               const std::vector<FactGroup>& groups, const TurnStructure& turns,
                               const DerivedLimits& limits, PlayoutFindings& findings);

}  // namespace rgtrans::gdl
