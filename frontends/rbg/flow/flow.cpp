#include "frontends/rbg/flow/flow.hpp"

#include <algorithm>
#include <numeric>

namespace rgtrans::rbg {

NodeId FlowGraph::add_node() {
  out_.emplace_back();
  in_.emplace_back();
  return static_cast<NodeId>(out_.size() - 1);
}

EdgeId FlowGraph::add_edge(NodeId from, NodeId to, FlowStep step) {
  const auto id = static_cast<EdgeId>(edges_.size());
  edges_.push_back({from, to, step, true});
  out_[from].push_back(id);
  in_[to].push_back(id);
  return id;
}

std::uint32_t FlowGraph::add_table(const Table& table) {
  const auto it = std::ranges::find(tables_, table);
  if (it != tables_.end()) return static_cast<std::uint32_t>(it - tables_.begin());
  tables_.push_back(table);
  return static_cast<std::uint32_t>(tables_.size() - 1);
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

void FlowGraph::rebuild() {
  std::vector<NodeId> same(out_.size());
  std::iota(same.begin(), same.end(), NodeId{0});
  rebuild(same);
}

void FlowGraph::compact() {
  std::erase_if(edges_, [](const Edge& edge) { return !edge.alive; });
  std::vector<char> used(out_.size());
  used[begin] = used[end] = 1;
  for (const Edge& edge : edges_) used[edge.from] = used[edge.to] = 1;
  for (Pattern& pattern : patterns) {
    if (!pattern.alive) pattern.start = pattern.end = begin;
    used[pattern.start] = used[pattern.end] = 1;
  }
  std::vector<NodeId> target(out_.size());
  NodeId count = 0;
  for (NodeId node = 0; node < target.size(); ++node) target[node] = used[node] != 0 ? count++ : 0;
  rebuild(target);
  out_.resize(count);
  in_.resize(count);
}

void FlowGraph::rebuild(const std::vector<NodeId>& target) {
  for (auto& list : out_) list.clear();
  for (auto& list : in_) list.clear();
  for (EdgeId id = 0; id < edges_.size(); ++id) {
    Edge& edge = edges_[id];
    if (!edge.alive) continue;
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
