#include "core/analysis/flow.hpp"

#include <algorithm>

namespace rgtrans::analysis {

template <class F>
void Flow::for_each_step(const ir::Game& game, ir::NodeId node, F&& f) const {
  if (node == target_) return;
  for (ir::EdgeId edge : game.graph.out_edges(node)) {
    const ir::Label& label = game.graph.label(edge);
    if (moves_ && game.is_player_assignment(label)) continue;
    f(game.graph.target(edge), edge, false);
    if (!calls_) continue;
    if (const auto* check = std::get_if<ir::Reachability>(&label)) f(check->from, edge, true);
  }
}

Flow::Flow(const ir::Game& game) {
  const ir::NodeId begin = game.begin();
  build(game, std::span(&begin, 1));
  main_.assign(game.graph.node_bound(), false);
  std::vector<std::uint32_t> work;
  const auto reach = [&](std::uint32_t index) {
    const ir::NodeId node = nodes_[index];
    if (main_[node.value]) return;
    main_[node.value] = true;
    work.push_back(index);
  };
  reach(index(begin));
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    for (const FlowEdge& e : out(at)) {
      if (!e.call) reach(e.to);
    }
  }
}

Flow::Flow(const ir::Game& game, std::span<const ir::NodeId> starts, bool moves, ir::NodeId target)
    : calls_(false), moves_(moves), target_(target), main_(game.graph.node_bound(), moves) {
  build(game, starts);
}

void Flow::build(const ir::Game& game, std::span<const ir::NodeId> starts) {
  const ir::Automaton& graph = game.graph;
  index_.assign(graph.node_bound(), kUnreached);

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
    next.clear();
    for_each_step(game, node, [&](ir::NodeId to, ir::EdgeId, bool) { next.push_back(to); });
    pending.insert(pending.end(), next.rbegin(), next.rend());
  };
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    if (index_[start->value] != kUnreached) continue;
    open(*start);
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
  }

  nodes_.reserve(post_order.size() + 1);
  nodes_.push_back({});
  nodes_.insert(nodes_.end(), post_order.rbegin(), post_order.rend());
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) index_[nodes_[i].value] = i;

  out_begin_.reserve(nodes_.size() + 1);
  out_begin_.push_back(0);
  for (ir::NodeId start : starts) edges_.push_back({0, index(start), {}, false});
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
    out_begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
    for_each_step(game, nodes_[i], [&](ir::NodeId to, ir::EdgeId edge, bool call) {
      edges_.push_back({i, index(to), edge, call});
    });
  }
  out_begin_.push_back(static_cast<std::uint32_t>(edges_.size()));

  in_ = Grouped(nodes_.size(), edges_.size(), [&](std::uint32_t i) { return edges_[i].to; });
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
