// Rounds: which edges of a cycle can a walk take for ever? Most cycles end by themselves, because the variables that
// change on the way round never have the same values again: a ray runs over the board until it leaves it.
//
// Variables that are computed from nothing but each other (two coordinates and a direction) are looked at together. All
// values that they can have are tried: each edge leads from values to values, and a walk takes an edge that is on no
// cycle of these a bounded number of times.
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
  using Edges = std::vector<std::uint32_t>;  // positions in the exploration, without ends of moves
  // What an engine knows beyond what variables can ever hold. Either may be empty.
  struct Hints {
    // The variable can have the value at a local node.
    std::function<bool(std::uint32_t node, ir::VarId, SymbolId)> can_hold;
    // With this value of the variable the condition of this number can hold.
    std::function<bool(std::uint32_t number, ir::VarId, SymbolId)> can_pass;
  };

  // The exploration knows what is live: only what is read later can tell two rounds apart.
  Rounds(const Exploration& exploration, const ir::Game& game, HeldValues& held, Hints hints = {})
      : exploration_(exploration), game_(game), held_(held), hints_(std::move(hints)) {}

  // Those that a walk may take for ever, as far as one group of variables shows.
  [[nodiscard]] Edges endless(const Edges& edges);
  // No walk goes on along these for ever.
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
  std::size_t work_ = 0;  // spent so far
};

}  // namespace rgtrans::analysis
