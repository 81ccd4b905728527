// What a long conversion is doing. A supervisor that ends it from outside can say how far it came.
#pragma once

#include <functional>
#include <string>

#include "core/support/source.hpp"

namespace rgtrans {

// Gets each phase in words ("grounding, 3000000 rules so far") and, where there is one, the place in the text that is
// being worked on.
using PhaseListener = std::function<void(const std::string& phase, Range where)>;

// Who listens on this thread; nobody at first.
void listen_to_phases(PhaseListener listener);
void tell_phase(const std::string& phase, Range where = {});

}  // namespace rgtrans
