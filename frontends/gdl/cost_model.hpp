// The numbers that decide between equivalent forms of rules and code: `kSplitCosts` between ground forms of a rule,
// `kPlanCosts` between plans of a body with variables, `kFormCosts` between forms of the automaton. Steps are literals
// that a walk visits. Limits and efforts are in limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rgtrans::gdl {

// Ground rules.
struct SplitCosts {
  double least_instances = 2'000;    // a rule with fewer expected instances stays whole
  double parts = 0.5;                // of the cost of the whole: the parts must cost less
  double match = 0.1;                // of a partial match, relative to a ground rule
  double rule = 50;                  // of an additional rule
  double demand = 0.8;               // of the values of a column: a demand for more restricts nothing
  double unbounded_values = 20'000;  // of a column without known values
};
inline constexpr SplitCosts kSplitCosts;

// Rules with variables.
struct PlanCosts {
  std::size_t sharing = 2;  // derived relations that share a variable, so that it may be chosen for them
  double most_steps = 1e7;  // larger estimates are not compared
  double option = 0.95;     // of the cost of the greedy plan: another one must cost less
  double test = 0.6;        // selectivity of a test about which nothing is known
  double fact = 0.2;        // and of a fact
  double recursion_steps = 30;
  double forward_steps = 60;  // of a recursion that is evaluated forwards
  double few_results = 8;
  double tried_values = 100;  // of results; up to so many are tried one by one
  double call = 0.5;          // cost of a call for results, relative to calls for each value
  double derivation = 3;      // tuples of a recursion per tuple of its non-recursive rules
  double few_steps = 30;
  double many_steps = 400;         // steps of a relation with determined results
  double value_steps = 0.25;       // per value tried, or per fact read
  double result_steps = 2;         // of a walk that reaches its end
  double shared_result_steps = 6;  // the same if several walks may reach one result
  // Tests above these selectivities are not added: of a static relation, and of the argument pairs of a recursion.
  double static_test = 0.5;
  double pair_test = 0.25;
  double large_table = 5'000;     // cells; several smaller tables are tried instead
  double listed = 0.25;           // of the possible values of a variable
  std::size_t tried_per_row = 4;  // values that one comparison of a row saves
  // The step.
  double alternative = 0.7;    // of the steps: an alternative must take less
  double renewed_steps = 24;   // per key, of a walk that removes and derives facts
  double choice = 0.8;         // of the cost of the wanted choice: another one must cost less
  double chain_length = 6;     // expected
  double element_steps = 20;   // per element of a chain
  double changed_least = 4;    // keys; with fewer, the whole rule is evaluated
  double changed_most = 64;    // keys that a reasoner handles as one set
  double changed_facts = 4;    // in one step
  double changed_steps = 0.5;  // of the steps of the whole rule
};
inline constexpr PlanCosts kPlanCosts;

// The automaton of ground rules.
struct FormCosts {
  std::uint32_t small_tests = 4;    // a gate with at most so many tests is copied
  std::size_t spliced_inputs = 3;   // a conjunction with at most so many inputs is spliced into others
  std::size_t sparse = 2;           // cells of a nested map per fact; with more, whole tuples are keys
  std::size_t nested = 4;           // keys of a nested map
  std::size_t cells_per_test = 64;  // of a membership table per listed value
  std::size_t named_bits = 4096;    // conditions with names of their own; more form rows
  std::size_t bits_per_row = 256;
  std::size_t lookup_alternatives = 6;  // per lookup, at least
  std::size_t few_lookups = 8;          // with more, each must replace at least `replaced_bodies`
  std::size_t replaced_bodies = 8;
  std::size_t short_conjunction = 3;    // inputs
  std::size_t direct_pairs = 3;         // up to so many pairs are compared one by one
  std::size_t partition_variables = 3;  // that are tried to partition alternatives
};
inline constexpr FormCosts kFormCosts;

}  // namespace rgtrans::gdl
