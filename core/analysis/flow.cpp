#include "core/analysis/flow.hpp"

#include <algorithm>
#include <numeric>

#include "core/support/reach.hpp"

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
  main_ = reached_from(game.graph.node_bound(), std::span(&begin.value, 1), [&](std::uint32_t node, auto&& reach) {
    for (ir::EdgeId edge : game.graph.out_edges(ir::NodeId(node))) reach(game.graph.target(edge).value);
  });
}

Flow::Flow(const ir::Game& game, std::span<const ir::NodeId> starts, bool moves, ir::NodeId target)
    : calls_(false), moves_(moves), target_(target), main_(game.graph.node_bound(), moves) {
  build(game, starts);
}

void Flow::build(const ir::Game& game, std::span<const ir::NodeId> starts) {
  const ir::Automaton& graph = game.graph;
  index_.assign(graph.node_bound(), kNone);

  std::vector<std::uint32_t> roots;
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) roots.push_back(start->value);
  const std::vector<std::uint32_t> order = post_order(graph.node_bound(), roots, [&](std::uint32_t node, auto&& f) {
    for_each_step(game, ir::NodeId(node), [&](ir::NodeId to, ir::EdgeId, bool) { f(to.value); });
  });
  nodes_.reserve(order.size() + 1);
  nodes_.push_back({});
  for (auto node = order.rbegin(); node != order.rend(); ++node) nodes_.emplace_back(*node);
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

Order Flow::order(bool backward) const {
  std::vector<std::uint32_t> places(size());
  std::iota(places.begin(), places.end(), 0U);
  if (backward) std::ranges::reverse(places);
  return Order(std::move(places));
}

EndPoints::EndPoints(const ir::Game& game)
    : starts(game.graph.node_bound(), 0), targets(game.graph.node_bound(), 0), game_(&game) {
  for (ir::EdgeId edge : game.graph.edges()) {
    if (const auto* check = std::get_if<ir::Reachability>(&game.graph.label(edge))) {
      ++starts[check->from.value];
      ++targets[check->to.value];
    }
  }
}

}  // namespace rgtrans::analysis
