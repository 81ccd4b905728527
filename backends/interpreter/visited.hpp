// Sets that are emptied by one increment: what was met is stamped with the number of the exploration.
// Reasoners that are compiled from tables carry this text, so it stands on the standard library alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rgtrans::interpreter {

// There is no sensible answer. The program that carries the machine says so in its own way.
[[noreturn]] void give_up(const std::string& what, const std::string& hint = {});

constexpr std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93ULL;
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93ULL;
  return x ^ x >> 32U;
}

// A stack whose top lies in memory that is never given back.
template <class T>
class Stack {
 public:
  [[gnu::always_inline]] void push(const T& item) {
    if (size_ == capacity_) grow();
    items_[size_++] = item;
  }
  T& top() { return items_[size_ - 1]; }
  void pop() { --size_; }
  void cut(std::size_t size) { size_ = size; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* data() { return items_.data(); }
  [[nodiscard]] const T* data() const { return items_.data(); }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // So many more items, to be written by the caller.
  [[gnu::always_inline]] T* extend(std::size_t count) {
    while (size_ + count > capacity_) grow();
    size_ += count;
    return items_.data() + size_ - count;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 27U;
  [[gnu::noinline]] void grow() {
    if (items_.size() >= kMost) {
      give_up("a move needs more than 2^27 steps or choices at once, the interpreter's limit",
              "a cycle that always changes something, or is promised to be @unique, never ends");
    }
    items_.resize(std::max<std::size_t>(64, items_.size() * 2));
    capacity_ = items_.size();
  }
  std::vector<T> items_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // items_.size(), which divides
};

// Sequences of tags, numbered: the number of a prefix and a tag give the number of the longer one.
class TagTrie {
 public:
  static constexpr std::uint32_t kRoot = 0;
  void clear() {
    if (++epoch_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      std::fill(marks_.begin(), marks_.end(), 0U);
      epoch_ = 1;
    }
    next_ = 1;
  }
  std::uint32_t child(std::uint32_t prefix, std::uint32_t tag) {
    if (next_ >= slots_.size() / 2) grow();
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t key = std::uint64_t{prefix} << 32U | tag;
    std::size_t i = (key * 0x9e3779b97f4a7c15ULL >> 32U ^ key * 0xd6e8feb86659fd93ULL >> 40U) & mask;
    for (;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.epoch != epoch_) {
        slot = {key, epoch_, next_};
        return next_++;
      }
      if (slot.key == key) return slot.child;
    }
  }
  // True the first time it is called for a sequence.
  bool mark(std::uint32_t sequence) {
    if (sequence >= marks_.size()) marks_.resize(std::max<std::size_t>(64, sequence * std::size_t{2}), 0);
    if (marks_[sequence] == epoch_) return false;
    marks_[sequence] = epoch_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t epoch = 0;
    std::uint32_t child = 0;
  };
  [[gnu::noinline]] void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      std::size_t i = (slot.key * 0x9e3779b97f4a7c15ULL >> 32U ^ slot.key * 0xd6e8feb86659fd93ULL >> 40U) & mask;
      while (slots_[i].epoch == epoch_) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t epoch_ = 0;
  std::uint32_t next_ = 1;
};

// Numbers, such as those that stand for the tags of a move.
class NumberSet {
 public:
  void clear() {
    if (++epoch_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      epoch_ = 1;
    }
    count_ = 0;
  }
  // True when the number is new.
  [[gnu::always_inline]] bool insert(std::uint64_t number) {
    if (count_ * 2 >= slots_.size()) grow();
    for (std::size_t i = place(number);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.epoch != epoch_) {
        slot = {number, epoch_};
        ++count_;
        return true;
      }
      if (slot.number == number) return false;
    }
  }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t epoch = 0;
  };
  [[nodiscard]] std::size_t place(std::uint64_t number) const { return number * 0x9e3779b97f4a7c15ULL >> shift_; }
  [[gnu::noinline]] void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    shift_ = 64U - static_cast<unsigned>(std::bit_width(slots_.size() - 1));
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      std::size_t i = place(slot.number);
      while (slots_[i].epoch == epoch_) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t epoch_ = 1;
  unsigned shift_ = 0;
};

// Keys of one place: (tag prefix, code), or for large keys (tag prefix, a list of numbers).
class KeySet {
 public:
  // True when the key is new in this epoch.
  bool insert(std::uint32_t epoch, std::uint32_t prefix, std::uint64_t code) {
    prepare(epoch);
    const std::uint64_t hash = hash_of(prefix, code);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.epoch != epoch) {
        slot = {code, prefix, epoch};
        ++count_;
        return true;
      }
      if (slot.code == code && slot.prefix == prefix) return false;
    }
  }
  bool insert(std::uint32_t epoch, std::uint32_t prefix, const std::uint32_t* values, std::size_t length) {
    prepare(epoch);
    const std::uint64_t hash = hash_of(prefix, values, length);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.epoch != epoch) {
        slot = {arena_.size(), prefix, epoch};
        arena_.push_back(static_cast<std::uint32_t>(length));
        arena_.insert(arena_.end(), values, values + length);
        ++count_;
        return true;
      }
      const std::uint32_t* known = arena_.data() + slot.code;
      if (slot.prefix == prefix && *known == length && std::equal(values, values + length, known + 1)) return false;
    }
  }
  // All keys are of the second form.
  void set_large() { large_ = true; }
  void forget() {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    count_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t code = 0;
    std::uint32_t prefix = 0;
    std::uint32_t epoch = 0;
  };
  static std::uint64_t hash_of(std::uint32_t prefix, std::uint64_t code) {
    return scatter(prefix * 0x9e3779b97f4a7c15ULL + code + 1);
  }
  static std::uint64_t hash_of(std::uint32_t prefix, const std::uint32_t* values, std::size_t length) {
    std::uint64_t hash = prefix;
    for (std::size_t i = 0; i < length; ++i) hash = (hash ^ values[i]) * 0x9fb21c651e98df25ULL + (hash >> 29U);
    return scatter(hash);
  }
  void prepare(std::uint32_t epoch) {
    if (epoch != epoch_) {
      epoch_ = epoch;
      count_ = 0;
      arena_.clear();
    }
    if (count_ * 2 >= slots_.size()) grow();
  }
  [[gnu::noinline]] void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_ || epoch_ == 0) continue;
      const std::uint64_t hash = large_ ? hash_of(slot.prefix, arena_.data() + slot.code + 1, arena_[slot.code])
                                        : hash_of(slot.prefix, slot.code);
      std::size_t i = hash & mask;
      while (slots_[i].epoch == epoch_) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> arena_;
  std::size_t count_ = 0;
  bool large_ = false;
  std::uint32_t epoch_ = 0;
};

}  // namespace rgtrans::interpreter
