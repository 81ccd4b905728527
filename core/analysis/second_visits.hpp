// Second visits: the nodes that an exploration (of the moves from one state, or of one check) can reach twice in
// equivalent states, and the variables that distinguish arrivals.
//
// If at most one successor is legal at every node and there is no cycle, the exploration consists of one walk, which
// reaches no node twice. Walks of keeper are often of this kind.
//
// Otherwise the analysis solves a data-flow problem: for each node, it computes the live variables that can differ
// between arrivals with the same tags. A condition or a tag can determine a variable; where walks with different
// determinations meet, it differs again. A second arrival with equal values is possible in two cases only:
//
// (1) An edge loses a difference: it overwrites the variable, or the variable is dead behind it. (2) Two edges meet,
// and their walks do not exclude each other. They do if they part at a node that every walk passes with a known number
// of tags, through exclusive conditions or with different next tags.
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
    bool explored = false;  // some exploration passes the node
    bool repeated = false;  // a second arrival is possible
    Bits differing;         // variables that distinguish arrivals
    std::string reason;     // why a second arrival is possible
  };
  [[nodiscard]] const Fact& at(ir::NodeId node) const { return facts_[node.value]; }

 private:
  struct Differing;
  // The start of an exploration of moves or of a check.
  struct Start {
    std::vector<ir::NodeId> nodes;
    ir::NodeId target;  // target of a check
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
  std::vector<std::vector<ir::VarId>> merges_;  // by node: variables with a merge of versions at the node
  std::vector<Fact> facts_;
};

}  // namespace rgtrans::analysis
