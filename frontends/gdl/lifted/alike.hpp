// Merges similar rules. Two rules that differ in static literals only become one with the union of their conditions:
// `(or (distinct ?p pawn) (distinct ?y 8))` becomes a table of pieces and rows. Rules that are equal up to the
// constants of each role become one with a variable for the role and a table of the constants. Before that, static
// literals are simplified: independent columns are projected out, and literals that determine a variable only jointly,
// such as the cell between two others, become one table.
#pragma once

#include <functional>

#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl::lifted {

// Replaces the state-dependent rules by equivalent ones. Merges roles only if `one_moves` returns true: in every state,
// the rules determine the role that moves.
void join_alike(Program& program, Unground& unground, const std::function<bool()>& one_moves);

}  // namespace rgtrans::gdl::lifted
