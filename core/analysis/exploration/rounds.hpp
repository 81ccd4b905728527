// Rounds: finds the edges of a cycle that a walk can take infinitely often. Most cycles end, because the variables that
// change in each round never repeat their values. Example: a ray moves across the board until it leaves it.
//
// Variables computed only from each other (two coordinates and a direction) form a group. The analysis enumerates the
// group's values at each node and connects them by the edges' effects. A walk can take an edge infinitely often only if
// the edge is on a cycle of this product graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/analysis/exploration/exploration.hpp"
#include "core/analysis/held_values.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

class Rounds {
 public:
  using Edges = std::vector<std::uint32_t>;  // positions in the exploration's edges, excluding ends of moves
  // Additional knowledge of an engine. Both functions are optional.
  struct Hints {
    // Whether the variable can hold the value at a local node.
    std::function<bool(std::uint32_t node, ir::VarId, SymbolId)> can_hold;
    // Whether the condition with this number can hold if the variable has this value.
    std::function<bool(std::uint32_t number, ir::VarId, SymbolId)> can_pass;
  };

  // Requires the exploration's `live`: only live variables distinguish two rounds.
  Rounds(const Exploration& exploration, const ir::Game& game, HeldValues& held, Hints hints = {})
      : exploration_(exploration), game_(game), held_(held), hints_(std::move(hints)) {}

  // The edges that a walk may take infinitely often. Uses the first group of variables that excludes some edge.
  [[nodiscard]] Edges endless(const Edges& edges);
  // Whether no walk takes edges of this set forever.
  [[nodiscard]] bool end(const Edges& edges);

 private:
  using Group = std::vector<ir::VarId>;
  [[nodiscard]] std::vector<Group> groups(const Edges& edges) const;
  [[nodiscard]] Group computed_together(const Edges& edges, ir::VarId first) const;
  [[nodiscard]] double combinations(const Group& group) const;

  const Exploration& exploration_;
  const ir::Game& game_;
  HeldValues& held_;
  Hints hints_;
  std::size_t work_ = 0;  // work done so far
};

}  // namespace rgtrans::analysis
