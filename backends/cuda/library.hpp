// A game compiled for a device and loaded into this process.
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

// Builds and loads the library. Throws Error on failure.
DeviceLibrary load_library(const ir::Game& game, Target target);

}  // namespace rgtrans::cuda
