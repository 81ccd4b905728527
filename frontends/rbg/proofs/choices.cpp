// Two steps out of a node are no rivals if their walks exclude each other. There are three proofs. Their tests
// contradict. Both require pieces of which at most one exists. Every walk over one step contains a walk of a pattern
// that the other step denies.
#include "frontends/rbg/proofs/choices.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/proofs/cases.hpp"
#include "frontends/rbg/proofs/conditions.hpp"
#include "frontends/rbg/proofs/containment.hpp"
#include "frontends/rbg/proofs/continuing.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"
#include "frontends/rbg/proofs/piece_counts.hpp"

namespace rgtrans::rbg {

namespace {

// The tests on a path before its first other step, and the nodes on the path.
struct Trail {
  Way way;
  std::vector<NodeId> nodes;
};

// Finds the trails from a node. If a trail begins with a move of the cursor, later tests of pieces are expressed
// relative to the cursor at the node.
class TrailFinder {
 public:
  TrailFinder(const FlowGraph& flow, const StepConditions& conditions, NodeId node)
      : f_(flow), conditions_(conditions), node_(node) {}

  std::vector<Trail> all() {
    follow_all(node_, kNone);
    return std::exchange(trails_, {});
  }
  // The trails that begin with this step.
  std::vector<Trail> through(EdgeId step) {
    follow(step, kNone);
    return std::exchange(trails_, {});
  }
  // The case distinctions for all trails found.
  [[nodiscard]] const Cases& cases() const { return cases_; }

 private:
  // `via`: the function that has moved the cursor so far, or kNone.
  void follow(EdgeId id, std::uint32_t via) {
    const FlowGraph::Edge& edge = f_.edge(id);
    const std::size_t before = trail_.way.size();
    if (!cases_.add(condition(edge.step, via), trail_.way)) return;
    const bool moves = edge.step.kind == Do::move && via == kNone;
    if ((!is_test(edge.step.kind) && !moves) || trails_.size() >= kProofLimits.ways ||
        trail_.way.size() > kProofLimits.tests) {
      trails_.push_back(trail_);
    } else if (std::ranges::find(trail_.nodes, edge.to) == trail_.nodes.end()) {
      follow_all(edge.to, moves ? edge.step.index : via);
    }
    trail_.way.resize(before);
  }

  void follow_all(NodeId node, std::uint32_t via) {
    // After a move of the cursor, the same node is a different state, so it is not recorded.
    if (via == kNone) trail_.nodes.push_back(node);
    bool stops = f_.out(node).empty();
    for (EdgeId next : f_.out(node)) {
      if (is_test(f_.edge(next).step.kind)) {
        follow(next, via);
      } else {
        stops = true;
      }
    }
    if (stops) trails_.push_back(trail_);
    if (via == kNone) trail_.nodes.pop_back();
  }

  // After a move, considers only tests of pieces and tests independent of the cursor.
  [[nodiscard]] Condition condition(const FlowStep& step, std::uint32_t via) const {
    if (via == kNone || step.kind == Do::compare) return conditions_.of(node_, step);
    if (step.kind != Do::on || step.at != kNone) return {};
    FlowStep looked = step;
    looked.at = via;
    return conditions_.of(node_, looked);
  }

  const FlowGraph& f_;
  const StepConditions& conditions_;
  NodeId node_;
  Cases cases_;
  Trail trail_;  // the current one
  std::vector<Trail> trails_;
};

class RivalProof {
 public:
  RivalProof(const Description& description, Relations& relations, const FlowGraph& flow, const Knowledge& knowledge)
      : d_(description),
        r_(relations),
        f_(flow),
        known_(knowledge),
        sure_(surely_continuing(description, relations, flow, knowledge)),
        conditions_(description, relations, flow, knowledge, sure_),
        counts_(description, flow),
        containment_(description, relations, flow) {}

  // The steps out of one node, each with its trails.
  class Fork {
   public:
    Fork(RivalProof& proof, NodeId node) : proof_(proof), node_(node), finder_(proof.f_, proof.conditions_, node) {}

    // Whether both steps may lead on in the same state without meeting at a common node.
    bool rivals(EdgeId a, EdgeId b) {
      const std::vector<Trail>&left = trails(a), &right = trails(b);
      return std::ranges::any_of(left, [&](const Trail& x) {
        return std::ranges::any_of(right, [&](const Trail& y) {
          return !meet(x, y) && !proof_.contradict(node_, finder_.cases(), x.way, y.way) && !proof_.denies(x.way, b) &&
                 !proof_.denies(y.way, a);
        });
      });
    }

   private:
    const std::vector<Trail>& trails(EdgeId step) {
      const auto [it, fresh] = trails_.try_emplace(step);
      if (fresh) it->second = finder_.through(step);
      return it->second;
    }

