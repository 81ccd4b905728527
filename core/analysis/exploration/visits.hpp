// Second visits in an exploration: nodes that a walk can reach in a state equivalent to that of an earlier walk, so
// that engines must record visits there. Also: whether two walks can have the same labeling.
//
// The proof that no two walks meet at a node examines the region between its dominator and the node. Wherever walks
// part there, their edges must exclude each other, lead to different tags, or choose values that are still visible at
// the node. Labelings are distinct if this holds for everything reachable from a start.
#pragma once

#include <vector>

#include "core/analysis/exclusive.hpp"
#include "core/analysis/exploration/exploration.hpp"
#include "core/analysis/exploration/promises.hpp"
#include "core/analysis/held_values.hpp"

namespace rgtrans::analysis {

// The inputs of the proofs.
struct VisitFacts {
  const ir::Game& game;
  const Deeds& deeds;
  const Promises& promises;
  HeldValues& held;
  Exclusive& exclusive;
  bool doubts = false;  // also find the merges of Visits::unproved, which only claims need

  // Whether two edges of one node are never both legal in one state.
  [[nodiscard]] bool exclude(ir::EdgeId first, ir::EdgeId second) const;
};

struct Visits {
  // By local node:
  std::vector<bool> visit;   // engines must detect second arrivals
  std::vector<bool> late;    // … but only after very many arrivals
  std::vector<bool> marked;  // reachable from an artificial tag
  // No test, but no proof either: walks that enter a loop, or pass the dominator of a merge, in different states rarely
  // meet in it, and a second arrival only repeats work.
  std::vector<bool> unproved;
};
// Requires the exploration's `live`.
[[nodiscard]] Visits find_visits(const Exploration& exploration, const VisitFacts& facts);

// By start of an exploration of moves: whether two walks may have the same labeling.
[[nodiscard]] std::vector<bool> find_equal_labelings(const Exploration& exploration, const VisitFacts& facts);

}  // namespace rgtrans::analysis
