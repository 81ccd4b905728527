// skip-edges: removes empty edges by merging nodes. An empty edge x -> y merges x and y in two cases. First, it is the
// only edge out of x, and x is not the target of a check, because y can be reached without x. Second, it is the only
// edge into y, and no check starts at y, because it would gain the other edges of x.
//
// If only empty edges enter a node with a single outgoing edge, they take over that edge's label. Conditions parallel
// to an empty edge are redundant and removed.
//
//   begin, p: k == r;   p, q: ;   q, end: $ t;     =>     begin, p: k == r;   p, end: $ t;
#include <algorithm>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::Empty;
using ir::NodeId;

namespace {

class SkipEdges {
 public:
  SkipEdges(ir::Game& game, const analysis::Flow& flow) : game_(game), graph_(game.graph), ends_(game) {
    merged_into_.resize(graph_.node_bound());
    const analysis::RandomMoves random(game, flow);
    if (!random.any()) return;
    random_end_.assign(graph_.node_bound(), false);
    for (NodeId node : graph_.nodes()) random_end_[node.value] = flow.reached(node) && random.ends[flow.index(node)];
  }

  std::size_t run() {
    for (EdgeId edge : graph_.edges()) {
      if (is_empty(edge)) work_.push_back(edge);
    }
    std::reverse(work_.begin(), work_.end());
    while (!work_.empty()) {
      const EdgeId edge = work_.back();
      work_.pop_back();
      if (graph_.alive(edge) && is_empty(edge)) visit(edge);
    }
    rename();
    return changes_ + redundant_parallel_edges();
  }

 private:
  bool is_empty(EdgeId edge) const { return std::holds_alternative<Empty>(graph_.label(edge)); }

  void remove(EdgeId edge) {
    const NodeId source = graph_.source(edge);
    const NodeId target = graph_.target(edge);
    graph_.remove_edge(edge);
    ++changes_;
    touch(source);
    touch(target);
  }

  // Queues the empty edges around a node again if its degrees now allow a merge.
  void touch(NodeId node) {
    if (graph_.out_degree(node) == 1) {
      for (EdgeId edge : graph_.out_edges(node)) work_.push_back(edge);
    }
    if (graph_.in_degree(node) == 1) {
      for (EdgeId edge : graph_.in_edges(node)) work_.push_back(edge);
    }
  }

  void visit(EdgeId edge) {
    const NodeId x = graph_.source(edge);
    const NodeId y = graph_.target(edge);
    if (x == y) {
      remove(edge);
    } else if ((only_way_out(x, y) || only_way_in(x, y)) && !two_random_ends(x, y) && !tag_between(y, x)) {
      merge(edge, x, y);
    } else {
      take_over(edge, y);
    }
  }

  // Moves of random that end in x and in y lead to different states (see random_moves.hpp).
  bool two_random_ends(NodeId x, NodeId y) const {
    return !random_end_.empty() && random_end_[x.value] && random_end_[y.value];
  }

  bool only_way_out(NodeId x, NodeId y) const {
    if (graph_.out_degree(x) != 1 || ends_.target(x) || x == game_.end()) return false;
    if (y != game_.end()) return true;
    // Merging must not make a move end in `end` that did not end there before.
    if (x == game_.begin()) return false;
    for (EdgeId in : graph_.in_edges(x)) {
      if (game_.is_player_assignment(graph_.label(in))) return false;
    }
    return true;
  }

  bool only_way_in(NodeId x, NodeId y) const {
    return graph_.in_degree(y) == 1 && y != game_.begin() && y != game_.end() && x != game_.end() && !ends_.start(y);
  }

  // Whether merging would put a tag on an edge from a node to itself, which the language forbids.
  bool tag_between(NodeId from, NodeId to) const {
    if (graph_.out_degree(from) <= graph_.in_degree(to)) {
      for (EdgeId e : graph_.out_edges(from)) {
        if (graph_.target(e) == to && ir::is_tag(graph_.label(e))) return true;
      }
    } else {
      for (EdgeId e : graph_.in_edges(to)) {
        if (graph_.source(e) == from && ir::is_tag(graph_.label(e))) return true;
      }
    }
    return false;
  }

