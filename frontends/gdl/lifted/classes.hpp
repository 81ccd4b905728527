// Splits functors whose facts form several classes. For example, `(location pellet ?x ?y)` holds for many cells,
// `(location ?ghost ?x ?y)` for one cell per ghost. If the rules of `next` assign values of disjoint classes to a
// column, and the functor has no functional dependency, each class becomes a functor of its own. A class with one value
// loses the column.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/gdl/lifted/dependencies.hpp"

namespace rgtrans::gdl::lifted {

// A functor for the facts of another functor with certain values in a column.
struct Part {
  RelId whole, relation;
  std::uint32_t column = 0;
  std::optional<TermId> value;  // the only value; the column is then dropped
};
struct Parted {
  Dependencies dependencies;  // of the resulting rules
  std::vector<Part> parts;
};

// Replaces the state-dependent rules if some class has a smaller key then. The rules keep their meaning.
Parted part_classes(Program& program, Unground& unground, Proofs& proofs);

}  // namespace rgtrans::gdl::lifted
