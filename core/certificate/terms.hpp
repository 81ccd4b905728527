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
#include "core/support/symbol_set.hpp"

namespace rgtrans::certificate {

class Facts;

using TermId = Id<struct TermTag>;

enum class TermKind : std::uint8_t {
  symbol,    // a: the symbol
  map,       // a: a constant map
  start,     // a: the variable, whose value at the begin is meant
  choice,    // a: the number of the choice
  function,  // a: the images, b: the term whose value chooses one of them
  access,    // a[b]
  store,     // a with the value c at the key b
  check,     // whether the check from node a to node b holds, with the changes c
  changes,   // a: the variable, b: its value, c: further changes or none
};

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
  // The values that a term can have at all, by those of its variable at the begin; null if not known.
  [[nodiscard]] const SymbolSet* domain(TermId term) const;
  // Lookups in constant maps whose keys depend on one term are functions of that term: equal ones are one row.
  using Images = std::vector<std::pair<SymbolId, TermId>>;  // sorted by the value of the term
  [[nodiscard]] const Images& images(TermId function) const { return images_[row(function).a]; }
  // Of a function; other terms are their own.
  [[nodiscard]] TermId argument(TermId term) const;
  // The value of `on`, of a function of it, or of a constant where `on` has this value; none if `on` never has it.
  TermId image(TermId term, TermId on, SymbolId value);
  // The function with another term as its argument, which has the same value.
  TermId apply(TermId function, TermId argument);
  // The begin is at this node of the game before.
  void begin_at(Facts& facts, ir::NodeId node) {
    facts_ = &facts;
    node_ = node;
    domains_.clear();
    chosen_.clear();
    accesses_.clear();
  }
  // Choices have one of these values.
  void choose(const std::map<TermId, SymbolSet>& values) {
    if (!chosen_.empty() || !values.empty()) accesses_.clear();
    chosen_ = values;
  }
  // Concrete: each key of a constant map is a case of its own, so that lookups in different maps can be compared.
  void set_concrete(bool concrete) {
    concrete_ = concrete;
    asked_ = false;
  }
  [[nodiscard]] bool concrete() {
    asked_ = true;
    return concrete_;
  }
  // Whether concrete keys may make a difference.
  [[nodiscard]] bool asked_for_concrete() const { return asked_; }

 private:
  [[nodiscard]] TermId find_access(TermId map, TermId key);
  // The lookup value by value, if it is in constant maps and depends on one term with few values; otherwise none.
  [[nodiscard]] TermId pointwise(TermId map, TermId key);
  // The function of `on` with these images; none if there are too many, or one of them is none.
  template <class F>
  TermId tabulate(TermId on, F&& image);
  [[nodiscard]] TermId function(TermId argument, Images images);

  const ir::Game& game_;  // of the values of constant maps; the version after the pass, which has all of them
  std::vector<Row> rows_;
  IndexSet index_;
  Facts* facts_ = nullptr;
  ir::NodeId node_;
  // Of variables, or of the cells of a map with so many keys.
  mutable std::unordered_map<ir::VarId, std::pair<std::size_t, SymbolSet>> domains_;
  std::map<TermId, SymbolSet> chosen_;
  bool concrete_ = false, asked_ = false;
  std::unordered_map<std::uint64_t, TermId> accesses_;  // at this begin, by map and key
  std::vector<Images> images_;
  std::map<Images, std::uint32_t> image_numbers_;
};

class Assumptions {
 public:
  explicit Assumptions(TermTable& terms) : terms_(&terms) {}

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
  // The values that a term may have now, if they are few.
  [[nodiscard]] std::optional<SymbolSet> possible(TermId term) const;
  // Whether two terms are equal that are functions of the same term, or that term; no answer for others.
  std::optional<bool> same_images(TermId a, TermId b);
  // Asks for one value of the term if it is open.
  void split_first(TermId term) const;
  // Whether `holds` for the value of the term, which may be open.
  template <class F>
  bool among(TermId term, F&& holds) const;

  TermTable* terms_;
  std::map<TermId, SymbolSet> values_;
  std::map<TermId, TermId> instead_;
  std::map<std::pair<TermId, TermId>, bool> compared_;  // of reduced terms, in order of number
  std::unordered_map<TermId, TermId> reduced_;
  int depth_ = 0;
};

}  // namespace rgtrans::certificate
