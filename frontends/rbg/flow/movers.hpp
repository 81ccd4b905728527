// Who is on the move where.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

inline constexpr char kKeeperMoves = 1, kPlayerMoves = 2;

// By node of the main part: the keeper, a player, or either; 0 elsewhere.
ByNode<char> find_movers(const FlowGraph& flow);

// Doubles what both the keeper and a player walk through, so that each node has one kind of owner. Steps of the keeper
// leave no trace in moves.
void separate_movers(FlowGraph& flow);

}  // namespace rgtrans::rbg
