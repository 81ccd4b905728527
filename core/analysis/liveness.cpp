// The rules of liveness at a node. `goals` is live at `end`. `player` is live on all walks of moves, because it
// determines the next mover. Variables in conditions and tags are live, and those in an assignment if the assigned
// variable is live behind it. Every tag of a move reads `visible`; tags in checks read nothing. Variables that a move
// of random may have written are live where it ends (see random_moves.hpp).
#include "core/analysis/liveness.hpp"

#include "core/analysis/dataflow.hpp"
#include "core/analysis/random_moves.hpp"
#include "core/ir/ir.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::analysis {

namespace {

struct Problem {
  using Domain = Bits;

  const ir::Game& game;
  const Flow& flow;
  const RandomMoves& random;

  Bits boundary(std::uint32_t at) const {
    Bits bits(game.variables().size());
    const ir::NodeId node = flow.node(at);
    if (!node.valid()) return bits;
    if (flow.main(node) && game.player().valid()) bits.set(game.player().value);
    if (random.ends[at]) bits |= random.end_written[at];
    if (node == game.end() && game.goals().valid()) bits.set(game.goals().value);
    return bits;
  }

  void transfer(const FlowEdge& edge, const Bits& after, Bits& before) const {
    check_wanted();
    if (!edge.edge.valid() || edge.call) {
      before |= after;
      return;
    }
    const ir::Label& label = game.graph.label(edge.edge);
    auto read = [&](ir::VarId v) { before.set(v.value); };
    const ir::VarId written = written_variable(game, label);
    if (written.valid()) {
      Bits passed = after;
      const bool live = after.test(written.value);
      if (writes_whole(game, label)) passed.reset(written.value);
      before |= passed;
      if (live) for_each_read(game, label, read);
      return;
    }
    before |= after;
    if (is_tag(label)) {
      if (!flow.main(flow.node(edge.from))) return;
      if (game.visible().valid()) before.set(game.visible().value);
    }
    for_each_read(game, label, read);
  }
};

}  // namespace

Liveness::Liveness(const ir::Game& game, const Flow& flow) : flow_(&flow) {
  const RandomMoves random(game, flow);
  Problem problem{game, flow, random};
  live_ = solve_backward(flow, problem);
}

}  // namespace rgtrans::analysis
