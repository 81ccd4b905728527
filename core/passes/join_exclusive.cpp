// join-exclusive: replaces alternatives between two nodes by an empty edge if one of them always holds. The
// alternatives are a chain of conditions and, for each condition of the chain, an edge with its negation, all between
// the same nodes.
//
//   begin, m: k == r;   m, z: l == g;   begin, z: k != r;   begin, z: l != g;      =>      begin, z: ;
#include <map>
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

class JoinExclusive {
 public:
  explicit JoinExclusive(ir::Game& game) : game_(game), graph_(game.graph), ends_(game), numbers_(game) {}

  std::size_t run() {
    std::size_t changes = 0;
    for (std::uint32_t i = 0; i < graph_.node_bound(); ++i) {
      const NodeId node(i);
      while (graph_.alive(node) && graph_.out_degree(node) > 1 && visit(node)) ++changes;
    }
    return changes;
  }

 private:
  // Whether the node has parallel edges, or starts a chain that could lead to the target of another edge.
  bool promising(NodeId node) const {
    for (EdgeId edge : graph_.out_edges(node)) {
      const NodeId at = graph_.target(edge);
      if (graph_.in_degree(at) == 1 && graph_.out_degree(at) == 1) return true;
      if (graph_.in_degree(at) < 2) continue;
      for (EdgeId other : graph_.out_edges(node)) {
        if (other == edge) break;
        if (graph_.target(other) == at) return true;
      }
    }
    return false;
  }

  bool visit(NodeId node) {
    constexpr std::size_t kFew = 8;
    if (graph_.out_degree(node) <= kFew && !promising(node)) return false;
    // Conditions on edges directly to a target: (target, label) -> edge.
    std::map<std::pair<NodeId, std::uint32_t>, EdgeId> direct;
    std::set<NodeId> targets;
    for (EdgeId edge : graph_.out_edges(node)) {
      if (!ir::is_condition(graph_.label(edge))) continue;
      direct.try_emplace({graph_.target(edge), numbers_.of(graph_.label(edge))}, edge);
      targets.insert(graph_.target(edge));
    }
    if (direct.empty()) return false;
    for (EdgeId first : graph_.out_edge_list(node)) {
      std::vector<EdgeId> chain;
      std::vector<EdgeId> opposites;
      EdgeId edge = first;
      while (ir::is_condition(graph_.label(edge)) && chain.size() < 64) {
        chain.push_back(edge);
        const NodeId at = graph_.target(edge);
        if (targets.contains(at) && covered(chain, at, direct, opposites)) {
          join(node, at, chain, opposites);
          return true;
        }
        if (at == node || !ends_.passed(at)) break;
        edge = *graph_.out_edges(at).begin();
      }
    }
    return false;
  }

  bool covered(const std::vector<EdgeId>& chain, NodeId target,
               const std::map<std::pair<NodeId, std::uint32_t>, EdgeId>& direct, std::vector<EdgeId>& opposites) {
    opposites.clear();
    for (EdgeId edge : chain) {
      const auto it = direct.find({target, numbers_.of(negated(graph_.label(edge)))});
      if (it == direct.end()) return false;
      opposites.push_back(it->second);
    }
    return true;
  }

  void join(NodeId node, NodeId target, const std::vector<EdgeId>& chain, std::vector<EdgeId>& opposites) {
    sort_unique(opposites);
    std::vector<EdgeId> ways = opposites;
    ways.push_back(chain.front());
    game_.claims.add("join-exclusive", ir::Alternatives{std::move(ways), false, true}, graph_.where(chain.front()));
    std::vector<NodeId> inner;
    for (EdgeId edge : chain) {
      if (graph_.target(edge) != target) inner.push_back(graph_.target(edge));
    }
    for (EdgeId edge : chain) graph_.remove_edge(edge);
    for (EdgeId edge : opposites) {
      if (graph_.alive(edge)) graph_.remove_edge(edge);
    }
    for (NodeId at : inner) remove_if_isolated(game_, at, ends_);
    graph_.add_edge(node, target, ir::Empty{});
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  LabelNumbers numbers_;
};

}  // namespace

std::size_t join_exclusive(ir::Game& game, const PassContext&) { return JoinExclusive(game).run(); }

}  // namespace rgtrans::passes
