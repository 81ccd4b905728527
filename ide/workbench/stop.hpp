// Whether a piece of work is still wanted.
#pragma once

#include <atomic>
#include <cstdint>

namespace rgtrans::ide {

// Thrown by work that notices that it is no longer wanted.
struct Abandoned {};

class Stop {
 public:
  void request() { std::atomic_ref(flag_).store(1, std::memory_order_relaxed); }
  [[nodiscard]] bool requested() const { return __atomic_load_n(&flag_, __ATOMIC_RELAXED) != 0; }
  // For code that only accepts a flag.
  [[nodiscard]] const std::uint32_t* flag() const { return &flag_; }
  void check() const {
    if (requested()) throw Abandoned();
  }

 private:
  std::uint32_t flag_ = 0;
};

}  // namespace rgtrans::ide
