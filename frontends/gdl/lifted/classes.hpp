// Facts of one functor that are really several: `(location pellet ?x ?y)` holds for many cells, `(location ?ghost ?x
// ?y)` for one cell a ghost. Where the rules of `next` give a column values of separate classes, and the functor as a
// whole has no dependency, each class becomes a functor of its own; a class of one value loses the column.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/gdl/lifted/dependencies.hpp"

namespace rgtrans::gdl::lifted {

// A functor that stands for the facts of another one which have some values in a column.
struct Part {
  RelId whole, relation;
  std::uint32_t column = 0;
  std::optional<TermId> value;  // the only one; then the column is left out
};
struct Parted {
  Dependencies dependencies;  // of the rules that there are in the end
  std::vector<Part> parts;
};

// Replaces the rules that depend on the state where a class is told by fewer columns then. The sense stays the same.
Parted part_classes(Program& program, Unground& unground, Proofs& proofs);

}  // namespace rgtrans::gdl::lifted
