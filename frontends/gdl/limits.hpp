// All limits of this language. What a description may grow to is refused beyond a Limit (see core/support/limits.hpp);
// what proofs and better forms cost ends with an Effort (core/support/effort.hpp), by one structure a stage.
// `gdl-effort` scales all efforts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::gdl::limits {

extern constinit Limit nesting, alternatives, rules, memory, term_depth, edges, effort;

// In the order in which they are shown.
std::span<Limit* const> all();

}  // namespace rgtrans::gdl::limits

namespace rgtrans::gdl {

// Processor time of this thread so far.
double thread_seconds();

// Which form a description gets. Where the ground form stays within all of these it is the faster one, and small; else
// the rules are lifted where that can be done.
struct FormLimits {
  std::uint64_t rules = 100'000;            // ground rules
  std::uint64_t growing_rules = 1'000'000;  // where terms may grow without bound
  std::uint64_t steps = 20'000'000;         // tuples tried to find them
  std::uint64_t fixed_steps = 40'000'000;   // tried for what does not depend on the state, before rules are lifted
  std::uint32_t fixed_tuples = 500'000;     // of a relation that does not depend on the state and is kept as a table
  std::size_t certain_literals = 1'000;     // of a ground program that is small for certain
  std::size_t literals = 150'000;           // of one whose automaton is still made
  std::uint64_t edges = 12'000;             // of the automaton
  std::size_t board_share = 6;              // edges for each that it has lifted, where the rules are about a board
};
inline constexpr FormLimits kFormLimits;

// From rules to ground rules. Beyond these, rules are instantiated as they are written.
struct GroundLimits {
  std::size_t product = 256;                     // rules of one statement; more become auxiliary predicates
  std::uint64_t domain_values = 100'000'000;     // looked at to find the values of columns, an effort
  std::uint64_t domain_values_of_rule = 20'000;  // so many more for each rule
  std::uint32_t domain_rows = 4'096;             // of static relations that are looked at row by row
  std::uint32_t domain_depth = 6;                // of terms; deeper nesting is taken for growth without end
  double listed_values = 5'000;                  // of a domain that becomes a relation
  std::uint32_t split_variables = 60;            // of rules that are taken apart
  std::size_t split_literals = 150;
  double tested_values = 2'000;    // of variables that only tests mention
  std::uint64_t unsplit = 30'000;  // ground rules before it is asked which rules to take apart
  std::uint64_t watched = 10'000;  // more of them before the tuples of a relation are counted again
  int folding_rounds = 20;         // for atoms that depend on each other
};
inline constexpr GroundLimits kGroundLimits;

// Looking for groups of facts on the propositional network.
struct NetworkLimits {
  std::uint64_t group_gates = 400'000'000;  // evaluated to follow groups, an effort
  std::size_t phases = 64;                  // of the game
};
inline constexpr NetworkLimits kNetworkLimits;

// Proofs and better forms on the circuit. What is not proved to exclude each other becomes variables of its own.
struct CircuitLimits {
  // Facts that exclude each other.
  std::uint32_t arity = 5;                   // of functors whose arguments are tried as keys
  std::uint64_t playout_steps = 600;         // in all playouts
  std::uint64_t playout_wires = 60'000'000;  // steps times wires
  unsigned playout_length = 100;
  std::uint64_t proof_literals = 4'000'000;  // of the ground program, times rounds
  std::uint64_t proof_rounds = 12;
  std::uint64_t refuting = 20'000'000;    // wires looked at in one round, an effort
  int refuting_depth = 5;                 // alternatives within each other
  std::uint64_t separating = 4'000'000;   // conditions of alternatives in all rounds, an effort
  std::uint64_t separating_literal = 20;  // so many more for each literal
  std::size_t pairs = 4'000;              // of next facts of one group that are compared
  // Derived atoms that exclude each other.
  std::uint64_t derived = 10'000;      // conditions looked at for one relation's class, an effort
  std::uint64_t derived_literal = 30;  // so many more for each literal
  std::size_t comparisons = 200'000;   // conditions that are no values of variables times alternatives
  // Taking conditions apart.
  int alternatives_depth = 400;
  std::size_t refuted_alternatives = 400;  // of one disjunction
  std::size_t compared_pairs = 400;
  std::size_t uniting = 20'000'000;  // bodies looked at to unite those that differ in one variable, an effort
  // New values as lookups.
  std::uint32_t table = 100'000;             // values of a variable that others are computed from
  std::size_t lookups = 1'024;               // under conditions
  std::size_t opened_alternatives = 20'000;  // that are taken further apart
  std::uint64_t looked_up = 100'000'000;     // alternatives looked at in all, an effort
  std::uint64_t looks = 50;                  // at each alternative for a variable that nothing depends on yet
};
inline constexpr CircuitLimits kCircuitLimits;

// Writing the automaton.
struct LowerLimits {
  int splice_depth = 200;               // gates spliced into each other
  std::uint32_t copied_tests = 32;      // a gate is copied to all its uses while that makes so many
  std::uint32_t cost = 1'000'000;       // of a gate, where it is counted
  std::size_t guard_nodes = 4'000;      // looked at to find the moves that matter to a variable
  std::size_t repeated_updates = 3;     // moves in whose lists an update is repeated that is not theirs
  std::size_t table_cells = 4'000'000;  // of all membership tables
};
inline constexpr LowerLimits kLowerLimits;

}  // namespace rgtrans::gdl
