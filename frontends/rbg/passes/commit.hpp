// RG wants one keeper move in every state, RBG allows several if they come to the same in the end (take off any marked
// stone; repeat). This makes the choice: of several steps the first one from which the next switch can be reached, of
// several places the first such one on the board. No other part of the system has to know which walk is meant, and no
// later transformation can change it.
#pragma once

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

void commit_keeper(const Description& description, Relations& relations, Flow& flow);

}  // namespace rgtrans::rbg
