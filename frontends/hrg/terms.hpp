// Ground terms, the values of constant expressions: plain symbols and constructors applied to terms. They are
// hash-consed, so that equality is equality of ids; the RG symbol of a term is made when it is asked for.
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

  // The constructor, none for a plain term.
  [[nodiscard]] SymbolId constructor(TermId id) const { return rows_[id.value].constructor; }
  [[nodiscard]] std::span<const TermId> args(TermId id) const {
    const Row& row = rows_[id.value];
    return {args_.data() + row.first, row.count};
  }
  [[nodiscard]] bool is_integer(TermId id) const { return rows_[id.value].is_integer; }
  [[nodiscard]] std::int64_t as_integer(TermId id) const { return rows_[id.value].integer; }

  // The RG symbol: C__x_y for C(x, y).
  SymbolId symbol(TermId id);
  // As the user writes it: C(x, y).
  [[nodiscard]] std::string text(TermId id) const;

  // Adds how all terms that have an RG symbol are written, where that differs.
  void add_words(ir::Words& words) const;

  // Makes `id` the term that the RG symbol of the same name stands for. Returns the term that had that symbol
  // before when it is another one, or none.
  TermId claim(TermId id);
  // The term that a symbol stands for: the claimed one, else the plain one.
  TermId of_symbol(SymbolId symbol);

  // The order of < and >: integers by value, other symbols in natural order.
  [[nodiscard]] int compare(TermId a, TermId b) const;

 private:
  struct Row {
    SymbolId symbol;  // of a plain term; of a constructor once it is asked for
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
