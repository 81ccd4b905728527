// All limits of this language. What a text may grow to is refused beyond a Limit (see core/support/limits.hpp); what
// proofs and better forms cost ends with an Effort (core/support/effort.hpp), by one structure a stage. `rbg-effort`
// scales all efforts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::rbg::limits {

extern constinit Limit nesting, actions, board_edges, tokens, expansion_steps, macro_calls, macro_depth, integer, table,
    effort;

// In the order in which they are shown.
std::span<Limit* const> all();

}  // namespace rgtrans::rbg::limits

namespace rgtrans::rbg {

// Relations of the board as tables; beyond these, walks stay walks.
struct BoardLimits {
  std::uint64_t members = 30'000'000;     // of sets that all set operations touch, an effort
  std::size_t parallel = 2;               // directions that stay edges; more become one step over a table of successors
  std::size_t table_entries = 3'000'000;  // of a table of successors
};
inline constexpr BoardLimits kBoardLimits;

// Proofs about the flow graph; what is not proved is taken to be possible.
struct ProofLimits {
  std::uint64_t splits = 4'000;       // case distinctions for one question, an effort
  std::size_t classes = 64;           // cases in one distinction
  std::size_t ways = 120;             // conjunctions of tests that are compared, from one node or edge
  std::size_t tests = 24;             // of one such conjunction
  int depth = 6;                      // tests between a node and one that is asked again for it
  std::uint64_t pairs = 2'000;        // of walks that are followed together for one question, an effort
  std::size_t reread_vertices = 500;  // of a board on which it is asked what is looked at twice
  std::int64_t values = 4'096;        // of a variable whose values are told apart
  std::size_t bits = 400'000'000;     // kept for all nodes together: what may lie where
  std::size_t vertices = 5'000;       // of a board of which that is kept
};
inline constexpr ProofLimits kProofLimits;

// Passes over the flow graph.
struct PassLimits {
  int rounds = 6;                 // of passes until nothing changes
  int joining_rounds = 200;       // of joining equal nodes
  std::size_t inlined_tests = 4;  // of a pattern that is put where it is asked
  std::size_t inlined_choices = 2;
  std::size_t functions = 4'000;  // combined directions
  std::size_t lines = 8;          // that stand for one relation
};
inline constexpr PassLimits kPassLimits;

}  // namespace rgtrans::rbg
