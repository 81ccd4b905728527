// inline-checks: replaces a check by the edges of its automaton, in four cases.
//
// (1) The automaton is a single chain of conditions and assignments from s to t, and each node before t has one
// outgoing edge. The assigned variables must be dead behind the check, because checks discard their changes. Checks
// with assignments stay in moves of random, whose results every written variable tells apart (see random_moves.hpp). A
// negated check with one condition becomes the negated condition. A longer chain is inlined only if the game becomes
// smaller and no decision (a check parallel to its negation) is split.
//
// (2) The automaton is a set of parallel conditions from s to t. A positive check becomes parallel edges; a negated one
// becomes a chain of the negated conditions.
//
// (3) A single edge uses the check, and the automaton is a small acyclic graph of conditions in which no two paths are
// open at the same time.
//
// (4) A check for t labels an edge to t, and only checks for t reach that edge. Walks then continue at the start of the
// check, and nodes visited earlier need not be visited again. This excludes a check parallel to its negation, which
// would evaluate the same check again.
//
//   begin, q: ? s -> t;   s, m: k == r;   m, t: l == g;      =>      begin, 1: k == r;   1, q: l == g;
//   begin, q: ! s -> t;   s, t: k == r;   s, t: l == g;      =>      begin, 1: k != r;   1, q: l != g;
//   begin, q: ? a -> t;   a, b: k = l;   b, t: ? s -> t;     =>      begin, q: ? a -> t;   a, b: k = l;   b, s: ;
#include <algorithm>
#include <map>
#include <span>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

class InlineChecks {
 public:
  InlineChecks(ir::Game& game, analysis::Cache& analyses)
      : game_(game),
        graph_(game.graph),
        analyses_(analyses),
        flow_(analyses.flow()),
        liveness_(analyses.liveness()),
        random_(game, flow_) {}

  std::size_t run() {
    std::vector<EdgeId> asking;
    for (std::uint32_t i = 1; i < flow_.size(); ++i) {
      for (EdgeId edge : graph_.out_edges(flow_.node(i))) {
        if (const auto* check = std::get_if<ir::Reachability>(&graph_.label(edge))) {
          ++all_users_[{check->from, check->to}];
          asking.push_back(edge);
        }
      }
    }
    for (EdgeId edge : asking) {
      const ir::Reachability check = std::get<ir::Reachability>(graph_.label(edge));
      if (check.from == check.to) continue;
      if (asks_for_goal(edge, check)) {
        graph_.set_label(edge, ir::Empty{});
        graph_.set_target(edge, check.from);
        ++changes_;
        continue;
      }
      users_ = all_users_[{check.from, check.to}];
      changes_ += check.negated ? negative(edge, check) : positive(edge, check);
    }
    return changes_;
  }

 private:
  // Case (4): whether all walks that reach the edge have the check's target as their goal.
  bool asks_for_goal(EdgeId edge, const ir::Reachability& check) {
    const NodeId source = graph_.source(edge);
    return !check.negated && check.to == graph_.target(edge) && flow_.reached(source) && flow_.reached(check.from) &&
           !beside_its_opposite(edge, check) && !for_others(check.to)[flow_.index(source)] &&
           !analysis::Flow(game_, std::span(&check.from, 1), false).reached(source);
  }

  // By flow index: whether moves or checks for other targets reach the node.
  const std::vector<bool>& for_others(NodeId goal) {
    const auto [it, fresh] = for_others_.try_emplace(goal);
    if (!fresh) return it->second;
    std::vector<std::uint32_t> starts{flow_.index(game_.begin())};
    for (const auto& [check, count] : all_users_) {
      if (check.second != goal) starts.push_back(flow_.index(check.first));
    }
    it->second = reached_from(flow_.size(), starts, [&](std::uint32_t index, auto&& reach) {
      for (const analysis::FlowEdge& edge : flow_.out(index)) {
        if (!edge.call) reach(edge.to);
      }
    });
    return it->second;
  }

