#include "core/analysis/exclusive.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

Exclusive::Exclusive(const ir::Game& game, Possible& possible, std::size_t tries)
    : game_(game), possible_(possible), tries_(tries) {
  if (tries == 0) return;
  written_.assign(game.variables().size(), false);
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (const ir::VarId v = written_variable(game, game.graph.label(edge)); v.valid()) written_[v.value] = true;
  }
}

SetId Exclusive::when(const ir::Compare& compare, ir::ExprId expression, ir::NodeId node) {
  const ir::ExprId other = compare.lhs == expression ? compare.rhs : compare.lhs;
  const SetId all = possible_.values(expression, node);
  const SetId set = possible_.values(other, node);
  SymbolSets& sets = possible_.sets();
  if (!compare.negated) return sets.intersect(all, set);
  const SymbolId single = sets.single(set);
  return single.valid() ? sets.without(all, single) : all;
}

bool Exclusive::never_both(ir::EdgeId a, ir::EdgeId b) {
  return never_both(game_.graph.label(a), game_.graph.label(b), game_.graph.source(a));
}

bool Exclusive::never_both(const ir::Label& a, const ir::Label& b, ir::NodeId node) {
  if (!is_condition(a) || !is_condition(b)) return false;
  if (canonical(game_, a) == canonical(game_, negated(b))) return true;
  const auto* c = std::get_if<ir::Compare>(&a);
  const auto* d = std::get_if<ir::Compare>(&b);
  if (c == nullptr || d == nullptr) return false;
  if (!possible_.possible(node)) return true;  // no state reaches the node
  if (!game_.is_set(game_.expressions().type(c->lhs)) || !game_.is_set(game_.expressions().type(d->lhs))) return false;
  return compare_same_side(*c, *d, node) || (tries_ > 0 && try_values(*c, *d, node));
}

bool Exclusive::compare_same_side(const ir::Compare& a, const ir::Compare& b, ir::NodeId node) {
  return std::ranges::any_of(std::array{a.lhs, a.rhs}, [&](ir::ExprId side) {
    return (side == b.lhs || side == b.rhs) && possible_.sets().disjoint(when(a, side, node), when(b, side, node));
  });
}

Exclusive::Test& Exclusive::test(const ir::Compare& compare) {
  const auto [it, fresh] = tests_.try_emplace({compare.lhs, compare.rhs});
  Test& test = it->second;
  if (!fresh) return test;
  const ir::Expressions& e = game_.expressions();
  bool maps = false;
  for (const ir::ExprId side : {compare.lhs, compare.rhs}) {
    visit_parts(e, side, [&](ir::ExprId part) {
      const ir::ExprId root = e.root(part);
      const bool changes = e.kind(root) == ir::ExprKind::variable && written_[e.variable(root).value];
      const bool cast = e.kind(part) == ir::ExprKind::cast;
      if (!changes || cast) return true;
      if (!game_.is_set(e.type(part))) {
        maps = maps || part == root;
        return true;
      }
      if (std::ranges::find(test.atoms, part) == test.atoms.end()) test.atoms.push_back(part);
      return false;
    });
  }
  test.known = !maps && !test.atoms.empty() && test.atoms.size() <= kMostAtoms;
  return test;
}

bool Exclusive::spend(std::size_t tries) {
  const bool enough = tries < tries_;
  tries_ = enough ? tries_ - tries : 0;
  return enough;
}

// A comparison that cannot be evaluated may hold.
bool Exclusive::can_hold(const ir::Compare& compare, const Given& given) const {
  const auto value = [&](ir::ExprId side) {
    return ir::fold(game_, side, [&](ir::ExprId part) -> ir::Folded {
      for (const auto& [atom, symbol] : given) {
        if (atom == part) return {symbol, {}};
      }
      const ir::Expressions& e = game_.expressions();
      if (e.kind(part) != ir::ExprKind::variable || written_[e.variable(part).value]) return {};
      return ir::folded(game_, game_.variable(e.variable(part)).initial);
    });
  };
  const ir::Folded left = value(compare.lhs), right = value(compare.rhs);
  return !left.symbol.valid() || !right.symbol.valid() || (left.symbol == right.symbol) != compare.negated;
}

