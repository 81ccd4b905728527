#include "frontends/rbg/proofs/liveness.hpp"

namespace rgtrans::rbg {

Liveness::Liveness(const Description& description, const Relations& relations, const Flow& flow)
    : d_(description), r_(relations), f_(flow), arithmetic_(description), counts_(2 + description.variable_count()) {
  const std::size_t size = counts_ + d_.pieces.size();
  count_mask_ = Bits(size);
  for (std::size_t p = 0; p < d_.pieces.size(); ++p) count_mask_.set(counts_ + p);
  live_.assign(f_.node_count(), Bits(size));
  std::vector<NodeId> stack;
  std::vector<char> waiting(f_.node_count(), 1);
  for (NodeId node = 0; node < f_.node_count(); ++node) stack.push_back(node);
  // Checks read what their pattern reads.
  std::vector<std::vector<NodeId>> asked(f_.node_count());
  for (EdgeId id = 0; id < f_.edge_count(); ++id) {
    const Flow::Edge& edge = f_.edge(id);
    if (edge.alive && edge.step.kind == Do::check) asked[f_.patterns[edge.step.index].start].push_back(edge.from);
  }
  for (std::size_t p = 0; p < d_.players.size(); ++p) live_[f_.end].set(2 + p);
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    waiting[node] = 0;
    Bits live = live_[node];
    for (EdgeId id : f_.out(node)) {
      const Flow::Edge& edge = f_.edge(id);
      Bits before = live_[edge.to];
      transfer(edge.step, edge.to, before);
      live.add(before);
    }
    if (!live_[node].add(live)) continue;
    auto wake = [&](NodeId other) {
      if (waiting[other] != 0) return;
      waiting[other] = 1;
      stack.push_back(other);
    };
    for (EdgeId id : f_.in(node)) wake(f_.edge(id).from);
    for (NodeId other : asked[node]) wake(other);
  }
}

void Liveness::read(ArithId id, Bits& live) const {
  if (!id.valid()) return;
  std::vector<ArithId> leaves;
  arithmetic_.leaves(id, leaves);
  for (ArithId leaf : leaves) {
    const ArithNode& node = d_.expressions.arith(leaf);
    const auto index = static_cast<std::size_t>(node.value);
    live.set(node.kind == Arith::piece ? counts_ + index : 2 + index);
  }
}

void Liveness::read_key(const Step& step, Bits& live) const {
  if (step.at != kNowhere) {
    live.set(2 + step.at);
  } else {
    live.set(0);
    live.set(1);
  }
}

bool Liveness::can_fail(const Step& step) const {
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
             d_.expressions.arith(step.left).kind == Arith::divide;
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

bool Liveness::idle(const Step& step, NodeId to) const {
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

void Liveness::transfer(const Step& step, NodeId to, Bits& live) const {
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
      if (live.meets(count_mask_)) live.set(1);
      if (live.test(1)) {
        live.set(0);
        if (step.kind == Do::put) live.set(2 + step.at);
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
      live.add(live_[f_.patterns[step.index].start]);
      break;
    default:
      break;
  }
  static_cast<void>(to);
}

bool drop_idle_steps(const Description& description, const Relations& relations, Flow& flow) {
  const Liveness liveness(description, relations, flow);
  bool changed = false;
  for (EdgeId id = 0; id < flow.edge_count(); ++id) {
    Flow::Edge& edge = flow.edge(id);
    if (!edge.alive || edge.step.kind == Do::skip || !liveness.idle(edge.step, edge.to)) continue;
    edge.step = Step{.where = edge.step.where};
    changed = true;
  }
  return changed;
}

}  // namespace rgtrans::rbg
