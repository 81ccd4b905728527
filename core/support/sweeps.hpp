// The worklist of simple solvers: numbers that wait to be processed, in sweeps over all of them.
#pragma once

#include <cstddef>
#include <vector>

namespace rgtrans {

class Sweeps {
 public:
  explicit Sweeps(std::size_t size) : queued_(size, false) {}
  void queue(std::size_t i) {
    waiting_ += queued_[i] ? 0 : 1;
    queued_[i] = true;
  }
  // Calls process(i), which may queue more, until none waits.
  template <class F>
  void run(bool backward, F&& process) {
    while (waiting_ > 0) {
      for (std::size_t k = 0; k < queued_.size(); ++k) {
        const std::size_t i = backward ? queued_.size() - 1 - k : k;
        if (!queued_[i]) continue;
        queued_[i] = false;
        --waiting_;
        process(i);
      }
    }
  }

 private:
  std::vector<bool> queued_;
  std::size_t waiting_ = 0;
};

}  // namespace rgtrans
