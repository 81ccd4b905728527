// join-prefixes: merges edges with equal labels from one node. One target becomes the head. Only its edge may enter it,
// and no check may start there, since it would gain the other branches. Other targets without further incoming edges
// are merged into the head; an empty edge leads from the head to the remaining ones. Targets of player assignments are
// not merged.
//
//   begin, a: k = r;   begin, b: k = r;   a, end: l == g;   b, end: l == b;
//   =>   begin, a: k = r;   a, end: l == g;   a, end: l == b;
#include <algorithm>
#include <range/v3/view/chunk_by.hpp>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

namespace {

class JoinPrefixes {
 public:
  explicit JoinPrefixes(ir::Game& game) : game_(game), graph_(game.graph), ends_(game), numbers_(game) {}

  std::size_t run() {
    map_.resize(graph_.node_bound());
    for (NodeId node : graph_.nodes()) {
      if (graph_.out_degree(node) > 1) work_.push_back(node);
    }
    while (!work_.empty()) {
      const NodeId node = work_.back();
      work_.pop_back();
      if (graph_.alive(node)) visit(node);
    }
    if (merged_) {
      for (NodeId& to : map_) {
        while (to.valid() && map_[to.value].valid()) to = map_[to.value];
      }
      rename_end_points(game_, map_);
    }
    return changes_;
  }

 private:
  bool own(NodeId node, NodeId source) const {
    return node != source && graph_.in_degree(node) == 1 && node != game_.begin() && node != game_.end() &&
           !ends_.start(node);
  }

  void visit(NodeId node) {
    struct Row {
      std::uint32_t label;
      EdgeId edge;
    };
    std::vector<Row> rows;
    for (EdgeId edge : graph_.out_edges(node)) {
      const ir::Label& label = graph_.label(edge);
      if (std::holds_alternative<ir::Empty>(label) || game_.is_player_assignment(label)) continue;
      rows.push_back({numbers_.of(label), edge});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.label < b.label; });
    const auto same = [](const Row& a, const Row& b) { return a.label == b.label; };
    for (const auto group : rows | ranges::views::chunk_by(same)) {
      if (group.size() < 2) continue;
      const auto head_row = std::ranges::find_if(group, [&](const Row& r) { return own(graph_.target(r.edge), node); });
      if (head_row == group.end()) continue;
      const NodeId head = graph_.target(head_row->edge);
      for (const Row& row : group) {
        if (row.edge == head_row->edge) continue;
        const NodeId other = graph_.target(row.edge);
        if (other == head) continue;
        const bool melt = own(other, node);
        if (game_.claims.wanted())
          game_.claims.add("join-prefixes", ir::SameEffect{row.edge, graph_.label(head_row->edge)},
                           graph_.where(row.edge));
        graph_.remove_edge(row.edge);
        ++changes_;
        if (!melt) {
          graph_.add_edge(head, other, ir::Empty{});
          continue;
        }
        for (EdgeId out : graph_.out_edge_list(other)) graph_.set_source(out, head);
        for (EdgeId in : graph_.in_edge_list(other)) graph_.set_target(in, head);
        graph_.remove_node(other);
        ends_.targets[head.value] += ends_.targets[other.value];
        map_[other.value] = head;
        merged_ = true;
      }
      if (graph_.out_degree(head) > 1) work_.push_back(head);
    }
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  LabelNumbers numbers_;
  std::vector<NodeId> work_;
  std::vector<NodeId> map_;
  bool merged_ = false;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t join_prefixes(ir::Game& game, const PassContext&) { return JoinPrefixes(game).run(); }

}  // namespace rgtrans::passes
