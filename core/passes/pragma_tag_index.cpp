// pragma-tag-index: writes @tagIndex and @tagMaxIndex for nodes with a tag on an outgoing edge.
//
//   @tagIndex q : 2;              before a tag on an edge out of q a move has exactly (tagMaxIndex: at most) 2 tags
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::NodeId;

std::size_t pragma_tag_index(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  const analysis::TagCounts counts(game, flow);
  std::map<std::pair<std::uint32_t, bool>, ir::TagIndex> groups;
  for (NodeId node : reached_nodes(game, flow)) {
    if (!flow.main(node)) continue;
    const auto c = counts.at(node);
    if (!c.known || c.most >= analysis::TagCounts::kUnbounded) continue;
    bool tagged = false;
    for (ir::EdgeId e : game.graph.out_edges(node)) tagged = tagged || ir::is_tag(game.graph.label(e));
    if (!tagged) continue;
    const bool maximum = c.least != c.most;
    ir::TagIndex& group = groups[{c.most, maximum}];
    group.index = c.most;
    group.maximum = maximum;
    group.nodes.push_back(node);
  }
  std::vector<ir::Pragma> fresh;
  for (auto& [key, group] : groups) fresh.push_back({std::move(group), {}});
  return replace_pragmas<ir::TagIndex>(game, std::move(fresh));
}

}  // namespace rgtrans::passes
