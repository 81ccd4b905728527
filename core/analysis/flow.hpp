// The flow graph of a game: its reached nodes in reverse post-order, with all edges along which states flow. A
// reachability check adds a call edge from the node that evaluates it to the node where it starts. There is no return
// edge, since a check changes nothing. Node 0 is a virtual entry with one edge to `begin`: the initial state must flow
// in even if `begin` has predecessors.
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
  bool call = false;       // leads into the automaton of the check on `edge`
};

class Flow {
 public:
  // The whole game from `begin`, including checks.
  explicit Flow(const ir::Game& game);
  // One kind of exploration from some starts (the targets of the entry's edges), without entering checks. Exploration
  // of moves ends at player assignments; exploration of a check ends at its `target`.
  Flow(const ir::Game& game, std::span<const ir::NodeId> starts, bool moves, ir::NodeId target = {});

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // None for the entry.
  [[nodiscard]] ir::NodeId node(std::uint32_t index) const { return nodes_[index]; }
  [[nodiscard]] std::uint32_t index(ir::NodeId node) const { return index_[node.value]; }
  [[nodiscard]] bool reached(ir::NodeId node) const {
    return node.value < index_.size() && index_[node.value] != kNone;
  }
  // Whether walks of moves reach the node from `begin`, so that tags count there. Other nodes serve checks only.
  [[nodiscard]] bool main(ir::NodeId node) const { return node.value < main_.size() && main_[node.value]; }

  [[nodiscard]] std::span<const FlowEdge> out(std::uint32_t index) const {
    return {edges_.data() + out_begin_[index], out_begin_[index + 1] - out_begin_[index]};
  }
  [[nodiscard]] std::span<const FlowEdge> edges() const { return edges_; }
  // All indices in reverse post-order, or in the opposite order.
  [[nodiscard]] Order order(bool backward = false) const;
  // Positions in edges().
  [[nodiscard]] std::span<const std::uint32_t> in(std::uint32_t index) const { return in_[index]; }

 private:
  void build(const ir::Game& game, std::span<const ir::NodeId> starts);
  // Calls f(target, edge, call) for each successor of a node.
  template <class F>
  void for_each_step(const ir::Game& game, ir::NodeId node, F&& f) const;

  bool calls_ = true;
  bool moves_ = false;
  ir::NodeId target_;
  std::vector<ir::NodeId> nodes_;
  std::vector<std::uint32_t> index_;
  std::vector<bool> main_;
  std::vector<FlowEdge> edges_;  // sorted by source
  std::vector<std::uint32_t> out_begin_;
  Grouped in_;
};

// The nodes at which checks start and end. Nodes added after construction count as neither.
struct EndPoints {
  explicit EndPoints(const ir::Game& game);

  [[nodiscard]] bool start(ir::NodeId node) const { return node.value < starts.size() && starts[node.value] > 0; }
  [[nodiscard]] bool target(ir::NodeId node) const { return node.value < targets.size() && targets[node.value] > 0; }
  // Whether all walks enter and leave the node by edges: it is not `begin` or `end`, and no check starts or ends there.
  [[nodiscard]] bool inner(ir::NodeId node) const {
    return node != game_->begin() && node != game_->end() && !start(node) && !target(node);
  }
  // An inner node with one incoming and one outgoing edge.
  [[nodiscard]] bool passed(ir::NodeId node) const {
    return game_->graph.in_degree(node) == 1 && game_->graph.out_degree(node) == 1 && inner(node);
  }

  std::vector<std::uint32_t> starts, targets;  // by node: number of labels

 private:
  const ir::Game* game_;
};

}  // namespace rgtrans::analysis
