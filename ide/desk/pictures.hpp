// The automaton of a game on the desk, and what the optimizer did to it.
#pragma once

#include "ide/desk/table.hpp"

namespace rgtrans::ide {

// {optimized, focus: name of a node}: the drawing; of each element of the class e the number of its edge in the JSON
// form and its place in the text; of each node its place.
Json automaton(const OpenedGame& game, const Json& request);

// {level, passes}: one row for each pass that changed something.
Json changes(const OpenedGame& game, const Json& request);
// The same and {number}: one of them in full.
Json change(const OpenedGame& game, const Json& request);

}  // namespace rgtrans::ide
