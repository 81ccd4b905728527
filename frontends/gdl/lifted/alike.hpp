// Rules that read alike become one. Two that differ in static literals alone become one about the union of what these
// say: `(or (distinct ?p pawn) (distinct ?y 8))` is a table of pieces and rows. Rules that say the same of one role
// each, with other constants, become one with a variable for the role, and a static relation tells the constants.
// Static relations are made simpler before: columns that nothing else depends on are taken out, and what several of
// them tell together, such as the cell between two others, is told by one.
#pragma once

#include <functional>

#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl::lifted {

// Replaces the rules that depend on the state; the sense stays the same. Rules about roles become one where it is
// always known who moves, which `one_moves` tells.
void join_alike(Program& program, Unground& unground, const std::function<bool()>& one_moves);

}  // namespace rgtrans::gdl::lifted
