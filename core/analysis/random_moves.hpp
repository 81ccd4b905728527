// Where random moves, and what such a move can change. Moves of random that lead to equal states are one when positions
// are counted, and states are compared by their node and all of their variables. So what a move of random may have
// written is observed at its end, even when nothing reads it later, and two nodes where such moves end must not become
// one. A variable that no move of random ending here can have written is the same after all of them and tells none
// apart.
#pragma once

#include <vector>

#include "core/analysis/flow.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

struct RandomMoves {
  RandomMoves(const ir::Game& game, const Flow& flow);

  [[nodiscard]] bool any() const { return !written.empty(); }

  std::vector<bool> inside;  // by flow index: a move of random may pass here
  std::vector<bool> ends;    // by flow index: a move of random may end here
  // By flow index, empty when random never moves: what a move of random may have written when it passes here, and
  // when it ends here.
  std::vector<Bits> written, end_written;
};

}  // namespace rgtrans::analysis
