// Makes the end of the play explicit. In RBG, a play ends when the mover has no move; RG needs an edge to `end`. Each
// switch becomes one of three steps:
// * the end, if no further switch is reachable,
// * a plain change of the player, if a move provably exists,
// * otherwise a step of the keeper that tests whether a complete move exists.

#include "frontends/rbg/flow/movers.hpp"
#include "frontends/rbg/flow/probe.hpp"
#include "frontends/rbg/flow/solve.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/continuing.hpp"

namespace rgtrans::rbg {

namespace {

class Ends {
 public:
  explicit Ends(Draft& draft)
      : d_(draft.description), r_(draft.relations), f_(draft.flow), stages_(draft.stages), probe_(f_) {}

  void run() {
    movers_ = find_movers(f_);
    for (EdgeId id : f_.living_edges()) {
      if (is_switch(id)) switches_.push_back(id);
    }
    find_continuing();
    const ByNode<char> sure = surely_continuing(d_, r_, f_);
    std::vector<EdgeId> guarded;
    const bool initial_guard = sure[f_.begin] == 0;
    if (stages_ != nullptr) claim(sure);
    for (EdgeId id : switches_) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (continuing_[edge.to] && sure[edge.to] == 0) guarded.push_back(id);
    }
    // Make all copies before changing the graph.
    if (initial_guard) probe_.copy(f_.begin);
    for (EdgeId id : guarded) probe_.copy(f_.edge(id).to);
    for (EdgeId id : switches_) {
      if (!continuing_[f_.edge(id).to]) make_final(id);
    }
    for (EdgeId id : guarded) make_guarded(id);
    if (initial_guard) guard_begin();
  }

 private:
  bool is_switch(EdgeId id) const {
    return f_.edge(id).step.kind == Do::to_player || f_.edge(id).step.kind == Do::to_keeper;
  }

  // Finds the nodes from which another switch is reachable in the graph.
  void find_continuing() {
    std::vector<NodeId> switches;
    for (EdgeId id : switches_) switches.push_back(f_.edge(id).from);
    continuing_ = reached_from(f_, switches, [&](NodeId node, auto&& reach) {
      for (EdgeId id : f_.in(node)) {
        if (!is_switch(id)) reach(f_.edge(id).from);
      }
    });
  }

  // Claims that a move exists where the game does not test for one.
  void claim(const ByNode<char>& sure) const {
    FlowGraph before = f_;
    Probe probe(before);
    FlowClaims claims{.rewrite = "add-ends"};
    const auto moves_from = [&](NodeId node) {
      const FlowGraph::Pattern pattern = before.patterns[probe.pattern(probe.copy(node))];
      claims.ways.push_back({node, pattern.start, pattern.end});
    };
    if (sure[f_.begin] != 0) moves_from(f_.begin);
    for (EdgeId id : switches_)
      if (const NodeId to = f_.edge(id).to; continuing_[to] && sure[to] != 0) moves_from(to);
    before.rebuild();
    stages_->keep(before, claims);
  }

  void make_final(EdgeId id) {
    f_.edge(id).step.kind = Do::to_end;
    f_.set_to(id, f_.end);
  }

  // The mover's move ends without a test; the keeper then tests once. A move of the keeper itself needs no extra switch
  // if a player follows: exactly one of the two branches is open in each state.
  void make_guarded(EdgeId id) {
    const FlowGraph::Edge edge = f_.edge(id);
    const Range where = edge.step.where;
    NodeId ask = edge.from;
    const bool to_keeper = edge.step.kind == Do::to_keeper;
    if (movers_[edge.from] != kKeeperMoves || to_keeper) {
      ask = f_.add_node();
      FlowStep commit{.kind = Do::to_keeper, .modifier = edge.step.modifier, .where = where};
      f_.add_edge(edge.from, ask, commit);
    }
    f_.edge(id).alive = false;
    const PatternId pattern = probe_.pattern(probe_.copy(edge.to));
    NodeId good = edge.to;
    if (!to_keeper) {
      good = f_.add_node();
      f_.add_edge(good, edge.to, FlowStep{.kind = Do::to_player, .index = edge.step.index, .where = where});
    }
    add_question(ask, pattern, good, where);
  }

  void add_question(NodeId ask, PatternId pattern, NodeId good, Range where) {
    const NodeId over = f_.add_node();
    f_.add_edge(ask, good, FlowStep{.kind = Do::check, .index = pattern.value, .where = where});
    f_.add_edge(ask, over, FlowStep{.kind = Do::check, .negated = true, .index = pattern.value, .where = where});
    f_.add_edge(over, f_.end, FlowStep{.kind = Do::to_end, .where = where});
  }

  void guard_begin() {
    const NodeId start = f_.begin;
    f_.begin = f_.add_node();
    if (!continuing_[start]) {
      f_.add_edge(f_.begin, f_.end, FlowStep{.kind = Do::to_end});
      return;
    }
    add_question(f_.begin, probe_.pattern(probe_.copy(start)), start, {});
  }

  const Description& d_;
  Relations& r_;
  FlowGraph& f_;
  FlowStages* stages_;
  Probe probe_;
  std::vector<EdgeId> switches_;
  ByNode<char> movers_;
  ByNode<bool> continuing_;
};

}  // namespace

bool add_ends(Draft& draft) {
  separate_movers(draft.flow);
  Ends(draft).run();
  draft.flow.rebuild();
  return false;
}

}  // namespace rgtrans::rbg
