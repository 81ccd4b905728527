// The interpreter as the optimizer plays it when it compares what its passes make of a game.
#pragma once

#include "core/passes/passes.hpp"

namespace rgtrans {

// A move is written with what those players see of it who do not see all.
[[nodiscard]] passes::Engine lockstep_engine();

}  // namespace rgtrans
