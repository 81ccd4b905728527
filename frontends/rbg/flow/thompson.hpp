// The Thompson construction: converts the rules to a flow graph. A run of shift patterns becomes a single step.
#pragma once

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// The main part starts at flow.begin. Equal patterns are built once.
FlowGraph build_flow(const Description& description, Relations& relations);

}  // namespace rgtrans::rbg