  void merge(EdgeId edge, NodeId x, NodeId y) {
    if (only_way_out(x, y)) game_.claims.add("skip-edges", ir::SameFuture{x, y}, graph_.where(edge));
    graph_.remove_edge(edge);
    ++changes_;
    // Keep the node with more edges, so that few edges move.
    const bool fixed_x = x == game_.begin();
    const bool fixed_y = y == game_.begin() || y == game_.end();
    const auto degree = [&](NodeId n) { return graph_.in_degree(n) + graph_.out_degree(n); };
    const bool keep_x = fixed_x || (!fixed_y && degree(x) >= degree(y));
    const NodeId keep = keep_x ? x : y;
    const NodeId drop = keep_x ? y : x;
    for (EdgeId in : graph_.in_edge_list(drop)) graph_.set_target(in, keep);
    for (EdgeId out : graph_.out_edge_list(drop)) graph_.set_source(out, keep);
    ends_.starts[keep.value] += ends_.starts[drop.value];
    ends_.targets[keep.value] += ends_.targets[drop.value];
    ends_.starts[drop.value] = ends_.targets[drop.value] = 0;
    if (!random_end_.empty() && random_end_[drop.value]) random_end_[keep.value] = true;
    merged_into_[drop.value] = keep;
    any_merged_ = true;
    graph_.remove_node(drop);
    touch(keep);
    for (EdgeId e : graph_.out_edges(keep)) {
      if (is_empty(e) && graph_.target(e) == keep) work_.push_back(e);
    }
  }

  // If only empty edges enter y and one edge leaves it, each incoming edge becomes a copy of that edge.
  void take_over(EdgeId edge, NodeId y) {
    constexpr std::uint32_t kMostCopies = 4;
    if (!ends_.inner(y)) return;
    if (graph_.out_degree(y) != 1 || graph_.in_degree(y) > kMostCopies) return;
    const EdgeId next = *graph_.out_edges(y).begin();
    const NodeId z = graph_.target(next);
    if (z == y || is_empty(next) || std::holds_alternative<ir::AssignAny>(graph_.label(next))) return;
    for (EdgeId in : graph_.in_edges(y)) {
      if (!is_empty(in)) return;
      if (graph_.source(in) == z && ir::is_tag(graph_.label(next))) return;
    }
    (void)edge;
    const ir::Label label = graph_.label(next);
    const Range where = graph_.where(next);
    for (EdgeId in : graph_.in_edge_list(y)) {
      const NodeId x = graph_.source(in);
      graph_.remove_edge(in);
      graph_.add_edge(x, z, label, where);
    }
    remove(next);
    graph_.remove_node(y);
  }

  void rename() {
    if (!any_merged_) return;
    for (std::uint32_t i = static_cast<std::uint32_t>(merged_into_.size()); i-- > 0;) {
      NodeId last = merged_into_[i];
      if (!last.valid()) continue;
      while (merged_into_[last.value].valid()) last = merged_into_[last.value];
      merged_into_[i] = last;
    }
    rename_end_points(game_, merged_into_);
  }

  // Removes equal parallel edges, and conditions (in checks also tags) parallel to an empty edge.
  std::size_t redundant_parallel_edges() {
    std::size_t removed = 0;
    std::optional<analysis::Flow> flow;  // flow of the current graph
    LabelNumbers numbers(game_);
    struct Row {
      NodeId target;
      bool empty;
      std::uint32_t label;
      EdgeId edge;
    };
    std::vector<Row> rows;
    for (NodeId node : graph_.nodes()) {
      if (graph_.out_degree(node) < 2) continue;
      rows.clear();
      for (EdgeId e : graph_.out_edges(node)) rows.push_back({graph_.target(e), is_empty(e), 0, e});
      std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.target < b.target; });
      bool parallel = false;
      for (std::size_t i = 1; i < rows.size(); ++i) parallel |= rows[i].target == rows[i - 1].target;
      if (!parallel) continue;
      for (Row& row : rows) row.label = numbers.of(graph_.label(row.edge));
      std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.target != b.target ? a.target < b.target : a.empty != b.empty ? a.empty : a.label < b.label;
      });
      for (std::size_t i = 0, first = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].target != rows[first].target) {
          first = i;
          continue;
        }
        const ir::Label& label = graph_.label(rows[i].edge);
        if (!flow && rows[first].empty && ir::is_tag(label)) flow.emplace(game_);
        const bool covered = rows[first].empty && (ir::is_condition(label) || (ir::is_tag(label) && !flow->main(node)));
        if (!covered && rows[i].label != rows[i - 1].label) continue;
        graph_.remove_edge(rows[i].edge);
        ++removed;
      }
    }
    return removed;
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  std::vector<EdgeId> work_;
  std::vector<NodeId> merged_into_;
  std::vector<bool> random_end_;  // empty if random never moves
  bool any_merged_ = false;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t skip_edges(ir::Game& game, const PassContext& context) {
  return SkipEdges(game, context.analyses->flow()).run();
}

}  // namespace rgtrans::passes