// The values of the comparison's only atom for which it can hold, as positions in the set `values`.
const Bits& Exclusive::held(const ir::Compare& compare, Test& test, SetId values) {
  if (test.values != values) {
    test.values = values;
    const std::vector<SymbolId>& symbols = possible_.sets().of(values);
    ir::Compare as_is = compare;
    for (const bool negated : {false, true}) {
      as_is.negated = negated;
      Bits& holds = test.holds[negated ? 1 : 0] = Bits(symbols.size());
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (can_hold(as_is, {{test.atoms[0], symbols[i]}})) holds.set(i);
      }
    }
  }
  return test.holds[compare.negated ? 1 : 0];
}

bool Exclusive::try_values(const ir::Compare& a, const ir::Compare& b, ir::NodeId node) {
  Test& x = test(a);
  Test& y = test(b);
  if (!x.known || !y.known) return false;
  std::vector<ir::ExprId> atoms = x.atoms;
  for (const ir::ExprId atom : y.atoms) {
    if (std::ranges::find(atoms, atom) == atoms.end()) atoms.push_back(atom);
  }
  if (atoms.size() > kMostAtoms || atoms.size() == x.atoms.size() + y.atoms.size()) return false;
  if (atoms.size() > 1) return try_pairs(a, b, atoms, node);
  constexpr std::size_t kMostValues = std::size_t{1} << 14U;
  const SetId values = possible_.values(atoms[0], node);
  const std::size_t count = possible_.sets().of(values).size();
  if (count > kMostValues || !spend((x.values == values ? 0 : count) + (y.values == values ? 0 : count) + 1))
    return false;
  const Bits first = held(a, x, values);
  return !first.intersects(held(b, y, values));
}

bool Exclusive::try_pairs(const ir::Compare& a, const ir::Compare& b, const std::vector<ir::ExprId>& atoms,
                          ir::NodeId node) {
  constexpr std::size_t kMostPairs = 2048;
  const std::array<SetId, 2> values = {possible_.values(atoms[0], node), possible_.values(atoms[1], node)};
  const std::vector<SymbolId>& firsts = possible_.sets().of(values[0]);
  const std::vector<SymbolId>& seconds = possible_.sets().of(values[1]);
  if (firsts.size() * seconds.size() > kMostPairs) return false;
  const auto [known, fresh] = pairs_.try_emplace(
      {a.lhs.value, a.rhs.value, b.lhs.value, b.rhs.value, values[0], values[1], a.negated, b.negated});
  if (!fresh || !spend(firsts.size() * seconds.size())) return known->second;
  Given given = {{atoms[0], {}}, {atoms[1], {}}};
  for (const SymbolId first : firsts) {
    given[0].second = first;
    for (const SymbolId second : seconds) {
      given[1].second = second;
      if (can_hold(a, given) && can_hold(b, given)) return false;
    }
  }
  return known->second = true;
}

Exclusive::Group Exclusive::group(ir::NodeId node) {
  const ir::Automaton& graph = game_.graph;
  Group best;
  if (graph.out_degree(node) < 2 || !possible_.possible(node)) return best;
  constexpr const char* kOpposites = "a condition and its opposite";
  const auto list = graph.out_edge_list(node);
  // Fast path for the most frequent kind of node in large games.
  if (list.size() == 2 && is_condition(graph.label(list[0])) &&
      canonical(game_, graph.label(list[1])) == canonical(game_, negated(graph.label(list[0]))))
    return {list, true, kOpposites};
  std::map<ir::NodeId, std::size_t> edges_to;
  for (ir::EdgeId e : graph.out_edges(node)) ++edges_to[graph.target(e)];
  // Keep only groups that contain all edges to each of their targets: @disjoint identifies edges by their targets.
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

  // A condition and its negation.
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
      const auto& symbols = possible_.sets().of(set);
      if (std::ranges::any_of(symbols, [&](SymbolId s) { return covered.contains(s); })) continue;
      covered.insert(symbols.begin(), symbols.end());
      const SetId other = possible_.values(c->lhs == side ? c->rhs : c->lhs, node);
      certain = certain && possible_.sets().single(other).valid();
      edges.push_back(e);
    }
    offer(edges, certain && covered.size() == possible_.sets().of(possible_.values(side, node)).size(),
          "comparisons of one expression with different symbols");
  }
  return best;
}

}  // namespace rgtrans::analysis
