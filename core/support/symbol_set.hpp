// Sets of symbols, also those that lack only some.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/support/ids.hpp"
#include "core/support/intern.hpp"

namespace rgtrans {

// Symbols: those listed, or all others.
struct SymbolSet {
  std::vector<SymbolId> symbols;  // sorted
  bool others = false;

  [[nodiscard]] bool has(SymbolId symbol) const;
  [[nodiscard]] bool single() const { return !others && symbols.size() == 1; }
  [[nodiscard]] bool empty() const { return !others && symbols.empty(); }
  [[nodiscard]] SymbolSet complement() const { return {symbols, !others}; }
};

inline bool SymbolSet::has(SymbolId symbol) const { return std::ranges::binary_search(symbols, symbol) != others; }

inline SymbolSet common(const SymbolSet& a, const SymbolSet& b) {
  SymbolSet both;
  both.others = a.others && b.others;
  auto out = std::back_inserter(both.symbols);
  if (a.others && b.others) {
    std::ranges::set_union(a.symbols, b.symbols, out);
  } else if (a.others) {
    std::ranges::set_difference(b.symbols, a.symbols, out);
  } else if (b.others) {
    std::ranges::set_difference(a.symbols, b.symbols, out);
  } else {
    std::ranges::set_intersection(a.symbols, b.symbols, out);
  }
  return both;
}

// Whether each member of `a` is one of `b`.
[[nodiscard]] inline bool inside(const SymbolSet& a, const SymbolSet& b) { return common(a, b.complement()).empty(); }

}  // namespace rgtrans
