// join-prefixes: edges with the same label from one node share it. One target becomes the head; it must be entered
// only by this edge and must not be the start of a check (which would gain the other branches). Other targets that
// are entered only here melt into the head, the rest is reached from it by an empty edge. Merging targets of a
// player assignment is left alone.
//
//   begin, a: k = r;   begin, b: k = r;   a, end: l == g;   b, end: l == b;
//   =>   begin, a: k = r;   a, end: l == g;   a, end: l == b;
//
// join-exclusive: alternatives between two nodes that together always hold become one empty edge. They are a chain
// of conditions and, for each condition of the chain, an edge with its opposite, all between the same two nodes.
//
//   begin, m: k == r;   m, z: l == g;   begin, z: k != r;   begin, z: l != g;      =>      begin, z: ;
//
// compact-comparisons: comparisons of one expression with symbols that lead to one node are a set of symbols. Where
// it covers all that the expression can be, the edges become one empty edge; where few symbols are missing, a short
// chain of != says the same.
//
//   type C = { r, g, b };   begin, end: k == r;   begin, end: g == k;      =>      begin, end: k != b;
#include <algorithm>
#include <map>
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
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
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t last = i + 1;
      while (last < rows.size() && rows[last].label == rows[i].label) ++last;
      const auto group = std::span(rows).subspan(i, last - i);
      i = last;
      if (group.size() < 2) continue;
      const auto head_row = std::ranges::find_if(group, [&](const Row& r) { return own(graph_.target(r.edge), node); });
      if (head_row == group.end()) continue;
      const NodeId head = graph_.target(head_row->edge);
      for (const Row& row : group) {
        if (row.edge == head_row->edge) continue;
        const NodeId other = graph_.target(row.edge);
        if (other == head) continue;
        const bool melt = own(other, node);
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

class JoinExclusive {
 public:
  explicit JoinExclusive(ir::Game& game) : game_(game), graph_(game.graph), ends_(game), numbers_(game) {}

  std::size_t run() {
    std::size_t changes = 0;
    for (std::uint32_t i = 0; i < graph_.node_bound(); ++i) {
      const NodeId node(i);
      while (graph_.alive(node) && graph_.out_degree(node) > 1 && visit(node)) ++changes;
    }
    return changes;
  }

 private:
  // Parallel edges, or a chain that could lead where another edge does.
  bool promising(NodeId node) const {
    for (EdgeId edge : graph_.out_edges(node)) {
      const NodeId at = graph_.target(edge);
      if (graph_.in_degree(at) == 1 && graph_.out_degree(at) == 1) return true;
      if (graph_.in_degree(at) < 2) continue;
      for (EdgeId other : graph_.out_edges(node)) {
        if (other == edge) break;
        if (graph_.target(other) == at) return true;
      }
    }
    return false;
  }

  bool visit(NodeId node) {
    constexpr std::size_t kFew = 8;
    if (graph_.out_degree(node) <= kFew && !promising(node)) return false;
    // Conditions straight to a target: (target, label) -> edge.
    std::map<std::pair<NodeId, std::uint32_t>, EdgeId> direct;
    std::set<NodeId> targets;
    for (EdgeId edge : graph_.out_edges(node)) {
      if (!ir::is_condition(graph_.label(edge))) continue;
      direct.try_emplace({graph_.target(edge), numbers_.of(graph_.label(edge))}, edge);
      targets.insert(graph_.target(edge));
    }
    if (direct.empty()) return false;
    for (EdgeId first : graph_.out_edge_list(node)) {
      std::vector<EdgeId> chain;
      std::vector<EdgeId> opposites;
      EdgeId edge = first;
      while (ir::is_condition(graph_.label(edge)) && chain.size() < 64) {
        chain.push_back(edge);
        const NodeId at = graph_.target(edge);
        if (targets.contains(at) && covered(chain, at, direct, opposites)) {
          join(node, at, chain, opposites);
          return true;
        }
        if (at == node || !ends_.passed(at)) break;
        edge = *graph_.out_edges(at).begin();
      }
    }
    return false;
  }

  bool covered(const std::vector<EdgeId>& chain, NodeId target,
               const std::map<std::pair<NodeId, std::uint32_t>, EdgeId>& direct, std::vector<EdgeId>& opposites) {
    opposites.clear();
    for (EdgeId edge : chain) {
      const auto it = direct.find({target, numbers_.of(negated(graph_.label(edge)))});
      if (it == direct.end()) return false;
      opposites.push_back(it->second);
    }
    return true;
  }

  void join(NodeId node, NodeId target, const std::vector<EdgeId>& chain, std::vector<EdgeId>& opposites) {
    std::ranges::sort(opposites);
    opposites.erase(std::unique(opposites.begin(), opposites.end()), opposites.end());
    std::vector<NodeId> inner;
    for (EdgeId edge : chain) {
      if (graph_.target(edge) != target) inner.push_back(graph_.target(edge));
    }
    for (EdgeId edge : chain) graph_.remove_edge(edge);
    for (EdgeId edge : opposites) {
      if (graph_.alive(edge)) graph_.remove_edge(edge);
    }
    for (NodeId at : inner) remove_if_isolated(game_, at, ends_);
    graph_.add_edge(node, target, ir::Empty{});
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  LabelNumbers numbers_;
};

}  // namespace

std::size_t join_prefixes(ir::Game& game, const PassContext&) { return JoinPrefixes(game).run(); }
std::size_t join_exclusive(ir::Game& game, const PassContext&) { return JoinExclusive(game).run(); }

std::size_t compact_comparisons(ir::Game& game, const PassContext& context) {
  ir::Automaton& graph = game.graph;
  struct Group {
    std::vector<EdgeId> equal;
    std::vector<SymbolId> symbols;  // of the edges in `equal`
    EdgeId different;               // e != s
    SymbolId not_this;
    bool everything = false;  // e != s beside e != t
  };
  // Only nodes with parallel comparisons are of interest; the analysis is made when there is one.
  const analysis::Flow* flow = nullptr;
  analysis::ValueSets* values = nullptr;
  std::size_t changes = 0;
  const auto bound = static_cast<std::uint32_t>(graph.node_bound());
  for (std::uint32_t i = 0; i < bound; ++i) {
    const NodeId node(i);
    if (!graph.alive(node) || graph.out_degree(node) < 2) continue;
    std::map<std::pair<NodeId, ExprId>, Group> groups;
    bool parallel = false;
    for (EdgeId edge : graph.out_edges(node)) {
      const ir::Label label = canonical(game, graph.label(edge));
      const auto* c = std::get_if<ir::Compare>(&label);
      if (c == nullptr || game.expressions().kind(c->rhs) != ir::ExprKind::symbol) continue;
      if (!game.is_set(game.expressions().type(c->lhs))) continue;
      Group& group = groups[{graph.target(edge), c->lhs}];
      const SymbolId symbol = game.expressions().symbol(c->rhs);
      if (!c->negated) {
        group.equal.push_back(edge);
        group.symbols.push_back(symbol);
      } else if (!group.different.valid()) {
        group.different = edge;
        group.not_this = symbol;
      } else if (group.not_this != symbol) {
        group.everything = true;
      }
      parallel |= group.equal.size() + (group.different.valid() ? 1 : 0) > 1 || group.everything;
    }
    if (!parallel) continue;
    if (values == nullptr) {
      flow = &context.analyses->flow();
      values = &context.analyses->values();
    }
    if (!flow->reached(node) || !values->possible(node)) continue;
    for (auto& [key, group] : groups) {
      const auto [target, expression] = key;
      const Range where = group.equal.empty() ? Range() : graph.where(group.equal.front());
      if (group.everything) {
        for (EdgeId edge : group.equal) graph.remove_edge(edge);
        graph.set_label(group.different, ir::Empty{});
        ++changes;
        continue;
      }
      if (group.different.valid()) {
        // e != s covers every e == t but t = s; with e == s it covers everything.
        for (std::size_t k = 0; k < group.equal.size(); ++k) {
          if (group.symbols[k] == group.not_this) graph.set_label(group.different, ir::Empty{});
          graph.remove_edge(group.equal[k]);
          ++changes;
        }
        continue;
      }
      if (group.equal.size() < 2) continue;
      std::vector<SymbolId> missing;
      for (SymbolId s : values->sets().of(values->values(expression, node))) {
        if (std::ranges::find(group.symbols, s) == group.symbols.end()) missing.push_back(s);
      }
      if (missing.size() > 0 && 2 * missing.size() - 1 >= group.equal.size()) continue;
      const bool writable = std::ranges::none_of(
          missing, [&](SymbolId s) { return game.find_variable(s).valid() || game.find_constant(s).valid(); });
      if (!writable) continue;
      for (EdgeId edge : group.equal) graph.remove_edge(edge);
      ++changes;
      NodeId at = node;
      for (std::size_t k = 0; k < missing.size(); ++k) {
        const NodeId next = k + 1 == missing.size() ? target : graph.add_node({}, where);
        graph.add_edge(at, next, ir::Compare{expression, game.symbol(missing[k]), true}, where);
        at = next;
      }
      if (missing.empty()) graph.add_edge(node, target, ir::Empty{}, where);
    }
  }
  return changes;
}

}  // namespace rgtrans::passes
