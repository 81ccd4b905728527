// Hash-consed ground terms, and patterns: terms that may contain variables of one rule. A pattern is a tagged 32-bit
// number, so a ground subterm is compared and stored like a constant.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

using TermId = Id<struct TermTag>;

class Terms {
 public:
  TermId intern(SymbolId symbol, std::span<const TermId> arguments);
  // None if the term has not been interned.
  [[nodiscard]] TermId find(SymbolId symbol, std::span<const TermId> arguments) const;

  [[nodiscard]] SymbolId symbol(TermId id) const { return rows_[id.value].symbol; }
  [[nodiscard]] std::uint32_t arity(TermId id) const { return rows_[id.value].arity; }
  [[nodiscard]] std::span<const TermId> arguments(TermId id) const {
    const Row& row = rows_[id.value];
    return {arguments_.data() + row.first, row.arity};
  }
  [[nodiscard]] std::uint32_t depth(TermId id) const { return rows_[id.value].depth; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::size_t memory() const { return rows_.capacity() * (sizeof(Row) + 16) + arguments_.capacity() * 4; }
  // `(f a b)`, or `f` without arguments.
  void print(TermId id, const Symbols& symbols, std::string& out) const;

 private:
  struct Row {
    SymbolId symbol;
    std::uint32_t arity;
    std::uint32_t first;
    std::uint32_t depth;
  };
  std::vector<Row> rows_;
  std::vector<TermId> arguments_;
  IndexSet index_;
};

struct Pattern {
  std::uint32_t bits = 0;

  enum class Kind : std::uint8_t { ground, variable, compound };
  static constexpr std::uint32_t kPayload = 0x3fffffffU;

  static Pattern ground(TermId term) { return {term.value}; }
  static Pattern variable(std::uint32_t number) { return {number | 0x40000000U}; }
  static Pattern compound(std::uint32_t number) { return {number | 0x80000000U}; }

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(bits >> 30); }
  [[nodiscard]] bool is_ground() const { return kind() == Kind::ground; }
  [[nodiscard]] bool is_variable() const { return kind() == Kind::variable; }
  [[nodiscard]] bool is_compound() const { return kind() == Kind::compound; }
  [[nodiscard]] TermId term() const { return TermId(bits); }
  [[nodiscard]] std::uint32_t number() const { return bits & kPayload; }
  bool operator==(const Pattern&) const = default;
};

// Terms, and the compound patterns over them.
class Patterns {
 public:
  struct Compound {
    SymbolId symbol;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  Terms terms;

  // Returns a ground term if all arguments are ground.
  Pattern make(SymbolId symbol, std::span<const Pattern> arguments);
  Pattern constant(SymbolId symbol) { return Pattern::ground(terms.intern(symbol, {})); }

  // For a compound pattern or a ground term.
  [[nodiscard]] SymbolId symbol(Pattern pattern) const;
  [[nodiscard]] std::uint32_t arity(Pattern pattern) const;
  [[nodiscard]] Pattern argument(Pattern pattern, std::uint32_t index) const;

  [[nodiscard]] std::size_t compound_count() const { return compounds_.size(); }

  // Calls f(variable number) for each occurrence.
  template <class F>
  void for_each_variable(Pattern pattern, F&& f) const {
    if (pattern.is_variable()) f(pattern.number());
    if (!pattern.is_compound()) return;
    const Compound& compound = compounds_[pattern.number()];
    for (std::uint32_t i = 0; i < compound.count; ++i) for_each_variable(arguments_[compound.first + i], f);
  }
  [[nodiscard]] bool occurs(std::uint32_t variable, Pattern pattern) const {
    bool found = false;
    for_each_variable(pattern, [&](std::uint32_t v) { found = found || v == variable; });
    return found;
  }
  // Replaces every variable v by map(v).
  template <class F>
  Pattern substitute(Pattern pattern, F&& map) {
    if (pattern.is_variable()) return map(pattern.number());
    if (!pattern.is_compound()) return pattern;
    const Compound compound = compounds_[pattern.number()];
    std::vector<Pattern> arguments(compound.count);
    bool changed = false;
    for (std::uint32_t i = 0; i < compound.count; ++i) {
      const Pattern old = arguments_[compound.first + i];
      arguments[i] = substitute(old, map);
      changed = changed || !(arguments[i] == old);
    }
    return changed ? make(compound.symbol, arguments) : pattern;
  }

 private:
  std::vector<Compound> compounds_;
  std::vector<Pattern> arguments_;
};

}  // namespace rgtrans::gdl
