// Properties of nodes and steps that several passes use.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Nodes where a walk begins or ends. They cannot be merged with their neighbours.
ByNode<char> fixed_nodes(const FlowGraph& flow);
// Nodes where a walk ends.
ByNode<char> fixed_ends(const FlowGraph& flow);

// Whether the step tests a single property of the state and can be negated.
bool is_plain_test(const FlowStep& step);

// Whether the steps are equal, ignoring their place in the text.
bool same_step(const FlowStep& a, const FlowStep& b);

}  // namespace rgtrans::rbg
