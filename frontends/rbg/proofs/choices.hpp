// Where several walks of the same owner are possible at once.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Sound: what is left out is never open twice.
struct Choices {
  // Steps out of one node that may be possible in the same state and then lead to different ones. Ways that meet again
  // after tests alone do not count.
  std::vector<std::vector<EdgeId>> rivals;
  // Steps to one of several places, more than one of which may do.
  std::vector<EdgeId> places;
};
// At the nodes that are wanted.
Choices open_choices(const Description& description, Relations& relations, const FlowGraph& flow,
                     const ByNode<char>& wanted);

}  // namespace rgtrans::rbg
