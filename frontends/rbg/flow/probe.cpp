#include "frontends/rbg/flow/probe.hpp"

namespace rgtrans::rbg {

Probe::Probe(FlowGraph& flow) : f_(flow), moved_(flow.add_node()) {}

NodeId Probe::twin(NodeId node, std::vector<NodeId>& stack) {
  const auto [it, fresh] = twins_.try_emplace(node);
  if (fresh) {
    it->second = f_.add_node();
    stack.push_back(node);
  }
  return it->second;
}

void Probe::copy_step(NodeId from, const FlowGraph::Edge& edge, std::vector<NodeId>& stack) {
  if (ends_move(edge.step.kind)) {
    f_.add_edge(from, moved_, FlowStep{.where = edge.step.where});
    return;
  }
  FlowStep step = edge.step;
  step.modifier = 0;
  f_.add_edge(from, twin(edge.to, stack), step);
}

void Probe::follow(std::vector<NodeId>& stack) {
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    const NodeId from = twins_.at(node);
    const std::vector<EdgeId> list = f_.out(node);
    for (EdgeId id : list) copy_step(from, FlowGraph::Edge(f_.edge(id)), stack);
  }
}

NodeId Probe::copy(NodeId node) {
  std::vector<NodeId> stack;
  const NodeId start = twin(node, stack);
  follow(stack);
  return start;
}

NodeId Probe::before(const FlowGraph::Edge& edge) {
  std::vector<NodeId> stack;
  const NodeId start = f_.add_node();
  copy_step(start, edge, stack);
  follow(stack);
  return start;
}

PatternId Probe::pattern(NodeId start) {
  const auto [it, fresh] = patterns_.try_emplace(start, f_.patterns.next());
  if (fresh) f_.patterns.push_back({start, moved_, true});
  return it->second;
}

}  // namespace rgtrans::rbg
