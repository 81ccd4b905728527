// LineGame: board, setup and rules together, and what can be made of them.
#pragma once

#include <string>

#include "frontends/linegames/rules.hpp"

namespace rgtrans::linegames {

struct LineGame {
  std::string name = "line game";
  Board board;
  Setup setup;
  Rules rules;

  // Throws ArgumentError when the parts do not fit together.
  void check() const;
  // The game as an HRG program. Checks first.
  [[nodiscard]] std::string to_hrg() const;
  // A definition that load() reads: the points one by one, whatever they were made with.
  [[nodiscard]] std::string to_json() const;
  // A drawing of the board with its lines and pieces.
  [[nodiscard]] std::string svg() const;
  // One line for people: points, lines, pieces, rules.
  [[nodiscard]] std::string summary() const;
};

}  // namespace rgtrans::linegames
