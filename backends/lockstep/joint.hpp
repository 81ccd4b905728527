// Engines, or games, explored together: from their first states on, all of them make the same moves, and in every state
// they have to agree on who moves, on the moves, on the end and the scores, and on what players are shown. States are
// recognised by all their bytes, so that a bounded game is compared completely and no accident of a hash hides a part.
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
  std::string name;  // for messages
  // A text of tags in the words that all companions share; as it stands where this is empty.
  std::function<std::string(const std::string& tags)> words = {};
  // Companions with the same number show each player the same texts, tag by tag.
  std::uint32_t views = 0;
};

struct JointOptions {
  std::size_t states = 10'000;       // different ones that are looked at
  std::uint64_t moves = UINT64_MAX;  // that are made
  std::size_t depth = SIZE_MAX;      // decisions from the first state
  double seconds = 0;                // of processor time; 0 for no bound
  std::uint64_t seed = 1;            // for the order in which moves are tried
  std::function<bool()> stop = {};   // asked before each move, too

  // One companion may leave out decisions with a single move that the first one makes.
  bool forced = false;
  // In states of random, a move has the same share of the walks.
  bool ways = true;
  // Companions of one group are shown the same.
  bool views = true;
  // What the keeper shows is the same for all companions, in any order.
  bool percepts = false;
  // Moves that several walks of the first companion make are not made: it is nobody's promise which of their results
  // is taken.
  bool certain = false;
};

struct JointResult {
  std::string difference;         // the first one, or ""
  std::string_view kind;          // of it: "moves", "end", "score", "mover", "views", …
  std::size_t companion = 0;      // that differs from the first one
  std::vector<std::string> path;  // the moves that lead to it, in shared words
  std::size_t states = 0;
  std::uint64_t moves = 0;
  std::size_t ends = 0, stuck = 0;  // states where the play is over; where somebody has no move though it is not
  bool complete = false;            // no state is left to look at
};

// The first companion is what the others are compared with. Where somebody has no move though its play is not over, or
// it goes on without a decision for ever, nothing is compared. Throws what an engine throws.
JointResult explore_together(std::span<const Companion> companions, const JointOptions& options = {});

}  // namespace rgtrans::lockstep
