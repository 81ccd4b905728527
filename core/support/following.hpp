// Follows long work: receives its progress and may end it early. Work that ends early returns its result so far.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rgtrans {

struct Following {
  // Another thread or a signal handler ends the work by storing a number other than 0.
  const std::uint32_t* stop = nullptr;
  // Receives the progress, from any thread. May be null.
  std::function<void(std::string state)> told{};

  [[nodiscard]] bool stopped() const { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }
  template <class State>
  void tell(State&& state) const {
    if (told) told(state());
  }
};

}  // namespace rgtrans
