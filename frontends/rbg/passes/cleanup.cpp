#include "frontends/rbg/passes/cleanup.hpp"

#include <algorithm>
#include <numeric>

#include "core/analysis/analysis.hpp"

namespace rgtrans::rbg {

namespace {

std::uint64_t hash_step(const Step& step) {
  std::uint64_t hash = static_cast<std::uint64_t>(step.kind) * 16 + (step.negated ? 8 : 0) + (step.unchecked ? 4 : 0) +
                       (step.total ? 2 : 0);
  hash = combine_hash(hash, static_cast<std::uint64_t>(step.relation));
  hash = combine_hash(combine_hash(combine_hash(hash, step.index), step.at), step.table);
  hash = combine_hash(combine_hash(hash, step.left.value), step.right.value);
  return combine_hash(hash, step.modifier);
}

// Without the place in the text.
bool same_step(const Step& a, const Step& b) {
  return a.kind == b.kind && a.negated == b.negated && a.unchecked == b.unchecked && a.total == b.total &&
         a.relation == b.relation && a.index == b.index && a.at == b.at && a.table == b.table && a.left == b.left &&
         a.right == b.right && a.modifier == b.modifier;
}

class Cleaner {
 public:
  explicit Cleaner(Flow& flow) : f_(flow) {}

  void run() {
    for (bool again = true; again;) {
      again = false;
      prune();
      again |= fold_checks();
      again |= merge_skip_cycles();
      again |= merge_skips();
      again |= drop_duplicates();
    }
    prune();
    f_.compact();
  }

 private:
  // Removes edges that cannot be reached from the beginning, or from which the goal of their part cannot be reached.
  void prune() {
    const std::size_t nodes = f_.node_count();
    std::vector<char> reached(nodes), useful(nodes);
    std::vector<NodeId> stack;
    std::vector<char> used(f_.patterns.size());
    auto visit = [&](NodeId node) {
      if (reached[node] == 0) {
        reached[node] = 1;
        stack.push_back(node);
      }
    };
    visit(f_.begin);
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.out(node)) {
        const Flow::Edge& edge = f_.edge(id);
        if (!edge.alive) continue;
        if (edge.step.kind == Do::check && used[edge.step.index] == 0) {
          used[edge.step.index] = 1;
          visit(f_.patterns[edge.step.index].start);
        }
        visit(edge.to);
      }
    }
    auto mark = [&](NodeId node) {
      if (useful[node] == 0) {
        useful[node] = 1;
        stack.push_back(node);
      }
    };
    for (std::size_t i = 0; i < f_.patterns.size(); ++i) {
      f_.patterns[i].alive = used[i] != 0;
      if (used[i] != 0) mark(f_.patterns[i].end);
    }
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      const Flow::Edge& edge = f_.edge(id);
      if (edge.alive && ends_move(edge.step.kind) && reached[edge.from] != 0) mark(edge.from);
    }
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.in(node)) {
        if (f_.edge(id).alive && !ends_move(f_.edge(id).step.kind)) mark(f_.edge(id).from);
      }
    }
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      Flow::Edge& edge = f_.edge(id);
      if (!edge.alive) continue;
      edge.alive = reached[edge.from] != 0 && (useful[edge.to] != 0 || ends_move(edge.step.kind));
    }
    // What follows the end of a pattern is of no interest.
    for (const Flow::Pattern& pattern : f_.patterns) {
      if (!pattern.alive) continue;
      for (EdgeId id : f_.out(pattern.end)) f_.edge(id).alive = false;
    }
    f_.rebuild();
  }

  // Checks of patterns that are empty walks (always true) or have no walk (never true).
  bool fold_checks() {
    bool changed = false;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      Flow::Edge& edge = f_.edge(id);
      if (!edge.alive || edge.step.kind != Do::check) continue;
      const Flow::Pattern& pattern = f_.patterns[edge.step.index];
      const bool holds = pattern.start == pattern.end;
      if (!holds && !f_.out(pattern.start).empty()) continue;
      changed = true;
      if (holds == edge.step.negated) {
        edge.alive = false;
      } else {
        edge.step = Step{.where = edge.step.where};
      }
    }
    if (changed) f_.rebuild();
    return changed;
  }

  // Nodes on a cycle of empty steps are one node.
  bool merge_skip_cycles() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      const Flow::Edge& edge = f_.edge(id);
      if (edge.alive && edge.step.kind == Do::skip) arcs.emplace_back(edge.from, edge.to);
    }
    if (arcs.empty()) return false;
    std::ranges::sort(arcs);
    const auto [component, count] = analysis::strong_components(f_.node_count(), arcs);
    if (count == f_.node_count()) return false;
    std::vector<NodeId> first(count, kNowhere), target(f_.node_count());
    for (NodeId node = 0; node < f_.node_count(); ++node) {
      NodeId& representative = first[component[node]];
      if (representative == kNowhere) representative = node;
      target[node] = representative;
    }
    f_.rebuild(target);
    return true;
  }

  // An empty step joins its two ends when it is the only way on or the only way in.
  bool merge_skips() {
    const std::size_t nodes = f_.node_count();
    std::vector<NodeId> target(nodes);
    std::iota(target.begin(), target.end(), NodeId{0});
    auto find = [&](NodeId node) {
      while (target[node] != node) node = target[node] = target[target[node]];
      return node;
    };
    std::vector<char> entered(nodes), ends(nodes);
    entered[f_.begin] = 1;
    ends[f_.end] = 1;
    for (const Flow::Pattern& pattern : f_.patterns) {
      if (!pattern.alive) continue;
      entered[pattern.start] = 1;
      ends[pattern.end] = 1;
    }
    std::vector<std::uint32_t> ins(nodes), outs(nodes);
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      if (!f_.edge(id).alive) continue;
      ++outs[f_.edge(id).from];
      ++ins[f_.edge(id).to];
    }
    bool changed = false;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      Flow::Edge& edge = f_.edge(id);
      if (!edge.alive || edge.step.kind != Do::skip) continue;
      const NodeId from = find(edge.from), to = find(edge.to);
      if (from == to) continue;
      const bool only_way_on = outs[from] == 1 && ends[from] == 0;
      const bool only_way_in = ins[to] == 1 && entered[to] == 0;
      if (!only_way_on && !only_way_in) continue;
      target[from] = to;
      edge.alive = false;
      ins[to] += ins[from] - 1;
      outs[to] += outs[from] - 1;
      if (entered[from] != 0) entered[to] = 1;
      if (ends[from] != 0) ends[to] = 1;
      changed = true;
    }
    if (!changed) return false;
    for (NodeId node = 0; node < nodes; ++node) target[node] = find(node);
    f_.rebuild(target);
    return true;
  }

  bool drop_duplicates() {
    bool changed = false;
    std::vector<EdgeId> sorted;
    for (NodeId node = 0; node < f_.node_count(); ++node) {
      if (f_.out(node).size() < 2) continue;
      sorted.assign(f_.out(node).begin(), f_.out(node).end());
      std::ranges::stable_sort(sorted, {}, [&](EdgeId id) { return f_.edge(id).to; });
      for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
        for (std::size_t k = i + 1; k < sorted.size() && k < i + 8 && f_.edge(sorted[k]).to == f_.edge(sorted[i]).to;
             ++k) {
          if (!f_.edge(sorted[i]).alive || !same_step(f_.edge(sorted[i]).step, f_.edge(sorted[k]).step)) continue;
          f_.edge(sorted[k]).alive = false;
          changed = true;
        }
      }
    }
    if (changed) f_.rebuild();
    return changed;
  }

  Flow& f_;
};

