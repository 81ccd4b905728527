// Second visits in an exploration: where a walk can arrive at a node at which an earlier one has been, with nothing new
// to tell, so that this must be recognised; and whether two walks can have one labeling.
//
// That no two walks meet at a node is proved by looking at the region between its dominator and itself: wherever walks
// part in there, their edges must exclude each other, or lead to different tags, or choose values that can still be
// told at the node. Labelings differ when this is so for all that a start reaches.
#pragma once

#include <vector>

#include "core/analysis/exclusive.hpp"
#include "core/analysis/exploration/exploration.hpp"
#include "core/analysis/exploration/promises.hpp"
#include "core/analysis/held_values.hpp"

namespace rgtrans::analysis {

// What the proofs stand on.
struct VisitFacts {
  const ir::Game& game;
  const Deeds& deeds;
  const Promises& promises;
  HeldValues& held;
  Exclusive& exclusive;

  // Two edges of one node are never both legal in one state.
  [[nodiscard]] bool exclude(ir::EdgeId first, ir::EdgeId second) const;
};

struct Visits {
  // By local node:
  std::vector<bool> visit;   // second arrivals must be recognised
  std::vector<bool> late;    // … but only if there are very many arrivals
  std::vector<bool> marked;  // artificial tags may have been passed
};
// Needs what is live.
[[nodiscard]] Visits find_visits(const Exploration& exploration, const VisitFacts& facts);

// By start of an exploration of moves: two walks may have one labeling.
[[nodiscard]] std::vector<bool> find_equal_labelings(const Exploration& exploration, const VisitFacts& facts);

}  // namespace rgtrans::analysis
