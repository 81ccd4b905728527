// Ludax: placement games for two players on a board of squares or hexagons.
//
// Stages: text -> tree of lists (PEGTL) -> description (every word known and in a valid place) -> checks -> plan
// (turns, resolved for their player, with proved facts about the play) -> ir::Game.
#pragma once

#include "frontends/frontend.hpp"

namespace rgtrans::ludax {

// The entry in the table of front ends. Options: "score-limit" keeps scores between -K and K; "max-plies" makes a play
// of that length a draw.
const Frontend& frontend();

}  // namespace rgtrans::ludax
