// Lanes where there are no threads: the owner of the module does their work step by step.
#pragma once

namespace rgtrans::ide {

// Does the first thing that waits in the newest lane with work. Lanes that were made later come first, as their work is
// what others wait for: the front lane of the language service before its checks, these before whole conversions.
bool step_lanes();

}  // namespace rgtrans::ide
