// Statistics of a game: the size of its automaton, what its edges do, how large a state is.
#pragma once

#include <cstdint>
#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::stats {

struct Stats {
  std::uint64_t edges = 0;
  std::uint64_t nodes = 0;  // that some edge starts or ends in
  std::uint64_t constants = 0;
  std::uint64_t variables = 0;
  std::uint64_t typedefs = 0;
  // Sum over the variables: members of a set, product of both sides of an arrow. Saturated at 2^62.
  std::uint64_t state_size = 0;
  std::uint64_t main_automaton_nodes = 0;        // reachable from begin, checks not followed
  std::uint64_t reachability_subautomatons = 0;  // distinct nodes where a check starts
  // Out-degrees count distinct (label, target) edges; the mean is over nodes with outgoing edges.
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

// One "name: value" a line.
std::string text(const Stats& stats);
// One object; keys in alphabetical order.
std::string json(const Stats& stats);

}  // namespace rgtrans::stats
