// Work between the questions of a host, in a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "backends/search/search.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::cli::ggp {

[[nodiscard]] inline double seconds_until(Clock::time_point until) {
  return std::chrono::duration<double>(until - Clock::now()).count();
}

class Pondering {
 public:
  struct Work {
    std::function<void(const Following& following)> run;  // throws nothing
    // Makes it look at `following` soon; may come too early, and is called again then. May be null.
    std::function<void()> interrupt;
    explicit operator bool() const { return run != nullptr; }
  };

  Pondering() = default;
  ~Pondering();
  Pondering(const Pondering&) = delete;
  Pondering& operator=(const Pondering&) = delete;

  // Ends the work before.
  void start(Work work);
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

// Searches below a position until then, or until its value is proven. The tree keeps everything.
Pondering::Work search_on(std::shared_ptr<search::TreeSearch> tree, std::shared_ptr<Reasoner> position,
                          unsigned threads, Clock::time_point until);

}  // namespace rgtrans::cli::ggp
