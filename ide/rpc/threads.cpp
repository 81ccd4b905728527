// Lanes as threads.
#include "ide/rpc/lane.hpp"

namespace rgtrans::ide {

void Lane::begin() {
  thread_ = std::thread([this] { run(); });
}
void Lane::end() { thread_.join(); }

void Lane::run() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
    }
    step();
  }
}

}  // namespace rgtrans::ide
