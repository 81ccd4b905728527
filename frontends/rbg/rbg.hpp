// Regular Boardgames. One front end reads both forms of the language, the one people write (macros, board
// generators, abbreviations) and the low-level one, which is a part of it.
//
// The way of a description: text -> tokens (PEGTL) -> directives -> macro expansion -> parse (PEGTL over token
// classes) -> Description -> flow graph (Thompson construction, analyses) -> ir::Game.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontends/frontend.hpp"

namespace rgtrans::rbg {

// The row of the table of front ends.
const Frontend& frontend();

// The low-level form of a description: macros expanded, the board as a graph, abbreviations removed. Reading it again
// gives the same text. Mistakes go to `diagnostics`; then the result is empty.
std::string to_low_level(const Sources::File& file, Diagnostics& diagnostics);

// A bound of the form "none", a number, or infinity.
struct Bound {
  enum class Kind : std::uint8_t { none, finite, infinite };
  Kind kind = Kind::none;
  std::uint64_t value = 0;
  bool operator==(const Bound&) const = default;
};
std::string to_string(const Bound& bound);

// The strong straightness of the rules: how many offs and assignments fit between two switches, judged by the
// expression alone. A move of a player has at most move + 1 tagged places.
struct Straightness {
  Bound applicational;  // everywhere, patterns included
  Bound main;           // outside patterns
  Bound move;           // in a player's move
  Bound semimove;       // in a part of a player's move between dots
  bool operator==(const Straightness&) const = default;
};
// None when the description has errors.
std::optional<Straightness> straightness(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
