// hoist-conditions: moves a condition before an assignment to a variable that it does not read. A choice x = T(*) acts
// as a loop over its members, so this is loop-invariant code motion: the test runs once instead of once per member. For
// other assignments, a failing test saves the assignment.
//
// The node between the two must have one incoming and one outgoing edge, and no check may start or end there, so that
// nothing observes the state between them. A check reads all variables that its automaton and nested checks read.
//
// Conditions never move past conditions or tags. Only reached nodes are considered: on an unreachable cycle, conditions
// could move around forever.
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
