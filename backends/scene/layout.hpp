// Finds, once per game, where the cells of the variables are drawn. It chooses the variables that are boards, the
// arrangement of their cells, and the order in which a person wants to see them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/scene/picture.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// The keys of a cell in one text.
std::string key_of(const std::vector<std::string>& keys);
// Which cell of the state that is; without a variable that of the layout is meant.
std::string place_of(const std::string& variable, const std::string& key);

// One cell of a board, and the cells of the variable that say what is on it.
struct CellSpot {
  std::string name;
  double x = 0, y = 0;
  Cell::Line line = Cell::Line::none;
  struct Held {
    std::string variable, key, value;
  };
  struct Source {
    std::string key;                        // as key_of() writes it
    std::string piece;                      // that `holds` represents; "" when the value is the piece
    std::optional<std::size_t> owner = {};  // of the men that the value counts
    int least = 0;                          // of a heap: something lies here when the value is at least that
    bool last = false;                      // the last one drawn of a heap
    std::string variable = {};              // not the layout's own
    std::string holds = "1";                // the value if there is a piece
    std::vector<Held> also = {};
    [[nodiscard]] std::string place() const { return place_of(variable, key); }
  };
  std::vector<Source> sources;
  std::string label = {};   // that people read instead of the name
  std::string fill = {};    // of its ground
  std::string second = {};  // its name for the second player, counted from the opposite side
};

struct Layout {
  std::string variable;
  std::string title;
  std::string of;  // its owner, or whatever distinguishes it from the variable's other boards
  ir::CellShape shape = ir::CellShape::square;
  std::vector<CellSpot> spots;
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  std::vector<Label> columns, rows;
  bool board = true;  // not a row of numbers or heaps
  Ground ground = Ground::plain;
  // The fields of a rectangle in each direction, or the spaces between its dots; 0 for other shapes.
  std::size_t wide = 0, high = 0;
};

// Of one variable; none where it is no board. Heaps are drawn where `heaps` is set.
std::vector<Layout> find_layouts(const ir::Game& game, ir::VarId variable, bool heaps);

}  // namespace rgtrans::scene
