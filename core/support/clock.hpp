// Elapsed time and processor time, in seconds.
#pragma once

#include <chrono>
#include <ctime>

namespace rgtrans {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
[[nodiscard]] inline Clock::duration seconds_long(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Processor time of all threads of this process.
[[nodiscard]] inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace rgtrans
