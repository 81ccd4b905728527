#include "core/analysis/versions.hpp"

#include <algorithm>

#include "core/analysis/dominators.hpp"
#include "core/ir/ir.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::analysis {

namespace {

// Adapts a flow graph to immediate_dominators().
struct Links {
  const Flow& flow;
  [[nodiscard]] std::size_t size() const { return flow.size(); }
  [[nodiscard]] std::size_t out_count(std::uint32_t node) const { return flow.out(node).size(); }
  [[nodiscard]] std::uint32_t out(std::uint32_t node, std::size_t i) const { return flow.out(node)[i].to; }
  template <class F>
  void for_each_in(std::uint32_t node, F&& f) const {
    for (const std::uint32_t in : flow.in(node)) f(flow.edges()[in].from);
  }
};

}  // namespace

Dominators::Dominators(const Flow& flow)
    : parent_(immediate_dominators(Links{flow}, 0)), first_(flow.size()), last_(flow.size()) {
  // Parents have smaller numbers than their children: sizes are computed bottom-up, then positions top-down.
  std::vector<std::uint32_t> size(flow.size(), 1);
  for (std::uint32_t i = static_cast<std::uint32_t>(flow.size()); i-- > 1;) size[parent_[i]] += size[i];
  std::vector<std::uint32_t> next(flow.size());
  first_[0] = 0;
  next[0] = 1;
  last_[0] = size[0] - 1;
  for (std::uint32_t i = 1; i < flow.size(); ++i) {
    const std::uint32_t p = parent_[i];
    first_[i] = next[p];
    next[p] += size[i];
    next[i] = first_[i] + 1;
    last_[i] = first_[i] + size[i] - 1;
  }
}

namespace {

// The iterated dominance frontier (Sreedhar and Gao): all nodes where definitions at the given nodes, of any variables,
// can need merges. Processes the deepest nodes of the dominator tree first, so that no subtree is visited twice.
std::vector<bool> iterated_frontier(const Flow& flow, const Dominators& dominators,
                                    const std::vector<std::uint32_t>& definitions) {
  std::vector<std::uint32_t> level(flow.size(), 0);
  std::vector<std::uint32_t> in_order(flow.size());  // nodes in the order of the dominator tree
  std::uint32_t deepest = 0;
  for (std::uint32_t i = 0; i < flow.size(); ++i) {
    if (i > 0) level[i] = level[dominators.parent(i)] + 1;
    deepest = std::max(deepest, level[i]);
    in_order[dominators.first(i)] = i;
  }
  std::vector<std::vector<std::uint32_t>> pending(deepest + 1);
  for (const std::uint32_t node : definitions) pending[level[node]].push_back(node);
  std::vector<bool> found(flow.size(), false);
  std::vector<bool> visited(flow.size(), false);
  for (std::uint32_t depth = deepest + 1; depth-- > 0;) {
    while (!pending[depth].empty()) {
      const std::uint32_t root = pending[depth].back();
      pending[depth].pop_back();
      for (std::uint32_t position = dominators.first(root); position <= dominators.last(root);) {
        const std::uint32_t node = in_order[position];
        if (visited[node]) {
          position = dominators.last(node) + 1;
          continue;
        }
        visited[node] = true;
        ++position;
        for (const FlowEdge& e : flow.out(node)) {
          if (level[e.to] > depth || found[e.to]) continue;
          found[e.to] = true;
          pending[level[e.to]].push_back(e.to);
        }
      }
    }
  }
  return found;
}

// The dominance frontiers of definitions and of the merges that they need. Frontiers of all nodes could take quadratic
// space: if paths leave a long chain and meet behind it, each merge is in the frontier of the whole chain.
std::vector<std::vector<std::uint32_t>> dominance_frontiers(const Flow& flow, const Dominators& dominators,
                                                            const std::vector<std::uint32_t>& definitions) {
  const std::vector<bool> merges = iterated_frontier(flow, dominators, definitions);
  std::vector<bool> wanted = merges;
  for (const std::uint32_t node : definitions) wanted[node] = true;
  // The nearest wanted ancestor of each node; parents have smaller numbers than their children.
  std::vector<std::uint32_t> nearest(flow.size());
  for (std::uint32_t i = 0; i < flow.size(); ++i) nearest[i] = wanted[i] || i == 0 ? i : nearest[dominators.parent(i)];
  std::vector<std::vector<std::uint32_t>> frontiers(flow.size());
  for (std::uint32_t v = 1; v < flow.size(); ++v) {
    if (!merges[v] || flow.in(v).size() < 2) continue;
    const std::uint32_t top = dominators.parent(v);
    for (const std::uint32_t in : flow.in(v)) {
      std::uint32_t runner = nearest[flow.edges()[in].from];
      while (runner != top && dominators.dominates(top, runner)) {
        auto& frontier = frontiers[runner];
        if (!frontier.empty() && frontier.back() == v) break;
        frontier.push_back(v);
        runner = nearest[dominators.parent(runner)];
      }
    }
  }
  return frontiers;
}

// The range in which a version holds, except for nested intervals: a subtree of the dominator tree.
struct Interval {
  std::uint32_t first, last;
  Version version;
};

// Flattens nested intervals into disjoint spans, so that a lookup is one binary search.
template <class Span>
std::vector<Span> flattened(std::vector<Interval>& intervals) {
  std::ranges::sort(intervals, {}, &Interval::first);
  std::vector<Span> spans;
  const auto begin = [&](std::uint32_t position, Version version) {
    if (!spans.empty() && spans.back().first == position) spans.pop_back();
    spans.push_back({position, version});
  };
  std::vector<const Interval*> open;
  const auto close_before = [&](std::uint64_t position) {
    while (open.size() > 1 && open.back()->last < position) {
      const std::uint32_t behind = open.back()->last + 1;
      open.pop_back();
      if (behind <= open.back()->last) begin(behind, open.back()->version);
    }
  };
  for (const Interval& interval : intervals) {
    close_before(interval.first);
    begin(interval.first, interval.version);
    open.push_back(&interval);
  }
  close_before(~std::uint64_t{0});
  return spans;
}

}  // namespace

