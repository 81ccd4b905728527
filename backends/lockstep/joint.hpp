// Explores several engines, or several games, together. All of them make the same moves from their initial states on.
// In every state they must agree on the mover, the moves, the end, the scores, and the texts shown to players. States
// are identified by all their bytes: a bounded game is compared completely, and no hash collision hides a part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/reasoner.hpp"

namespace rgtrans::lockstep {

struct Companion {
  Reasoner* reasoner = nullptr;
  std::string name;  // name in messages
  // Translates tags to the words that all companions share. If empty, the text stays as it is.
  std::function<std::string(const std::string& tags)> words = {};
  // Companions with the same number show each player the same texts, tag by tag.
  std::uint32_t views = 0;
  // Whether it lists several moves of keeper. A game that has them is improper, and compiled code makes one of them.
  bool lists_keeper = true;
};

struct JointOptions {
  std::size_t states = 10'000;       // distinct states to explore
  std::uint64_t moves = UINT64_MAX;  // moves to make
  std::size_t depth = SIZE_MAX;      // decisions from the first state
  double seconds = 0;                // processor time; 0 for no bound
  std::uint64_t seed = 1;            // determines the order in which moves are tried
  std::function<bool()> stop = {};   // also called before each move

  // Allows a companion to omit decisions with a single move that the first companion makes.
  bool forced = false;
  // In states of random, requires equal shares of the walks for each move.
  bool ways = true;
  // Requires that companions of one group show the same texts.
  bool views = true;
  // Requires that keeper shows the same texts in all companions, in any order.
  bool percepts = false;
  // Skips moves that several walks of the first companion make, because the game does not define which result is taken.
  bool certain = false;
};

struct JointResult {
  std::string difference;         // the first difference, or ""
  std::string_view kind;          // its kind: "moves", "end", "score", "mover", "views", …
  std::size_t companion = 0;      // the one that differs from the first companion
  std::vector<std::string> path;  // the moves that lead to it, in shared words
  std::size_t states = 0;
  std::uint64_t moves = 0;
  std::size_t ends = 0, stuck = 0;  // states where the play is over; where it is not, but some mover has no move
  bool complete = false;            // every state was explored
};

// Compares all companions with the first one. Nothing is compared in a state where some mover of the first companion
// has no move, or where its play continues forever without a decision. Throws the exceptions of the engines.
JointResult explore_together(std::span<const Companion> companions, const JointOptions& options = {});

}  // namespace rgtrans::lockstep
