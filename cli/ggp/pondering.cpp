#include "cli/ggp/pondering.hpp"

#include <utility>

namespace rgtrans::cli::ggp {

Pondering::~Pondering() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void Pondering::start(std::function<void(const Following& following)> work, std::function<void()> interrupt) {
  stop();
  if (thread_.joinable()) thread_.join();
  __atomic_store_n(&stop_, 0U, __ATOMIC_RELAXED);
  {
    const std::lock_guard lock(mutex_);
    working_ = true;
    interrupt_ = std::move(interrupt);
  }
  thread_ = std::thread([this, work = std::move(work)] {
    work({.stop = &stop_});
    const std::lock_guard lock(mutex_);
    working_ = false;
    ended_.notify_all();
  });
}

void Pondering::stop() {
  __atomic_store_n(&stop_, 1U, __ATOMIC_RELAXED);
  std::unique_lock lock(mutex_);
  while (working_) {
    interrupt_();
    ended_.wait_for(lock, std::chrono::milliseconds(2));
  }
}

void Pondering::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return !working_; });
}

}  // namespace rgtrans::cli::ggp
