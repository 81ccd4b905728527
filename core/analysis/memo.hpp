// A cache of results for pairs of ids: a flat hash table without removal.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::analysis {

class Memo {
 public:
  [[nodiscard]] std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    return slots_.empty() ? kNone : slots_[place(slots_, key(a, b))].result;
  }
  // The pair must be new, and `result` must not be kNone.
  void insert(std::uint32_t a, std::uint32_t b, std::uint32_t result) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    slots_[place(slots_, key(a, b))] = {key(a, b), result};
    ++count_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t result = kNone;
  };

  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32U) | b; }
  // The slot that contains the key, or the free slot for it.
  static std::size_t place(const std::vector<Slot>& slots, std::uint64_t key) {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = mix_hash(key) & mask;
    while (slots[i].result != kNone && slots[i].key != key) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<Slot> larger(slots_.empty() ? 64 : slots_.size() * 2);
    for (const Slot& slot : slots_) {
      if (slot.result != kNone) larger[place(larger, slot.key)] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace rgtrans::analysis
