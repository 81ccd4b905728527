// fuse-assignments: merges an assignment into the single label behind it. All edges into a node must assign the same
// variable, only one edge may leave the node, and the variable must be dead behind that edge. Each incoming edge gets a
// copy of that label, with its own expression in place of the variable.
//
//   a, m: x = up[x];   b, m: x = left[x];   m, t: board[x] == w;     (x is dead at t)
//   =>   a, t: board[up[x]] == w;   b, t: board[left[x]] == w;

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

constexpr std::uint32_t kMostCopies = 24;
constexpr std::size_t kLargestSide = 14;

class FuseAssignments {
 public:
  FuseAssignments(ir::Game& game, analysis::Cache& analyses)
      : game_(game), graph_(game.graph), ends_(game), flow_(analyses.flow()), liveness_(analyses.liveness()) {}

  std::size_t run() {
    std::size_t changes = 0;
    for (std::uint32_t i = static_cast<std::uint32_t>(flow_.size()); i-- > 1;) {
      const NodeId node = flow_.node(i);
      if (graph_.alive(node) && graph_.out_degree(node) == 1 && visit(node)) ++changes;
    }
    return changes;
  }

 private:
  bool visit(NodeId node) {
    if (!ends_.inner(node)) return false;
    if (graph_.in_degree(node) == 0 || graph_.in_degree(node) > kMostCopies) return false;
    const EdgeId next = *graph_.out_edges(node).begin();
    const NodeId target = graph_.target(next);
    if (target == node) return false;
    const ir::Label last = graph_.label(next);
    if (std::holds_alternative<ir::Reachability>(last) || std::holds_alternative<ir::Empty>(last)) return false;

    ir::VarId x;
    for (EdgeId in : graph_.in_edges(node)) {
      const auto* assign = std::get_if<ir::Assign>(&graph_.label(in));
      if (assign == nullptr || !ir::writes_whole(game_, *assign) || graph_.source(in) == node) return false;
      const ir::VarId written = game_.assigned_variable(assign->lhs);
      if (x.valid() && written != x) return false;
      x = written;
    }
    if (game_.built_in(x)) return false;
    const bool rewritten = ir::written_variable(game_, last) == x;
    if (!ir::reads(game_, last, x) || (rewritten && !ir::writes_whole(game_, last))) return false;
    if (!rewritten && (!flow_.reached(target) || liveness_.live(x, target))) return false;

    std::vector<ir::Label> labels;
    const std::vector<EdgeId> ways = graph_.in_edge_list(node);
    for (EdgeId in : ways) {
      const auto label = substitute(game_, last, x, std::get<ir::Assign>(graph_.label(in)).rhs);
      if (!label || !ir::well_typed(game_, *label) || !small(*label)) return false;
      labels.push_back(*label);
    }
    const Range where = graph_.where(next);
    if (!rewritten) game_.claims.add("fuse-assignments", ir::Unread{next, x, {}}, where);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const NodeId source = graph_.source(ways[i]);
      graph_.remove_edge(ways[i]);
      graph_.add_edge(source, target, labels[i], where);
    }
    graph_.remove_edge(next);
    graph_.remove_node(node);
    return true;
  }

  bool small(const ir::Label& label) const {
    bool all = true;
    ir::for_each_expression(label, [&](ir::ExprId e) { all = all && ir::expression_size(game_, e) <= kLargestSide; });
    return all;
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  const analysis::Flow& flow_;
  const analysis::Liveness& liveness_;
};

}  // namespace

std::size_t fuse_assignments(ir::Game& game, const PassContext& context) {
  return FuseAssignments(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
