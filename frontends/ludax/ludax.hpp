// Ludax: placement games of two players on a board of squares or hexagons.
//
// The way of a description: text -> tree of lists (PEGTL) -> description (every word known and in its place) -> checks
// -> plan (turns, resolved for their player, and what can be proved of the play) -> ir::Game.
#pragma once

#include "frontends/frontend.hpp"

namespace rgtrans::ludax {

// The row of the table of front ends. Options: "score-limit" keeps scores between -K and K; "max-plies" makes a play of
// that length a draw.
const Frontend& frontend();

}  // namespace rgtrans::ludax
