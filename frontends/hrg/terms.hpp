// Ground terms, the values of constant expressions: plain symbols, and constructors applied to terms. They are
// hash-consed, so equal terms have equal ids. The RG symbol of a term is created on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

namespace rgtrans::hrg {

using TermId = Id<struct TermTag>;

class Terms {
 public:
  explicit Terms(Symbols& symbols) : symbols_(symbols) {}

  TermId plain(SymbolId symbol);
  TermId integer(std::int64_t value);
  TermId make(SymbolId constructor, std::span<const TermId> args);

  // The constructor, or none for a plain term.
  [[nodiscard]] SymbolId constructor(TermId id) const { return rows_[id.value].constructor; }
  [[nodiscard]] std::span<const TermId> args(TermId id) const {
    const Row& row = rows_[id.value];
    return {args_.data() + row.first, row.count};
  }
  [[nodiscard]] bool is_integer(TermId id) const { return rows_[id.value].is_integer; }
  [[nodiscard]] std::int64_t as_integer(TermId id) const { return rows_[id.value].integer; }

  // The RG symbol: C__x_y for C(x, y).
  SymbolId symbol(TermId id);
  // The term as written by the author: C(x, y).
  [[nodiscard]] std::string text(TermId id) const;

  // Records the written form of all terms with an RG symbol, if it differs from the symbol.
  void add_words(ir::Words& words) const;

  // Makes the RG symbol of `id` denote this term. Returns another term that the symbol denoted before, or none.
  TermId claim(TermId id);
  // The term that a symbol denotes: the claimed one, otherwise the plain one.
  TermId of_symbol(SymbolId symbol);

  // The order of < and >: integers by value, other symbols in natural order.
  [[nodiscard]] int compare(TermId a, TermId b) const;

 private:
  struct Row {
    SymbolId symbol;  // for a plain term; for a constructor created on demand
    SymbolId constructor;
    std::uint32_t first = 0, count = 0;
    std::int64_t integer = 0;
    bool is_integer = false;
  };

  Symbols& symbols_;
  std::vector<Row> rows_;
  std::vector<TermId> args_;
  std::vector<TermId> plain_;    // by symbol
  std::vector<TermId> claimed_;  // by symbol
  std::vector<TermId> small_;    // by small non-negative integer
  IndexSet constructors_;
};

}  // namespace rgtrans::hrg
