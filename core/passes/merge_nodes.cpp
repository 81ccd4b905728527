// merge-nodes: merges nodes with the same future (the bisimulation quotient): equal labels lead to nodes that again
// have the same future. `end` is distinct from all nodes, and so are the targets of checks, unless no check can reach
// the target of another one. Nodes where moves of random end stay distinct, because they distinguish states (see
// random_moves.hpp).
//
// The algorithm is partition refinement: it splits classes until all members of a class have the same outgoing (label,
// class) pairs. The largest part of a split class keeps its number, and only predecessors of the other parts are
// processed again. Each edge is thus processed O(log n) times.
//
// In large games, each node is processed only once, after its successors, and equal signatures are merged at once. On a
// loop, the successor that closes it has not been processed yet and stays distinct.
//
//   a, x: k == r;  b, y: k == r;  x, z: l = g;  y, z: l = g;      =>      a, x: k == r;  b, x: k == r;  x, z: l = g;
#include <algorithm>
#include <map>
#include <range/v3/view/chunk_by.hpp>
#include <tuple>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

class MergeNodes {
 public:
  MergeNodes(ir::Game& game, const analysis::Flow& flow) : game_(game), graph_(game.graph), flow_(flow), ends_(game) {}

  std::size_t run() {
    prepare();
    refine();
    return collapse();
  }

  // The variant for large games, which does not merge around loops.
  std::size_t run_once() {
    number_labels();
    merge_upwards();
    return collapse();
  }

 private:
  using Class = std::uint32_t;

  void prepare() {
    const analysis::RandomMoves random(game_, flow_);
    class_.assign(graph_.node_bound(), 0);
    size_.assign(4, 0);
    const bool one_target_class = targets_are_apart();
    std::map<NodeId, Class> own;
    for (NodeId node : graph_.nodes()) {
      Class c = 0;
      if (ends_.target(node)) {
        c = 1;
        if (!one_target_class) {
          c = own.try_emplace(node, static_cast<Class>(size_.size())).first->second;
          if (c == size_.size()) size_.push_back(0);
        }
      }
      if (node == game_.end()) c = ends_.target(node) ? 2 : 3;
      if (random.any() && flow_.reached(node) && random.ends[flow_.index(node)]) {
        c = static_cast<Class>(size_.size());
        size_.push_back(0);
      }
      class_[node.value] = c;
      ++size_[c];
    }
    number_labels();
    for (EdgeId edge : graph_.edges()) {
      if (const auto* check = std::get_if<ir::Reachability>(&graph_.label(edge))) {
        asked_by_[check->from].push_back(graph_.source(edge));
        asked_by_[check->to].push_back(graph_.source(edge));
      }
    }
  }

  void number_labels() {
    LabelNumbers numbers(game_);
    label_.assign(graph_.edge_bound(), kCheck);
    for (EdgeId edge : graph_.edges()) {
      const ir::Label& label = graph_.label(edge);
      if (!std::holds_alternative<ir::Reachability>(label)) label_[edge.value] = numbers.of(label);
    }
  }

