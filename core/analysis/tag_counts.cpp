#include "core/analysis/tag_counts.hpp"

#include <algorithm>
#include <deque>

#include "core/support/components.hpp"

namespace rgtrans::analysis {

std::vector<ir::NodeId> move_starts(const ir::Game& game, const Flow& flow) {
  std::vector<ir::NodeId> starts{game.begin()};
  std::vector<bool> seen(game.graph.node_bound(), false);
  seen[game.begin().value] = true;
  for (const FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call || !flow.main(flow.node(e.from))) continue;
    if (!game.is_player_assignment(game.graph.label(e.edge))) continue;
    const ir::NodeId target = flow.node(e.to);
    if (seen[target.value]) continue;
    seen[target.value] = true;
    starts.push_back(target);
  }
  return starts;
}

TagBounds tag_bounds(std::size_t nodes, std::span<const std::uint32_t> starts, std::span<const TagArc> arcs,
                     std::uint32_t unbounded) {
  const auto all = static_cast<std::uint32_t>(arcs.size());
  const Grouped out(nodes, all, [&](std::uint32_t i) { return arcs[i].from; });
  TagBounds bounds{std::vector<std::uint32_t>(nodes, kNone), std::vector<std::uint32_t>(nodes, 0)};
  std::deque<std::uint32_t> work;
  for (const std::uint32_t start : starts) {
    bounds.least[start] = 0;
    work.push_back(start);
  }
  while (!work.empty()) {
    const std::uint32_t from = work.front();
    work.pop_front();
    for (const std::uint32_t i : out[from]) {
      const std::uint32_t count = bounds.least[from] + (arcs[i].tag ? 1 : 0);
      if (count >= bounds.least[arcs[i].to]) continue;
      bounds.least[arcs[i].to] = count;
      arcs[i].tag ? work.push_back(arcs[i].to) : work.push_front(arcs[i].to);
    }
  }

  // Nodes on a common cycle have the same maximum, which is unbounded if the cycle contains a tag.
  Arcs taken;
  for (const TagArc& arc : arcs) {
    if (bounds.least[arc.from] != kNone) taken.emplace_back(arc.from, arc.to);
  }
  const Components components = strong_components(nodes, taken);
  const auto component = [&](std::uint32_t node) { return components.of[node]; };
  std::vector<std::uint32_t> most(components.count, 0);
  for (const TagArc& arc : arcs) {
    if (arc.tag && component(arc.from) == component(arc.to)) most[component(arc.from)] = unbounded;
  }
  const Grouped members = components.members();
  for (std::uint32_t c = components.count; c-- > 0;) {  // arcs lead to components with smaller numbers
    for (const std::uint32_t from : members[c]) {
      if (bounds.least[from] == kNone) continue;
      bounds.least[from] = std::min(bounds.least[from], unbounded);
      for (const std::uint32_t i : out[from]) {
        std::uint32_t& next = most[component(arcs[i].to)];
        next = std::max(next, std::min(most[c] + (arcs[i].tag ? 1 : 0), unbounded));
      }
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) bounds.most[node] = most[component(node)];
  return bounds;
}

TagCounts::TagCounts(const ir::Game& game, const Flow& flow) : flow_(&flow), counts_(flow.size()) {
  std::vector<std::uint32_t> starts;
  for (const ir::NodeId start : move_starts(game, flow)) starts.push_back(flow.index(start));
  std::vector<TagArc> arcs;
  for (const FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call) continue;
    const ir::Label& label = game.graph.label(e.edge);
    if (!game.is_player_assignment(label)) arcs.push_back({e.from, e.to, is_tag(label)});
  }
  const TagBounds bounds = tag_bounds(flow.size(), starts, arcs, kUnbounded);
  for (std::uint32_t i = 0; i < flow.size(); ++i) {
    if (bounds.least[i] != kNone) counts_[i] = {bounds.least[i], bounds.most[i], true};
  }
}

}  // namespace rgtrans::analysis
