// A thread that does one thing after the other. Work has a key: newer work takes the place of older work with the same
// key, whether that still waits or is already being done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace rgtrans::ide {

// Thrown by work that notices that nobody wants it any more.
struct Abandoned {};

// Says to a piece of work whether it is still wanted.
class Stop {
 public:
  void request() { std::atomic_ref(flag_).store(1, std::memory_order_relaxed); }
  [[nodiscard]] bool requested() const { return __atomic_load_n(&flag_, __ATOMIC_RELAXED) != 0; }
  // For what can be told only so.
  [[nodiscard]] const std::uint32_t* flag() const { return &flag_; }
  void check() const {
    if (requested()) throw Abandoned();
  }

 private:
  std::uint32_t flag_ = 0;
};

class Lane {
 public:
  using Work = std::function<void(Stop&)>;
  Lane();
  ~Lane();  // ends what is being done, drops what waits
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Without a key it replaces nothing. `dropped` is called instead when the work is never begun.
  void post(std::string key, Work work, std::function<void()> dropped = {});
  // Ends or drops what has this key.
  void cancel(const std::string& key);
  [[nodiscard]] bool idle() const;

 private:
  struct Task {
    std::string key;
    Work work;
    std::function<void()> dropped;
    std::shared_ptr<Stop> stop;
  };
  void run();
  // Takes what has this key out of the queue.
  std::deque<Task> take(const std::string& key);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  std::string running_key_;
  std::shared_ptr<Stop> running_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace rgtrans::ide
