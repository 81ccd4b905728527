// What several passes ask about nodes and steps.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Where a walk begins or ends: such a node cannot be replaced by what is around it.
ByNode<char> fixed_nodes(const FlowGraph& flow);
// The ends among them.
ByNode<char> fixed_ends(const FlowGraph& flow);

// Asks one thing about the state, and can be asked the other way round.
bool is_plain_test(const FlowStep& step);

// The same step, wherever it stands in the text.
bool same_step(const FlowStep& a, const FlowStep& b);

}  // namespace rgtrans::rbg
