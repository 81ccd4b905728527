#include "frontends/rbg/ends.hpp"

#include <algorithm>
#include <unordered_map>

#include "frontends/rbg/cleanup.hpp"
#include "frontends/rbg/proofs.hpp"

namespace rgtrans::rbg {

namespace {

class Ends {
 public:
  Ends(const Description& description, Relations& relations, Flow& flow) : d_(description), r_(relations), f_(flow) {}

  void run() {
    find_movers();
    find_continuing();
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      if (f_.edge(id).alive && is_switch(id)) switches_.push_back(id);
    }
    const std::vector<char> sure = surely_continuing(d_, r_, f_);
    std::vector<EdgeId> guarded;
    const bool initial_guard = sure[f_.begin] == 0;
    for (EdgeId id : switches_) {
      const Flow::Edge& edge = f_.edge(id);
      if (continuing_[edge.to] != 0 && sure[edge.to] == 0) guarded.push_back(id);
    }
    copy_ghost(guarded, initial_guard);
    for (EdgeId id : switches_) {
      if (continuing_[f_.edge(id).to] == 0) make_final(id);
    }
    for (EdgeId id : guarded) make_guarded(id);
    if (initial_guard) guard_begin();
  }

 private:
  bool is_switch(EdgeId id) const {
    return f_.edge(id).step.kind == Do::to_player || f_.edge(id).step.kind == Do::to_keeper;
  }

  // Who can be on the move at each node; steps of the keeper alone leave no trace in moves.
  void find_movers() {
    constexpr char kKeeper = 1, kPlayer = 2;
    movers_.assign(f_.node_count(), 0);
    std::vector<NodeId> stack;
    auto add = [&](NodeId node, char who) {
      if ((movers_[node] | who) == movers_[node]) return;
      movers_[node] = static_cast<char>(movers_[node] | who);
      stack.push_back(node);
    };
    add(f_.begin, kKeeper);
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.out(node)) {
        const Flow::Edge& edge = f_.edge(id);
        if (edge.step.kind == Do::to_keeper) {
          add(edge.to, kKeeper);
        } else if (edge.step.kind == Do::to_player) {
          add(edge.to, kPlayer);
        } else {
          add(edge.to, movers_[node]);
        }
      }
    }
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      Flow::Edge& edge = f_.edge(id);
      if (edge.alive && movers_[edge.from] == kKeeper) edge.step.modifier = 0;
    }
  }

  // Nodes from which another switch can be reached in the graph.
  void find_continuing() {
    continuing_.assign(f_.node_count(), 0);
    std::vector<NodeId> stack;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      const Flow::Edge& edge = f_.edge(id);
      if (!edge.alive || !is_switch(id) || continuing_[edge.from] != 0) continue;
      continuing_[edge.from] = 1;
      stack.push_back(edge.from);
    }
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.in(node)) {
        const Flow::Edge& edge = f_.edge(id);
        if (is_switch(id) || continuing_[edge.from] != 0) continue;
        continuing_[edge.from] = 1;
        stack.push_back(edge.from);
      }
    }
  }

  // One copy of what lies between switches, for all guards together. It ends where a switch would be made.
  void copy_ghost(const std::vector<EdgeId>& guarded, bool initial) {
    std::vector<NodeId> stack;
    auto copy = [&](NodeId node) {
      const auto [it, fresh] = ghost_.try_emplace(node, kNowhere);
      if (fresh) {
        it->second = f_.add_node();
        stack.push_back(node);
      }
      return it->second;
    };
    moved_ = f_.add_node();
    if (initial) copy(f_.begin);
    for (EdgeId id : guarded) copy(f_.edge(id).to);
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      const NodeId from = ghost_.at(node);
      const std::vector<EdgeId> list = f_.out(node);
      for (EdgeId id : list) {
        const Flow::Edge edge = f_.edge(id);
        if (is_switch(id)) {
          f_.add_edge(from, moved_, Step{.where = edge.step.where});
          continue;
        }
        Step step = edge.step;
        step.modifier = 0;
        f_.add_edge(from, copy(edge.to), step);
      }
    }
  }

  // The pattern "there is a complete move from here".
  std::uint32_t guard(NodeId node) {
    const auto [it, fresh] = guards_.try_emplace(node, static_cast<std::uint32_t>(f_.patterns.size()));
    if (fresh) f_.patterns.push_back({ghost_.at(node), moved_, true});
    return it->second;
  }

  void make_final(EdgeId id) {
    f_.edge(id).step.kind = Do::to_end;
    f_.set_to(id, f_.end);
  }

  // The mover's move ends without a question; the keeper asks it once. A keeper's own move goes on at once when a
  // player follows, because exactly one of the two ways is open wherever it arrived.
  void make_guarded(EdgeId id) {
    const Flow::Edge edge = f_.edge(id);
    const Range where = edge.step.where;
    NodeId ask = edge.from;
    const bool to_keeper = edge.step.kind == Do::to_keeper;
    if (movers_[edge.from] != 1 || to_keeper) {
      ask = f_.add_node();
      Step commit{.kind = Do::to_keeper, .modifier = edge.step.modifier, .where = where};
      f_.add_edge(edge.from, ask, commit);
    }
    f_.edge(id).alive = false;
    std::uint32_t pattern = guard(edge.to);
    NodeId good = edge.to;
    if (!to_keeper) {
      good = f_.add_node();
      f_.add_edge(good, edge.to, Step{.kind = Do::to_player, .index = edge.step.index, .where = where});
    }
    add_question(ask, pattern, good, where);
  }

  void add_question(NodeId ask, std::uint32_t pattern, NodeId good, Range where) {
    const NodeId over = f_.add_node();
    f_.add_edge(ask, good, Step{.kind = Do::check, .index = pattern, .where = where});
    f_.add_edge(ask, over, Step{.kind = Do::check, .negated = true, .index = pattern, .where = where});
    f_.add_edge(over, f_.end, Step{.kind = Do::to_end, .where = where});
  }

  void guard_begin() {
    const NodeId start = f_.begin;
    f_.begin = f_.add_node();
    if (continuing_[start] == 0) {
      f_.add_edge(f_.begin, f_.end, Step{.kind = Do::to_end});
      return;
    }
    add_question(f_.begin, guard(start), start, {});
  }

  const Description& d_;
  Relations& r_;
  Flow& f_;
  std::vector<EdgeId> switches_;
  std::vector<char> movers_, continuing_;
  std::unordered_map<NodeId, NodeId> ghost_;
  std::unordered_map<NodeId, std::uint32_t> guards_;
  NodeId moved_ = 0;
};

}  // namespace

void add_ends(const Description& description, Relations& relations, Flow& flow) {
  Ends(description, relations, flow).run();
  flow.rebuild();
}

}  // namespace rgtrans::rbg
