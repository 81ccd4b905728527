#include "core/ir/automaton.hpp"

#include <cassert>

#include "core/support/progress.hpp"

namespace rgtrans::ir {

std::uint64_t hash_label(const Label& label) {
  const std::uint64_t seed = mix_hash(label.index() + 1);
  return std::visit(
      Overloaded{
          [&](const Empty&) { return seed; },
          [&](const Compare& c) {
            return combine_hash(combine_hash(combine_hash(seed, c.lhs.value), c.rhs.value), c.negated ? 1 : 0);
          },
          [&](const Assign& a) { return combine_hash(combine_hash(seed, a.lhs.value), a.rhs.value); },
          [&](const AssignAny& a) { return combine_hash(combine_hash(seed, a.lhs.value), a.type.value); },
          [&](const Reachability& r) {
            return combine_hash(combine_hash(combine_hash(seed, r.from.value), r.to.value), r.negated ? 1 : 0);
          },
          [&](const Tag& t) { return combine_hash(seed, t.symbol.value); },
          [&](const TagVariable& t) { return combine_hash(seed, t.variable.value); },
      },
      label);
}

NodeId Automaton::add_node(SymbolId name, Range where) {
  const NodeId id(nodes_.size());
  Node node;
  node.name = name;
  node.where = where;
  nodes_.push_back(node);
  ++live_nodes_;
  ++shape_changes_;
  return id;
}

EdgeId Automaton::add_edge(NodeId source, NodeId target, Label label, Range where) {
  check_wanted();
  const EdgeId id(edges_.size());
  edges_.push_back({source, target, label, {}, {}, where, true});
  link_out(id);
  link_in(id);
  ++live_edges_;
  note_shape(id);
  return id;
}

void Automaton::set_label(EdgeId edge, Label label) {
  check_wanted();
  Label& old = edges_[edge.value].label;
  if (std::holds_alternative<Reachability>(old) || std::holds_alternative<Reachability>(label)) ++shape_changes_;
  old = label;
  journal_.push_back(edge);
}

void Automaton::remove_edge(EdgeId edge) {
  check_wanted();
  assert(alive(edge));
  unlink_out(edge);
  unlink_in(edge);
  edges_[edge.value].alive = false;
  note_shape(edge);
  --live_edges_;
}

void Automaton::remove_node(NodeId node) {
  Node& row = nodes_[node.value];
  assert(row.alive && row.out_degree == 0 && row.in_degree == 0);
  row.alive = false;
  --live_nodes_;
  ++shape_changes_;
}

void Automaton::set_source(EdgeId edge, NodeId source) {
  unlink_out(edge);
  edges_[edge.value].source = source;
  link_out(edge);
  note_shape(edge);
}

void Automaton::set_target(EdgeId edge, NodeId target) {
  unlink_in(edge);
  edges_[edge.value].target = target;
  link_in(edge);
  note_shape(edge);
}

void Automaton::link_out(EdgeId edge) {
  Edge& row = edges_[edge.value];
  Node& node = nodes_[row.source.value];
  row.out = {node.last_out, EdgeId()};
  (node.last_out ? edges_[node.last_out.value].out.next : node.first_out) = edge;
  node.last_out = edge;
  ++node.out_degree;
}

void Automaton::link_in(EdgeId edge) {
  Edge& row = edges_[edge.value];
  Node& node = nodes_[row.target.value];
  row.in = {node.last_in, EdgeId()};
  (node.last_in ? edges_[node.last_in.value].in.next : node.first_in) = edge;
  node.last_in = edge;
  ++node.in_degree;
}

void Automaton::unlink_out(EdgeId edge) {
  const Edge& row = edges_[edge.value];
  Node& node = nodes_[row.source.value];
  (row.out.previous ? edges_[row.out.previous.value].out.next : node.first_out) = row.out.next;
  (row.out.next ? edges_[row.out.next.value].out.previous : node.last_out) = row.out.previous;
  --node.out_degree;
}

void Automaton::unlink_in(EdgeId edge) {
  const Edge& row = edges_[edge.value];
  Node& node = nodes_[row.target.value];
  (row.in.previous ? edges_[row.in.previous.value].in.next : node.first_in) = row.in.next;
  (row.in.next ? edges_[row.in.next.value].in.previous : node.last_in) = row.in.previous;
  --node.in_degree;
}

std::vector<EdgeId> Automaton::out_edge_list(NodeId node) const {
  std::vector<EdgeId> list;
  list.reserve(out_degree(node));
  for (EdgeId edge : out_edges(node)) list.push_back(edge);
  return list;
}

std::vector<EdgeId> Automaton::in_edge_list(NodeId node) const {
  std::vector<EdgeId> list;
  list.reserve(in_degree(node));
  for (EdgeId edge : in_edges(node)) list.push_back(edge);
  return list;
}

}  // namespace rgtrans::ir
