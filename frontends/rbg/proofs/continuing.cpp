// A node is *continuing* if every state that reaches it can move on: the tests on its paths to continuing nodes cover
// all cases. All tests on such a path read the same state, because it contains no other steps. When a node becomes
// continuing, the nodes shortly before it are examined again.
#include "frontends/rbg/proofs/continuing.hpp"

#include <algorithm>
#include <utility>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/proofs/cases.hpp"
#include "frontends/rbg/proofs/conditions.hpp"

namespace rgtrans::rbg {

namespace {

class Continuation {
 public:
  Continuation(const Description& description, const Relations& relations, const FlowGraph& flow,
               const Knowledge& knowledge)
      : d_(description),
        r_(relations),
        f_(flow),
        known_(knowledge),
        sure_(flow.node_count()),
        queued_(flow.node_count()),
        conditions_(description, relations, flow, knowledge, sure_) {}

  ByNode<char> run() {
    for (const FlowGraph::Pattern& pattern : f_.patterns) {
      if (pattern.alive) accept(pattern.end);
    }
    for (EdgeId id : f_.living_edges()) {
      if (ends_move(f_.edge(id).step.kind)) accept(f_.edge(id).from);
    }
    while (!queue_.empty()) {
      const NodeId node = queue_.back();
      queue_.pop_back();
      queued_[node] = 0;
      if (sure_[node] == 0 && (run_ends(node) || covered(node))) accept(node);
    }
    return std::move(sure_);
  }

 private:
  void accept(NodeId node) {
    if (sure_[node] != 0) return;
    sure_[node] = 1;
    ask_before(node);
    // Patterns that start here now always hold, which may decide their checks.
    for (PatternId p : f_.patterns.ids()) {
      if (f_.patterns[p].alive && f_.patterns[p].start == node) ask_checks(p);
    }
  }

  void ask(NodeId node) {
    if (queued_[node] != 0) return;
    queued_[node] = 1;
    queue_.push_back(node);
  }

  // Examines the predecessors of the node again, also through several tests.
  void ask_before(NodeId node) {
    std::vector<std::pair<NodeId, int>> stack = {{node, 0}};
    while (!stack.empty()) {
      const auto [at, depth] = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.in(at)) {
        const FlowGraph::Edge& edge = f_.edge(id);
        if (ends_move(edge.step.kind) || sure_[edge.from] != 0) continue;
        ask(edge.from);
        if (is_test(edge.step.kind) && depth < kProofLimits.depth) stack.emplace_back(edge.from, depth + 1);
      }
    }
  }

  void ask_checks(PatternId pattern) {
    for (EdgeId id : f_.living_edges()) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (edge.step.kind == Do::check && PatternId(edge.step.index) == pattern) ask(edge.from);
    }
  }

  // On a finite line, every run of pieces has a last vertex. Let a step lead to each vertex along the direction D,
  // starting from a piece of B. Let a test for A (a superset of B) and the test "no B ahead in D" follow. The last
  // vertex of the run of B then passes both tests.
  bool run_ends(NodeId node) const {
    for (EdgeId id : f_.out(node)) {
      const FlowGraph::Edge& walk = f_.edge(id);
      if (walk.step.kind != Do::select && walk.step.kind != Do::any) continue;
      for (EdgeId on_id : f_.out(walk.to)) {
        const FlowGraph::Edge& on = f_.edge(on_id);
        if (on.step.kind != Do::on || on.step.negated || on.step.at != kNone) continue;
        const Bits here = piece_bits(d_, on.step.index);
        for (EdgeId last_id : f_.out(on.to)) {
          const FlowGraph::Edge& last = f_.edge(last_id);
          if (last.step.kind != Do::on || !last.step.negated || last.step.at == kNone || sure_[last.to] == 0) continue;
          const Bits run = piece_bits(d_, last.step.index);
          if (here.contains(run) && run.contains(known_.pieces[node]) &&
              covers_line(node, walk.step, r_.function(last.step.at))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // Whether the step leads to each vertex along the direction from every cursor position, and the direction has no
  // cycle.
  bool covers_line(NodeId node, const FlowStep& step, const std::vector<std::uint32_t>& direction) const {
    bool good = true;
    known_.cursors[node].for_each([&](std::size_t start) {
      if (!good) return;
      const SetId set =
          step.kind == Do::any ? SetId(step.index) : r_.at(RelationId(step.index), static_cast<std::uint32_t>(start));
      std::size_t length = 0;
      for (auto v = static_cast<std::uint32_t>(start); v != kNone && good; v = direction[v])
        good = std::ranges::binary_search(r_.members(set), v) && ++length <= direction.size();
    });
    return good;
  }

  // A search for paths of tests from `root` to continuing nodes.
  struct Search {
    NodeId root;
    Cases cases = {};
    std::vector<Way> ways = {};
    Way way = {};  // the current way, and the nodes on it
    std::vector<NodeId> nodes = {};
  };

  bool covered(NodeId node) const {
    Search search{node};
    return collect(search, node) || search.cases.cover(search.ways);
  }

  // Collects the ways that continue from `node`. Returns true if one of them has no condition.
  bool collect(Search& search, NodeId node) const {
    if (search.ways.size() >= kProofLimits.ways || search.way.size() > kProofLimits.tests) return false;
    if (std::ranges::find(search.nodes, node) != search.nodes.end()) return false;
    search.nodes.push_back(node);
    bool free = false;
    for (EdgeId id : f_.out(node)) {
      const FlowGraph::Edge& edge = f_.edge(id);
      const std::size_t before = search.way.size();
      Condition condition = conditions_.of(search.root, edge.step);
      const bool unknown = condition.kind == Condition::Kind::unknown;
      if (!unknown && search.cases.add(std::move(condition), search.way)) {
        if (sure_[edge.to] != 0) {
          free = search.way.empty();
          search.ways.push_back(search.way);
        } else if (is_test(edge.step.kind)) {
          free = collect(search, edge.to);
        }
      }
      search.way.resize(before);
      if (free) break;
    }
    search.nodes.pop_back();
    return free;
  }

  const Description& d_;
  const Relations& r_;
  const FlowGraph& f_;
  const Knowledge& known_;
  ByNode<char> sure_, queued_;
  std::vector<NodeId> queue_;
  StepConditions conditions_;
};

}  // namespace

ByNode<char> surely_continuing(const Description& description, const Relations& relations, const FlowGraph& flow) {
  return surely_continuing(description, relations, flow, analyse(description, relations, flow));
}

ByNode<char> surely_continuing(const Description& description, const Relations& relations, const FlowGraph& flow,
                               const Knowledge& knowledge) {
  if (!knowledge.known()) return ByNode<char>(flow.node_count());
  return Continuation(description, relations, flow, knowledge).run();
}

}  // namespace rgtrans::rbg
