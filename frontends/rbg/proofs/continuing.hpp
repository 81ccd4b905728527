// Proofs that walks cannot get stuck.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// By node: 1 if some walk leads on in every state that can reach the node. The goal is a switch for nodes of the main
// part, and the end of the pattern for nodes of a pattern. Sound but incomplete.
ByNode<char> surely_continuing(const Description& description, const Relations& relations, const FlowGraph& flow);
// The same with a given result of `analyse`.
ByNode<char> surely_continuing(const Description& description, const Relations& relations, const FlowGraph& flow,
                               const Knowledge& knowledge);

}  // namespace rgtrans::rbg
