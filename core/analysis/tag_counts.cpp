#include "core/analysis/tag_counts.hpp"

#include <algorithm>

#include "core/analysis/uses.hpp"

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

TagCounts::TagCounts(const ir::Game& game, const Flow& flow) : flow_(&flow), counts_(flow.size()) {
  std::vector<bool> dirty(flow.size(), false);
  std::size_t pending = 0;
  auto reach = [&](std::uint32_t index, std::uint32_t least, std::uint32_t most) {
    Counts& c = counts_[index];
    least = std::min(least, kUnbounded);
    most = std::min(most, kUnbounded);
    if (c.known && c.least <= least && c.most >= most) return;
    c = c.known ? Counts{std::min(c.least, least), std::max(c.most, most), true} : Counts{least, most, true};
    if (!dirty[index]) ++pending;
    dirty[index] = true;
  };
  for (ir::NodeId start : move_starts(game, flow)) reach(flow.index(start), 0, 0);
  // A tag on a cycle makes the count grow; after a few sweeps what still grows is called unbounded.
  for (int sweep = 0; pending > 0; ++sweep) {
    const bool give_up = sweep > 40;
    for (std::uint32_t i = 0; i < flow.size(); ++i) {
      if (!dirty[i]) continue;
      dirty[i] = false;
      --pending;
      for (const FlowEdge& e : flow.out(i)) {
        if (!e.edge.valid() || e.call) continue;
        const ir::Label& label = game.graph.label(e.edge);
        if (game.is_player_assignment(label)) continue;
        const std::uint32_t tag = is_tag(label) ? 1 : 0;
        const bool grows = counts_[e.to].known && counts_[i].most + tag > counts_[e.to].most;
        reach(e.to, counts_[i].least + tag, give_up && grows ? kUnbounded : counts_[i].most + tag);
      }
    }
  }
}

}  // namespace rgtrans::analysis
