// All limits of this language. A description that exceeds a Limit is refused (core/support/limits.hpp). Proofs and
// better forms spend an Effort (core/support/effort.hpp); each stage has one structure of them. `gdl-effort` scales all
// efforts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::gdl::limits {

extern constinit Limit nesting, alternatives, rules, memory, term_depth, edges, effort;

// In display order.
std::span<Limit* const> all();

}  // namespace rgtrans::gdl::limits

namespace rgtrans::gdl {

// Processor time of this thread so far.
double thread_seconds();

// The choice of a form. A ground form within all of these limits is the faster one, and small. Otherwise the rules are
// lifted if possible.
struct FormLimits {
  std::uint64_t rules = 100'000;            // ground rules
  std::uint64_t growing_rules = 1'000'000;  // ground rules, if terms may grow without bound
  std::uint64_t steps = 20'000'000;         // tuples tried to ground the rules
  std::uint64_t fixed_steps = 40'000'000;   // tuples tried for state-independent relations before lifting
  std::uint32_t fixed_tuples = 500'000;     // tuples of a state-independent relation that becomes a table
  std::size_t certain_literals = 1'000;     // of a ground program that is certainly small
  std::size_t literals = 150'000;           // of a ground program whose automaton is tried
  std::uint64_t edges = 12'000;             // of the automaton
  std::size_t board_share = 6;              // ground edges per lifted edge, if the rules use a board
};
inline constexpr FormLimits kFormLimits;

// From rules to ground rules. Beyond these limits, rules are instantiated as written.
struct GroundLimits {
  std::size_t product = 256;                     // rules of one statement; more become auxiliary predicates
  std::uint64_t domain_values = 100'000'000;     // visited to find the values of columns, an effort
  std::uint64_t domain_values_of_rule = 20'000;  // added for each rule
  std::uint32_t domain_rows = 4'096;             // of static relations that are read row by row
  std::uint32_t domain_depth = 6;                // of terms; deeper ones count as unbounded growth
  double listed_values = 5'000;                  // of a domain that becomes a relation
  std::uint32_t split_variables = 60;            // of rules to split
  std::size_t split_literals = 150;
  double tested_values = 2'000;    // of variables that only tests mention
  std::uint64_t unsplit = 30'000;  // ground rules before rules are split
  std::uint64_t watched = 10'000;  // ground rules between two counts of a relation's tuples
  int folding_rounds = 20;         // for mutually dependent atoms
};
inline constexpr GroundLimits kGroundLimits;

// The search for groups of facts on the propositional network.
struct NetworkLimits {
  std::uint64_t group_gates = 400'000'000;  // evaluated to follow groups, an effort
  std::size_t phases = 64;                  // of the game
};
inline constexpr NetworkLimits kNetworkLimits;

// Proofs and better forms on the circuit. Facts without a proof of mutual exclusion become variables of their own.
struct CircuitLimits {
  // Mutually exclusive facts.
  std::uint32_t arity = 5;                   // of functors whose arguments are tried as keys
  std::uint64_t playout_steps = 600;         // in all playouts
  std::uint64_t playout_wires = 60'000'000;  // steps times wires
  unsigned playout_length = 100;
  std::uint64_t proof_literals = 4'000'000;  // of the ground program, times rounds
  std::uint64_t proof_rounds = 12;
  std::uint64_t refuting = 20'000'000;    // wires visited in one round, an effort
  int refuting_depth = 5;                 // nested alternatives
  std::uint64_t separating = 4'000'000;   // conditions of alternatives in all rounds, an effort
  std::uint64_t separating_literal = 20;  // added for each literal
  std::size_t pairs = 4'000;              // of next facts of one group to compare
  // Mutually exclusive derived atoms.
  std::uint64_t derived = 10'000;      // conditions visited for one class of a relation, an effort
  std::uint64_t derived_literal = 30;  // added for each literal
  std::size_t comparisons = 200'000;   // gates times alternatives
  // Disjunctive forms of conditions.
  int alternatives_depth = 400;
  std::size_t refuted_alternatives = 400;  // of one disjunction
  std::size_t compared_pairs = 400;
  std::size_t uniting = 20'000'000;  // bodies visited to merge those that differ in one variable, an effort
  // New values as lookups.
  std::uint32_t table = 100'000;             // values of a variable from which others are computed
  std::size_t lookups = 1'024;               // under conditions
  std::size_t opened_alternatives = 20'000;  // that are expanded further
  std::uint64_t looked_up = 100'000'000;     // alternatives visited in all, an effort
  std::uint64_t looks = 50;                  // visits per alternative, for a variable that nothing reads yet
};
inline constexpr CircuitLimits kCircuitLimits;

// The automaton.
struct LowerLimits {
  int splice_depth = 200;               // nested spliced gates
  std::uint32_t copied_tests = 32;      // a gate is copied to all its uses up to this number of tests
  std::uint32_t cost = 1'000'000;       // upper bound of a gate's counted cost
  std::size_t guard_nodes = 4'000;      // visited to find the moves that affect a variable
  std::size_t repeated_updates = 3;     // moves that repeat an update that applies without a move
  std::size_t table_cells = 4'000'000;  // of all membership tables
};
inline constexpr LowerLimits kLowerLimits;

}  // namespace rgtrans::gdl
