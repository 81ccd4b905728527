// Display hints: lines of comments that say how a game is drawn. They mean the same in every language, and nothing to
// the rules:
//
//     // display: flip
//     // display: show board dice          or: hide lead left
//     // display: colour white #f6e7c1     of a player or of a piece
//     // display: glyph M(white,guard) ♖
//     // display: name index_19 pass       of a move, by one of its tags
//     // display: coordinates off          cells are named as the author writes them
//     // display: cell S(5,5) #d8c08a      the colour of a cell's ground
//     // display: edge red top bottom       whose edges of the board these are: a player, or a colour
//     // display: look 1 2 3 4 tall         pieces that differ in traits: one trait a line
//
// Definitions in JSON, which has no comments, carry a list of the same: "display": ["flip", "hide lead"].
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/scene/picture.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// Variables by their names in RG, pieces and players as their author writes them.
struct Hints {
  bool flipped = false;                        // the board is turned round
  std::vector<std::string> shown, hidden;      // variables; where some are shown, all others are hidden
  std::map<std::string, std::string> colours;  // of a player or a piece, as #rrggbb
  std::map<std::string, std::string> glyphs;   // of a piece
  std::map<std::string, std::string> names;    // of moves, by a tag in them
  std::map<std::string, std::string> cells;    // colours of cells, by their names
  std::map<std::string, std::string> edges;    // by side of the board: a player, or a colour as #rrggbb
  std::map<std::string, Traits> looks;         // of pieces
  bool coordinates = true;                     // cells are named by letters and numbers
};

// The code of a colour that has a name; none of another word.
std::optional<std::string> named_colour(std::string_view name);

// The hints in the text that the game was read from. A hint that cannot be understood is reported as a warning at its
// place, and ignored.
Hints read_hints(const ir::Game& game, Diagnostics& diagnostics);

}  // namespace rgtrans::scene
