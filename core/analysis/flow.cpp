#include "core/analysis/flow.hpp"

#include <algorithm>

namespace rgtrans::analysis {

namespace {

// The nodes that states at `node` go on to, checks entered.
void successors(const ir::Automaton& graph, ir::NodeId node, std::vector<ir::NodeId>& list) {
  list.clear();
  for (ir::EdgeId edge : graph.out_edges(node)) {
    list.push_back(graph.target(edge));
    if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge))) list.push_back(check->from);
  }
}

}  // namespace

Flow::Flow(const ir::Game& game) {
  const ir::Automaton& graph = game.graph;
  index_.assign(graph.node_bound(), kUnreached);
  main_.assign(graph.node_bound(), false);

  // Depth-first post-order with an explicit stack; the pending successors of all open nodes share one vector.
  struct Open {
    ir::NodeId node;
    std::uint32_t first;
  };
  std::vector<Open> stack;
  std::vector<ir::NodeId> pending;
  std::vector<ir::NodeId> next;
  std::vector<ir::NodeId> post_order;
  auto open = [&](ir::NodeId node) {
    index_[node.value] = 0;
    stack.push_back({node, static_cast<std::uint32_t>(pending.size())});
    successors(graph, node, next);
    pending.insert(pending.end(), next.rbegin(), next.rend());
  };
  open(game.begin());
  while (!stack.empty()) {
    if (pending.size() == stack.back().first) {
      post_order.push_back(stack.back().node);
      stack.pop_back();
      continue;
    }
    const ir::NodeId node = pending.back();
    pending.pop_back();
    if (index_[node.value] == kUnreached) open(node);
  }

  nodes_.reserve(post_order.size() + 1);
  nodes_.push_back({});
  nodes_.insert(nodes_.end(), post_order.rbegin(), post_order.rend());
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) index_[nodes_[i].value] = i;

  std::vector<ir::NodeId> work{game.begin()};
  main_[game.begin().value] = true;
  while (!work.empty()) {
    const ir::NodeId node = work.back();
    work.pop_back();
    for (ir::EdgeId edge : graph.out_edges(node)) {
      const ir::NodeId target = graph.target(edge);
      if (main_[target.value]) continue;
      main_[target.value] = true;
      work.push_back(target);
    }
  }

  out_begin_.reserve(nodes_.size() + 1);
  out_begin_.push_back(0);
  edges_.push_back({0, index(game.begin()), {}, false});
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
    out_begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
    for (ir::EdgeId edge : graph.out_edges(nodes_[i])) {
      edges_.push_back({i, index(graph.target(edge)), edge, false});
      if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge))) {
        edges_.push_back({i, index(check->from), edge, true});
      }
    }
  }
  out_begin_.push_back(static_cast<std::uint32_t>(edges_.size()));

  in_begin_.assign(nodes_.size() + 1, 0);
  for (const FlowEdge& e : edges_) ++in_begin_[e.to + 1];
  for (std::size_t i = 1; i < in_begin_.size(); ++i) in_begin_[i] += in_begin_[i - 1];
  in_.resize(edges_.size());
  std::vector<std::uint32_t> fill(in_begin_.begin(), in_begin_.end() - 1);
  for (std::uint32_t i = 0; i < edges_.size(); ++i) in_[fill[edges_[i].to]++] = i;
}

EndPoints::EndPoints(const ir::Game& game) : starts(game.graph.node_bound(), 0), targets(game.graph.node_bound(), 0) {
  for (ir::EdgeId edge : game.graph.edges()) {
    if (const auto* check = std::get_if<ir::Reachability>(&game.graph.label(edge))) {
      ++starts[check->from.value];
      ++targets[check->to.value];
    }
  }
}

}  // namespace rgtrans::analysis
