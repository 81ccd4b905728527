// check-tags: empties tags inside checks, because they belong to no move. Only edges that no move passes are changed.
//
//   begin, a: ? s -> t;   s, t: $ x;      =>      begin, a: ? s -> t;   s, t: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t check_tags(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  std::size_t changes = 0;
  for (ir::EdgeId edge : game.graph.edges()) {
    if (!ir::is_tag(game.graph.label(edge)) || flow.main(game.graph.source(edge))) continue;
    game.claims.add("check-tags", ir::Unreached{edge, true}, game.graph.where(edge));
    game.graph.set_label(edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