Versions::Versions(const ir::Game& game, const Flow& flow, const Dominators& dominators, const Liveness& liveness)
    : flow_(&flow), dominators_(&dominators), by_edge_(game.graph.edge_bound(), 0) {
  std::vector<std::vector<Interval>> intervals(game.variables().size());
  for (std::uint32_t x = 0; x < game.variables().size(); ++x) {
    rows_.push_back({Kind::initial, ir::VarId(x), {}, 0});
    intervals[x].push_back({dominators.first(0), dominators.last(0), x});
  }

  // Definitions by variable. At a node with one incoming edge they hold directly; at other nodes they start a merge.
  struct Definition {
    std::uint32_t variable, node;
  };
  std::vector<Definition> definitions;
  for (const FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call) continue;
    const ir::VarId x = written_variable(game, game.graph.label(e.edge));
    if (!x.valid()) continue;
    by_edge_[e.edge.value] = static_cast<Version>(rows_.size());
    rows_.push_back({Kind::assignment, x, e.edge, e.to});
    definitions.push_back({x.value, e.to});
    if (flow.in(e.to).size() == 1) {
      intervals[x.value].push_back({dominators.first(e.to), dominators.last(e.to), by_edge_[e.edge.value]});
    }
  }
  std::stable_sort(definitions.begin(), definitions.end(),
                   [](const Definition& a, const Definition& b) { return a.variable < b.variable; });

  std::vector<std::uint32_t> nodes;
  for (const Definition& d : definitions) nodes.push_back(d.node);
  const auto frontiers = dominance_frontiers(flow, dominators, nodes);
  std::vector<std::uint32_t> mark(flow.size(), kNone);
  std::vector<std::uint32_t> work;
  for (std::size_t i = 0; i < definitions.size();) {
    check_wanted();
    const std::uint32_t x = definitions[i].variable;
    auto merge_at = [&](std::uint32_t node) {
      if (mark[node] == x) return;
      mark[node] = x;
      intervals[x].push_back({dominators.first(node), dominators.last(node), static_cast<Version>(rows_.size())});
      rows_.push_back({Kind::merge, ir::VarId(x), {}, node});
      work.push_back(node);
    };
    for (; i < definitions.size() && definitions[i].variable == x; ++i) {
      if (flow.in(definitions[i].node).size() == 1) {
        work.push_back(definitions[i].node);
      } else {
        merge_at(definitions[i].node);
      }
    }
    while (!work.empty()) {
      const std::uint32_t node = work.back();
      work.pop_back();
      for (const std::uint32_t v : frontiers[node]) merge_at(v);
    }
  }
  for (auto& list : intervals) spans_.push_back(flattened<Span>(list));
  same_as_.resize(rows_.size());
  check_wanted();
  for (Version v = 0; v < rows_.size(); ++v) same_as_[v] = v;
  simplify_merges(game, flow, liveness);
}

// A merge whose arguments are all one version (or the merge itself) is equal to that version.
void Versions::simplify_merges(const ir::Game& game, const Flow& flow, const Liveness& liveness) {
  // Merges can form long chains of replacements: shorten them by path halving.
  auto shorten = [&](Version v) {
    while (same_as_[v] != same_as_[same_as_[v]]) v = same_as_[v] = same_as_[same_as_[v]];
  };
  auto arguments = [&](const Row& row, auto&& f) {
    for (const std::uint32_t in : flow.in(row.node)) {
      const FlowEdge& e = flow.edges()[in];
      const bool defines =
          e.edge.valid() && !e.call && written_variable(game, game.graph.label(e.edge)) == row.variable;
      f(defines ? find(made_by(e.edge)) : lookup(row.variable.value, e.from));
    }
  };
  for (bool changed = true; changed;) {
    changed = false;
    check_wanted();
    for (Version v = 0; v < rows_.size(); ++v) {
      if (rows_[v].kind != Kind::merge || same_as_[v] != v) continue;
      Version only = v;
      bool trivial = true;
      arguments(rows_[v], [&](Version a) {
        if (a == v || a == only) return;
        if (only != v) trivial = false;
        only = a;
      });
      if (!trivial || only == v) continue;
      same_as_[v] = only;
      changed = true;
    }
    for (Version v = 0; v < rows_.size(); ++v) shorten(v);
  }
  merged_.assign(rows_.size(), false);
  for (Version v = 0; v < rows_.size(); ++v) {
    if (rows_[v].kind != Kind::merge || same_as_[v] != v) continue;
    if (!liveness.at_index(rows_[v].node).test(rows_[v].variable.value)) continue;
    arguments(rows_[v], [&](Version a) { merged_[a] = true; });
  }
}

Version Versions::lookup(std::uint32_t variable, std::uint32_t index) const {
  const auto& spans = spans_[variable];
  const std::uint32_t position = dominators_->first(index);
  const auto behind = std::upper_bound(spans.begin(), spans.end(), position,
                                       [](std::uint32_t p, const Span& span) { return p < span.first; });
  return find(std::prev(behind)->version);
}

Version Versions::at(ir::VarId variable, ir::NodeId node) const { return lookup(variable.value, flow_->index(node)); }

}  // namespace rgtrans::analysis
