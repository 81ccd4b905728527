#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

NodeId FlowGraph::add_node() {
  const NodeId id = out_.next();
  out_.emplace_back();
  in_.emplace_back();
  return id;
}

EdgeId FlowGraph::add_edge(NodeId from, NodeId to, FlowStep step) {
  const EdgeId id = edges_.next();
  edges_.push_back({from, to, step, true});
  out_[from].push_back(id);
  in_[to].push_back(id);
  return id;
}

TableId FlowGraph::add_table(const Table& table) {
  for (const TableId id : tables_.ids()) {
    if (tables_[id] == table) return id;
  }
  const TableId fresh = tables_.next();
  tables_.push_back(table);
  return fresh;
}

void FlowGraph::remove_edge(EdgeId edge) {
  Edge& e = edges_[edge];
  e.alive = false;
  std::erase(out_[e.from], edge);
  std::erase(in_[e.to], edge);
}

void FlowGraph::set_to(EdgeId edge, NodeId to) {
  std::erase(in_[edges_[edge].to], edge);
  edges_[edge].to = to;
  in_[to].push_back(edge);
}

void FlowGraph::set_from(EdgeId edge, NodeId from) {
  std::erase(out_[edges_[edge].from], edge);
  edges_[edge].from = from;
  out_[from].push_back(edge);
}

void FlowGraph::rebuild() { rebuild(same_nodes()); }

ByNode<NodeId> FlowGraph::same_nodes() const {
  ByNode<NodeId> same;
  for (NodeId node : nodes()) same.push_back(node);
  return same;
}

void FlowGraph::compact() {
  std::erase_if(edges_, [](const Edge& edge) { return !edge.alive; });
  ByNode<char> used(out_.size());
  used[begin] = used[end] = 1;
  for (const Edge& edge : edges_) used[edge.from] = used[edge.to] = 1;
  for (Pattern& pattern : patterns) {
    if (!pattern.alive) pattern.start = pattern.end = begin;
    used[pattern.start] = used[pattern.end] = 1;
  }
  ByNode<NodeId> target(out_.size());
  std::uint32_t count = 0;
  for (NodeId node : nodes()) {
    if (used[node] != 0) target[node] = NodeId(count++);
  }
  rebuild(target);
  out_.resize(count);
  in_.resize(count);
}

void FlowGraph::rebuild(const ByNode<NodeId>& target) {
  for (auto& list : out_) list.clear();
  for (auto& list : in_) list.clear();
  for (EdgeId id : living_edges()) {
    Edge& edge = edges_[id];
    edge.from = target[edge.from];
    edge.to = target[edge.to];
    if (edge.from == edge.to && edge.step.kind == Do::skip) {
      edge.alive = false;
      continue;
    }
    out_[edge.from].push_back(id);
    in_[edge.to].push_back(id);
  }
  begin = target[begin];
  end = target[end];
  for (Pattern& pattern : patterns) {
    pattern.start = target[pattern.start];
    pattern.end = target[pattern.end];
  }
}

}  // namespace rgtrans::rbg
