// A game that was compiled for a device, as it is loaded into this process.
#pragma once

#include <memory>

#include "backends/cuda/cuda.hpp"
#include "backends/cuda/device.h"

namespace rgtrans::cuda {

inline constexpr const char* kWayOut = "the engine \"cpp\" plays the same game on the processor";

struct DeviceLibrary {
  std::shared_ptr<void> library;  // unloaded with the last copy
  const rgtrans_device* functions = nullptr;
};

// Builds and loads. Throws Error where either fails.
DeviceLibrary load_library(const ir::Game& game, Target target);

}  // namespace rgtrans::cuda
