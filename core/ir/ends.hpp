// For front ends, which report games without an end in the words of their language.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::ir {

// Some walk leads from begin to end.
inline bool end_is_reachable(const Game& game) {
  const std::uint32_t begin[] = {game.begin().value};
  const std::vector<bool> reached = reached_from(game.graph.node_bound(), begin, [&](std::uint32_t node, auto&& reach) {
    for (const EdgeId edge : game.graph.out_edges(NodeId(node))) reach(game.graph.target(edge).value);
  });
  return reached[game.end().value];
}

}  // namespace rgtrans::ir
