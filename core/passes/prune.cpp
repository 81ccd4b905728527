// prune: removes exactly the edges and nodes that cannot matter. An edge of the main automaton matters if it is on a
// path from `begin` to `end` or to the end of a move. This includes moves after which the play is stuck: they are
// legal, and the play must stay stuck. An edge of a check matters if it is on a path from the check's start to the
// first arrival at its target.
//
// A check with an unreachable target is false, and a check for its own start is true: such edges are removed or
// emptied. When a check disappears, the pass repeats, since the check's automaton may disappear with it.
//
//   begin, q: ? s -> t;   s, t: ;   s, d: ;   q, end: ;   lost, end: ;
//   =>   begin, q: ? s -> t;   s, t: ;   q, end: ;
#include <algorithm>
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

class Prune {
 public:
  explicit Prune(ir::Game& game) : game_(game), graph_(game.graph) {}

  std::size_t run() {
    std::size_t changes = 0;
    while (round(changes)) {
    }
    const analysis::EndPoints ends(game_);
    for (std::uint32_t i = 0; i < graph_.node_bound(); ++i) {
      if (graph_.alive(NodeId(i)) && remove_if_isolated(game_, NodeId(i), ends)) ++changes;
    }
    return changes;
  }

 private:
  // Returns true if another round may find more.
  bool round(std::size_t& changes) {
    const analysis::Flow flow(game_);
    needed_.assign(graph_.edge_bound(), false);
    mark_main(flow);
    const bool check_gone = mark_checks(flow, changes);
    bool removed_check = false;
    for (std::uint32_t i = 0; i < graph_.edge_bound(); ++i) {
      const EdgeId edge(i);
      if (!graph_.alive(edge) || needed_[i]) continue;
      // Claims only in the first round: later rounds work on a changed game.
      if (first_round_ && !flow.reached(graph_.source(edge)))
        game_.claims.add(kName, ir::Unreached{edge}, graph_.where(edge));
      removed_check |= std::holds_alternative<ir::Reachability>(graph_.label(edge));
      graph_.remove_edge(edge);
      ++changes;
    }
    first_round_ = false;
    return check_gone || removed_check;
  }

  void mark_main(const analysis::Flow& flow) {
    std::vector<std::uint32_t> ends{game_.end().value};
    for (EdgeId edge : graph_.edges()) {
      const NodeId source = graph_.source(edge);
      if (!flow.main(source) || !game_.is_player_assignment(graph_.label(edge))) continue;
      needed_[edge.value] = true;
      ends.push_back(source.value);
    }
    reached_from(graph_.node_bound(), ends, [&](std::uint32_t node, auto&& reach) {
      for (EdgeId edge : graph_.in_edges(NodeId(node))) {
        if (!flow.main(graph_.source(edge))) continue;
        needed_[edge.value] = true;
        reach(graph_.source(edge).value);
      }
    });
  }

  // Marks the edges of checks at reached nodes, and resolves checks with a constant result.
  bool mark_checks(const analysis::Flow& flow, std::size_t& changes) {
    std::map<NodeId, std::vector<NodeId>> starts;  // by target
    for (EdgeId edge : graph_.edges()) {
      const auto* check = std::get_if<ir::Reachability>(&graph_.label(edge));
      if (check != nullptr && flow.reached(graph_.source(edge))) starts[check->to].push_back(check->from);
    }
    if (starts.empty()) return false;
    std::map<std::pair<NodeId, NodeId>, bool> holds;  // only checks with a constant result
    std::size_t budget = 32 * (graph_.edge_count() + 64);
    for (auto& [target, list] : starts) {
      sort_unique(list);
      corridor(target, list, budget, holds);
    }
    if (holds.empty()) return false;
    const std::size_t before = changes;
    std::vector<EdgeId> unwalked;
    for (std::uint32_t i = 0; i < graph_.edge_bound(); ++i) {
      const EdgeId edge(i);
      if (!graph_.alive(edge)) continue;
      const auto* check = std::get_if<ir::Reachability>(&graph_.label(edge));
      if (check == nullptr) continue;
      const auto it = holds.find({check->from, check->to});
      if (it == holds.end()) continue;
      game_.claims.add(kName, ir::Passable{edge, it->second != check->negated}, graph_.where(edge));
      if (it->second == check->negated) {
        unwalked.push_back(edge);
        continue;
      }
      graph_.set_label(edge, ir::Empty{});
      ++changes;
    }
    changes += remove_unwalked(game_, unwalked);
    return changes != before;
  }

  // Marks the edges between the starts and the first arrival at the target.
  void corridor(NodeId target, const std::vector<NodeId>& starts, std::size_t& budget,
                std::map<std::pair<NodeId, NodeId>, bool>& holds) {
    const bool whole = budget == 0;  // too many large checks: keep everything reachable
    if (mark_.size() < graph_.node_bound()) mark_.resize(graph_.node_bound(), 0);
    const std::uint32_t ahead = ++stamp_;
    const std::uint32_t both = ++stamp_;
    std::vector<NodeId> work;
    auto enter = [&](NodeId node) {
      if (mark_[node.value] == ahead) return;
      mark_[node.value] = ahead;
      work.push_back(node);
    };
    for (NodeId start : starts) {
      if (start == target) {
        holds[{start, target}] = true;
      } else {
        enter(start);
      }
    }
    std::size_t steps = 0;
    while (!work.empty()) {
      const NodeId node = work.back();
      work.pop_back();
      if (node == target) continue;
      for (EdgeId edge : graph_.out_edges(node)) {
        ++steps;
        if (whole) needed_[edge.value] = true;
        enter(graph_.target(edge));
      }
    }
    budget -= std::min(budget, steps);
    if (mark_[target.value] == ahead) {
      mark_[target.value] = both;
      work.push_back(target);
    }
    while (!work.empty()) {
      const NodeId node = work.back();
      work.pop_back();
      for (EdgeId edge : graph_.in_edges(node)) {
        const NodeId source = graph_.source(edge);
        if (source == target || (mark_[source.value] != ahead && mark_[source.value] != both)) continue;
        needed_[edge.value] = true;
        if (mark_[source.value] == both) continue;
        mark_[source.value] = both;
        work.push_back(source);
      }
    }
    for (NodeId start : starts) {
      if (start != target && mark_[start.value] != both) holds[{start, target}] = false;
    }
  }

  static constexpr std::string_view kName = "prune";
  ir::Game& game_;
  ir::Automaton& graph_;
  bool first_round_ = true;
  std::vector<bool> needed_;
  std::vector<std::uint32_t> mark_;
  std::uint32_t stamp_ = 0;
};

}  // namespace

std::size_t prune(ir::Game& game, const PassContext&) { return Prune(game).run(); }

}  // namespace rgtrans::passes
