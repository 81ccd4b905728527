// The interpreter's assumptions about a game: nodes without a test for second arrivals although several edges lead
// there, and starts whose moves it lists without removing duplicates.
#include <set>
#include <tuple>

#include "backends/interpreter/context.hpp"
#include "backends/interpreter/program.hpp"

namespace rgtrans {

namespace interpreter {
namespace {

using ir::NodeId;

class ClaimCollector {
 public:
  ClaimCollector(const ir::Game& game, const InterpreterOptions& options)
      : game_(game),
        layout_(game),
        symbolic_(game, layout_, program_),
        explorer_(game, layout_, symbolic_, options, true) {}

  std::vector<ir::Claim> run() {
    const MachineContext moves = explorer_.moves();
    collect(moves, std::nullopt);
    for (std::size_t i = 0; i < moves.starts.size(); ++i) {
      const NodeId start(moves.nodes[moves.starts[i]]);
      if (!moves.deduplicate[i]) add(ir::Distinct{start}, start);
    }
    std::set<std::pair<NodeId, NodeId>> checks;
    for (const ir::EdgeId edge : game_.graph.edges())
      if (const auto* check = std::get_if<ir::Reachability>(&game_.graph.label(edge)))
        checks.emplace(check->from, check->to);
    for (const auto& [from, to] : checks)
      if (from != to) collect(explorer_.check(from, to), ir::Reachability{from, to, false});
    return std::move(claims_);
  }

 private:
  void add(ir::ClaimContent content, NodeId node) {
    Range where = game_.graph.where(node);
    for (const ir::EdgeId edge : game_.graph.out_edges(node))
      if (!where.known()) where = game_.graph.where(edge);
    claims_.push_back({std::move(content), "the interpreter", where});
  }

  void collect(const MachineContext& context, const std::optional<ir::Reachability>& check) {
    std::set<ir::EdgeId> kept;
    for (const MachineContext::Edge& edge : context.edges) kept.insert(edge.edge);
    for (std::uint32_t node = 0; node < context.nodes.size(); ++node) {
      if (context.visit[node] || node == context.target || context.in[node].size() < 2) continue;
      // If only artificial tags or the entrance of a loop distinguish walks, nothing is proved: walks rarely meet, and
      // labelings are compared anyway.
      if (context.marked[node] || context.unproved[node]) continue;
      const NodeId id(context.nodes[node]);
      // Redundant parallel edges were dropped from the context; walks of the original game do meet at such nodes.
      bool whole = true;
      for (const ir::EdgeId edge : game_.graph.in_edges(id))
        whole = whole && (kept.contains(edge) || !context.local.contains(game_.graph.source(edge).value));
      if (whole) add(ir::Once{id, false, false, check}, id);
    }
  }

  const ir::Game& game_;
  const StateLayout layout_;
  MachineProgram program_;
  Symbolic symbolic_;
  Explorer explorer_;
  std::vector<ir::Claim> claims_;
};

}  // namespace
}  // namespace interpreter

std::vector<ir::Claim> claims_of_interpreter(const ir::Game& game, const InterpreterOptions& options) {
  return interpreter::ClaimCollector(game, options).run();
}

}  // namespace rgtrans
