// The Thompson construction: from the rules to a flow graph. Runs of shift patterns become one step each.
#pragma once

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// The rules from flow.begin; each pattern once.
FlowGraph build_flow(const Description& description, Relations& relations);

}  // namespace rgtrans::rbg
