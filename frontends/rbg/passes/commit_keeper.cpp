// Selects one of several keeper moves. RBG allows several if they lead to the same result (example: "remove any marked
// stone; repeat"), but RG requires a single one in every state.
//
// Of several steps, the pass selects the first one from which the next switch is reachable; of several places, the
// first such one in board order. No other part of the system must know which walk was meant, and no later
// transformation can change the selection.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "frontends/rbg/flow/movers.hpp"
#include "frontends/rbg/flow/probe.hpp"
#include "frontends/rbg/flow/solve.hpp"
#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/choices.hpp"

namespace rgtrans::rbg {

namespace {

class Committer {
 public:
  explicit Committer(Draft& draft) : d_(draft.description), r_(draft.relations), f_(draft.flow), probe_(f_) {}

  void run() {
    ByNode<char> wanted = find_movers(f_);
    for (char& mover : wanted) mover = mover == kKeeperMoves ? 1 : 0;
    Choices choices = open_choices(d_, r_, f_, wanted);
    find_loops();
    std::erase_if(choices.places, [&](EdgeId id) { return stays(id); });
    std::vector<Line> lines;
    if (split_selections(choices.places, lines)) {
      wanted.resize(f_.node_count());
      choices = open_choices(d_, r_, f_, wanted);
      find_loops();
    }
    drop_wandering(choices);
    const auto& groups = choices.rivals;
    const auto& places = choices.places;
    // Make all copies before changing the graph.
    std::unordered_map<EdgeId, PatternId> by_step, by_place;
    for (const auto& group : groups) {
      for (EdgeId id : group) {
        if (id != group.back()) by_step.emplace(id, probe_.pattern(probe_.before(FlowGraph::Edge(f_.edge(id)))));
      }
    }
    for (EdgeId id : places) by_place.emplace(id, probe_.pattern(probe_.copy(f_.edge(id).to)));
    for (Line& line : lines) line.pattern = probe_.pattern(probe_.copy(f_.edge(line.arrival).to));
    for (const auto& group : groups) order(group, by_step);
    for (EdgeId id : places) scan(id, by_place.at(id));
    for (const Line& line : lines) walk(line);
    f_.rebuild();
  }

 private:
  // Finds the cycles within a move.
  void find_loops() {
    std::uint32_t count = 0;
    std::tie(loop_, count) = components(f_, [](Do kind) { return !ends_move(kind); });
    wandering_.assign(count, 0);
  }
  bool stays(EdgeId id) const { return loop_[f_.edge(id).from] == loop_[f_.edge(id).to]; }

  // Orders the exits of a loop before the edge that stays in it, so that a walk takes the first open exit and otherwise
  // stays in the loop. If several edges stay in the loop, such a walk might never leave it; the choice then remains
  // open.
  void drop_wandering(Choices& choices) {
    for (EdgeId id : choices.places) {
      if (stays(id)) wandering_[loop_[f_.edge(id).from]] = 1;
    }
    for (auto& group : choices.rivals) {
      const auto round = std::stable_partition(group.begin(), group.end(), [&](EdgeId id) { return !stays(id); });
      if (group.end() - round > 1) wandering_[loop_[f_.edge(group.front()).from]] = 1;
    }
    auto wanders = [&](EdgeId id) { return wandering_[loop_[f_.edge(id).from]] != 0; };
    std::erase_if(choices.places, wanders);
    std::erase_if(choices.rivals, [&](const std::vector<EdgeId>& group) { return wanders(group.front()); });
  }

  // Repeated steps in one direction: `loop` returns to the node that `arrival` leaves.
  struct Line {
    EdgeId arrival, loop;
    PatternId pattern;
  };

  // Whether repeated application of `f` ends and leads only to members of the relation, from every start.
  bool runs_inside(const std::vector<std::uint32_t>& f, RelationId relation) const {
    for (std::uint32_t start = 0; start < r_.vertex_count(); ++start) {
      std::size_t steps = 0;
      for (std::uint32_t v = f[start]; v != kNone; v = f[v]) {
        if (++steps > r_.vertex_count() || !std::ranges::binary_search(r_.members(r_.at(relation, start)), v))
          return false;
      }
    }
    return true;
  }

  // The number of pairs in the relation that none of these directions covers.
  std::size_t missed(const std::vector<std::uint32_t>& directions, bool stays, RelationId relation) const {
    std::size_t count = 0;
    std::vector<std::uint32_t> reached(r_.vertex_count(), kNone);
    for (std::uint32_t start = 0; start < r_.vertex_count(); ++start) {
      if (stays) reached[start] = start;
      for (std::uint32_t direction : directions) {
        const std::vector<std::uint32_t>& f = r_.function(direction);
        for (std::uint32_t v = f[start]; v != kNone; v = f[v]) reached[v] = start;
      }
      for (std::uint32_t v : r_.members(r_.at(relation, start))) count += reached[v] == start ? 0 : 1;
    }
    return count;
  }

