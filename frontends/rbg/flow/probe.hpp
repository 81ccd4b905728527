// The probe: a copy of parts of the main graph that is only asked whether a walk leads on to the next switch.
#pragma once

#include <unordered_map>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Nodes that are shared between questions are copied once.
class Probe {
 public:
  explicit Probe(FlowGraph& flow);

  // The copy of a node with all that follows it, as the graph is now.
  NodeId copy(NodeId node);
  // A fresh node from which the copy of this step leads on.
  NodeId before(const FlowGraph::Edge& edge);
  // The pattern "from this node of the probe a switch can be reached".
  PatternId pattern(NodeId start);

 private:
  void copy_step(NodeId from, const FlowGraph::Edge& edge, std::vector<NodeId>& stack);
  NodeId twin(NodeId node, std::vector<NodeId>& stack);
  void follow(std::vector<NodeId>& stack);

  FlowGraph& f_;
  NodeId moved_;  // where all its ways end
  std::unordered_map<NodeId, NodeId> twins_;
  std::unordered_map<NodeId, PatternId> patterns_;
};

}  // namespace rgtrans::rbg
