#include "frontends/rbg/proofs/liveness.hpp"

#include "frontends/rbg/flow/solve.hpp"

namespace rgtrans::rbg {

LaterReads::LaterReads(const Description& description, const Relations& relations, const FlowGraph& flow)
    : d_(description), r_(relations), f_(flow), arithmetic_(description), counts_(2 + description.variable_count()) {
  const std::size_t size = counts_ + d_.pieces.size();
  count_mask_ = Bits(size);
  for (std::size_t p = 0; p < d_.pieces.size(); ++p) count_mask_.set(counts_ + p);
  live_.assign(f_.node_count(), Bits(size));
  // A check reads all variables that its pattern reads.
  ByNode<std::vector<NodeId>> asked(f_.node_count());
  for (EdgeId id : f_.living_edges()) {
    const FlowGraph::Edge& edge = f_.edge(id);
    if (edge.step.kind == Do::check) asked[f_.pattern(edge.step).start].push_back(edge.from);
  }
  for (std::size_t p = 0; p < d_.players.size(); ++p) live_[f_.end].set(2 + p);
  solve_backward(f_, [&](NodeId node, auto&& wake) {
    Bits live = live_[node];
    for (EdgeId id : f_.out(node)) {
      Bits before = live_[f_.edge(id).to];
      transfer(f_.edge(id).step, before);
      live.merge(before);
    }
    if (!live_[node].merge(live)) return;
    for (EdgeId id : f_.in(node)) wake(f_.edge(id).from);
    for (NodeId other : asked[node]) wake(other);
  });
}

void LaterReads::read(ArithId id, Bits& live) const {
  if (!id.valid()) return;
  std::vector<ArithId> leaves;
  arithmetic_.leaves(id, leaves);
  for (ArithId leaf : leaves) {
    const ArithNode& node = d_.expressions.arith(leaf);
    const auto index = static_cast<std::size_t>(node.value);
    live.set(node.kind == Arith::piece ? counts_ + index : 2 + index);
  }
}

void LaterReads::read_key(const FlowStep& step, Bits& live) const {
  if (step.at != kNone) {
    live.set(2 + step.at);
  } else {
    live.set(0);
    live.set(1);
  }
}

bool LaterReads::can_fail(const FlowStep& step) const {
  switch (step.kind) {
    case Do::move:
      return !step.total;
    case Do::select:
      for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
        if (r_.at(RelationId(step.index), v) == r_.empty()) return true;
      }
      return false;
    case Do::assign: {
      const auto range = arithmetic_.interval(step.left);
      return !range || range->low < 0 || range->high > d_.variable(step.index).bound ||
             arithmetic_.may_be_undefined(step.left);
    }
    case Do::skip:
    case Do::any:
    case Do::off:
    case Do::code:
    case Do::put:
    case Do::forget:
      return false;
    default:
      return true;
  }
}

bool LaterReads::idle(const FlowStep& step, NodeId to) const {
  if (step.modifier != 0 || can_fail(step)) return false;
  switch (step.kind) {
    case Do::move:
    case Do::any:
    case Do::select:
      return !cursor(to);
    case Do::off:
    case Do::put:
      return !board(to) && !any_count(to);
    case Do::assign:
    case Do::code:
      return !variable(to, step.index);
    default:
      return false;
  }
}

void LaterReads::transfer(const FlowStep& step, Bits& live) const {
  if (step.modifier != 0) live.set(0);
  switch (step.kind) {
    case Do::move:
    case Do::select: {
      const bool needed = live.test(0) || can_fail(step);
      live.reset(0);
      if (needed) live.set(0);
      break;
    }
    case Do::any:
      live.reset(0);
      break;
    case Do::where:
      live.set(0);
      break;
    case Do::on:
      live.set(0);
      live.set(1);
      break;
    case Do::off:
    case Do::put:
      if (live.intersects(count_mask_)) live.set(1);
      if (live.test(1)) {
        live.set(0);
        if (step.kind == Do::put) read_key(step, live);
      }
      break;
    case Do::assign:
    case Do::code: {
      const bool needed = live.test(2 + step.index) || can_fail(step) || step.modifier != 0;
      live.reset(2 + step.index);
      if (!needed) break;
      read(step.left, live);
      if (step.kind == Do::code) read_key(step, live);
      break;
    }
    case Do::compare:
      read(step.left, live);
      read(step.right, live);
      break;
    case Do::among:
      read_key(step, live);
      break;
    case Do::check:
      live.merge(live_[f_.pattern(step).start]);
      break;
    default:
      break;
  }
}

}  // namespace rgtrans::rbg
