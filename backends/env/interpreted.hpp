// The rules for the batch engine over any Reasoner. Slower than a compiled reasoner's own rules, with the same results.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "backends/env/env.h"
// The engine follows the interface.
#include "backends/env/core.hpp"
#include "backends/env/env.hpp"
#include "backends/reasoner.hpp"

namespace rgtrans::env {

// Additional options that the C interface cannot express.
struct InterpretedOptions : rgtrans_env_options {
  const Reasoner* prototype = nullptr;
  const analysis::ActionSpace* space = nullptr;
  const Observation* shown = nullptr;
  const std::vector<std::string>* scores = nullptr;
};

const rgtrans_env& interpreted_functions();
// The position of a play in its record.
std::unique_ptr<Reasoner> position_of(const std::byte* record);

}  // namespace rgtrans::env
