// Proofs that a walk cannot get stuck.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// For every node of the main part: 1 when in every state in which it can be reached some walk leads on to a switch.
// For nodes of patterns: to the end of the pattern. Sound, not complete.
ByNode<char> surely_continuing(const Description& description, const Relations& relations, const FlowGraph& flow);
// The same with what `analyse` said.
ByNode<char> surely_continuing(const Description& description, const Relations& relations, const FlowGraph& flow,
                               const Knowledge& knowledge);

}  // namespace rgtrans::rbg
