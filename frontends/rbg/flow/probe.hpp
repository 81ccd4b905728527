// The probe: a copy of parts of the main graph, used only to test whether a walk reaches the next switch.
#pragma once

#include <unordered_map>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Copies a node at most once, even if several tests share it.
class Probe {
 public:
  explicit Probe(FlowGraph& flow);

  // Copies a node and everything reachable from it, in the current form of the graph.
  NodeId copy(NodeId node);
  // A new node from which a copy of this step leaves.
  NodeId before(const FlowGraph::Edge& edge);
  // The pattern "from this node of the probe, a switch is reachable".
  PatternId pattern(NodeId start);

 private:
  void copy_step(NodeId from, const FlowGraph::Edge& edge, std::vector<NodeId>& stack);
  NodeId twin(NodeId node, std::vector<NodeId>& stack);
  void follow(std::vector<NodeId>& stack);

  FlowGraph& f_;
  NodeId moved_;  // the common end of all its walks
  std::unordered_map<NodeId, NodeId> twins_;
  std::unordered_map<NodeId, PatternId> patterns_;
};

}  // namespace rgtrans::rbg
