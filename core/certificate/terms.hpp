// Symbolic values. A term is an expression over the state at the begin of a comparison: the values of variables there,
// choices made since, lookups and updates of maps. Equal terms have equal numbers.
//
// Assumptions restrict the values of terms. A question that they leave open throws a Split: the caller examines both
// answers. An answer that is given holds in every state that satisfies the assumptions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

namespace rgtrans::certificate {

using TermId = Id<struct TermTag>;

enum class TermKind : std::uint8_t {
  symbol,   // a: the symbol
  map,      // a: a constant map
  start,    // a: the variable, whose value at the begin is meant
  choice,   // a: the number of the choice
  access,   // a[b]
  store,    // a with the value c at the key b
  check,    // whether the check from node a to node b holds, with the changes c
  changes,  // a: the variable, b: its value, c: further changes or none
};

// Symbols: those listed, or all others.
struct SymbolSet {
  std::vector<SymbolId> symbols;  // sorted
  bool others = false;

  [[nodiscard]] bool has(SymbolId symbol) const;
  [[nodiscard]] bool single() const { return !others && symbols.size() == 1; }
  [[nodiscard]] bool empty() const { return !others && symbols.empty(); }
  [[nodiscard]] SymbolSet complement() const { return {symbols, !others}; }
};
[[nodiscard]] SymbolSet common(const SymbolSet& a, const SymbolSet& b);
[[nodiscard]] inline bool inside(const SymbolSet& a, const SymbolSet& b) { return common(a, b.complement()).empty(); }

// An open question: whether the term has one of these values, or (no set) whether two terms are equal, or (no second
// term) whether a check holds.
struct Split {
  TermId term;
  std::optional<SymbolSet> values;
  TermId other;
};
// The comparison needs more work than is allowed, or a construct that is not understood.
struct TooHard {};

class TermTable {
 public:
  struct Row {
    TermKind kind;
    std::uint32_t a, b, c;
  };

  explicit TermTable(const ir::Game& game) : game_(game) {}

  TermId make(TermKind kind, std::uint32_t a, std::uint32_t b = kNone, std::uint32_t c = kNone);
  TermId symbol(SymbolId symbol) { return make(TermKind::symbol, symbol.value); }
  TermId value(ir::ValueId value);
  TermId access(TermId map, TermId key);
  TermId store(TermId map, TermId key, TermId value);
  // The map with one cell changed, below several keys.
  TermId store(TermId map, std::span<const TermId> keys, TermId value);
  [[nodiscard]] const Row& row(TermId term) const { return rows_[term.value]; }
  [[nodiscard]] bool is(TermId term, TermKind kind) const { return row(term).kind == kind; }
  // The keys at which a constant map has one of these values.
  [[nodiscard]] SymbolSet keys_with(TermId map, const SymbolSet& values) const;
  // The values that a term can have at all, by the values that its variable ever gets; null if not known.
  [[nodiscard]] const SymbolSet* domain(TermId term) const;
  // The values of a variable, or of the cells of a map with so many keys.
  void set_domain(ir::VarId variable, std::size_t keys, SymbolSet values) {
    domains_[variable] = {keys, std::move(values)};
  }
  [[nodiscard]] const ir::Game& game() const { return game_; }

 private:
  const ir::Game& game_;  // of the values of constant maps; the version after the pass, which has all of them
  std::vector<Row> rows_;
  IndexSet index_;
  std::unordered_map<ir::VarId, std::pair<std::size_t, SymbolSet>> domains_;
};

class Assumptions {
 public:
  // `concrete`: each key of a constant map is a case of its own, so that lookups in different maps can be compared.
  explicit Assumptions(TermTable& terms, bool concrete = false) : terms_(&terms), concrete_(concrete) {}

  // Assumes an answer. Returns false if it contradicts an earlier one.
  bool add(const Split& split, bool answer);
  bool restrict_to(TermId term, const SymbolSet& values);
  bool equate(TermId a, TermId b, bool equal);
  // The simplest known equal term.
  TermId reduce(TermId term);
  // Whether the term has one of these values.
  bool decide(TermId term, const SymbolSet& values);
  bool equal(TermId a, TermId b);
  bool holds(TermId check);

 private:
  [[nodiscard]] const SymbolSet* known(TermId term) const;
  TermId rebuild(TermId term);
  // Whether the keys are certainly different, or certainly equal.
  Truth same_key(TermId a, TermId b);
  bool same_maps(TermId a, TermId b);

  TermTable* terms_;
  bool concrete_ = false;
  std::map<TermId, SymbolSet> values_;
  std::map<TermId, TermId> instead_;
  std::map<std::pair<TermId, TermId>, bool> compared_;  // of reduced terms, in order of number
  std::unordered_map<TermId, TermId> reduced_;
  int depth_ = 0;
};

}  // namespace rgtrans::certificate
