// The flow graph of a game: its reached nodes in reverse post-order with everything that can hand a state from
// one node to another. Those are the edges, and for each reachability check a call edge from where it is asked to
// the node where it starts (there is no way back: a check changes nothing). Node 0 is a virtual entry with one
// edge into `begin`, so that the initial state counts even when `begin` has predecessors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/worklist.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

struct FlowEdge {
  std::uint32_t from, to;  // flow indices
  ir::EdgeId edge;         // none for the entry edge
  bool call = false;       // into the automaton of the check on `edge`
};

class Flow {
 public:
  // The whole game, from `begin`, checks entered.
  explicit Flow(const ir::Game& game);
  // One kind of exploration: from some starts (edges of the entry), without entering checks. For moves it ends at
  // player assignments; for a check with a `target` it ends there.
  Flow(const ir::Game& game, std::span<const ir::NodeId> starts, bool moves, ir::NodeId target = {});

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // None for the entry.
  [[nodiscard]] ir::NodeId node(std::uint32_t index) const { return nodes_[index]; }
  [[nodiscard]] std::uint32_t index(ir::NodeId node) const { return index_[node.value]; }
  [[nodiscard]] bool reached(ir::NodeId node) const {
    return node.value < index_.size() && index_[node.value] != kNone;
  }
  // Reached from `begin` along edges alone: moves pass here, tags count. Others serve checks only.
  [[nodiscard]] bool main(ir::NodeId node) const { return node.value < main_.size() && main_[node.value]; }

  [[nodiscard]] std::span<const FlowEdge> out(std::uint32_t index) const {
    return {edges_.data() + out_begin_[index], out_begin_[index + 1] - out_begin_[index]};
  }
  [[nodiscard]] std::span<const FlowEdge> edges() const { return edges_; }
  // All numbers, which are in reverse post-order; or backwards.
  [[nodiscard]] Order order(bool backward = false) const;
  // Positions in edges().
  [[nodiscard]] std::span<const std::uint32_t> in(std::uint32_t index) const { return in_[index]; }

 private:
  void build(const ir::Game& game, std::span<const ir::NodeId> starts);
  // f(target, edge, call) for each way on from a node.
  template <class F>
  void for_each_step(const ir::Game& game, ir::NodeId node, F&& f) const;

  bool calls_ = true;
  bool moves_ = false;
  ir::NodeId target_;
  std::vector<ir::NodeId> nodes_;
  std::vector<std::uint32_t> index_;
  std::vector<bool> main_;
  std::vector<FlowEdge> edges_;  // by source
  std::vector<std::uint32_t> out_begin_;
  Grouped in_;
};

// Which nodes checks start at and lead to. Nodes that were added since are none of them.
struct EndPoints {
  explicit EndPoints(const ir::Game& game);

  [[nodiscard]] bool start(ir::NodeId node) const { return node.value < starts.size() && starts[node.value] > 0; }
  [[nodiscard]] bool target(ir::NodeId node) const { return node.value < targets.size() && targets[node.value] > 0; }
  // Reached along edges alone and left along edges alone: neither `begin` nor `end`, and no check starts or ends there.
  [[nodiscard]] bool inner(ir::NodeId node) const {
    return node != game_->begin() && node != game_->end() && !start(node) && !target(node);
  }
  // An inner node with one edge in and one edge out.
  [[nodiscard]] bool passed(ir::NodeId node) const {
    return game_->graph.in_degree(node) == 1 && game_->graph.out_degree(node) == 1 && inner(node);
  }

  std::vector<std::uint32_t> starts, targets;  // how many labels, by node

 private:
  const ir::Game* game_;
};

}  // namespace rgtrans::analysis
