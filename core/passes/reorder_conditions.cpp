// reorder-conditions: if several branches of a node are chains of comparisons, moves a comparison that occurs in more
// than one chain to the front, so that join-prefixes can merge it. Only comparisons change places, and only on nodes
// without other edges: the truth of their conjunction does not depend on the order. Tags and checks stay in place.
//
//   begin, a: k == r;   a, a1: l == g;   begin, b: k == g;   b, b1: l == g;
//   =>   begin, a: l == g;   a, a1: k == r;   begin, b: l == g;   b, b1: k == g;
#include <algorithm>
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

std::size_t reorder_conditions(ir::Game& game, const PassContext&) {
  ir::Automaton& graph = game.graph;
  const analysis::EndPoints ends(game);
  LabelNumbers numbers(game);
  std::size_t changes = 0;
  for (NodeId node : graph.nodes()) {
    if (graph.out_degree(node) < 2) continue;
    std::vector<std::vector<EdgeId>> chains;
    bool any_order = false;
    for (EdgeId first : graph.out_edges(node)) {
      std::vector<EdgeId> chain;
      EdgeId edge = first;
      constexpr std::size_t kLongest = 16;
      while (std::holds_alternative<ir::Compare>(graph.label(edge)) && chain.size() < kLongest) {
        chain.push_back(edge);
        const NodeId at = graph.target(edge);
        if (at == node || !ends.passed(at)) break;
        edge = *graph.out_edges(at).begin();
      }
      if (chain.empty()) continue;
      any_order = any_order || chain.size() > 1;
      chains.push_back(std::move(chain));
    }
    if (!any_order || chains.size() < 2) continue;
    std::map<std::uint32_t, std::size_t> count;
    for (const auto& chain : chains) {
      std::vector<std::uint32_t> once;
      for (EdgeId e : chain) once.push_back(numbers.of(graph.label(e)));
      sort_unique(once);
      for (const std::uint32_t label : once) ++count[label];
    }
    for (const auto& chain : chains) {
      if (chain.size() < 2) continue;
      std::vector<ir::Label> labels;
      for (EdgeId e : chain) labels.push_back(graph.label(e));
      const std::vector<ir::Label> old = labels;
      // Unshared labels keep their order after the shared ones.
      std::stable_sort(labels.begin(), labels.end(), [&](const ir::Label& a, const ir::Label& b) {
        const std::uint32_t x = numbers.of(a);
        const std::uint32_t y = numbers.of(b);
        const std::size_t n = count[x] < 2 ? 0 : count[x];
        const std::size_t m = count[y] < 2 ? 0 : count[y];
        return n != m ? n > m : n > 0 && x < y;
      });
      if (labels == old) continue;
      for (std::size_t i = 0; i < chain.size(); ++i) graph.set_label(chain[i], labels[i]);
      ++changes;
    }
  }
  return changes;
}

}  // namespace rgtrans::passes
