#include "frontends/gdl/lifted/edges.hpp"

#include <algorithm>

#include "core/support/reach.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

ir::EdgeId EdgeWriter::edge(NodeId from, NodeId to, ir::Label label) {
  if (game_.graph.edge_count() > kLiftedLimits.edges) throw TooLarge();
  return game_.graph.add_edge(from, to, std::move(label), place_);
}

NodeId EdgeWriter::then(NodeId from, ir::Label label) {
  const NodeId to = node();
  if (sharing_) {
    for (const ir::EdgeId e : game_.graph.out_edges(alike(from)))
      if (walked_.contains(game_.graph.target(e)) && game_.graph.label(e) == label)
        alike_.try_emplace(to, game_.graph.target(e));
    walked_.insert(to);
  }
  edge(from, to, std::move(label));
  return to;
}

NodeId EdgeWriter::loop(std::string_view wish, SortId sort, std::set<ir::VarId>& busy, NodeId from,
                        const std::function<NodeId(const Value&, NodeId)>& body) {
  const auto& terms = m_.terms(sort);
  if (terms.empty()) return from;
  if (terms.size() == 1) return body(t_.constant(TermId(terms[0])), from);
  const Register& r = t_.scratch(wish, sort, busy, "each");
  busy.insert(r.variable);
  const NodeId out = loop_over(r, from, [&](NodeId begin) { return body({{}, r.expression, sort, false}, begin); });
  busy.erase(r.variable);
  return out;
}

NodeId EdgeWriter::loop_over(const Register& r, NodeId from, const std::function<NodeId(NodeId)>& body) {
  const auto& terms = m_.terms(r.sort);
  const NodeId again = then(from, ir::Assign{r.expression, game_.symbol(t_.symbol(terms[0]))});
  const NodeId last = body(again);
  if (terms.size() == 1) return last;
  const ExprId end = game_.symbol(t_.symbol(terms.back()));
  const NodeId more = then(last, ir::Compare{r.expression, end, true});
  edge(more, again, ir::Assign{r.expression, game_.access(t_.successor(r.sort), r.expression)});
  return then(last, ir::Compare{r.expression, end, false});
}

// Ignores checks, which leave no assignments behind.
NodeId EdgeWriter::forget(NodeId begin, NodeId at) {
  const ir::Automaton& g = game_.graph;
  std::set<NodeId> after = {begin};
  std::set<NodeId> before = {at};
  std::vector<NodeId> open = {at};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const ir::EdgeId e : g.in_edges(n))
      if (n != begin && before.insert(g.source(e)).second) open.push_back(g.source(e));
  }
  std::set<ir::VarId> dirty;
  open = {begin};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const ir::EdgeId e : g.out_edges(n)) {
      if (!before.contains(g.target(e))) continue;
      const ir::VarId written = ir::written_variable(game_, g.label(e));
      if (written.valid() && t_.scratch_initial().contains(written)) dirty.insert(written);
      if (g.target(e) != at && after.insert(g.target(e)).second) open.push_back(g.target(e));
    }
  }
  for (const ir::VarId v : dirty)
    at = then(at, ir::Assign{game_.variable_ref(v), game_.symbol(t_.scratch_initial().at(v))});
  return at;
}

std::optional<Value> EdgeWriter::value(const BodyState& f, Pattern p) {
  if (p.is_ground()) return t_.constant(p.term());
  return f.values[p.number()];
}

NodeId EdgeWriter::test_equal(const Value& a, const Value& b, NodeId from, bool negated) {
  if (a.constant && b.constant) return (*a.constant == *b.constant) != negated ? from : NodeId();
  if (m_.disjoint(a.sort, b.sort)) return negated ? from : NodeId();
  const ExprId x = t_.expression(a);
  const ExprId y = t_.expression(b);
  if (x == y) return negated ? NodeId() : from;
  return then(from, ir::Compare{x, y, negated});
}

