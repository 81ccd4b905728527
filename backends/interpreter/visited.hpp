// Sets that are cleared by incrementing a counter: entries are stamped with the number of their exploration. Reasoners
// compiled from tables embed this file, so it depends on the standard library only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rgtrans::interpreter {

// Reports that the game has no sensible continuation. Each program that embeds the machine defines this function.
[[noreturn]] void give_up(const std::string& what, const std::string& hint = {});

constexpr std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93ULL;
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93ULL;
  return x ^ x >> 32U;
}

// A stack whose memory is never released.
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
  // Adds space for `count` items, which the caller writes.
  [[gnu::always_inline]] T* extend(std::size_t count) {
    while (size_ + count > capacity_) [[unlikely]] grow();
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
  std::size_t capacity_ = 0;  // items_.size(), which would require a division
};

// Open addressing. A slot is free unless its epoch is the current one.
template <class Slot>
class StampedSlots {
 public:
  // The slot that `same` accepts, or the free slot for it.
  template <class Same>
  [[gnu::always_inline]] Slot& find(std::uint64_t hash, std::uint32_t epoch, const Same& same) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      if (slots_[i].epoch != epoch || same(slots_[i])) return slots_[i];
    }
  }
  // Makes room for one more entry: at least half of the slots stay free.
  template <class Hash>
  [[gnu::always_inline]] void make_room(std::size_t count, std::uint32_t epoch, const Hash& hash_of) {
    if (count * 2 >= slots_.size()) grow(epoch, hash_of);
  }
  void forget() { std::fill(slots_.begin(), slots_.end(), Slot{}); }

 private:
  template <class Hash>
  [[gnu::noinline]] void grow(std::uint32_t epoch, const Hash& hash_of) {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.epoch == epoch && epoch != 0) find(hash_of(slot), epoch, [](const Slot&) { return false; }) = slot;
    }
  }
  std::vector<Slot> slots_;
};

// A trie of tag sequences: a prefix number and a tag determine the number of the longer sequence.
class TagTrie {
 public:
  static constexpr std::uint32_t kRoot = 0;
  void clear() {
    if (++epoch_ == 0) {
      slots_.forget();
      std::fill(marks_.begin(), marks_.end(), 0U);
      epoch_ = 1;
    }
    next_ = 1;
  }
  std::uint32_t child(std::uint32_t prefix, std::uint32_t tag) {
    slots_.make_room(next_ + std::size_t{1}, epoch_, [](const Slot& slot) { return hash_of(slot.key); });
    const std::uint64_t key = std::uint64_t{prefix} << 32U | tag;
    Slot& slot = slots_.find(hash_of(key), epoch_, [&](const Slot& s) { return s.key == key; });
    if (slot.epoch != epoch_) slot = {key, epoch_, next_++};
    return slot.child;
  }
  // True for the first call with a sequence.
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
  static std::uint64_t hash_of(std::uint64_t key) {
    return key * 0x9e3779b97f4a7c15ULL >> 32U ^ key * 0xd6e8feb86659fd93ULL >> 40U;
  }
  StampedSlots<Slot> slots_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t epoch_ = 0;
  std::uint32_t next_ = 1;
};

// A set of numbers, such as packed tag sequences.
class NumberSet {
 public:
  void clear() {
    if (++epoch_ == 0) {
      slots_.forget();
      epoch_ = 1;
    }
    count_ = 0;
  }
  // Returns true if the number is new.
  [[gnu::always_inline]] bool insert(std::uint64_t number) {
    slots_.make_room(count_, epoch_, [](const Slot& slot) { return hash_of(slot.number); });
    Slot& slot = slots_.find(hash_of(number), epoch_, [&](const Slot& s) { return s.number == number; });
    if (slot.epoch == epoch_) return false;
    slot = {number, epoch_};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t epoch = 0;
  };
  static std::uint64_t hash_of(std::uint64_t number) { return number * 0x9e3779b97f4a7c15ULL >> 32U; }

  StampedSlots<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t epoch_ = 1;
};

