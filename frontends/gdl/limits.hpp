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

// Lists that only prevent a second visit, and bounds of columns before any evaluation.
struct ListLimits {
  std::size_t forms = 60;              // of the rules
  unsigned rewritings = 3;             // of one form in sequence
  std::size_t rules = 40;              // that unfolding adds
  std::size_t combinations = 200'000;  // of values for which a condition is tried
  std::size_t values = 5'000;          // of a column
  std::uint32_t depth = 3;             // of terms
  unsigned rounds = 200;               // of the fixpoint
  unsigned derivation = 12;            // depth of nested rules
  std::uint64_t proofs = 5'000'000;    // facts and rules visited, an effort
};
inline constexpr ListLimits kListLimits;

// Random plays that compare the rules before and behind a rewrite (--verify-each).
struct VerifyLimits {
  std::size_t plays = 20;
  std::size_t steps = 100;      // of one play
  std::size_t positions = 300;  // in all plays
  std::size_t moves = 30;       // of one position; one with more counts as several
};
inline constexpr VerifyLimits kVerifyLimits;

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
  std::uint64_t refuting = 60'000'000;    // wires visited or sorted in one round, an effort
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

// Rules with variables.
struct LiftedLimits {
  // Flattening of terms.
  std::size_t flat_variants = 400;    // of one rule
  std::size_t flat_rules = 4'000;     // in total
  std::uint32_t flat_rows = 500'000;  // of a relation that is split by the forms of its terms
  // Classes of facts.
  std::size_t class_values = 16;    // of a column with classes
  std::size_t classes = 6;          // of one column
  std::size_t class_variants = 60;  // of one rule
  // Cells.
  std::size_t cell_pairs = 3;   // in one rule, at least
  std::size_t least_cells = 9;  // of a board
  std::size_t cells = 1'500;
  // Tables of static literals.
  std::size_t joined_tuples = 60'000;   // of a created relation
  std::size_t table_rows = 20'000;      // of a relation to analyse
  std::size_t merged_tuples = 5'000;    // of a merged table
  std::size_t merged_columns = 3;       // of a merged table
  std::size_t compared_rules = 400;     // pairwise
  double unbound_combinations = 1'000;  // of values for variables that no static literal binds
  std::size_t bound_tuples = 20'000;    // of the bound of a relation
  // Proofs. These decide which proofs are tried; LiftedEfforts bound their work.
  std::uint32_t subset_columns = 4;  // of facts for which all subsets are candidates
  std::size_t derived_rules = 6;     // of a derived relation
  std::size_t inclusions = 3;        // per fact
  std::size_t rule_pairs = 100;      // to prove that two facts exclude each other
  std::size_t pairs_at_once = 8;     // pairs of literals that cost as much as a literal
  std::size_t rows_at_once = 16;     // rows of a static relation that cost as much as a literal
  unsigned entail_depth = 3;
  std::size_t atoms = 120;             // of a conjunction
  std::size_t cases = 10;              // values of a variable
  std::size_t alternatives = 64;       // rules of a relation
  std::uint32_t refuter_rows = 5'000;  // of a static relation that is read
  std::size_t parted_values = 32;      // of a variable from which disequalities remove single ones
  std::size_t turn_values = 64;
  std::size_t turn_scalars = 4;         // of which one holds
  std::size_t recursion_arcs = 20'000;  // that static relations allow
  std::size_t chain_rules = 3;          // that are not recursive
  // Unfolding.
  std::size_t condition_rules = 6;  // of a condition
  std::size_t unfolded_rules = 12;  // for one rule
  std::size_t body_literals = 24;   // of a body
  std::size_t unfolded_looks = 64;  // unfolded rules of a condition, with variants
  std::size_t cause_rules = 12;     // after splitting
  // Frames.
  std::size_t frame_parts = 12;
  unsigned frame_unfolding = 4;
  std::size_t complement_tuples = 20'000;  // in the complement of a static relation
  // The automaton.
  double sort_values = 2'000;              // of a map's key; larger maps are too large to copy
  std::size_t fact_cells = 200'000;        // of one stored fact
  std::size_t constant_cells = 2'000'000;  // of a constant map
  std::size_t edges = 40'000;
  std::size_t listed_values = 32;  // of a list
  // Plans of bodies.
  std::size_t counted_rows = 20'000;  // of a static relation, to plan a choice
  std::size_t planned_literals = 16;  // of a body whose choices are simulated
  std::size_t planned_options = 10;
  double pair_cells = 20'000;  // of a table of possible pairs
  double lists = 20'000;
};
inline constexpr LiftedLimits kLiftedLimits;

// The work of proofs about rules with variables, in visited literals and pairs of them.
struct LiftedEfforts {
  std::uint64_t query = 30'000;
  std::uint64_t join = 1'000'000;       // of static relations, in tuples tried
  std::uint64_t queries = 500'000;      // of one stage
  std::uint64_t fact = 20'000;          // at least, for each fact in a search for dependencies
  std::uint64_t classes = 800'000;      // a search for dependencies, when functors are split
  std::uint64_t cells = 1'000'000;      // the same, when cells are joined
  std::uint64_t inclusions = 50'000;    // the same, with inclusions as premises
  std::uint64_t derived = 200'000;      // dependencies of derived relations
  std::uint64_t undetermined = 20'000;  // the reason for a missing dependency
  std::uint64_t steps = 100'000;        // rules of a step that exclude each other
};
inline constexpr LiftedEfforts kLiftedEfforts;

// An amount of work as `gdl-effort` scales it.
std::uint64_t scaled_effort(std::uint64_t amount);

}  // namespace rgtrans::gdl