NodeId EdgeWriter::assign(std::vector<std::pair<const Register*, Value>> places, std::set<ir::VarId> busy,
                          const std::string& pool, NodeId from) {
  std::erase_if(places, [&](const auto& entry) { return t_.expression(entry.second) == entry.first->expression; });
  const auto reads = [&](const Value& value, const Register& place) {
    bool found = false;
    game_.for_each_variable(t_.expression(value), [&](ir::VarId v) { found = found || v == place.variable; });
    return found;
  };
  bool conflict = false;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j)
      conflict = conflict || reads(places[j].second, *places[i].first);
  for (auto& [place, value] : places) {
    if (!conflict) break;
    const Register& spare = t_.scratch("spare", place->sort, busy, pool);
    busy.insert(spare.variable);
    from = then(from, ir::Assign{spare.expression, t_.expression(value)});
    value = Value{{}, spare.expression, place->sort, false};
  }
  for (const auto& [place, value] : places) from = then(from, ir::Assign{place->expression, t_.expression(value)});
  return from;
}

NodeId EdgeWriter::guard(const std::vector<std::pair<Value, SortId>>& what, NodeId from) {
  for (const auto& [value, sort] : what) {
    if (!value.maybe_none && m_.subset(value.sort, sort)) continue;
    if (value.constant || m_.disjoint(value.sort, sort)) return {};
    if (m_.subset(value.sort, sort)) {
      from = then(from, ir::Compare{value.expression, t_.none(), true});
      continue;
    }
    const ExprId member = game_.access(t_.membership(value.sort, value.maybe_none, sort), value.expression);
    from = then(from, ir::Compare{member, t_.one(), false});
  }
  return from;
}

// Continues if no walk leads from `first` to `last`; an invalid `last` means that none ever does.
NodeId EdgeWriter::negate_walk(NodeId first, NodeId last, NodeId from) {
  if (!last.valid()) return from;
  if (last == first) return {};
  const NodeId to = node();
  add_negated_edge(first, last, from, to);
  return to;
}

// The comparison, if it is the complete walk from `first` to `last`.
std::optional<ir::Compare> EdgeWriter::only_comparison(NodeId first, NodeId last) const {
  const ir::Automaton& g = game_.graph;
  if (g.out_degree(first) != 1 || g.in_degree(last) != 1 || g.out_degree(last) != 0) return std::nullopt;
  const ir::EdgeId only = g.out_edge_list(first)[0];
  const auto* compare = std::get_if<ir::Compare>(&g.label(only));
  if (g.target(only) != last || compare == nullptr) return std::nullopt;
  return *compare;
}

// Adds an edge for the absence of a walk from `first` to `last`. A walk of one comparison becomes the opposite
// comparison.
void EdgeWriter::add_negated_edge(NodeId first, NodeId last, NodeId from, NodeId to) {
  const auto compare = only_comparison(first, last);
  if (!compare) {
    edge(from, to, ir::Reachability{first, last, true});
    return;
  }
  edge(from, to, ir::Compare{compare->lhs, compare->rhs, !compare->negated});
  ir::Automaton& g = game_.graph;
  g.remove_edge(g.out_edge_list(first)[0]);
  g.remove_node(first);
  g.remove_node(last);
}

ExprId EdgeWriter::lookup(ExprId table, const std::vector<Value>& keys) {
  for (const Value& key : keys) table = game_.access(table, t_.expression(key));
  return table;
}

// Removes the parts of bodies that can never hold.
void EdgeWriter::remove_unreachable() {
  ir::Automaton& g = game_.graph;
  const std::vector<std::uint32_t> ends{game_.begin().value, game_.end().value};
  const std::vector<bool> seen = reached_from(g.node_bound(), ends, [&](std::uint32_t n, auto&& reach) {
    for (const ir::EdgeId e : g.out_edges(NodeId(n))) {
      reach(g.target(e).value);
      if (const auto* check = std::get_if<ir::Reachability>(&g.label(e))) {
        reach(check->from.value);
        reach(check->to.value);
      }
    }
  });
  std::vector<NodeId> dead;
  for (const NodeId n : g.nodes())
    if (!seen[n.value]) dead.push_back(n);
  for (const NodeId n : dead) {
    for (const ir::EdgeId e : g.out_edge_list(n)) g.remove_edge(e);
  }
  for (const NodeId n : dead) g.remove_node(n);
}

}  // namespace rgtrans::gdl::lifted