  // Processes each node after its successors. Every node starts as a class of its own, so the partition is stable at
  // all times.
  void merge_upwards() {
    const analysis::RandomMoves random(game_, flow_);
    class_.resize(graph_.node_bound());
    for (Class c = 0; c < class_.size(); ++c) class_[c] = c;
    size_.assign(class_.size(), 1);
    std::map<std::tuple<Class, Class, bool>, std::uint32_t> checks;
    const auto label_of = [&](EdgeId edge) {
      if (label_[edge.value] != kCheck) return label_[edge.value];
      const auto& check = std::get<ir::Reachability>(graph_.label(edge));
      const std::tuple key(class_[check.from.value], class_[check.to.value], check.negated);
      return kCheck - 1 - checks.try_emplace(key, static_cast<std::uint32_t>(checks.size())).first->second;
    };
    std::vector<std::uint64_t> pool;  // the signatures, concatenated
    struct Row {
      std::size_t first, last;
      Class of;
    };
    std::vector<Row> rows;
    IndexSet index;
    for (std::uint32_t i = static_cast<std::uint32_t>(flow_.size()); i-- > 1;) {
      check_wanted();
      const NodeId node = flow_.node(i);
      if (node == game_.end() || ends_.target(node) || (random.any() && random.ends[i])) continue;
      const std::size_t first = pool.size();
      for (EdgeId edge : graph_.out_edges(node))
        pool.push_back((std::uint64_t{label_of(edge)} << 32U) | class_[graph_.target(edge).value]);
      const auto begin = pool.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, pool.end());
      pool.erase(std::unique(begin, pool.end()), pool.end());
      const auto signature = [&](const Row& row) { return std::span(pool).subspan(row.first, row.last - row.first); };
      const Row fresh{first, pool.size(), node.value};
      std::uint64_t hash = 1;
      for (const std::uint64_t pair : signature(fresh)) hash = combine_hash(hash, pair);
      const auto number = static_cast<std::uint32_t>(rows.size());
      const std::uint32_t row = index.find_or_insert(
          hash, number, [&](std::uint32_t r) { return std::ranges::equal(signature(rows[r]), signature(fresh)); });
      if (row == number) {
        rows.push_back(fresh);
      } else {
        class_[node.value] = rows[row].of;
        pool.resize(first);
      }
    }
  }

  // Whether no check reaches a target of another check.
  bool targets_are_apart() {
    std::map<NodeId, std::vector<NodeId>> targets_of;  // by start of a check
    for (EdgeId edge : graph_.edges()) {
      if (const auto* check = std::get_if<ir::Reachability>(&graph_.label(edge))) {
        auto& list = targets_of[check->from];
        if (std::ranges::find(list, check->to) == list.end()) list.push_back(check->to);
      }
    }
    std::size_t budget = 32 * (graph_.edge_count() + 64);
    std::vector<std::uint32_t> seen(graph_.node_bound(), 0);
    std::uint32_t stamp = 0;
    std::vector<NodeId> work;
    for (const auto& [start, targets] : targets_of) {
      if (targets.size() > 1) return false;
      if (start == targets[0]) continue;
      if (ends_.target(start)) return false;
      ++stamp;
      seen[start.value] = stamp;
      work.assign(1, start);
      while (!work.empty()) {
        const NodeId node = work.back();
        work.pop_back();
        for (EdgeId edge : graph_.out_edges(node)) {
          if (budget-- == 0) return false;
          const NodeId next = graph_.target(edge);
          if (next == targets[0] || seen[next.value] == stamp) continue;
          if (ends_.target(next)) return false;
          seen[next.value] = stamp;
          work.push_back(next);
        }
      }
    }
    return true;
  }

  // The sorted set of (label, class) pairs of a node, as plain numbers.
  void signature(NodeId node, std::vector<std::uint64_t>& pairs) {
    pairs.clear();
    for (EdgeId edge : graph_.out_edges(node)) {
      std::uint64_t label = label_[edge.value];
      if (label == kCheck) {
        const auto& check = std::get<ir::Reachability>(graph_.label(edge));
        const std::tuple key(class_[check.from.value], class_[check.to.value], check.negated);
        label = (std::uint64_t{1} << 63U) | checks_.try_emplace(key, checks_.size()).first->second;
      }
      pairs.push_back(label);
      pairs.push_back(class_[graph_.target(edge).value]);
    }
    // Sort the numbers as pairs.
    const std::size_t n = pairs.size() / 2;
    if (n < 2) return;
    scratch_.clear();
    for (std::size_t i = 0; i < n; ++i) scratch_.emplace_back(pairs[2 * i], pairs[2 * i + 1]);
    sort_unique(scratch_);
    pairs.clear();
    for (const auto& [a, b] : scratch_) {
      pairs.push_back(a);
      pairs.push_back(b);
    }
  }

  void refine() {
    struct Item {
      Class old;
      std::uint32_t first, length;  // range in `pool`
      NodeId node;
    };
    std::vector<NodeId> dirty;
    for (NodeId node : graph_.nodes()) dirty.push_back(node);
    std::vector<bool> queued(graph_.node_bound(), false);
    std::vector<Item> items;
    std::vector<std::uint64_t> pool;
    std::vector<std::uint64_t> pairs;
    while (!dirty.empty()) {
      items.clear();
      pool.clear();
      for (NodeId node : dirty) {
        check_wanted();
        queued[node.value] = false;
        signature(node, pairs);
        items.push_back({class_[node.value], static_cast<std::uint32_t>(pool.size()),
                         static_cast<std::uint32_t>(pairs.size()), node});
        pool.insert(pool.end(), pairs.begin(), pairs.end());
      }
      dirty.clear();
      auto text = [&](const Item& i) { return std::span(pool.data() + i.first, i.length); };
      auto less = [&](const Item& a, const Item& b) {
        if (a.old != b.old) return a.old < b.old;
        if (a.length != b.length) return a.length < b.length;
        const auto x = text(a);
        const auto y = text(b);
        const auto m = std::mismatch(x.begin(), x.end(), y.begin());
        if (m.first != x.end()) return *m.first < *m.second;
        return a.node < b.node;
      };
      std::sort(items.begin(), items.end(), less);
      std::vector<NodeId> moved;
      const auto same = [](const Item& a, const Item& b) { return a.old == b.old; };
      for (const auto group : items | ranges::views::chunk_by(same)) {
        split(
            group.front().old, std::span(group),
            [&](const Item& a, const Item& b) { return a.length == b.length && std::ranges::equal(text(a), text(b)); },
            moved);
      }
      for (NodeId node : moved) {
        auto mark = [&](NodeId before) {
          if (queued[before.value]) return;
          queued[before.value] = true;
          dirty.push_back(before);
        };
        for (EdgeId edge : graph_.in_edges(node)) mark(graph_.source(edge));
        if (const auto it = asked_by_.find(node); it != asked_by_.end()) {
          for (NodeId before : it->second) mark(before);
        }
      }
    }
  }

  // Splits class `old`. `items` are its members with new signatures, sorted by signature. The other members, if any,
  // have one common signature that differs from all of these.
  template <class Items, class Same>
  void split(Class old, Items items, Same&& same, std::vector<NodeId>& moved) {
    check_wanted();
    const std::uint32_t others = size_[old] - static_cast<std::uint32_t>(items.size());
    struct Group {
      std::size_t first, size;
    };
    std::vector<Group> groups;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0 && same(items[i - 1], items[i])) {
        ++groups.back().size;
      } else {
        groups.push_back({i, 1});
      }
    }
    std::size_t keeper = groups.size();  // the unlisted members keep the number
    std::size_t largest = others;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups[g].size > largest) {
        largest = groups[g].size;
        keeper = g;
      }
    }
    if (keeper < groups.size() && others > 0) {
      // The other members would have to move, but they are not listed, so they keep the number. Each round then moves a
      // node at most one additional time.
      keeper = groups.size();
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (g == keeper) continue;
      const auto fresh = static_cast<Class>(size_.size());
      size_.push_back(static_cast<std::uint32_t>(groups[g].size));
      size_[old] -= static_cast<std::uint32_t>(groups[g].size);
      for (std::size_t i = groups[g].first; i < groups[g].first + groups[g].size; ++i) {
        class_[items[i].node.value] = fresh;
        moved.push_back(items[i].node);
      }
    }
  }

  // A tag from a node to itself is an error, one on a longer cycle is not: its nodes stay distinct.
  void keep_cycles_of_tags() {
    std::vector<bool> apart(size_.size(), false);
    for (EdgeId edge : graph_.edges()) {
      const NodeId from = graph_.source(edge), to = graph_.target(edge);
      if (ir::is_tag(graph_.label(edge)) && from != to && class_[from.value] == class_[to.value])
        apart[class_[from.value]] = true;
    }
    for (NodeId node : graph_.nodes()) {
      Class& c = class_[node.value];
      if (!apart[c]) continue;
      c = static_cast<Class>(size_.size());
      size_.push_back(1);
      apart.push_back(false);
    }
  }

  std::size_t collapse() {
    keep_cycles_of_tags();
    std::vector<NodeId> representative(size_.size());
    auto better = [&](NodeId a, NodeId b) {
      auto rank = [&](NodeId n) { return n == game_.begin() || n == game_.end() ? 0 : graph_.name(n).valid() ? 1 : 2; };
      return rank(a) < rank(b);
    };
    std::size_t merged = 0;
    for (NodeId node : graph_.nodes()) {
      NodeId& r = representative[class_[node.value]];
      merged += r.valid();
      if (!r.valid() || better(node, r)) r = node;
    }
    if (merged == 0) return 0;
    std::vector<NodeId> map(graph_.node_bound());
    for (NodeId node : graph_.nodes()) {
      const NodeId r = representative[class_[node.value]];
      if (r != node) map[node.value] = r;
    }
    if (game_.claims.wanted()) {
      for (std::uint32_t i = 0; i < map.size(); ++i)
        if (map[i].valid()) game_.claims.add("merge-nodes", ir::SameFuture{map[i], NodeId(i)}, place_of(NodeId(i)));
    }
    rename_end_points(game_, map);
    for (std::uint32_t i = 0; i < map.size(); ++i) {
      if (!map[i].valid()) continue;
      const NodeId node(i);
      for (EdgeId edge : graph_.out_edge_list(node)) graph_.remove_edge(edge);
      for (EdgeId edge : graph_.in_edge_list(node)) graph_.set_target(edge, map[i]);
      graph_.remove_node(node);
    }
    return merged;
  }

  // The author's rule from which a node was created.
  [[nodiscard]] Range place_of(NodeId node) const {
    Range where = graph_.where(node);
    for (const EdgeId edge : graph_.out_edges(node))
      if (!where.known()) where = graph_.where(edge);
    return where;
  }

  static constexpr std::uint32_t kCheck = 0xffffffffU;

  ir::Game& game_;
  ir::Automaton& graph_;
  const analysis::Flow& flow_;
  analysis::EndPoints ends_;
  std::vector<Class> class_;          // by node
  std::vector<std::uint32_t> size_;   // by class
  std::vector<std::uint32_t> label_;  // by edge: its number, or kCheck
  std::map<NodeId, std::vector<NodeId>> asked_by_;
  std::map<std::tuple<Class, Class, bool>, std::uint64_t> checks_;  // numbers of checks between classes
  std::vector<std::pair<std::uint64_t, std::uint64_t>> scratch_;
};

}  // namespace

std::size_t merge_nodes(ir::Game& game, const PassContext& context) {
  MergeNodes pass(game, context.analyses->flow());
  if (game.graph.edge_count() <= kLargeGame) return pass.run();
  leave_out(context, "merge-nodes: nodes that are equal only because of loops are not looked for");
  return pass.run_once();
}

}  // namespace rgtrans::passes
