// How to draw the positions of a game without C++: an empty board, a picture of each piece, and tables that say what a
// value of a cell puts there. A program that knows the values of the variables can draw with these alone.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/scene/layout.hpp"
#include "backends/scene/picture.hpp"

namespace rgtrans::scene {

struct Blueprint {
  struct Effect {
    std::optional<std::size_t> piece;  // in Scene::pieces
    std::string text;
  };
  // The effect of each value of a variable on a cell. Values without an effect are omitted.
  using Table = std::map<std::string, Effect>;
  struct Source {
    std::string variable;
    std::string key;  // the symbols of the cell's keys, separated by blanks
    std::size_t table = 0;
    std::vector<CellSpot::Held> also = {};  // it says nothing where one of these is not so
  };
  // A variable that is on no board.
  struct Other {
    std::string name;
    bool bits = false;
    bool numbers = false;                         // T(3) is shown as 3
    bool wanted = false;                          // a hint shows it
    std::map<std::string, std::string> pictures;  // of dice or cards, as SVG, by the part of a value that they show
  };

  Scene empty;                                            // all boards without pieces, and all pieces
  std::vector<std::vector<std::vector<Source>>> sources;  // by board and cell, the last one that says something counts
  std::vector<Table> tables;
  std::vector<Other> others;
};

// The empty boards as SVG, where in it the cells lie, and the pieces, to be moved there from the origin.
struct Sheet {
  std::string svg;
  std::vector<std::vector<ir::Words::Place>> places;  // by board and cell
  std::vector<std::string> pieces;
  std::array<std::vector<std::string>, 2> strokes;  // the same as lines along and upright
};
Sheet sheet(const Blueprint& blueprint);

}  // namespace rgtrans::scene
