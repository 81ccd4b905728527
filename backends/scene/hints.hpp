// Display hints: lines of comments that say how a game is drawn. They mean the same in every language, and nothing to
// the rules:
//
//     // display: flip
//     // display: show board dice          or: hide lead left
//     // display: colour white #f6e7c1     of a player or of a piece
//     // display: glyph M(white,guard) ♖
//
// Definitions in JSON, which has no comments, carry a list of the same: "display": ["flip", "hide lead"].
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// Variables by their names in RG, pieces and players as their author writes them.
struct Hints {
  bool flipped = false;                        // the board is turned round
  std::vector<std::string> shown, hidden;      // variables; where some are shown, all others are hidden
  std::map<std::string, std::string> colours;  // of a player or a piece, as #rrggbb
  std::map<std::string, std::string> glyphs;   // of a piece
};

// Those of the text that the game was read from. What cannot be understood is a warning at its place, and is left out.
Hints read_hints(const ir::Game& game, Diagnostics& diagnostics);

}  // namespace rgtrans::scene