  // Whether all edges out of the start are conditions that lead to the target.
  bool parallel_conditions(const ir::Reachability& check, std::vector<EdgeId>& edges) const {
    edges.clear();
    for (EdgeId edge : graph_.out_edges(check.from)) {
      if (graph_.target(edge) != check.to || !ir::is_condition(graph_.label(edge))) return false;
      edges.push_back(edge);
    }
    return !edges.empty();
  }

  // Whether the check is parallel to its negation: they are evaluated as one decision.
  bool beside_its_opposite(EdgeId edge, const ir::Reachability& check) const {
    return std::ranges::any_of(graph_.out_edges(graph_.source(edge)), [&](EdgeId other) {
      const auto* r = std::get_if<ir::Reachability>(&graph_.label(other));
      return r != nullptr && r->from == check.from && r->to == check.to && r->negated != check.negated;
    });
  }

  // One label never costs more than a check. Longer chains must not be copied for several uses.
  bool worthwhile(EdgeId edge, const ir::Reachability& check, std::size_t labels) const {
    return labels < 2 || (users_ <= (labels == 2 ? 2 : 1) && !beside_its_opposite(edge, check));
  }

  // Replaces an edge by a chain of labels between the same nodes.
  void replace_by_chain(EdgeId edge, const std::vector<ir::Label>& labels) {
    NodeId at = graph_.source(edge);
    const NodeId last = graph_.target(edge);
    const Range where = graph_.where(edge);
    graph_.remove_edge(edge);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const NodeId next = i + 1 == labels.size() ? last : graph_.add_node({}, where);
      graph_.add_edge(at, next, labels[i], where);
      at = next;
    }
  }

  std::size_t negative(EdgeId edge, const ir::Reachability& check) {
    std::vector<EdgeId> conditions;
    if (!parallel_conditions(check, conditions) || !worthwhile(edge, check, conditions.size())) return 0;
    std::vector<ir::Label> labels;
    for (EdgeId c : conditions) labels.push_back(negated(graph_.label(c)));
    replace_by_chain(edge, labels);
    return 1;
  }

  std::size_t positive(EdgeId edge, const ir::Reachability& check) {
    std::vector<EdgeId> conditions;
    if (parallel_conditions(check, conditions)) {
      if (!worthwhile(edge, check, conditions.size())) return 0;
      const NodeId source = graph_.source(edge);
      const NodeId target = graph_.target(edge);
      const Range where = graph_.where(edge);
      std::vector<ir::Label> labels;
      for (EdgeId c : conditions) labels.push_back(graph_.label(c));
      graph_.remove_edge(edge);
      for (const ir::Label& label : labels) graph_.add_edge(source, target, label, where);
      return 1;
    }
    std::vector<ir::Label> labels;
    std::vector<ir::VarId> overwritten;
    for (NodeId at = check.from; at != check.to;) {
      if (graph_.out_degree(at) > 1) return branching(edge, check);
      if (graph_.out_degree(at) != 1 || labels.size() > kLongestChain) return 0;
      const EdgeId next = *graph_.out_edges(at).begin();
      const ir::Label& label = graph_.label(next);
      const bool fits = std::holds_alternative<ir::Empty>(label) || ir::is_condition(label) ||
                        std::holds_alternative<ir::Assign>(label);
      if (!fits || game_.is_player_assignment(label) || next == edge) return 0;
      if (std::holds_alternative<ir::Assign>(label)) {
        // Assignments inside the check must not be visible after it.
        const ir::VarId written = ir::written_variable(game_, label);
        const NodeId target = graph_.target(edge);
        if (game_.built_in(written) || random_.inside[flow_.index(graph_.source(edge))]) return 0;
        if (!flow_.reached(target) || liveness_.live(written, target)) return 0;
        overwritten.push_back(written);
      }
      labels.push_back(label);
      at = graph_.target(next);
    }
    if (!worthwhile(edge, check, labels.size())) return 0;
    for (const ir::VarId written : overwritten)
      game_.claims.add("inline-checks", ir::Unread{edge, written, {}}, graph_.where(edge));
    replace_by_chain(edge, labels);
    return 1;
  }

  // Case (3): inlines the automaton of a check with a single use if it is a small acyclic graph of conditions with at
  // most one open path. With two open paths, the following part would be explored twice.
  std::size_t branching(EdgeId edge, const ir::Reachability& check) {
    constexpr std::size_t kMostEdges = 40;
    if (users_ > 1 || !worthwhile(edge, check, 2)) return 0;
    std::vector<NodeId> nodes{check.from};  // in order of discovery
    std::vector<EdgeId> body;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (EdgeId e : graph_.out_edges(nodes[i])) {
        const NodeId target = graph_.target(e);
        if (e == edge || body.size() == kMostEdges || target == check.from) return 0;
        if (!ir::is_condition(graph_.label(e))) return 0;
        body.push_back(e);
        if (target != check.to && std::ranges::find(nodes, target) == nodes.end()) nodes.push_back(target);
      }
    }
    // Parts that other edges enter would have to be copied instead of moved.
    std::size_t inside = 0;
    for (const NodeId node : nodes) {
      if (node == game_.begin() || node == game_.end() || node == graph_.source(edge)) return 0;
      if (node != check.from && graph_.in_degree(node) > 0) inside += graph_.in_degree(node);
    }
    const auto into_target =
        static_cast<std::size_t>(std::ranges::count_if(body, [&](EdgeId e) { return graph_.target(e) == check.to; }));
    if (into_target == 0 || !acyclic(nodes) || graph_.in_degree(check.from) > 0 ||
        inside + into_target != body.size() || asked_elsewhere(nodes))
      return 0;
    analysis::Exclusive exclusive(game_, analyses_.values());
    for (const NodeId node : nodes) {
      // Skips nodes that this run itself has added.
      if (!flow_.reached(node) || !analyses_.values().possible(node)) return 0;
      const auto out = graph_.out_edge_list(node);
      for (std::size_t i = 0; i < out.size(); ++i) {
        for (std::size_t j = i + 1; j < out.size(); ++j) {
          if (!exclusive.never_both(out[i], out[j])) return 0;
        }
      }
    }
    for (const NodeId node : nodes)
      if (graph_.out_degree(node) > 1)
        game_.claims.add("inline-checks", ir::Alternatives{graph_.out_edge_list(node), true, false},
                         graph_.where(edge));
    std::map<NodeId, NodeId> copy{{check.from, graph_.source(edge)}, {check.to, graph_.target(edge)}};
    const Range where = graph_.where(edge);
    for (const NodeId node : nodes) {
      if (node != check.from) copy[node] = graph_.add_node({}, where);
    }
    graph_.remove_edge(edge);
    for (EdgeId e : body) {
      graph_.add_edge(copy.at(graph_.source(e)), copy.at(graph_.target(e)), graph_.label(e), where);
    }
    return 1;
  }

  // Whether the subgraph of these nodes has no cycle.
  bool acyclic(const std::vector<NodeId>& nodes) const {
    std::map<NodeId, std::uint32_t> numbers;
    for (const NodeId node : nodes) numbers.emplace(node, static_cast<std::uint32_t>(numbers.size()));
    Arcs arcs;
    for (const auto& [node, number] : numbers) {
      for (EdgeId e : graph_.out_edges(node)) {
        const auto next = numbers.find(graph_.target(e));
        if (next == numbers.end()) continue;
        if (next->second == number) return false;
        arcs.emplace_back(number, next->second);
      }
    }
    return strong_components(numbers.size(), arcs).count == numbers.size();
  }

  // Whether another check starts or ends at one of these nodes.
  bool asked_elsewhere(const std::vector<NodeId>& nodes) const {
    const analysis::EndPoints ends(game_);
    return std::ranges::any_of(
        nodes, [&](NodeId n) { return ends.target(n) || ends.starts[n.value] > (n == nodes.front() ? 1U : 0U); });
  }

  static constexpr std::size_t kLongestChain = 200;

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::Cache& analyses_;
  const analysis::Flow& flow_;
  const analysis::Liveness& liveness_;
  const analysis::RandomMoves random_;
  std::map<std::pair<NodeId, NodeId>, std::size_t> all_users_;  // number of edges with the check, by start and target
  std::map<NodeId, std::vector<bool>> for_others_;
  std::size_t users_ = 0;  // number of edges with the current check
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t inline_checks(ir::Game& game, const PassContext& context) {
  return InlineChecks(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
