// Scene: the drawable content of a state, as data. It is found from the game (scene.hpp) and drawn by renderers: as
// text for a terminal, as SVG, or as JSON for programs with their own drawing. It contains only facts that its viewer
// may see.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// Pieces that differ in four ways, as a hint says.
struct Traits {
  bool dark = false, tall = false, round = false, hollow = false;
};

struct PieceLook {
  std::string word;                       // as the author writes it
  std::string kind;                       // the rest of the word without the owner: "queen"; "" is a plain stone
  std::optional<std::size_t> owner = {};  // a player
  std::string glyph;                      // for terminals that know more than ASCII
  std::string letter;                     // for others
  bool figure = false;                    // the glyph is a chess figure
  bool stone = false;                     // drawn as one: plain, or a man or king of draughts
  bool crowned = false;                   // a king of draughts
  std::string colour = {};                // as a hint or its name says; "" is the owner's
  bool chosen = false;                    // a hint has chosen the glyph
  std::optional<Traits> traits = {};      // drawn instead of a glyph
};

struct Cell {
  std::string name;                       // as the author writes it
  std::string label = {};                 // as moves are shown, where that is another name: "e4"
  std::string second = {};                // its name in the moves of the second player, where that is another one
  double x = 0, y = 0;                    // its middle; neighbouring cells are about 1 apart, y grows downwards
  std::optional<std::size_t> piece = {};  // in Scene::pieces
  std::string text;                       // a number instead of a piece
  std::string fill = {};                  // the colour of its ground, as a hint says
  bool unknown = false;                   // the viewer cannot know
  // A line between two dots, along or upright, instead of a field.
  enum class Line : std::uint8_t { none, along, upright } line = Line::none;
};

struct Label {
  double at = 0;
  std::string text;
  std::optional<double> across =
      std::nullopt;  // of a column that is not upright: the position of its label in the other direction
};

// The look of the fields, which follows from the pieces that can be on them.
enum class Ground : std::uint8_t { plain, chequered, crossings, sea, triangles, dots };

struct BoardPicture {
  std::string title;
  std::string of;  // whose it is, where players have boards of their own
  Ground ground = Ground::plain;
  ir::CellShape shape = ir::CellShape::square;
  std::vector<Cell> cells;
  std::vector<std::pair<std::size_t, std::size_t>> lines;  // between cells
  std::vector<Label> columns, rows;                        // at their x and y
  std::map<std::string, std::string> edges = {};           // by side: a player, or a colour
};

// A die, a card or a piece that a value shows.
struct Face {
  bool die = false;
  std::string text;                    // a number, the name of a card or a piece, or "?"
  std::optional<PieceLook> look = {};  // of a piece
};

struct ShownValue {
  std::string name, value;
  std::vector<Face> faces = {};
};

struct Scene {
  std::vector<std::string> players;
  std::string mover;                 // whose turn it is; "" when the play is over
  std::vector<std::string> outcome;  // by player, when the play is over
  std::vector<std::string> colours;  // by player, as hints say; "" is the usual one
  std::vector<PieceLook> pieces;
  std::vector<BoardPicture> boards;
  std::vector<ShownValue> facts;
  std::vector<std::string> last = {};  // names of the cells of the last move, which drawings for terminals mark
};

struct TextStyle {
  bool unicode = true;
  bool colours = false;
  bool flipped = false;  // as the second player sees it
};
// Boards, a legend, whatever else belongs to the position; safe for a terminal.
std::string text(const Scene& scene, const TextStyle& style = {});
std::string svg(const Scene& scene, bool flipped = false);
// Dice and cards alone, as one small drawing.
std::string svg(const std::vector<Face>& faces);
std::string json(const Scene& scene);

}  // namespace rgtrans::scene
