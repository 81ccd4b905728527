// The board generators convert rows of cells to vertices and labelled edges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

// The cells between a generator's brackets, in the order of the text.
struct BoardCells {
  struct Cell {
    std::uint32_t piece = kNone;  // kNone: a hole
    Range where;
  };
  struct Row {
    std::uint32_t first = 0, count = 0;  // range of cells
    Range where;
  };
  struct Layer {
    std::uint32_t first = 0, count = 0;  // range of rows
    Range where;
  };
  std::vector<Cell> cells;
  std::vector<Row> rows;
  std::vector<Layer> layers;
};

struct ShapeError {
  Range where;
  std::string message;
  std::string hint = {};
};

// Each function fills `description.board` and `description.neighbours`. The labels must have been declared in the order
// of the generator's arguments.
std::optional<ShapeError> make_rectangle(const BoardCells& layout, Description& description);
std::optional<ShapeError> make_hexagon(const BoardCells& layout, Description& description);
std::optional<ShapeError> make_cuboid(const BoardCells& layout, Description& description);

}  // namespace rgtrans::rbg
