// The ground program: facts, moves, and derived atoms in disjunctive normal form. All state-independent atoms have been
// folded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// An atom, possibly negated, or a constant: atom * 2 + (negated ? 1 : 0).
using GroundLiteral = std::uint32_t;
inline constexpr GroundLiteral kTrue = 0xfffffffeU;
inline constexpr GroundLiteral kFalse = 0xffffffffU;

constexpr GroundLiteral negate(GroundLiteral literal) { return literal ^ 1U; }
constexpr bool is_constant(GroundLiteral literal) { return literal >= kTrue; }
constexpr std::uint32_t atom_of(GroundLiteral literal) { return literal >> 1; }
constexpr bool is_negated(GroundLiteral literal) { return (literal & 1U) != 0; }

struct GroundProgram {
  struct Move {
    std::uint32_t role;
    TermId term;
  };
  struct Goal {
    std::uint32_t role;
    TermId value;
    GroundLiteral when;
    Range where = {};
  };
  struct Percept {
    std::uint32_t role;
    TermId term;
    GroundLiteral when;
    Range where = {};
  };

  Symbols symbols;
  Terms terms;
  std::vector<TermId> roles;
  std::uint32_t random = kNone;  // index of the role that represents chance
  bool imperfect = false;        // GDL-II: has random or `sees`

  // Atoms [0, facts) are facts, the next ones moves, sorted by role; the rest are derived.
  std::vector<TermId> facts;
  std::vector<bool> initial;
  std::vector<Move> moves;
  std::vector<GroundLiteral> next;   // per fact
  std::vector<GroundLiteral> legal;  // per move
  GroundLiteral terminal = kFalse;
  std::vector<Goal> goals;
  std::vector<Percept> sees;

  // The bodies of derived atom d (atom number derived_begin() + d) are [first_body[d], first_body[d + 1]). The literals
  // of body b are [first_literal[b], first_literal[b + 1]).
  std::vector<std::uint32_t> first_body = {0};
  std::vector<std::uint32_t> first_literal = {0};
  std::vector<GroundLiteral> literals;
  // The sentence that a derived atom represents, for messages and printed programs.
  struct Name {
    SymbolId predicate;
    std::uint32_t first = 0;  // index into name_arguments
    std::uint32_t count = 0;
  };
  std::vector<Name> names;
  std::vector<TermId> name_arguments;
  // Per atom: the first rule that derives it, for a fact in the next state and for a move as legal.
  std::vector<Range> where;
  Range terminal_where;
  std::unordered_map<SymbolId, Range> mentions;  // first mention of each relation

  [[nodiscard]] std::uint32_t move_begin() const { return static_cast<std::uint32_t>(facts.size()); }
  [[nodiscard]] std::uint32_t derived_begin() const { return static_cast<std::uint32_t>(facts.size() + moves.size()); }
  [[nodiscard]] std::uint32_t derived_count() const { return static_cast<std::uint32_t>(first_body.size() - 1); }
  [[nodiscard]] std::uint32_t atom_count() const { return derived_begin() + derived_count(); }
  [[nodiscard]] std::size_t body_count() const { return first_literal.size() - 1; }
  [[nodiscard]] std::span<const GroundLiteral> body(std::uint32_t b) const {
    return {literals.data() + first_literal[b], first_literal[b + 1] - first_literal[b]};
  }
  // The arguments of the sentence that a fact or a derived atom represents.
  [[nodiscard]] std::span<const TermId> arguments(std::uint32_t atom) const {
    if (atom < facts.size()) return terms.arguments(facts[atom]);
    const Name& name = names[atom - derived_begin()];
    return {name_arguments.data() + name.first, name.count};
  }
  [[nodiscard]] std::string text(TermId term) const {
    std::string out;
    terms.print(term, symbols, out);
    return out;
  }
};

struct GroundOptions {
  std::uint64_t max_rules = limits::rules;
  std::uint64_t max_memory = limits::memory << 20U;
  std::uint64_t max_seconds = 0;  // processor time of this thread since `since`; 0: no limit
  double since = thread_seconds();
  std::uint64_t max_steps = 0;  // tuples tried; 0: no limit
  // Maximal number of tuples of a state-independent, non-recursive relation; 0: no limit. prepare() leaves a larger
  // relation unevaluated, so callers query it tuple by tuple; instantiate() reports an error.
  std::uint32_t most_fixed = 0;
  bool fold_case = false;
  // Drop facts on which nothing observable depends, which merges states that differ only in them.
  bool cone = false;
};

}  // namespace rgtrans::gdl
