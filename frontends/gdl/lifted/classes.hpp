// Facts of one functor that are really several: `(location pellet ?x ?y)` holds for many cells, `(location ?ghost ?x
// ?y)` for one cell a ghost. Where the rules of `next` give a column values of separate classes, and the functor as a
// whole has no dependency, each class becomes a functor of its own; a class of one value loses the column.
#pragma once

#include "frontends/gdl/lifted/dependencies.hpp"

namespace rgtrans::gdl::lifted {

// Replaces the rules that depend on the state where a class is told by fewer columns then. The sense stays the same.
// The dependencies of the rules that there are in the end.
Dependencies part_classes(Program& program, Unground& unground);

}  // namespace rgtrans::gdl::lifted
