// Where random moves. Moves of random that lead to equal states are one when positions are counted, and states are
// compared by all of their variables, so a variable that is written during a move of random is observed
// at its end, even when nothing reads it later.
#pragma once

#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

struct RandomMoves {
  RandomMoves(const ir::Game& game, const Flow& flow);

  std::vector<bool> inside;  // by flow index: a move of random may pass here
  std::vector<bool> ends;    // by flow index: a move of random may end here
};

}  // namespace rgtrans::analysis
