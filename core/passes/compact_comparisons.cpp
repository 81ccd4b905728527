// compact-comparisons: merges parallel comparisons of one expression with symbols. Together they test membership in a
// set. If the set covers all possible values, an empty edge replaces them; if few values are missing, a short chain of
// != does.
//
//   type C = { r, g, b };   begin, end: k == r;   begin, end: g == k;      =>      begin, end: k != b;
#include <algorithm>
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;

std::size_t compact_comparisons(ir::Game& game, const PassContext& context) {
  ir::Automaton& graph = game.graph;
  struct Group {
    std::vector<EdgeId> equal;
    std::vector<SymbolId> symbols;  // symbols of the edges in `equal`
    EdgeId different;               // e != s
    SymbolId not_this;
    bool everything = false;  // some parallel edges are e != s and e != t
  };
  // Analyses are computed only when the first node with parallel comparisons is found.
  const analysis::Flow* flow = nullptr;
  analysis::ValueSets* values = nullptr;
  std::size_t changes = 0;
  const auto bound = static_cast<std::uint32_t>(graph.node_bound());
  for (std::uint32_t i = 0; i < bound; ++i) {
    const NodeId node(i);
    if (!graph.alive(node) || graph.out_degree(node) < 2) continue;
    std::map<std::pair<NodeId, ExprId>, Group> groups;
    bool parallel = false;
    for (EdgeId edge : graph.out_edges(node)) {
      const ir::Label label = canonical(game, graph.label(edge));
      const auto* c = std::get_if<ir::Compare>(&label);
      if (c == nullptr || game.expressions().kind(c->rhs) != ir::ExprKind::symbol) continue;
      if (!game.is_set(game.expressions().type(c->lhs))) continue;
      Group& group = groups[{graph.target(edge), c->lhs}];
      const SymbolId symbol = game.expressions().symbol(c->rhs);
      if (!c->negated) {
        group.equal.push_back(edge);
        group.symbols.push_back(symbol);
      } else if (!group.different.valid()) {
        group.different = edge;
        group.not_this = symbol;
      } else if (group.not_this != symbol) {
        group.everything = true;
      }
      parallel |= group.equal.size() + (group.different.valid() ? 1 : 0) > 1 || group.everything;
    }
    if (!parallel) continue;
    if (values == nullptr) {
      flow = &context.analyses->flow();
      values = &context.analyses->values();
    }
    if (!flow->reached(node) || !values->possible(node)) continue;
    for (auto& [key, group] : groups) {
      const auto [target, expression] = key;
      const Range where = group.equal.empty() ? Range() : graph.where(group.equal.front());
      if (group.everything) {
        for (EdgeId edge : group.equal) graph.remove_edge(edge);
        graph.set_label(group.different, ir::Empty{});
        ++changes;
        continue;
      }
      if (group.different.valid()) {
        // e != s covers every e == t with t != s; together with e == s it covers everything.
        for (std::size_t k = 0; k < group.equal.size(); ++k) {
          if (group.symbols[k] == group.not_this) graph.set_label(group.different, ir::Empty{});
          graph.remove_edge(group.equal[k]);
          ++changes;
        }
        continue;
      }
      if (group.equal.size() < 2) continue;
      std::vector<SymbolId> missing;
      for (SymbolId s : values->sets().of(values->values(expression, node))) {
        if (std::ranges::find(group.symbols, s) == group.symbols.end()) missing.push_back(s);
      }
      if (missing.size() > 0 && 2 * missing.size() - 1 >= group.equal.size()) continue;
      const bool writable = std::ranges::none_of(
          missing, [&](SymbolId s) { return game.find_variable(s).valid() || game.find_constant(s).valid(); });
      if (!writable) continue;
      std::vector<SymbolId> all = group.symbols;
      all.insert(all.end(), missing.begin(), missing.end());
      game.claims.add("compact-comparisons", ir::OneOf{node, expression, std::move(all)}, where);
      for (EdgeId edge : group.equal) graph.remove_edge(edge);
      ++changes;
      NodeId at = node;
      for (std::size_t k = 0; k < missing.size(); ++k) {
        const NodeId next = k + 1 == missing.size() ? target : graph.add_node({}, where);
        graph.add_edge(at, next, ir::Compare{expression, game.symbol(missing[k]), true}, where);
        at = next;
      }
      if (missing.empty()) graph.add_edge(node, target, ir::Empty{}, where);
    }
  }
  return changes;
}

}  // namespace rgtrans::passes
