// Second visits: at which nodes an exploration (of the moves from one state, or of one check) can arrive twice with
// nothing new to tell, and which variables tell two arrivals apart.
//
// Where no more than one way on is legal at every node and nothing is a cycle there is one walk, which comes to no node
// twice. Keeper's walks are often like that. Elsewhere it is a data-flow problem: for each node the analysis knows
// which live variables can differ between arrivals with the same tags. A condition or a tag can tell a variable; walks
// that were told by different ones differ again where they come together. A second arrival with equal values is
// possible only (1) where an edge loses such a difference, because it overwrites the variable or nobody reads it
// afterwards, or (2) where two edges come together, unless the walks over them exclude each other: they part at a node
// that every walk passes with a known number of tags, over conditions that exclude each other or with different next
// tags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/exclusive.hpp"
#include "core/analysis/flow.hpp"
#include "core/analysis/liveness.hpp"
#include "core/analysis/tag_counts.hpp"
#include "core/analysis/value_sets.hpp"
#include "core/analysis/versions.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

class SecondVisits {
 public:
  SecondVisits(ir::Game& game, const Flow& flow, const Liveness& liveness, const Versions& versions, ValueSets& values);

  struct Fact {
    bool explored = false;  // some exploration passes
    bool repeated = false;  // a second arrival is possible
    Bits differing;         // variables that tell arrivals apart
    std::string reason;     // why a second arrival is possible
  };
  [[nodiscard]] const Fact& at(ir::NodeId node) const { return facts_[node.value]; }

 private:
  struct Differing;
  // An exploration of moves, or of a check.
  struct Start {
    std::vector<ir::NodeId> nodes;
    ir::NodeId target;  // of a check
  };
  void explore(std::vector<Start> starts, bool moves);
  [[nodiscard]] bool one_walk(const Flow& context);
  void explore(const Flow& context, bool moves);
  Bits& differing(ir::NodeId node);
  void lost_on(const Flow& context, const FlowEdge& edge, bool moves, const std::optional<Bits>& differing);
  void note(ir::NodeId node, const std::string& reason);

  ir::Game& game_;
  const Liveness& liveness_;
  ValueSets& values_;
  Exclusive exclusive_;
  TagCounts counts_;
  std::vector<std::vector<ir::VarId>> merges_;  // by node: variables with a merge of versions there
  std::vector<Fact> facts_;
};

}  // namespace rgtrans::analysis
