// The options and the report of a tree search.
//
// Compiled reasoners include this text, so it uses the standard library alone.
#pragma once

#include <cstdint>
#include <vector>

namespace rgtrans::search {

struct TreeOptions {
  double exploration = 0.5;  // of results between 0 and 1
  double first_play = 10;    // a move that was never tried counts as its node's mean and this much
  double rave = 0;           // as many visits as the moves of later turns are worth (RAVE); 0: they are not looked at
  double mast = 0;           // how often a random move is the better one of several by its average (MAST)
  double minimax = 0;        // weight of the value at the end of the most visited line, relative to the mean
  bool proofs = true;        // proven results climb
  // Winning moves are looked for where moves are listed (1), and in so many moves of a playout less one (2, …).
  std::uint32_t wins = 0;
  std::uint32_t most_moves = 2000;       // of a playout; a longer one counts as the middle of the range
  std::uint64_t memory = 512ULL << 20U;  // bytes; a full tree is searched without being extended
};

// A search ends at the first of these that is reached; 0 is no limit.
struct Budget {
  std::uint64_t simulations = 0;
  double seconds = 0;
  unsigned threads = 1;
};

// A move at the root, by its number.
struct RootMove {
  std::uint32_t move = 0;
  std::uint64_t visits = 0;
  double value = 0;     // the mean result of the one who moves, between 0 and 1
  bool proven = false;  // then the value is exact
};

struct TreeReport {
  std::uint64_t simulations = 0;  // of this call
  std::uint64_t nodes = 0;
  std::uint64_t longest = 0;  // moves from the root to the last node of the tree
  double seconds = 0;
  bool proven = false;              // the value of the root is exact
  std::vector<double> values;       // of the root, per player, in the game's numbers
  std::vector<RootMove> moves;      // in the order of the list
  std::vector<std::uint32_t> line;  // the most visited moves from the root on
};

// splitmix64.
class TreeRandom {
 public:
  explicit TreeRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32U) * n) >> 32U); }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace rgtrans::search
