// Shrinks a flow graph without analysing the effects of steps. Removes unreachable parts, dead ends and empty steps,
// and replaces checks of patterns that always or never hold.
#include <algorithm>

#include "frontends/rbg/flow/solve.hpp"
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
  // Removes edges that are unreachable from the beginning, and edges from which the goal of their part is unreachable.
  void prune() {
    for (FlowGraph::Pattern& pattern : f_.patterns) pattern.alive = false;
    const ByNode<bool> reached = reached_from(f_, {f_.begin}, [&](NodeId node, auto&& reach) {
      for (EdgeId id : f_.out(node)) {
        const FlowGraph::Edge& edge = f_.edge(id);
        if (!edge.alive) continue;
        if (edge.step.kind == Do::check) {
          FlowGraph::Pattern& pattern = f_.patterns[PatternId(edge.step.index)];
          pattern.alive = true;
          reach(pattern.start);
        }
        reach(edge.to);
      }
    });
    std::vector<NodeId> goals;
    for (const FlowGraph::Pattern& pattern : f_.patterns) {
      if (pattern.alive) goals.push_back(pattern.end);
    }
    for (EdgeId id : f_.living_edges()) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (ends_move(edge.step.kind) && reached[edge.from]) goals.push_back(edge.from);
    }
    const ByNode<bool> useful = reached_from(f_, goals, [&](NodeId node, auto&& reach) {
      for (EdgeId id : f_.in(node)) {
        if (f_.edge(id).alive && !ends_move(f_.edge(id).step.kind)) reach(f_.edge(id).from);
      }
    });
    for (EdgeId id : f_.living_edges()) {
      FlowGraph::Edge& edge = f_.edge(id);
      edge.alive = reached[edge.from] && (useful[edge.to] || ends_move(edge.step.kind));
    }
    // Removes edges behind the end of a pattern, which are irrelevant.
    for (const FlowGraph::Pattern& pattern : f_.patterns) {
      if (!pattern.alive) continue;
      for (EdgeId id : f_.out(pattern.end)) f_.edge(id).alive = false;
    }
    f_.rebuild();
  }

  // Folds checks of patterns with an empty walk (always true) or without any walk (never true).
  bool fold_checks() {
    bool changed = false;
    for (EdgeId id : f_.living_edges()) {
      FlowGraph::Edge& edge = f_.edge(id);
      if (edge.step.kind != Do::check) continue;
      const FlowGraph::Pattern& pattern = f_.pattern(edge.step);
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

  // Merges the nodes on each cycle of empty steps.
  bool merge_skip_cycles() {
    const auto [component, count] = components(f_, [](Do kind) { return kind == Do::skip; });
    if (count == f_.node_count()) return false;
    std::vector<NodeId> first(count);
    ByNode<NodeId> target(f_.node_count());
    for (NodeId node : f_.nodes()) {
      NodeId& representative = first[component[node]];
      if (!representative.valid()) representative = node;
      target[node] = representative;
    }
    f_.rebuild(target);
    return true;
  }

  // Merges the ends of an empty step if it is the only edge out of its source or the only edge into its target.
  bool merge_skips() {
    const std::size_t nodes = f_.node_count();
    ByNode<NodeId> target = f_.same_nodes();
    auto find = [&](NodeId node) {
      while (target[node] != node) node = target[node] = target[target[node]];
      return node;
    };
    ByNode<char> entered(nodes), ends(nodes);
    entered[f_.begin] = 1;
    ends[f_.end] = 1;
    for (const FlowGraph::Pattern& pattern : f_.patterns) {
      if (!pattern.alive) continue;
      entered[pattern.start] = 1;
      ends[pattern.end] = 1;
    }
    ByNode<std::uint32_t> ins(nodes), outs(nodes);
    for (EdgeId id : f_.living_edges()) {
      ++outs[f_.edge(id).from];
      ++ins[f_.edge(id).to];
    }
    bool changed = false;
    for (EdgeId id : f_.living_edges()) {
      FlowGraph::Edge& edge = f_.edge(id);
      if (edge.step.kind != Do::skip) continue;
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
    for (NodeId node : f_.nodes()) target[node] = find(node);
    f_.rebuild(target);
    return true;
  }

  bool drop_duplicates() {
    bool changed = false;
    std::vector<EdgeId> sorted;
    for (NodeId node : f_.nodes()) {
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