    RivalProof& proof_;
    NodeId node_;
    TrailFinder finder_;
    std::map<EdgeId, std::vector<Trail>> trails_;
  };

  // Whether more than one of the step's places may lead on.
  bool several_places(EdgeId id) const {
    const FlowGraph::Edge& edge = f_.edge(id);
    Bits looked_for(d_.pieces.size() + 1);
    for (const Trail& trail : TrailFinder(f_, conditions_, edge.to).all()) {
      const auto it = std::ranges::find_if(trail.way, [&](const AtomTest& literal) {
        return literal.atom.kind == Atom::Kind::piece && literal.atom.key == kNone;
      });
      if (it == trail.way.end()) return true;
      looked_for.merge(it->allowed);
    }
    return !(leaves(edge.step) ? counts_.one_elsewhere(edge.from, looked_for)
                               : counts_.one_on_board(edge.from, looked_for));
  }

 private:
  static bool meet(const Trail& a, const Trail& b) {
    return std::ranges::any_of(a.nodes, [&](NodeId node) { return std::ranges::find(b.nodes, node) != b.nodes.end(); });
  }

  bool contradict(NodeId node, const Cases& cases, const Way& a, const Way& b) const {
    return std::ranges::any_of(a, [&](const AtomTest& x) {
      return std::ranges::any_of(
          b, [&](const AtomTest& y) { return cases.exclude(x, y) || same_piece_elsewhere(node, x, y); });
    });
  }

  // Whether the two tests require pieces of which at most one exists, at places that are always different.
  bool same_piece_elsewhere(NodeId node, const AtomTest& x, const AtomTest& y) const {
    if (x.atom == y.atom || x.atom.kind != Atom::Kind::piece || y.atom.kind != Atom::Kind::piece) return false;
    Bits either = x.allowed;
    either.merge(y.allowed);
    if (!counts_.one_on_board(node, either)) return false;
    bool apart = true;
    known_.cursors[node].for_each([&](std::size_t v) {
      const std::uint32_t p = place(x.atom, v), q = place(y.atom, v);
      apart = apart && (p != q || p == kNone);
    });
    return apart;
  }
  std::uint32_t place(const Atom& atom, std::size_t cursor) const {
    return follow(r_, static_cast<std::uint32_t>(atom.key), static_cast<std::uint32_t>(cursor));
  }

  // Whether one condition states that a pattern has no walk here, although every walk over the step contains one.
  bool denies(const Way& way, EdgeId id) {
    return std::ranges::any_of(way, [&](const AtomTest& literal) {
      if (literal.atom.kind != Atom::Kind::pattern || literal.allowed.test(1)) return false;
      return containment_.contains(id, f_.patterns[PatternId(static_cast<std::uint32_t>(literal.atom.key))]);
    });
  }

  // Whether the relation never leads back to the cursor's own position.
  bool leaves(const FlowStep& step) const {
    if (step.kind != Do::select) return false;
    for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
      if (std::ranges::binary_search(r_.members(r_.at(RelationId(step.index), v)), v)) return false;
    }
    return true;
  }

  const Description& d_;
  const Relations& r_;
  const FlowGraph& f_;
  const Knowledge& known_;
  ByNode<char> sure_;
  StepConditions conditions_;
  PieceCounts counts_;
  Containment containment_;
};

}  // namespace

Choices open_choices(const Description& description, Relations& relations, const FlowGraph& flow,
                     const ByNode<char>& wanted) {
  const Knowledge knowledge = analyse(description, relations, flow);
  // Without knowledge, every pair of steps is assumed to be possible.
  std::optional<RivalProof> proof;
  if (knowledge.known()) proof.emplace(description, relations, flow, knowledge);
  Choices choices;
  for (NodeId node : wanted.ids()) {
    if (wanted[node] == 0) continue;
    std::optional<RivalProof::Fork> fork;
    if (proof) fork.emplace(*proof, node);
    std::vector<std::vector<EdgeId>> groups;
    for (EdgeId id : flow.out(node)) {
      const FlowStep& step = flow.edge(id).step;
      const bool many = step.kind == Do::select || (step.kind == Do::any && relations.size(SetId(step.index)) > 1);
      if (many && (!proof || proof->several_places(id))) choices.places.push_back(id);
      // Merges all groups that contain a rival of the step.
      std::vector<EdgeId> group;
      std::erase_if(groups, [&](std::vector<EdgeId>& other) {
        const bool rival = !fork || std::ranges::any_of(other, [&](EdgeId o) { return fork->rivals(o, id); });
        if (rival) group.insert(group.end(), other.begin(), other.end());
        return rival;
      });
      group.push_back(id);
      groups.push_back(std::move(group));
    }
    for (auto& group : groups) {
      if (group.size() < 2) continue;
      std::ranges::sort(group);
      choices.rivals.push_back(std::move(group));
    }
  }
  return choices;
}

}  // namespace rgtrans::rbg
