#include "cli/ggp/pondering.hpp"

#include <utility>

namespace rgtrans::cli::ggp {

Pondering::~Pondering() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void Pondering::start(Work work) {
  stop();
  if (thread_.joinable()) thread_.join();
  __atomic_store_n(&stop_, 0U, __ATOMIC_RELAXED);
  {
    const std::lock_guard lock(mutex_);
    working_ = true;
    interrupt_ = std::move(work.interrupt);
  }
  thread_ = std::thread([this, run = std::move(work.run)] {
    run({.stop = &stop_});
    const std::lock_guard lock(mutex_);
    working_ = false;
    ended_.notify_all();
  });
}

void Pondering::stop() {
  __atomic_store_n(&stop_, 1U, __ATOMIC_RELAXED);
  std::unique_lock lock(mutex_);
  while (working_) {
    if (interrupt_) interrupt_();
    ended_.wait_for(lock, std::chrono::milliseconds(2));
  }
}

void Pondering::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return !working_; });
}

Pondering::Work search_on(std::shared_ptr<search::TreeSearch> tree, std::shared_ptr<Reasoner> position,
                          unsigned threads, Clock::time_point until) {
  return {[=](const Following& following) {
            const double seconds = seconds_until(until);
            if (!following.stopped() && seconds > 0) tree->run(*position, {.seconds = seconds, .threads = threads});
          },
          [tree] { tree->stop(); }};
}

}  // namespace rgtrans::cli::ggp
