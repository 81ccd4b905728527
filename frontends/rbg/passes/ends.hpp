// The end of the play. In RBG a play ends when the one to move has no move; in RG that needs an explicit way to `end`.
// Each switch becomes one of: the end (no further switch can follow), a plain change of the player (a move surely
// exists), or a keeper's step that looks ahead for a complete move.
#pragma once

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Also drops the modifier numbers of what only the keeper executes.
void add_ends(const Description& description, Relations& relations, Flow& flow);

}  // namespace rgtrans::rbg
