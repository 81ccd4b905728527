// Proofs that a walk cannot get stuck.
#pragma once

#include <vector>

#include "frontends/rbg/flow.hpp"

namespace rgtrans::rbg {

// For every node of the main part: 1 when in every state in which it can be reached some walk leads on to a switch.
// For nodes of patterns: to the end of the pattern. Sound, not complete.
std::vector<char> surely_continuing(const Description& description, Relations& relations, const Flow& flow);

// In patterns only it matters whether the end can be reached: nodes that surely lead there go there at once.
void shorten_patterns(const Description& description, Relations& relations, Flow& flow);

// Where several walks of the same owner are possible at once. Sound: what is left out is never open twice.
struct Choices {
  // Steps out of one node that may be possible in the same state and then lead to different ones. Ways that meet again
  // after tests alone do not count.
  std::vector<std::vector<EdgeId>> rivals;
  // Steps to one of several places, more than one of which may do.
  std::vector<EdgeId> places;
};
Choices open_choices(const Description& description, Relations& relations, const Flow& flow,
                     const std::vector<char>& wanted);

}  // namespace rgtrans::rbg
