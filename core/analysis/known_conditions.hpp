// Known conditions: comparisons and reachability checks that certainly hold at a node. Every path to the node tests or
// assigns them, and no later edge on it writes a variable that they read.
//
//   a, b: x == 1;   b, c: y = 2;      at c, x == 1 and y == 2 are known; so is x != 2
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/check_inputs.hpp"
#include "core/analysis/dataflow.hpp"
#include "core/analysis/flow.hpp"
#include "core/analysis/memo.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

// The variables that each check reads, including its whole automaton and nested checks.
class CheckReads {
 public:
  explicit CheckReads(const ir::Game& game) : game_(game) {}
  const Bits& of(ir::NodeId from);

 private:
  const ir::Game& game_;
  std::map<ir::NodeId, Bits> reads_;
  std::vector<std::uint32_t> seen_;  // by node: the last search that reached it
  std::uint32_t search_ = 0;
};

class KnownConditions {
 public:
  struct Options {
    Bits lost;                      // edges whose assignment may store nothing: its key may be outside of the map
    CheckInputs* inputs = nullptr;  // if there are none, a check depends on all that its automaton reads
  };
  KnownConditions(const ir::Game& game, const Flow& flow) : KnownConditions(game, flow, Options()) {}
  KnownConditions(const ir::Game& game, const Flow& flow, Options options);

  // Whether the condition certainly holds, or certainly fails, at a reached node.
  [[nodiscard]] Truth ask(const ir::Label& condition, ir::NodeId node);
  // All conditions that certainly hold at a reached node.
  [[nodiscard]] std::vector<ir::Label> at(ir::NodeId node) const;
  // A symbol or variable that certainly equals a lookup, or none.
  [[nodiscard]] ir::ExprId equal_name(ir::ExprId lookup, ir::NodeId node) const;
  [[nodiscard]] bool possible(ir::NodeId node) const { return at_[flow_->index(node)].has_value(); }

 private:
  friend struct KnownProblem;
  using Fact = std::uint32_t;
  using Set = std::uint32_t;  // id of an interned, sorted set

  // The fact that the label of an edge states, and its negation.
  struct EdgeFacts {
    Fact fact = kNone, opposite = kNone;
  };

  Fact fact(const ir::Label& condition);
  EdgeFacts facts_of(ir::EdgeId edge);
  [[nodiscard]] std::span<const Fact> members(Set set) const {
    return {pool_.data() + first_[set], first_[set + 1] - first_[set]};
  }
  Set intern(std::span<const Fact> sorted);
  Set both(Set a, Set b);
  Set without(Set set, ir::VarId written);
  Set with(Set set, Fact fact);
  Truth ask(EdgeFacts condition, Set set) const;
  std::optional<Set> transfer(const FlowEdge& edge, Set before);

  const ir::Game& game_;
  const Flow* flow_;
  Options options_;
  CheckReads check_reads_;
  std::vector<ir::Label> facts_;
  std::vector<Bits> fact_reads_;
  IndexSet fact_index_;
  std::vector<EdgeFacts> edge_facts_;  // by edge, computed on demand
  std::vector<Fact> pool_;             // the members of all sets
  std::vector<std::size_t> first_;     // by set: its begin in pool_; one more entry for the end
  IndexSet set_index_;
  Memo memo_both_, memo_without_;
  std::vector<Fact> scratch_;
  std::vector<std::optional<Set>> at_;
};

}  // namespace rgtrans::analysis
