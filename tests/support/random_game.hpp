// Small random games for differential tests and fuzzing, in each language that people write. Many are improper
// somewhere (stuck, ambiguous, endless); it is for the test to pass over what it cannot compare.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/choices.hpp"

namespace rgtrans::test {

// What an environment variable says, if it is there, such as where to begin (RGTRANS_FUZZ_SEED).
std::uint64_t from_environment(const char* name, std::uint64_t standard);
// How many games to try: what RGTRANS_FUZZ_COUNT says, or so many; under a sanitizer, where each takes some 25 times as
// long, a tenth of these.
std::uint64_t random_count(std::uint64_t standard);

// RG: a handful of nodes, variables and constants of small types, labels of every kind, checks that share nodes with
// moves, cycles, hidden tags. The same decisions give the same game everywhere.
struct RandomGameOptions {
  // Also labels whose values can lie outside the type of the place; most of them pass the verifier, some do not.
  bool loose = false;
  // A path through all nodes to the end, so that most of the game is used and most plays end.
  bool spine = true;
};
std::string random_game(Choices& choices, const RandomGameOptions& options = {});
// A loose one, usually without a spine.
std::string random_game(std::uint64_t seed);

// Turns on a board, with all forms of the language; types small, or of more than 64 or 256 values.
std::string random_wide_game(Choices& choices);

// HRG: domains, functions by cases, variables with map literals, graphs with every statement.
std::string random_hrg(Choices& choices);
// The rarer forms of the language, with domains of few or many elements.
std::string random_wide_hrg(Choices& choices);
// RBG: a random board and rules of two players; macros, patterns, arithmetic.
std::string random_rbg(Choices& choices, bool free_keeper = false);
// The rarer forms of the language, on boards of few or many vertices.
std::string random_wide_rbg(Choices& choices);
// Board games as people write them, with boards of nine cells or more.
std::string random_board_rbg(Choices& choices);
std::string random_board_hrg(Choices& choices);
std::string random_board_gdl(Choices& choices);
// Games of dice, cards, chips and tracks.
std::string random_table_hrg(Choices& choices);
// GDL in KIF: a safe, stratified rule set over a few facts and moves.
std::string random_gdl(Choices& choices);
// Ludax: every construct on a small board.
std::string random_ludax(Choices& choices);
// The JSON definition of a line game.
std::string random_line_game(Choices& choices);

}  // namespace rgtrans::test
