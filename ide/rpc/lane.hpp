// A thread that does one thing after the other. Work has a key: newer work takes the place of older work with the same
// key, whether that still waits or is already being done. Where there are no threads (ide/web), somebody calls step()
// instead.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {

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
  [[nodiscard]] std::size_t waiting() const;
  // Does the first thing that waits, if there is one.
  bool step();

 private:
  struct Task {
    std::string key;
    Work work;
    std::function<void()> dropped;
    std::shared_ptr<Stop> stop;
  };
  void begin();  // threads.cpp, or that of a place without threads
  void end();
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
