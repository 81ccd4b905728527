// Merges nodes with equal continuations, and common first steps of alternatives.
#include <algorithm>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

namespace {

std::uint64_t hash_step(const FlowStep& step) {
  std::uint64_t hash = static_cast<std::uint64_t>(step.kind) * 16 + (step.negated ? 8 : 0) + (step.unchecked ? 4 : 0) +
                       (step.total ? 2 : 0);
  hash = combine_hash(hash, static_cast<std::uint64_t>(step.relation));
  hash = combine_hash(combine_hash(combine_hash(hash, step.index), step.at), step.table.value);
  hash = combine_hash(combine_hash(hash, step.left.value), step.right.value);
  return combine_hash(hash, step.modifier);
}

// One round of merging nodes with equal outgoing edges.
bool merge_equal_futures(FlowGraph& flow) {
  const ByNode<char> fixed = fixed_ends(flow);
  ByNode<NodeId> target = flow.same_nodes();
  auto key = [&](NodeId node) {
    std::vector<std::pair<std::uint64_t, EdgeId>> list;
    for (EdgeId id : flow.out(node)) {
      list.emplace_back(combine_hash(hash_step(flow.edge(id).step), flow.edge(id).to.value), id);
    }
    std::ranges::sort(list);
    return list;
  };
  auto same = [&](NodeId a, NodeId b) {
    const auto x = key(a), y = key(b);
    return std::ranges::equal(x, y, [&](const auto& p, const auto& q) {
      return flow.edge(p.second).to == flow.edge(q.second).to &&
             same_step(flow.edge(p.second).step, flow.edge(q.second).step);
    });
  };
  IndexSet index;
  std::vector<NodeId> rows;
  bool changed = false;
  for (NodeId node : flow.nodes()) {
    if (fixed[node] != 0 || flow.out(node).empty() || flow.out(node).size() > 64) continue;
    std::uint64_t hash = 3;
    for (const auto& [h, id] : key(node)) hash = combine_hash(hash, h);
    const std::uint32_t row = index.find_or_insert(hash, static_cast<std::uint32_t>(rows.size()),
                                                   [&](std::uint32_t r) { return same(rows[r], node); });
    if (row == rows.size()) {
      rows.push_back(node);
    } else {
      target[node] = rows[row];
      changed = true;
    }
  }
  if (!changed) return false;
  // Merged nodes have equal outgoing edges; keep one copy.
  for (NodeId node : flow.nodes()) {
    if (target[node] == node) continue;
    for (EdgeId id : flow.out(node)) flow.edge(id).alive = false;
  }
  flow.rebuild(target);
  return true;
}

// Merges edges from one node with the same step, if their targets have no other incoming edges.
bool merge_equal_beginnings(FlowGraph& flow) {
  const ByNode<char> entered = fixed_nodes(flow);
  ByNode<NodeId> target = flow.same_nodes();
  bool changed = false;
  ByNode<char> touched(flow.node_count());
  for (NodeId node : flow.nodes()) {
    const auto& list = flow.out(node);
    if (list.size() < 2 || list.size() > 256 || touched[node] != 0) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      FlowGraph::Edge& first = flow.edge(list[i]);
      if (!first.alive || ends_move(first.step.kind)) continue;
      if (flow.in(first.to).size() != 1 || entered[first.to] != 0 || first.to == node) continue;
      for (std::size_t k = i + 1; k < list.size(); ++k) {
        FlowGraph::Edge& second = flow.edge(list[k]);
        if (!second.alive || second.to == first.to || !same_step(first.step, second.step)) continue;
        if (flow.in(second.to).size() != 1 || entered[second.to] != 0 || second.to == node) continue;
        target[second.to] = first.to;
        touched[second.to] = touched[first.to] = 1;
        second.alive = false;
        changed = true;
      }
    }
  }
  if (changed) flow.rebuild(target);
  return changed;
}

}  // namespace

bool merge_equal(Draft& draft) {
  for (int round = 0; round < kPassLimits.joining_rounds; ++round) {
    bool changed = merge_equal_futures(draft.flow);
    changed |= merge_equal_beginnings(draft.flow);
    if (!changed) break;
  }
  return clean_up(draft);
}

}  // namespace rgtrans::rbg
