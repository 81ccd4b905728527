// Hash-consed values: a symbol, or a total function given by a default and its exceptions. Exceptions are sorted by
// key, and none is equal to the default, so two maps with the same default are equal exactly if their ids are. A
// constant named inside a literal is replaced by its value.
//
//   { 1: b, 2: a, :a }  is stored as  { 1: b, :a }
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::ir {

using ValueId = Id<struct ValueTag>;

class Values {
 public:
  struct Entry {
    SymbolId key;
    ValueId value;
    bool operator==(const Entry&) const = default;
  };

  ValueId symbol(SymbolId symbol);
  // Entries may be in any order. If several have the same key, the first one counts.
  ValueId map(ValueId default_value, std::span<const Entry> entries);

  [[nodiscard]] bool is_symbol(ValueId id) const { return rows_[id.value].end == kSymbol; }
  [[nodiscard]] SymbolId as_symbol(ValueId id) const { return SymbolId(rows_[id.value].a); }
  // The parts of a map.
  [[nodiscard]] ValueId default_of(ValueId id) const { return ValueId(rows_[id.value].a); }
  [[nodiscard]] std::span<const Entry> exceptions(ValueId id) const {
    const Row& row = rows_[id.value];
    return {entries_.data() + row.begin, row.end - row.begin};
  }
  // The value at a key; the default for every key without an exception.
  [[nodiscard]] ValueId at(ValueId map, SymbolId key) const;
  // The number of symbols in the value when written without sharing, saturated at 2^62.
  [[nodiscard]] std::uint64_t written_size(ValueId id) const { return rows_[id.value].written_size; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  static constexpr std::uint32_t kSymbol = 0xffffffffU;

  struct Row {
    std::uint32_t a;      // the symbol, or the default
    std::uint32_t begin;  // exceptions are entries_[begin, end)
    std::uint32_t end;
    std::uint64_t written_size;
  };

  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  IndexSet index_;
};

}  // namespace rgtrans::ir
