// expand-tags: replaces a tag variable by one comparison and plain tag per member, for tools without tag variables.
//
//   a, b: $$ k;      =>      a, 1: k == r;   1, b: $ r;   a, 2: k == g;   2, b: $ g;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;

std::size_t expand_tags(ir::Game& game, const PassContext& context) {
  std::size_t changes = 0;
  for (const EdgeId edge : changed_edges(game, context)) {
    const auto* tag = std::get_if<ir::TagVariable>(&game.graph.label(edge));
    if (tag == nullptr) continue;
    const ExprId variable = game.variable_ref(tag->variable);
    const auto span = game.members(game.variable(tag->variable).type);
    const NodeId source = game.graph.source(edge);
    const NodeId target = game.graph.target(edge);
    const Range where = game.graph.where(edge);
    game.graph.remove_edge(edge);
    for (SymbolId member : std::vector<SymbolId>(span.begin(), span.end())) {
      const NodeId middle = game.graph.add_node({}, where);
      game.graph.add_edge(source, middle, ir::Compare{variable, game.symbol(member), false}, where);
      game.graph.add_edge(middle, target, ir::Tag{member}, where);
    }
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
