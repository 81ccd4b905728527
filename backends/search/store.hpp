// What a tree search keeps in memory: arrays that grow in place, positions that are found by what they are, and a lock
// for moments. Nodes and edges are met in no order, so each look at one costs a line of memory; they are small here.
//
// Reasoners that are compiled carry this text, so it stands on the standard library alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

namespace rgtrans::search {

// An array of plain values. Large ones grow by moving pages, not their contents.
template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(Pool&& other) noexcept { swap(other); }
  Pool& operator=(Pool&& other) noexcept {
    swap(other);
    return *this;
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { std::free(block_); }

  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // The first of `count` new values, which are not set.
  T* extend(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    size_ += count;
    return data() + size_ - count;
  }
  void clear() { size_ = 0; }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  // Large blocks of the usual allocator begin 16 bytes behind a page; so values begin at lines of the cache.
  static constexpr std::size_t kBefore = 48;

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(block_ + kBefore); }
  void swap(Pool& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void grow(std::size_t needed) {
    constexpr std::size_t kFirst = 64;
    const std::size_t capacity = std::max({needed, 2 * capacity_, kFirst});
    void* block = std::realloc(block_, kBefore + capacity * sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    block_ = static_cast<std::byte*>(block);
    capacity_ = capacity;
  }

  std::byte* block_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

// Positions, each a string of bytes of the same length, numbered in the order in which they came. Open addressing;
// each slot knows a part of the hash, so that others' positions are hardly ever looked at.
class Positions {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  explicit Positions(std::size_t size) : size_(size) { clear(); }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return states_.size() + slots_.size() * sizeof(Slot); }
  [[nodiscard]] const std::byte* operator[](std::uint32_t id) const { return &states_[std::size_t{id} * size_]; }
  void clear() {
    count_ = 0;
    states_.clear();
    slots_.clear();
    add_slots(kFewest);
  }
  // kNone where it is not known.
  [[nodiscard]] std::uint32_t find(const std::byte* state) const { return slots_[place(state, hash(state))].id; }
  // Its number; second: it is new.
  std::pair<std::uint32_t, bool> insert(const std::byte* state) {
    const std::uint32_t hashed = hash(state);
    std::size_t at = place(state, hashed);
    if (slots_[at].id != kNone) return {slots_[at].id, false};
    if ((std::size_t{count_} + 1) * 2 > slots_.size()) {
      grow();
      at = place(state, hashed);
    }
    slots_[at] = {count_, hashed};
    std::memcpy(states_.extend(size_), state, size_);
    return {count_++, true};
  }

 private:
  static constexpr std::size_t kFewest = 512;
  struct Slot {
    std::uint32_t id;
    std::uint32_t hash;
  };

  [[nodiscard]] std::uint32_t hash(const std::byte* state) const {
    std::uint64_t h = size_ * 0x9e3779b97f4a7c15U;
    const auto mix = [&](std::uint64_t part) {
      h = (h ^ part) * 0xd6e8feb86659fd93U;
      h ^= h >> 32U;
    };
    std::size_t at = 0;
    std::uint64_t part = 0;
    for (; at + sizeof part <= size_; at += sizeof part) {
      std::memcpy(&part, state + at, sizeof part);
      mix(part);
    }
    part = 0;
    std::memcpy(&part, state + at, size_ - at);
    mix(part);
    mix(part);
    return static_cast<std::uint32_t>(h);
  }
  // The slot of a position, or a free one.
  [[nodiscard]] std::size_t place(const std::byte* state, std::uint32_t hashed) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hashed & mask;
    while (slots_[i].id != kNone &&
           (slots_[i].hash != hashed || std::memcmp((*this)[slots_[i].id], state, size_) != 0)) {
      i = (i + 1) & mask;
    }
    return i;
  }
  void add_slots(std::size_t count) { std::fill_n(slots_.extend(count), count, Slot{kNone, 0}); }
  void grow() {
    Pool<Slot> old = std::exchange(slots_, {});
    add_slots(2 * old.size());
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t s = 0; s < old.size(); ++s) {
      if (old[s].id == kNone) continue;
      std::size_t i = old[s].hash & mask;
      while (slots_[i].id != kNone) i = (i + 1) & mask;
      slots_[i] = old[s];
    }
  }

  std::size_t size_;
  std::uint32_t count_ = 0;
  Pool<std::byte> states_;  // size_ bytes each
  Pool<Slot> slots_;        // a power of two
};

// For what takes less time than waking a thread. Whoever waits long lets others have the processor.
class MomentLock {
 public:
  void lock() {
    constexpr unsigned kPatience = 200;
    while (held_.exchange(true, std::memory_order_acquire)) {
      for (unsigned looks = 0; held_.load(std::memory_order_relaxed); ++looks) {
        if (looks > kPatience) std::this_thread::yield();
      }
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_ = false;
};

}  // namespace rgtrans::search
