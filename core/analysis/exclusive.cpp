#include "core/analysis/exclusive.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

SetId Exclusive::when(const ir::Compare& compare, ir::ExprId expression, ir::NodeId node) {
  const ir::ExprId other = compare.lhs == expression ? compare.rhs : compare.lhs;
  const SetId all = values_.values(expression, node);
  const SetId set = values_.values(other, node);
  if (!compare.negated) return values_.sets().intersect(all, set);
  const SymbolId single = values_.sets().single(set);
  return single.valid() ? values_.sets().without(all, single) : all;
}

bool Exclusive::never_both(ir::EdgeId a, ir::EdgeId b) {
  const ir::Label& x = game_.graph.label(a);
  const ir::Label& y = game_.graph.label(b);
  if (!is_condition(x) || !is_condition(y)) return false;
  if (canonical(game_, x) == canonical(game_, negated(y))) return true;
  const auto* c = std::get_if<ir::Compare>(&x);
  const auto* d = std::get_if<ir::Compare>(&y);
  if (c == nullptr || d == nullptr) return false;
  const ir::NodeId node = game_.graph.source(a);
  if (!values_.possible(node)) return true;  // nobody ever gets here
  for (const ir::ExprId side : {c->lhs, c->rhs}) {
    if (side != d->lhs && side != d->rhs) continue;
    if (!game_.is_set(game_.expressions().type(side))) continue;
    if (values_.sets().disjoint(when(*c, side, node), when(*d, side, node))) return true;
  }
  return false;
}

Exclusive::Group Exclusive::group(ir::NodeId node) {
  const ir::Automaton& graph = game_.graph;
  Group best;
  if (graph.out_degree(node) < 2 || !values_.possible(node)) return best;
  constexpr const char* kOpposites = "a condition and its opposite";
  const auto list = graph.out_edge_list(node);
  // Most nodes of large games are of this kind.
  if (list.size() == 2 && is_condition(graph.label(list[0])) &&
      canonical(game_, graph.label(list[1])) == canonical(game_, negated(graph.label(list[0]))))
    return {list, true, kOpposites};
  std::map<ir::NodeId, std::size_t> edges_to;
  for (ir::EdgeId e : graph.out_edges(node)) ++edges_to[graph.target(e)];
  // Only groups that hold all edges to each of their targets can be told by naming the targets.
  auto closed = [&](std::vector<ir::EdgeId> edges) {
    for (bool again = true; again;) {
      again = false;
      std::map<ir::NodeId, std::size_t> inside;
      for (ir::EdgeId e : edges) ++inside[graph.target(e)];
      again =
          std::erase_if(edges, [&](ir::EdgeId e) { return inside[graph.target(e)] != edges_to[graph.target(e)]; }) > 0;
    }
    return edges;
  };
  auto offer = [&](const std::vector<ir::EdgeId>& edges, bool exhaustive, const char* reason) {
    if (edges.size() < 2 || edges.size() < best.edges.size()) return;
    const auto kept = closed(edges);
    if (kept.size() < 2 || kept.size() < best.edges.size()) return;
    const bool still = exhaustive && kept.size() == edges.size();
    if (kept.size() == best.edges.size() && (best.exhaustive || !still)) return;
    best = {kept, still, reason};
  };

  // A condition and its opposite.
  for (std::size_t i = 0; i < list.size() && list.size() <= 64; ++i) {
    if (!is_condition(graph.label(list[i]))) continue;
    const ir::Label opposite = canonical(game_, negated(graph.label(list[i])));
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      if (canonical(game_, graph.label(list[j])) != opposite) continue;
      offer({list[i], list[j]}, true, kOpposites);
    }
  }
  // Comparisons of one expression with disjoint sets of symbols.
  std::vector<ir::ExprId> sides;
  for (ir::EdgeId e : list) {
    if (const auto* c = std::get_if<ir::Compare>(&graph.label(e))) {
      for (const ir::ExprId side : {c->lhs, c->rhs}) {
        if (game_.expressions().kind(side) == ir::ExprKind::symbol) continue;
        if (!game_.is_set(game_.expressions().type(side))) continue;
        if (std::ranges::find(sides, side) == sides.end()) sides.push_back(side);
      }
    }
  }
  for (const ir::ExprId side : sides) {
    std::vector<ir::EdgeId> edges;
    std::unordered_set<SymbolId> covered;
    bool certain = true;  // each comparison holds for all symbols of its set
    for (ir::EdgeId e : list) {
      const auto* c = std::get_if<ir::Compare>(&graph.label(e));
      if (c == nullptr || (c->lhs != side && c->rhs != side)) continue;
      const SetId set = when(*c, side, node);
      const auto& symbols = values_.sets().of(set);
      if (std::ranges::any_of(symbols, [&](SymbolId s) { return covered.contains(s); })) continue;
      covered.insert(symbols.begin(), symbols.end());
      const SetId other = values_.values(c->lhs == side ? c->rhs : c->lhs, node);
      certain = certain && values_.sets().single(other).valid();
      edges.push_back(e);
    }
    offer(edges, certain && covered.size() == values_.sets().of(values_.values(side, node)).size(),
          "comparisons of one expression with different symbols");
  }
  return best;
}

}  // namespace rgtrans::analysis
