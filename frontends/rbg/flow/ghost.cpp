#include "frontends/rbg/flow/ghost.hpp"

namespace rgtrans::rbg {

Ghost::Ghost(Flow& flow) : f_(flow), moved_(flow.add_node()) {}

NodeId Ghost::twin(NodeId node, std::vector<NodeId>& stack) {
  const auto [it, fresh] = twins_.try_emplace(node, kNowhere);
  if (fresh) {
    it->second = f_.add_node();
    stack.push_back(node);
  }
  return it->second;
}

void Ghost::copy_step(NodeId from, const Flow::Edge& edge, std::vector<NodeId>& stack) {
  if (ends_move(edge.step.kind)) {
    f_.add_edge(from, moved_, Step{.where = edge.step.where});
    return;
  }
  Step step = edge.step;
  step.modifier = 0;
  f_.add_edge(from, twin(edge.to, stack), step);
}

void Ghost::follow(std::vector<NodeId>& stack) {
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    const NodeId from = twins_.at(node);
    const std::vector<EdgeId> list = f_.out(node);
    for (EdgeId id : list) copy_step(from, Flow::Edge(f_.edge(id)), stack);
  }
}

NodeId Ghost::copy(NodeId node) {
  std::vector<NodeId> stack;
  const NodeId start = twin(node, stack);
  follow(stack);
  return start;
}

NodeId Ghost::before(const Flow::Edge& edge) {
  std::vector<NodeId> stack;
  const NodeId start = f_.add_node();
  copy_step(start, edge, stack);
  follow(stack);
  return start;
}

std::uint32_t Ghost::pattern(NodeId start) {
  const auto [it, fresh] = patterns_.try_emplace(start, static_cast<std::uint32_t>(f_.patterns.size()));
  if (fresh) f_.patterns.push_back({start, moved_, true});
  return it->second;
}

}  // namespace rgtrans::rbg
