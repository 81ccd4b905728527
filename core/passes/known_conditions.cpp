// known-conditions: a comparison or reachability check that is certain to hold where it is asked becomes empty, one
// that is certain to fail disappears. Certain is what was tested on every way there, or is true because of an
// assignment, and reads nothing that was written since.
//
//   a, b: m[x] == r;   b, c: y = T(*);   c, d: m[x] == r;   c, e: m[x] == g;      =>      …   c, d: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t known_conditions(ir::Game& game, const PassContext& context) {
  using Answer = analysis::KnownConditions::Answer;
  const analysis::Flow& flow = context.analyses->flow();
  analysis::KnownConditions known(game, flow);
  struct Change {
    ir::EdgeId edge;
    bool remove;
  };
  std::vector<Change> changes;
  for (std::uint32_t i = 1; i < flow.size(); ++i) {
    const ir::NodeId node = flow.node(i);
    if (!known.possible(node)) continue;
    for (ir::EdgeId edge : game.graph.out_edges(node)) {
      const ir::Label& label = game.graph.label(edge);
      if (analysis::is_condition(label)) {
        const Answer answer = known.ask(label, node);
        if (answer != Answer::unknown) changes.push_back({edge, answer == Answer::no});
      } else if (const auto* assign = std::get_if<ir::Assign>(&label)) {
        // x = e where x == e already.
        if (game.is_player_assignment(label)) continue;
        if (known.ask(ir::Compare{assign->lhs, assign->rhs, false}, node) == Answer::yes)
          changes.push_back({edge, false});
      }
    }
  }
  for (const Change& change : changes) {
    if (change.remove) {
      game.graph.remove_edge(change.edge);
    } else {
      game.graph.set_label(change.edge, ir::Empty{});
    }
  }
  return changes.size();
}

}  // namespace rgtrans::passes
