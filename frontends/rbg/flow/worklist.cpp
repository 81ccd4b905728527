#include "frontends/rbg/flow/worklist.hpp"

#include <algorithm>
#include <utility>

namespace rgtrans::rbg {

Worklist::Worklist(const Flow& flow) : place_of_(flow.node_count()), waiting_(flow.node_count()) {
  std::vector<char> seen(flow.node_count());
  std::vector<std::pair<NodeId, std::size_t>> path;  // with the next edge to follow
  const auto enter = [&](NodeId node) {
    if (seen[node] != 0) return;
    seen[node] = 1;
    path.emplace_back(node, 0);
  };
  const auto walk = [&](NodeId start) {
    enter(start);
    while (!path.empty()) {
      const auto [node, next] = path.back();
      if (next == flow.out(node).size()) {
        order_.push_back(node);
        path.pop_back();
        continue;
      }
      ++path.back().second;
      const Flow::Edge& edge = flow.edge(flow.out(node)[next]);
      enter(edge.to);
      if (edge.step.kind == Do::check) enter(flow.patterns[edge.step.index].start);
    }
  };
  walk(flow.begin);
  for (NodeId node = 0; node < flow.node_count(); ++node) walk(node);
  std::ranges::reverse(order_);
  for (std::uint32_t place = 0; place < order_.size(); ++place) place_of_[order_[place]] = place;
}

void Worklist::push(NodeId node) {
  if (waiting_[node] != 0) return;
  waiting_[node] = 1;
  places_.push(place_of_[node]);
}

NodeId Worklist::pop() {
  const NodeId node = order_[places_.top()];
  places_.pop();
  waiting_[node] = 0;
  return node;
}

}  // namespace rgtrans::rbg
