// The nodes that moves of random pass, and the variables that such a move can write.
//
// When positions are counted, moves of random that lead to equal states count as one. States are compared by their node
// and all variables. A variable that a move of random writes is therefore observed at the end of the move, even if
// nothing reads it later, and two nodes where such moves end must not be merged. Variables that no such move writes
// cannot distinguish its results.
//
//   begin, a: player = random;   a, b: die = D(*);   b, c: player = p;      at c, random may have written die
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
  // By flow index, empty if random never moves: the variables that a move of random may have written when it passes
  // this node, and when it ends here.
  std::vector<Bits> written, end_written;
};

}  // namespace rgtrans::analysis
