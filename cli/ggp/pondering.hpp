// Work between the questions of a host, in a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "core/support/clock.hpp"
#include "core/support/following.hpp"

namespace rgtrans::cli::ggp {

[[nodiscard]] inline double seconds_until(Clock::time_point until) {
  return std::chrono::duration<double>(until - Clock::now()).count();
}

class Pondering {
 public:
  Pondering() = default;
  ~Pondering();
  Pondering(const Pondering&) = delete;
  Pondering& operator=(const Pondering&) = delete;

  // Ends the work before. `work` throws nothing, and ends soon after it has seen that it is to stop; `interrupt` makes
  // it look, and is called again where it came too early.
  void start(std::function<void(const Following& following)> work, std::function<void()> interrupt);
  // Ends the work, from any thread.
  void stop();
  // Waits until the work has ended, in any thread.
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool working_ = false;
  std::uint32_t stop_ = 0;
  std::function<void()> interrupt_;
  std::thread thread_;
};

}  // namespace rgtrans::cli::ggp
