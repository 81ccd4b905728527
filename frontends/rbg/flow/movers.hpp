// Determines which nodes belong to moves of the keeper and which to moves of players.
#pragma once

#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

inline constexpr char kKeeperMoves = 1, kPlayerMoves = 2;

// By node of the main part: the keeper, a player, or both; 0 for other nodes.
ByNode<char> find_movers(const FlowGraph& flow);

// Duplicates the nodes that both the keeper and players pass, so that each node belongs to only one kind of mover.
// Steps of the keeper do not appear in moves.
void separate_movers(FlowGraph& flow);

}  // namespace rgtrans::rbg
