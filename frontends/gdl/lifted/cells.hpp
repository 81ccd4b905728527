// Columns that go together become one: where a fact is told by two columns, `(cell ?x ?y ?piece)`, and rules speak of
// both at once, as a move does that goes from `?x ?y` to `?u ?v`, the pairs of their values are the cells of a board.
// Then the board is a map over one type, a place to go to is one choice, and what static relations say of the
// coordinates of two cells is a relation of the cells. The sense of the rules stays the same.
#pragma once

#include <map>
#include <vector>

#include "frontends/gdl/lifted/dependencies.hpp"
#include "frontends/gdl/lifted/flatten.hpp"

namespace rgtrans::gdl::lifted {

// A relation some of whose columns are cells: for each column those that it stands for in the relation before.
struct Joined {
  RelId before;
  std::vector<std::vector<std::uint32_t>> columns;
};

struct Cells {
  std::map<RelId, Joined> relations;
  std::map<std::uint32_t, std::vector<std::uint32_t>> coordinates;  // of each cell
};

// Replaces the rules that depend on the state, and the dependencies of the facts, unless one of these would be lost. A
// cell stands for two arguments of a move; `forms` are made to say so.
Cells join_cells(Program& program, Unground& unground, Dependencies& dependencies, Forms& forms, Proofs& proofs);

}  // namespace rgtrans::gdl::lifted
