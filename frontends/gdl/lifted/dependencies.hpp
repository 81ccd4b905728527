// Functional dependencies of facts: proposed from the initial state, proved together by induction over the steps.
#pragma once

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

// For each needed fact the first of its candidates that is proved, if there is one.
Dependencies find_dependencies(Model& model);

}  // namespace rgtrans::gdl::lifted
