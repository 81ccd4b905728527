// pragma-disjoint: writes @disjoint and @disjointExhaustive for the largest group of mutually exclusive edges of each
// node.
//
//   @disjoint q : a b;            in every state at q at most one of the edges to a and b is legal
//   @disjointExhaustive q : a b;  exactly one
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::NodeId;

std::size_t pragma_disjoint(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  analysis::ValueSets& values = context.analyses->values();
  analysis::Exclusive exclusive(game, values);
  std::vector<ir::Pragma> fresh;
  for (NodeId node : reached_nodes(game, flow)) {
    const auto group = exclusive.group(node);
    if (group.edges.empty()) continue;
    ir::Disjoint pragma{node, {}, group.exhaustive};
    for (ir::EdgeId e : group.edges) pragma.targets.push_back(game.graph.target(e));
    fresh.push_back({pragma, {}});
  }
  return replace_pragmas<ir::Disjoint>(game, std::move(fresh));
}

}  // namespace rgtrans::passes
