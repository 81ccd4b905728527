// hoist-conditions: a condition that does not read what the assignment before it writes is tested first. Behind a
// choice x = T(*), which is the loop of this language, that is moving what does not change out of the loop: it is
// tested once instead of once for each member; behind other assignments a failing test saves the work. The node between
// the two has one way in and one way out, and no check starts or ends there, so nobody sees the state between them; the
// condition has the same answer on both sides of an assignment to something it does not read. A check reads all that
// its automaton and the checks in it read. Conditions do not pass conditions or tags, and only what is reached is
// looked at: without a way in, a cycle could be gone round for ever. So every run ends.
//
//   a, b: x = T(*);   b, c: y == 1;   c, d: f[x] == y;      =>      a, b: y == 1;   b, c: x = T(*);   c, d: f[x] == y;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

std::size_t hoist_conditions(ir::Game& game, const PassContext& context) {
  ir::Automaton& graph = game.graph;
  const analysis::EndPoints ends(game);
  analysis::CheckReads check_reads(game);
  std::vector<NodeId> work;
  const analysis::Flow& flow = context.analyses->flow();
  for (NodeId node : graph.nodes()) {
    if (flow.reached(node)) work.push_back(node);
  }
  std::size_t changes = 0;
  while (!work.empty()) {
    const NodeId node = work.back();
    work.pop_back();
    if (!ends.passed(node)) continue;
    const EdgeId in = *graph.in_edges(node).begin();
    const EdgeId out = *graph.out_edges(node).begin();
    const ir::Label assignment = graph.label(in);
    const ir::Label condition = graph.label(out);
    if (in == out || !ir::is_assignment(assignment) || !ir::is_condition(condition)) continue;
    const ir::VarId written = ir::written_variable(game, assignment);
    if (!written.valid() || game.is_player_assignment(assignment)) continue;
    const auto* check = std::get_if<ir::Reachability>(&condition);
    const bool reads =
        check != nullptr ? check_reads.of(check->from).test(written.value) : ir::reads(game, condition, written);
    if (reads) continue;
    game.claims.add("hoist-conditions", ir::Unaffected{in, condition}, graph.where(out));
    graph.set_label(in, condition);
    graph.set_label(out, assignment);
    ++changes;
    work.push_back(graph.source(in));
    work.push_back(graph.target(out));
  }
  return changes;
}

}  // namespace rgtrans::passes
