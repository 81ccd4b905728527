// Finds nodes where several walks of the same mover may be possible at once.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Sound: choices that are not listed are never open.
struct Choices {
  // Groups of steps out of one node that may be possible in the same state and lead to different states. Walks that
  // meet again after tests alone are not rivals.
  std::vector<std::vector<EdgeId>> rivals;
  // Steps to one of several places where more than one place may lead on.
  std::vector<EdgeId> places;
};
// Analyses the nodes marked in `wanted`.
Choices open_choices(const Description& description, Relations& relations, const FlowGraph& flow,
                     const ByNode<char>& wanted);

}  // namespace rgtrans::rbg
