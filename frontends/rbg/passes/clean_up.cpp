// Makes a flow graph smaller without looking at what its steps do to a game: what cannot be reached, what leads nowhere
// and empty steps go, and patterns that always or never hold are replaced by what they mean.
#include <algorithm>
#include <numeric>

#include "core/analysis/analysis.hpp"
#include "core/support/reach.hpp"
#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

namespace {

class Cleaner {
 public:
  explicit Cleaner(FlowGraph& flow) : f_(flow) {}

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
    std::vector<bool> used(f_.patterns.size(), false);
    const std::vector<NodeId> begin{f_.begin};
    const std::vector<bool> reached = reached_from(nodes, begin, [&](NodeId node, auto&& reach) {
      for (EdgeId id : f_.out(node)) {
        const FlowGraph::Edge& edge = f_.edge(id);
        if (!edge.alive) continue;
        if (edge.step.kind == Do::check) {
          used[edge.step.index] = true;
          reach(f_.patterns[edge.step.index].start);
        }
        reach(edge.to);
      }
    });
    std::vector<NodeId> goals;
    for (std::size_t i = 0; i < f_.patterns.size(); ++i) {
      f_.patterns[i].alive = used[i];
      if (used[i]) goals.push_back(f_.patterns[i].end);
    }
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (edge.alive && ends_move(edge.step.kind) && reached[edge.from]) goals.push_back(edge.from);
    }
    const std::vector<bool> useful = reached_from(nodes, goals, [&](NodeId node, auto&& reach) {
      for (EdgeId id : f_.in(node)) {
        if (f_.edge(id).alive && !ends_move(f_.edge(id).step.kind)) reach(f_.edge(id).from);
      }
    });
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      FlowGraph::Edge& edge = f_.edge(id);
      if (!edge.alive) continue;
      edge.alive = reached[edge.from] && (useful[edge.to] || ends_move(edge.step.kind));
    }
    // What follows the end of a pattern is of no interest.
    for (const FlowGraph::Pattern& pattern : f_.patterns) {
      if (!pattern.alive) continue;
      for (EdgeId id : f_.out(pattern.end)) f_.edge(id).alive = false;
    }
    f_.rebuild();
  }

  // Checks of patterns that are empty walks (always true) or have no walk (never true).
  bool fold_checks() {
    bool changed = false;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      FlowGraph::Edge& edge = f_.edge(id);
      if (!edge.alive || edge.step.kind != Do::check) continue;
      const FlowGraph::Pattern& pattern = f_.patterns[edge.step.index];
      const bool holds = pattern.start == pattern.end;
      if (!holds && !f_.out(pattern.start).empty()) continue;
      changed = true;
      if (holds == edge.step.negated) {
        edge.alive = false;
      } else {
        edge.step = FlowStep{.where = edge.step.where};
      }
    }
    if (changed) f_.rebuild();
    return changed;
  }

  // Nodes on a cycle of empty steps are one node.
  bool merge_skip_cycles() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (edge.alive && edge.step.kind == Do::skip) arcs.emplace_back(edge.from, edge.to);
    }
    if (arcs.empty()) return false;
    std::ranges::sort(arcs);
    const auto [component, count] = strong_components(f_.node_count(), arcs);
    if (count == f_.node_count()) return false;
    std::vector<NodeId> first(count, kNone), target(f_.node_count());
    for (NodeId node = 0; node < f_.node_count(); ++node) {
      NodeId& representative = first[component[node]];
      if (representative == kNone) representative = node;
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
    for (const FlowGraph::Pattern& pattern : f_.patterns) {
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
      FlowGraph::Edge& edge = f_.edge(id);
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

  FlowGraph& f_;
};

}  // namespace

bool clean_up(Draft& draft) {
  Cleaner(draft.flow).run();
  return false;
}

}  // namespace rgtrans::rbg
