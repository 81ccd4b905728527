// Time that goes by, in seconds.
#pragma once

#include <chrono>

namespace rgtrans {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
[[nodiscard]] inline Clock::duration seconds_long(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace rgtrans
