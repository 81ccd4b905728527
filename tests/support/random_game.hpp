// Small random games for differential tests and fuzzing, in each language. Many are improper in some state (stuck,
// ambiguous, endless); tests must skip states that they cannot compare.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/choices.hpp"

namespace rgtrans::test {

// The number in an environment variable such as RGTRANS_FUZZ_SEED, or `standard`.
std::uint64_t from_environment(const char* name, std::uint64_t standard);
// The number of games to try: RGTRANS_FUZZ_COUNT, or `standard`. Under a sanitizer, where each game takes about 25
// times as long, a tenth of it.
std::uint64_t random_count(std::uint64_t standard);

// RG: a few nodes, variables and constants of small types, labels of every kind, checks that share nodes with moves,
// cycles, hidden tags. Equal decisions give equal games on all platforms.
struct RandomGameOptions {
  // Includes labels with values outside of the type of their place. Most pass the verifier, some do not.
  bool loose = false;
  // A path through all nodes to the end, so that most of the game is reachable and most plays end.
  bool spine = true;
  // Instead: turns that follow one another, so that plays go on and few states are stuck.
  bool turns = false;
};
std::string random_game(Choices& choices, const RandomGameOptions& options = {});
// A loose game, usually without a spine.
std::string random_game(std::uint64_t seed);

// Turns on a board, with all forms of the language. Types are small, or have more than 64 or 256 values.
std::string random_wide_game(Choices& choices);

// HRG: domains, functions by cases, variables with map literals, graphs with every statement.
std::string random_hrg(Choices& choices);
// Rare forms of the language, with domains of few or many elements.
std::string random_wide_hrg(Choices& choices);
// RBG: a random board and rules of two players, with macros, patterns and arithmetic.
std::string random_rbg(Choices& choices, bool free_keeper = false);
// Rare forms of the language, on boards of few or many vertices.
std::string random_wide_rbg(Choices& choices);
// Board games in the style of human authors, with boards of nine cells or more.
std::string random_board_rg(Choices& choices);
std::string random_board_rbg(Choices& choices);
std::string random_board_hrg(Choices& choices);
std::string random_board_gdl(Choices& choices);
// Games with dice, cards, chips and tracks.
std::string random_table_hrg(Choices& choices);
// GDL in KIF: a safe, stratified rule set over a few facts and moves.
std::string random_gdl(Choices& choices);
// Ludax: every construct on a small board.
std::string random_ludax(Choices& choices);
// Ludii: placements and moves on small boards of several tilings.
std::string random_ludii(Choices& choices);
// The JSON definition of a line game.
std::string random_line_game(Choices& choices);

}  // namespace rgtrans::test