// Keys of one place with few codes: one row of bits per tag prefix.
class PrefixRows {
 public:
  static constexpr std::uint64_t kMostCodes = 512;
  // Returns true if the key is new in this epoch.
  [[gnu::always_inline]] bool insert(std::uint32_t epoch, std::uint64_t prefix, std::size_t code, std::uint64_t codes) {
    if (epoch != epoch_ || prefix != prefix_) find_row(epoch, prefix, (codes + 63) / 64);
    std::uint64_t& word = bits_[row_ + code / 64];
    const std::uint64_t bit = std::uint64_t{1} << code % 64;
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }
  void forget() {
    slots_.forget();
    epoch_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t prefix = 0;
    std::uint32_t epoch = 0;
    std::uint32_t row = 0;
  };
  [[gnu::noinline]] void find_row(std::uint32_t epoch, std::uint64_t prefix, std::size_t words) {
    if (epoch != epoch_) {
      epoch_ = epoch;
      count_ = 0;
      bits_.clear();
    }
    prefix_ = prefix;
    slots_.make_room(count_, epoch, [](const Slot& slot) { return scatter(slot.prefix); });
    Slot& slot = slots_.find(scatter(prefix), epoch, [&](const Slot& s) { return s.prefix == prefix; });
    if (slot.epoch != epoch) {
      slot = {prefix, epoch, static_cast<std::uint32_t>(bits_.size())};
      ++count_;
      bits_.resize(bits_.size() + words, 0);
    }
    row_ = slot.row;
  }

  StampedSlots<Slot> slots_;
  std::vector<std::uint64_t> bits_;
  std::size_t count_ = 0;
  std::size_t row_ = 0;
  std::uint64_t prefix_ = 0;
  std::uint32_t epoch_ = 0;
};

// Keys of one place: a tag prefix with a code or, for large keys, with a list of numbers.
class KeySet {
 public:
  // Returns true if the key is new in this epoch.
  bool insert(std::uint32_t epoch, std::uint64_t prefix, std::uint64_t code) {
    return insert(
        epoch, prefix, hash_of(prefix, code), [&](std::uint64_t known) { return known == code; }, [&] { return code; });
  }
  bool insert(std::uint32_t epoch, std::uint64_t prefix, const std::uint64_t* values, std::size_t length) {
    const auto same = [&](std::uint64_t known) {
      return arena_[known] == length && std::equal(values, values + length, arena_.data() + known + 1);
    };
    return insert(epoch, prefix, hash_of(prefix, values, length), same, [&] { return keep(values, length); });
  }
  // Treats `values` as a set. `has(value)`: whether the current state contains a value of a stored set.
  template <class Has>
  bool insert_any_order(std::uint32_t epoch, std::uint64_t prefix, const std::vector<std::uint64_t>& values,
                        const Has& has) {
    std::uint64_t hash = prefix;
    for (const std::uint64_t value : values) hash += scatter(value);
    const auto same = [&](std::uint64_t known) {
      const std::uint64_t* const first = arena_.data() + known + 1;
      return arena_[known] == values.size() && std::all_of(first, first + values.size(), has);
    };
    return insert(epoch, prefix, scatter(hash), same, [&] { return keep(values.data(), values.size()); });
  }
  void forget() {
    slots_.forget();
    count_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t code = 0;
    std::uint64_t prefix = 0;
    std::uint32_t epoch = 0;
    std::uint32_t hash = 0;
  };
  std::uint64_t keep(const std::uint64_t* values, std::size_t length) {
    const std::uint64_t place = arena_.size();
    arena_.push_back(length);
    arena_.insert(arena_.end(), values, values + length);
    return place;
  }
  static std::uint64_t hash_of(std::uint64_t prefix, std::uint64_t code) {
    return scatter(prefix * 0x9e3779b97f4a7c15ULL + code + 1);
  }
  static std::uint64_t hash_of(std::uint64_t prefix, const std::uint64_t* values, std::size_t length) {
    std::uint64_t hash = prefix;
    for (std::size_t i = 0; i < length; ++i) hash = (hash ^ values[i]) * 0x9fb21c651e98df25ULL + (hash >> 29U);
    return scatter(hash);
  }
  // `same` compares with the code of a slot; `code` creates the code of a new slot.
  template <class Same, class Code>
  [[gnu::always_inline]] bool insert(std::uint32_t epoch, std::uint64_t prefix, std::uint64_t hash, const Same& same,
                                     const Code& code) {
    if (epoch != epoch_) {
      epoch_ = epoch;
      count_ = 0;
      arena_.clear();
    }
    slots_.make_room(count_, epoch, [](const Slot& s) { return s.hash; });
    const auto part = static_cast<std::uint32_t>(hash);
    Slot& slot =
        slots_.find(part, epoch, [&](const Slot& s) { return s.hash == part && s.prefix == prefix && same(s.code); });
    if (slot.epoch == epoch) return false;
    slot = {code(), prefix, epoch, part};
    ++count_;
    return true;
  }

  StampedSlots<Slot> slots_;
  std::vector<std::uint64_t> arena_;
  std::size_t count_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace rgtrans::interpreter