  // A few directions of the board whose lines form the relation, or an empty list.
  std::vector<std::uint32_t> lines_of(RelationId relation, bool& stays) const {
    stays = true;
    for (std::uint32_t v = 0; v < r_.vertex_count() && stays; ++v)
      stays = std::ranges::binary_search(r_.members(r_.at(relation, v)), v);
    std::vector<std::uint32_t> directions;
    std::size_t left = missed(directions, stays, relation);
    for (std::uint32_t f = 0; f < r_.function_count() && left > 0 && directions.size() < kPassLimits.lines; ++f) {
      if (!runs_inside(r_.function(f), relation)) continue;
      directions.push_back(f);
      const std::size_t now = missed(directions, stays, relation);
      if (now == left) directions.pop_back();
      left = now;
    }
    return left == 0 ? directions : std::vector<std::uint32_t>();
  }

  // Replaces the choice from a table of successors by a choice between steps or between lines of steps.
  bool split_selections(const std::vector<EdgeId>& places, std::vector<Line>& lines) {
    bool split = false;
    for (EdgeId id : places) {
      const FlowGraph::Edge edge = f_.edge(id);
      if (edge.step.kind != Do::select) continue;
      split = true;
      bool stays = false;
      const auto directions = lines_of(RelationId(edge.step.index), stays);
      if (directions.empty()) {
        split_selection(edge);
      } else {
        if (stays) f_.add_edge(edge.from, edge.to, FlowStep{.where = edge.step.where});
        for (std::uint32_t direction : directions) lines.push_back(add_line(edge, direction));
      }
      f_.remove_edge(id);
    }
    return split;
  }

  Line add_line(const FlowGraph::Edge& edge, std::uint32_t direction) {
    const NodeId look = f_.add_node();
    const FlowStep step{.kind = Do::move, .index = direction, .where = edge.step.where};
    f_.add_edge(edge.from, look, step);
    const EdgeId loop = f_.add_edge(look, look, step);
    return {f_.add_edge(look, edge.to, FlowStep{.where = edge.step.where}), loop, {}};
  }

  // Selects the nearest vertex on the line from which a walk continues.
  void walk(const Line& line) {
    const NodeId look = f_.edge(line.arrival).from;
    const Range where = f_.edge(line.arrival).step.where;
    const NodeId closed = f_.add_node();
    f_.edge(line.arrival).step = question(line.pattern, false, where);
    f_.add_edge(look, closed, question(line.pattern, true, where));
    f_.set_from(line.loop, closed);
  }

  // One step for the first successor of each vertex, one for the second, and so on.
  void split_selection(const FlowGraph::Edge& edge) {
    const RelationId relation(edge.step.index);
    for (std::size_t k = 0;; ++k) {
      std::vector<std::uint32_t> values(r_.vertex_count(), kNone);
      bool some = false;
      for (std::uint32_t v = 0; v < values.size(); ++v) {
        const auto members = r_.members(r_.at(relation, v));
        if (k >= members.size()) continue;
        values[v] = members[k];
        some = true;
      }
      if (!some) return;
      FlowStep step = edge.step;
      step.kind = Do::move;
      step.index = r_.function(std::move(values));
      f_.add_edge(edge.from, edge.to, step);
    }
  }

  FlowStep question(PatternId pattern, bool negated, Range where) const {
    return FlowStep{.kind = Do::check, .negated = negated, .index = pattern.value, .where = where};
  }

  // Takes a step only if it leads on and none of the preceding ones does.
  void order(const std::vector<EdgeId>& group, const std::unordered_map<EdgeId, PatternId>& patterns) {
    NodeId at = f_.edge(group.front()).from;
    for (EdgeId id : group) {
      const Range where = f_.edge(id).step.where;
      if (id == group.back()) {
        f_.set_from(id, at);
        break;
      }
      const NodeId good = f_.add_node(), next = f_.add_node();
      f_.add_edge(at, good, question(patterns.at(id), false, where));
      f_.add_edge(at, next, question(patterns.at(id), true, where));
      f_.set_from(id, good);
      at = next;
    }
  }

  // Visits the vertices in board order until one leads on.
  void scan(EdgeId id, PatternId pattern) {
    const FlowGraph::Edge edge = f_.edge(id);
    const std::vector<std::uint32_t> set(r_.members(SetId(edge.step.index)).begin(),
                                         r_.members(SetId(edge.step.index)).end());
    std::vector<std::uint32_t> next(r_.vertex_count(), kNone);
    for (std::size_t i = 0; i + 1 < set.size(); ++i) next[set[i]] = set[i + 1];
    const NodeId look = f_.add_node(), closed = f_.add_node(), more = f_.add_node();
    const Range where = edge.step.where;
    f_.set_to(id, look);
    f_.edge(id).step.index = set.front();
    f_.add_edge(look, edge.to, question(pattern, false, where));
    f_.add_edge(look, closed, question(pattern, true, where));
    f_.add_edge(closed, more, FlowStep{.kind = Do::where, .negated = true, .index = set.back(), .where = where});
    f_.add_edge(
        more, look,
        FlowStep{.kind = Do::move, .total = true, .index = r_.function(std::move(next), "next"), .where = where});
  }

  const Description& d_;
  Relations& r_;
  FlowGraph& f_;
  Probe probe_;
  ByNode<std::uint32_t> loop_;   // strong component by node
  std::vector<char> wandering_;  // by component: whether several edges stay in it
};

}  // namespace

bool commit_keeper(Draft& draft) {
  Committer(draft).run();
  return false;
}

}  // namespace rgtrans::rbg
