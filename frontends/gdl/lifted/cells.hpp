// Joins columns that rules use in pairs. If a fact is keyed by two columns, `(cell ?x ?y ?piece)`, and a move goes from
// `?x ?y` to `?u ?v`, the pairs of their values become the cells of a board. Then the board is a map over one type, a
// target cell is one choice, and a static relation of the coordinates becomes a relation of cells. The rules keep their
// meaning.
#pragma once

#include <map>
#include <vector>

#include "frontends/gdl/lifted/dependencies.hpp"
#include "frontends/gdl/lifted/flatten.hpp"

namespace rgtrans::gdl::lifted {

// A relation with cells: for each column, the columns of the previous relation that it represents.
struct Joined {
  RelId before;
  std::vector<std::vector<std::uint32_t>> columns;
};

struct Cells {
  std::map<RelId, Joined> relations;
  std::map<std::uint32_t, std::vector<std::uint32_t>> coordinates;  // of each cell
};

// Replaces the state-dependent rules and the dependencies of the facts, unless a dependency would be lost. A cell
// represents two arguments of a move; `forms` is updated accordingly.
Cells join_cells(Program& program, Unground& unground, Dependencies& dependencies, Forms& forms, Proofs& proofs);

}  // namespace rgtrans::gdl::lifted
