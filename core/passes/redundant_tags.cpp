// redundant-tags: drops tags that carry no information. The tag at position i of a move is dropped under two
// conditions. All moves from the same starts that reach this position have the same plain tag there, and none ends with
// exactly i tags. Different moves then stay different. Each tag edge must have a unique position. Games with hidden or
// artificial tags are skipped. The pass changes the texts of moves, so it runs only on request.
//
//   $ from_a;  $ go;   |   $ from_b;  $ go;      =>      $ from_a;   |   $ from_b;
#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

std::size_t redundant_tags(ir::Game& game, const PassContext& context) {
  if (std::ranges::count(ir::artificial_tags(game), true) > 0) return 0;
  const analysis::Flow& flow = context.analyses->flow();
  for (EdgeId edge : game.graph.edges()) {
    if (ir::written_variable(game, game.graph.label(edge)) == game.visible()) return 0;
  }
  const analysis::TagCounts counts(game, flow);
  const std::vector<NodeId> starts = analysis::move_starts(game, flow);
  constexpr std::size_t kMostStarts = 4000;
  if (starts.size() > kMostStarts) return 0;

  // Starts that share a tag edge or an end of a move form one group.
  boost::disjoint_sets_with_storage<> groups(starts.size());
  std::vector<std::uint32_t> seen_by(game.graph.edge_bound(), kNone);
  for (std::uint32_t s = 0; s < starts.size(); ++s) {
    const std::uint32_t start[] = {starts[s].value};
    reached_from(game.graph.node_bound(), start, [&](std::uint32_t node, auto&& reach) {
      for (EdgeId edge : game.graph.out_edges(NodeId(node))) {
        std::uint32_t& owner = seen_by[edge.value];
        if (owner == kNone) {
          owner = s;
        } else {
          groups.union_set(s, owner);
        }
        if (!game.is_player_assignment(game.graph.label(edge))) reach(game.graph.target(edge).value);
      }
    });
  }

  struct Position {
    std::vector<EdgeId> edges;
    SymbolId symbol;
    bool fits = true;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Position> positions;  // by group and index
  std::vector<std::pair<std::uint32_t, analysis::TagCounts::Counts>> ends;
  std::vector<bool> broken(starts.size(), false);
  for (EdgeId edge : game.graph.edges()) {
    if (seen_by[edge.value] == kNone) continue;
    const auto g = static_cast<std::uint32_t>(groups.find_set(seen_by[edge.value]));
    const NodeId source = game.graph.source(edge);
    const ir::Label& label = game.graph.label(edge);
    if (game.is_player_assignment(label)) ends.emplace_back(g, counts.at(source));
    if (!ir::is_tag(label)) continue;
    if (!counts.fixed(source)) {
      broken[g] = true;
      continue;
    }
    Position& p = positions[{g, counts.at(source).least}];
    const auto* tag = std::get_if<ir::Tag>(&label);
    if (tag == nullptr || (p.symbol.valid() && p.symbol != tag->symbol)) p.fits = false;
    if (tag != nullptr) p.symbol = tag->symbol;
    p.edges.push_back(edge);
  }
  for (const auto& [g, range] : ends) {
    for (auto& [key, p] : positions) {
      if (key.first == g && range.least <= key.second && key.second <= range.most) p.fits = false;
    }
  }
  std::size_t changes = 0;
  for (const auto& [key, p] : positions) {
    if (!p.fits || broken[key.first]) continue;
    for (EdgeId edge : p.edges) {
      game.claims.add("redundant-tags", ir::TagsBefore{edge, counts.at(game.graph.source(edge)).least, true},
                      game.graph.where(edge));
      game.graph.set_label(edge, ir::Empty{});
      ++changes;
    }
  }
  return changes;
}

}  // namespace rgtrans::passes
