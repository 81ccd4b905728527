// Where the cells of the variables lie, found from the game once: which variables are boards, how their cells are
// arranged, and in which order a person wants to see them.
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
    std::string piece;                      // that `holds` stands for; "" when the value is the piece
    std::optional<std::size_t> owner = {};  // of the men that the value counts
    int least = 0;                          // of a heap: something lies here when the value is at least that
    bool last = false;                      // of what is drawn of a heap
    std::string variable = {};              // not the layout's own
    std::string holds = "1";                // what the value is where there is a piece
    std::vector<Held> also = {};
    [[nodiscard]] std::string place() const { return place_of(variable, key); }
  };
  std::vector<Source> sources;
  std::string label = {};   // that people read instead of the name
  std::string fill = {};    // of its ground
  std::string second = {};  // its name for the second player, who counts from the other end
};

struct Layout {
  std::string variable;
  std::string title;
  std::string of;  // whose it is, or what else tells it from the variable's other boards
  ir::CellShape shape = ir::CellShape::square;
  std::vector<CellSpot> spots;
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  std::vector<Label> columns, rows;
  bool board = true;  // not a row of numbers or heaps
  Ground ground = Ground::plain;
  // How many fields a rectangle has, or would have between the dots; 0 for what is none.
  std::size_t wide = 0, high = 0;
};

// Of one variable; none where it is no board. Heaps are drawn where `heaps` is set.
std::vector<Layout> find_layouts(const ir::Game& game, ir::VarId variable, bool heaps);

}  // namespace rgtrans::scene
