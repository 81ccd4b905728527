// Regular Boardgames. This front end reads both forms of the language: the high-level one for authors, with macros,
// board generators and abbreviations, and the low-level one, which is a subset.
//
// Stages: text -> tokens (PEGTL) -> directives -> macro expansion -> parse (PEGTL over token classes) -> Description ->
// flow graph (Thompson construction, analyses) -> ir::Game.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontends/frontend.hpp"

namespace rgtrans::rbg {

// The entry in the table of front ends.
const Frontend& frontend();

// The low-level form of a description: macros expanded, the board as a graph, abbreviations removed. Converting its
// result again gives the same text. Reports mistakes to `diagnostics`; the result is then empty.
std::string to_low_level(const Sources::File& file, Diagnostics& diagnostics);

// A bound: none, a number, or infinity.
struct Bound {
  enum class Kind : std::uint8_t { none, finite, infinite };
  Kind kind = Kind::none;
  std::uint64_t value = 0;
  bool operator==(const Bound&) const = default;
};
std::string to_string(const Bound& bound);

// The strong straightness of the rules: the maximum number of offs and assignments between two switches, computed from
// the expression alone. A player's move has at most move + 1 tagged places.
struct Straightness {
  Bound applicational;  // everywhere, including patterns
  Bound main;           // outside of patterns
  Bound move;           // bound for a player's move
  Bound semimove;       // bound for a part of a player's move between two dots
  bool operator==(const Straightness&) const = default;
};
// None if the description has errors.
std::optional<Straightness> straightness(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
