// join-alternatives: the chains of conditions between two nodes are one formula, an "or" of "ands". A chain that
// demands everything another one demands, and more, adds nothing; two chains that differ only in one condition and its
// opposite become one without it; alternatives that together always hold become one empty edge (decided by a truth
// table when they are few). Conditions only look, so the order and the number of ways from one node to the other do not
// matter. Inner nodes have one way in and one way out and no check starts or ends there.
//
//   a, m: x == 1;  m, z: y == 2;  a, n: x == 1;  n, z: y != 2;      =>      a, z: x == 1;
#include <algorithm>
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

class JoinAlternatives {
 public:
  explicit JoinAlternatives(ir::Game& game) : game_(game), graph_(game.graph), ends_(game), numbers_(game) {}

  std::size_t run() {
    const auto bound = static_cast<std::uint32_t>(graph_.node_bound());
    for (std::uint32_t i = 0; i < bound; ++i) {
      if (graph_.alive(NodeId(i)) && graph_.out_degree(NodeId(i)) > 1) visit(NodeId(i));
    }
    return changes_;
  }

 private:
  struct Chain {
    std::vector<EdgeId> edges;
    std::vector<std::uint32_t> literals;  // sorted: twice the number of the condition, plus one for the opposite
    bool gone = false;
  };

  std::uint32_t literal(const ir::Label& label) {
    const auto* compare = std::get_if<ir::Compare>(&label);
    const auto* check = std::get_if<ir::Reachability>(&label);
    const bool opposite = compare != nullptr ? compare->negated : check->negated;
    return 2 * numbers_.of(opposite ? negated(label) : label) + (opposite ? 1 : 0);
  }

  static constexpr std::size_t kLongest = 8;

  // Where a chain of conditions from a node can lead: its end, however long it is.
  NodeId end_of_chain(NodeId node, EdgeId edge) const {
    std::size_t length = 0;
    NodeId end;
    while (ir::is_condition(graph_.label(edge)) && length++ < kLongest) {
      end = graph_.target(edge);
      if (end == node || !ends_.passed(end)) break;
      edge = *graph_.out_edges(end).begin();
    }
    return end;
  }

  void visit(NodeId node) {
    ends_of_chains_.clear();
    for (EdgeId first : graph_.out_edges(node)) {
      const NodeId end = end_of_chain(node, first);
      if (end.valid() && end != node) ends_of_chains_.push_back(end);
    }
    std::ranges::sort(ends_of_chains_);
    if (std::ranges::adjacent_find(ends_of_chains_) == ends_of_chains_.end()) return;
    std::map<NodeId, std::vector<Chain>> groups;  // by where they lead
    for (EdgeId first : graph_.out_edges(node)) {
      Chain chain;
      EdgeId edge = first;
      while (ir::is_condition(graph_.label(edge)) && chain.edges.size() < kLongest) {
        chain.edges.push_back(edge);
        const NodeId at = graph_.target(edge);
        if (at == node || !ends_.passed(at)) break;
        edge = *graph_.out_edges(at).begin();
      }
      if (chain.edges.empty() || graph_.target(chain.edges.back()) == node) continue;
      groups[graph_.target(chain.edges.back())].push_back(std::move(chain));
    }
    for (auto& [target, chains] : groups) {
      constexpr std::size_t kMostChains = 32;
      if (chains.size() < 2 || chains.size() > kMostChains) continue;
      for (Chain& chain : chains) {
        for (EdgeId e : chain.edges) chain.literals.push_back(literal(graph_.label(e)));
        std::ranges::sort(chain.literals);
      }
      while (absorb(chains) || melt(chains)) {
      }
      if (always(chains)) {
        for (Chain& chain : chains) remove(chain);
        graph_.add_edge(node, target, ir::Empty{});
        ++changes_;
      }
    }
  }

  void remove(Chain& chain) {
    if (chain.gone) return;
    chain.gone = true;
    ++changes_;
    std::vector<NodeId> nodes;
    for (EdgeId e : chain.edges) {
      nodes.push_back(graph_.source(e));
      graph_.remove_edge(e);
    }
    for (std::size_t i = 1; i < nodes.size(); ++i) remove_if_isolated(game_, nodes[i], ends_);
  }

  // A chain that demands all that another one demands.
  bool absorb(std::vector<Chain>& chains) {
    for (const Chain& a : chains) {
      for (Chain& b : chains) {
        if (&a == &b || a.gone || b.gone || !std::ranges::includes(b.literals, a.literals)) continue;
        remove(b);
        return true;
      }
    }
    return false;
  }

  // Two chains that differ in one condition and its opposite.
  bool melt(std::vector<Chain>& chains) {
    for (Chain& a : chains) {
      for (Chain& b : chains) {
        if (&a >= &b || a.gone || b.gone || a.literals.size() != b.literals.size()) continue;
        std::uint32_t only = 0;
        std::size_t differences = 0;
        for (std::size_t i = 0; i < a.literals.size(); ++i) {
          if (a.literals[i] == b.literals[i]) continue;
          only = a.literals[i];
          differences += (a.literals[i] ^ 1U) == b.literals[i] ? 1 : 2;
        }
        if (differences != 1) continue;
        for (EdgeId e : a.edges) {
          if (ir::is_condition(graph_.label(e)) && literal(graph_.label(e)) == only) graph_.set_label(e, ir::Empty{});
        }
        std::erase(a.literals, only);
        remove(b);
        return true;
      }
    }
    return false;
  }

  // Whether some chain holds whatever the answers are.
  static bool always(const std::vector<Chain>& chains) {
    constexpr std::size_t kMostConditions = 10;
    std::vector<std::uint32_t> conditions;
    std::size_t alive = 0;
    for (const Chain& chain : chains) {
      if (chain.gone) continue;
      ++alive;
      for (const std::uint32_t l : chain.literals) conditions.push_back(l / 2);
    }
    std::ranges::sort(conditions);
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    if (alive < 2 || conditions.size() > kMostConditions) return false;
    auto holds = [&](const Chain& chain, std::uint32_t answers) {
      return !chain.gone && std::ranges::all_of(chain.literals, [&](std::uint32_t l) {
        const auto at = std::ranges::lower_bound(conditions, l / 2) - conditions.begin();
        return ((answers >> at) & 1U) != (l & 1U);
      });
    };
    for (std::uint32_t answers = 0; answers < (1U << conditions.size()); ++answers) {
      if (std::ranges::none_of(chains, [&](const Chain& chain) { return holds(chain, answers); })) return false;
    }
    return true;
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  LabelNumbers numbers_;
  std::vector<NodeId> ends_of_chains_;  // of the node that is visited
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t join_alternatives(ir::Game& game, const PassContext&) { return JoinAlternatives(game).run(); }

}  // namespace rgtrans::passes
