// LineGame: a board, a setup and rules, with conversions to other forms.
#pragma once

#include <string>

#include "frontends/linegames/rules.hpp"

namespace rgtrans::linegames {

struct LineGame {
  std::string name = "line game";
  Board board;
  Setup setup;
  Rules rules;

  // Throws ArgumentError if the parts do not fit together.
  void check() const;
  // The game as an HRG program. Calls check() first.
  [[nodiscard]] std::string to_hrg() const;
  // A definition that load() reads. It lists single points, independent of how they were created.
  [[nodiscard]] std::string to_json() const;
  // A drawing of the board with its lines and pieces.
  [[nodiscard]] std::string svg() const;
  // A one-line description: points, lines, pieces, rules.
  [[nodiscard]] std::string summary() const;
};

}  // namespace rgtrans::linegames
