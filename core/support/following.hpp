// How somebody follows work that takes seconds, and ends it early: what it has found so far is then its result.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rgtrans {

struct Following {
  // Another thread, or the handler of a signal, stores something else than 0 there.
  const std::uint32_t* stop = nullptr;
  // Gets how far the work is, from any thread; null where nobody wants to know.
  std::function<void(std::string state)> told{};

  [[nodiscard]] bool stopped() const { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }
  template <class State>
  void tell(State&& state) const {
    if (told) told(state());
  }
};

}  // namespace rgtrans