// Which nodes must not be joined by equal continuations.
std::vector<char> fixed_ends(const Flow& flow) {
  std::vector<char> fixed(flow.node_count());
  fixed[flow.end] = 1;
  for (const Flow::Pattern& pattern : flow.patterns) {
    if (pattern.alive) fixed[pattern.end] = 1;
  }
  return fixed;
}

// One round of joining nodes whose outgoing edges are the same.
bool merge_equal_futures(Flow& flow) {
  const std::vector<char> fixed = fixed_ends(flow);
  std::vector<NodeId> target(flow.node_count());
  std::iota(target.begin(), target.end(), NodeId{0});
  auto key = [&](NodeId node) {
    std::vector<std::pair<std::uint64_t, EdgeId>> list;
    for (EdgeId id : flow.out(node)) {
      list.emplace_back(combine_hash(hash_step(flow.edge(id).step), flow.edge(id).to), id);
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
  for (NodeId node = 0; node < flow.node_count(); ++node) {
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
  // The joined nodes have the same ways on; one copy is enough.
  for (NodeId node = 0; node < flow.node_count(); ++node) {
    if (target[node] == node) continue;
    for (EdgeId id : flow.out(node)) flow.edge(id).alive = false;
  }
  flow.rebuild(target);
  return true;
}

// Two edges from one node with the same step to nodes without other ways in.
bool merge_equal_beginnings(Flow& flow) {
  const std::vector<char> fixed = fixed_ends(flow);
  std::vector<char> entered = fixed;
  entered[flow.begin] = 1;
  for (const Flow::Pattern& pattern : flow.patterns) {
    if (pattern.alive) entered[pattern.start] = 1;
  }
  std::vector<NodeId> target(flow.node_count());
  std::iota(target.begin(), target.end(), NodeId{0});
  bool changed = false;
  std::vector<char> touched(flow.node_count());
  for (NodeId node = 0; node < flow.node_count(); ++node) {
    const auto& list = flow.out(node);
    if (list.size() < 2 || list.size() > 256 || touched[node] != 0) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Flow::Edge& first = flow.edge(list[i]);
      if (!first.alive || ends_move(first.step.kind)) continue;
      if (flow.in(first.to).size() != 1 || entered[first.to] != 0 || first.to == node) continue;
      for (std::size_t k = i + 1; k < list.size(); ++k) {
        Flow::Edge& second = flow.edge(list[k]);
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

void clean_up(Flow& flow) { Cleaner(flow).run(); }

void merge_equal(Flow& flow) {
  for (int round = 0; round < 200; ++round) {
    bool changed = merge_equal_futures(flow);
    changed |= merge_equal_beginnings(flow);
    if (!changed) break;
  }
  clean_up(flow);
}

}  // namespace rgtrans::rbg
