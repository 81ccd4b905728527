#include "frontends/rbg/proofs/containment.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

Containment::Containment(const Description& description, Relations& relations, const FlowGraph& flow)
    : d_(description), r_(relations), f_(flow) {}

bool Containment::contains(EdgeId step, const FlowGraph::Pattern& pattern) {
  end_ = pattern.end;
  matched_.clear();
  pairs_ = Effort("following two walks together", kProofLimits.pairs, limits::effort);
  const Place start{pattern.start, kNone};
  if (!step_matches(f_.edge(step), start)) return false;
  // Refutes assumptions until a fixpoint: a pair that was assumed to match may depend on one that does not.
  for (bool again = true; again;) {
    again = false;
    for (auto& [walks, holds] : matched_) {
      if (!holds || edges_match(walks.first, walks.second)) continue;
      holds = false;
      again = true;
    }
  }
  return step_matches(f_.edge(step), start);
}

// The pattern may omit tests, and offs at vertices that it does not read afterwards.
bool Containment::step_matches(const FlowGraph::Edge& edge, const Place& place) {
  const auto [at, ahead] = place;
  if (at == end_) return true;
  if (ends_move(edge.step.kind)) return false;
  for (EdgeId id : f_.out(at)) {
    const FlowGraph::Edge& other = f_.edge(id);
    if (other.step.kind == Do::skip && step_matches(edge, {other.to, ahead})) return true;
    const bool follows = other.step.kind == Do::move && other.step.index == ahead;
    if (follows && step_matches(edge, {other.to, kNone})) return true;
    if (same_test(edge.step, other.step, ahead) && walk_matches(edge.to, {other.to, ahead})) return true;
  }
  if (edge.step.kind == Do::move) return walk_matches(edge.to, {at, compose(r_, ahead, edge.step.index)});
  const bool unseen = edge.step.kind == Do::off && !reads_again(place);
  return (unseen || is_test(edge.step.kind)) && walk_matches(edge.to, place);
}

// Coinductive: assumes that a pair of positions matches if it recurs, which is sound because walks are finite.
bool Containment::walk_matches(NodeId node, const Place& place) {
  if (place.at == end_) return true;
  const auto [it, fresh] = matched_.try_emplace({node, place}, true);
  if (!fresh) return it->second;
  if (!pairs_.spend()) return false;
  it->second = edges_match(node, place);
  return it->second;
}

bool Containment::edges_match(NodeId node, const Place& place) {
  return std::ranges::all_of(f_.out(node), [&](EdgeId id) { return step_matches(f_.edge(id), place); });
}

bool Containment::same_test(const FlowStep& a, const FlowStep& b, std::uint32_t ahead) {
  if (a.kind != b.kind || a.negated != b.negated) return false;
  if (a.kind == Do::on) {
    const std::uint32_t place = a.at == kNone ? ahead : compose(r_, ahead, a.at);
    return place == b.at && !a.negated && piece_bits(d_, b.index).contains(piece_bits(d_, a.index));
  }
  if (a.kind == Do::compare) return a.left == b.left && a.right == b.right && a.relation == b.relation;
  return (a.kind == Do::where || a.kind == Do::check) && ahead == kNone && a.index == b.index;
}

bool Containment::reads_again(const Place& place) {
  const std::size_t vertices = d_.board.size();
  if (vertices > kProofLimits.reread_vertices) return true;
  const auto [it, fresh] = reads_.try_emplace(place, true);
  if (!fresh) return it->second;
  for (std::uint32_t start = 0; start < vertices; ++start) {
    const std::uint32_t changed = follow(r_, place.ahead, start);
    if (changed != kNone && reads(place.at, start, changed)) return true;
  }
  it->second = false;
  return false;
}

bool Containment::reads(NodeId at, std::uint32_t start, std::uint32_t changed) const {
  std::set<std::pair<NodeId, std::uint32_t>> seen;
  std::vector<std::pair<NodeId, std::uint32_t>> stack = {{at, start}};
  while (!stack.empty()) {
    const auto [node, v] = stack.back();
    stack.pop_back();
    if (node == end_ || !seen.emplace(node, v).second) continue;
    for (EdgeId id : f_.out(node)) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (edge.step.kind == Do::move) {
        const std::uint32_t to = r_.function(edge.step.index)[v];
        if (to != kNone) stack.emplace_back(edge.to, to);
      } else if (edge.step.kind == Do::on || edge.step.kind == Do::skip || edge.step.kind == Do::where) {
        if (edge.step.kind == Do::on && follow(r_, edge.step.at, v) == changed) return true;
        stack.emplace_back(edge.to, v);
      } else {
        return true;
      }
    }
  }
  return false;
}

}  // namespace rgtrans::rbg
