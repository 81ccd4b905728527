// Whether a move can be made wherever a check succeeds: each walk of the check is matched, step by step, by a walk of
// the move.
//
//   8, 9: board[pos] == empty;           20, 21: board[pos] == empty;   21, 22: $ pos;   22, 1: player = keeper;
//
// The check from 8 to 9 implies a move from 20: the move can pass the same condition, and then passes no other one.
#pragma once

#include "backends/proper/known_game.hpp"

namespace rgtrans::proper {

// `sure`: by node, whether a move that has come there certainly ends. No check may need its own result.
[[nodiscard]] bool implies_move(KnownGame& known, const ir::Reachability& check, ir::NodeId start,
                                const std::vector<bool>& sure, double seconds);

}  // namespace rgtrans::proper
