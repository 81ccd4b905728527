// Interning: equal texts get equal ids. IndexSet is the hash table below every hash-consed table. It stores row numbers
// only; the caller keeps the rows. Without pointers, an object that owns one can be copied member by member.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans {

class IndexSet {
 public:
  // Returns the row that `equal` accepts among those stored under `hash`, or inserts `fresh` and
  // returns it. The caller appends the row exactly when the result is `fresh`.
  template <class Equal>
  std::uint32_t find_or_insert(std::uint64_t hash, std::uint32_t fresh, Equal&& equal) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.row == kNone) {
        slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(hash), fresh};
        ++count_;
        return fresh;
      }
      if (slot.matches(hash) && equal(slot.row)) return slot.row;
    }
  }

  // The row that `equal` accepts among those stored under `hash`, or kNone.
  template <class Equal>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
    if (slots_.empty()) return kNone;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.row == kNone) return kNone;
      if (slot.matches(hash) && equal(slot.row)) return slot.row;
    }
  }

 private:
  struct Slot {
    std::uint32_t hash_high = 0;
    std::uint32_t hash_low = 0;
    std::uint32_t row = kNone;
    [[nodiscard]] bool matches(std::uint64_t hash) const {
      return hash_high == static_cast<std::uint32_t>(hash >> 32) && hash_low == static_cast<std::uint32_t>(hash);
    }
  };

  void grow();

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

using SymbolId = Id<struct SymbolTag>;

// The names of a game (symbols, nodes, tags, types, variables). Two names are the same text exactly if their ids are
// equal.
class Symbols {
 public:
  SymbolId intern(std::string_view text);
  // The id of an interned name, or none.
  [[nodiscard]] SymbolId find(std::string_view text) const;
  // The result is valid until the next call of intern().
  [[nodiscard]] std::string_view text(SymbolId id) const {
    const std::uint32_t begin = starts_[id.value];
    return {characters_.data() + begin, starts_[id.value + 1] - begin};
  }
  [[nodiscard]] std::string str(SymbolId id) const { return std::string(text(id)); }
  [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }

 private:
  std::vector<char> characters_;
  std::vector<std::uint32_t> starts_ = {0};
  IndexSet index_;
};

}  // namespace rgtrans
