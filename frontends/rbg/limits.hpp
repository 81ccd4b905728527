// All limits of this language. A text that exceeds a Limit is refused (see core/support/limits.hpp). An Effort ends an
// optional proof or optimization without failing (core/support/effort.hpp); each stage has one structure of efforts.
// `rbg-effort` scales all efforts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::rbg::limits {

extern constinit Limit nesting, actions, board_edges, tokens, expansion_steps, macro_calls, macro_depth, integer, table,
    effort;

// All limits, in display order.
std::span<Limit* const> all();

}  // namespace rgtrans::rbg::limits

namespace rgtrans::rbg {

// Limits for tables of board relations. Beyond them, walks remain walks.
struct BoardLimits {
  std::uint64_t members = 30'000'000;     // total members of sets in all operations (effort)
  std::size_t parallel = 2;               // directions that remain edges; more become a table of successors
  std::size_t table_entries = 3'000'000;  // entries of a table of successors
};
inline constexpr BoardLimits kBoardLimits;

// Limits of proofs about the flow graph. An unproved fact is assumed to be possible.
struct ProofLimits {
  std::uint64_t splits = 4'000;       // case distinctions for one query (effort)
  std::size_t classes = 64;           // cases in one distinction
  std::size_t ways = 120;             // conjunctions of tests compared from one node or edge
  std::size_t tests = 24;             // tests in one conjunction
  int depth = 6;                      // tests between a proved node and nodes that are tried again
  std::uint64_t pairs = 2'000;        // pairs of walks followed for one query (effort)
  std::size_t reread_vertices = 500;  // board size up to which re-reading of vertices is analysed
  std::int64_t values = 4'096;        // distinguished values of a variable
  std::size_t bits = 400'000'000;     // total bits for possible pieces at all nodes
  std::size_t vertices = 5'000;       // board size up to which these bits are kept
};
inline constexpr ProofLimits kProofLimits;

// Limits of the passes over the flow graph.
struct PassLimits {
  int rounds = 6;                 // rounds of passes
  int joining_rounds = 200;       // rounds of merging equal nodes
  std::size_t inlined_tests = 4;  // tests of a pattern that replaces its check
  std::size_t inlined_choices = 2;
  std::size_t functions = 4'000;  // composed directions
  std::size_t lines = 8;          // directions that replace one relation
};
inline constexpr PassLimits kPassLimits;

}  // namespace rgtrans::rbg
