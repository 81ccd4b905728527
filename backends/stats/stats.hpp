// Statistics of a game: the size of its automaton, the kinds of its edges, the size of a state.
#pragma once

#include <cstdint>
#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::stats {

struct Stats {
  std::uint64_t edges = 0;
  std::uint64_t nodes = 0;  // nodes with at least one edge
  std::uint64_t constants = 0;
  std::uint64_t variables = 0;
  std::uint64_t typedefs = 0;
  // Sum over the variables of the members of a set or the product of both sides of an arrow. Saturated at 2^62.
  std::uint64_t state_size = 0;
  std::uint64_t main_automaton_nodes = 0;        // reachable from begin without following checks
  std::uint64_t reachability_subautomatons = 0;  // distinct nodes where checks start
  // Out-degrees count distinct (label, target) pairs. The mean is over nodes with outgoing edges.
  std::uint64_t max_branching = 0;
  double average_branching = 0;
  std::uint64_t repeat_nodes = 0;
  std::uint64_t unique_nodes = 0;
  std::uint64_t repeat_or_unique_nodes = 0;
  std::uint64_t skip_edges = 0;
  std::uint64_t assign_edges = 0;
  std::uint64_t comparison_edges = 0;
  std::uint64_t reachability_edges = 0;
  std::uint64_t tag_edges = 0;
};

Stats collect(const ir::Game& game);

// One "name: value" per line.
std::string text(const Stats& stats);
// A JSON object; keys are in alphabetical order.
std::string json(const Stats& stats);

}  // namespace rgtrans::stats
