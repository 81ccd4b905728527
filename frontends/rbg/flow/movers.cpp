#include "frontends/rbg/flow/movers.hpp"

#include <utility>

#include "frontends/rbg/flow/solve.hpp"

namespace rgtrans::rbg {

namespace {

// The mover after a step of `mover`.
char mover_after(Do kind, char mover) {
  return kind == Do::to_keeper || kind == Do::to_end ? kKeeperMoves : kind == Do::to_player ? kPlayerMoves : mover;
}

}  // namespace

ByNode<char> find_movers(const FlowGraph& flow) {
  ByNode<char> movers(flow.node_count());
  movers[flow.begin] = kKeeperMoves;
  solve_forward(flow, [&](NodeId node, auto&& wake) {
    for (EdgeId id : flow.out(node)) {
      const FlowGraph::Edge& edge = flow.edge(id);
      if (movers[node] == 0) return;
      const char after = static_cast<char>(movers[edge.to] | mover_after(edge.step.kind, movers[node]));
      if (after != std::exchange(movers[edge.to], after)) wake(edge.to);
    }
  });
  return movers;
}

void separate_movers(FlowGraph& flow) {
  const ByNode<char> movers = find_movers(flow);
  ByNode<NodeId> keepers(movers.size());  // by node: its copy for the keeper
  for (NodeId node : flow.nodes()) {
    if (movers[node] == (kKeeperMoves | kPlayerMoves) && node != flow.end) keepers[node] = flow.add_node();
  }
  auto target = [&](NodeId node, char who) {
    return who == kKeeperMoves && keepers[node].valid() ? keepers[node] : node;
  };
  for (EdgeId id : flow.living_edges()) {
    if (movers[flow.edge(id).from] == 0) continue;
    const FlowGraph::Edge edge = flow.edge(id);
    FlowStep silent = edge.step;
    silent.modifier = 0;
    if (movers[edge.from] == kKeeperMoves) flow.edge(id).step = silent;
    const char who = movers[edge.from] == kKeeperMoves ? kKeeperMoves : kPlayerMoves;
    flow.set_to(id, target(edge.to, mover_after(edge.step.kind, who)));
    if (!keepers[edge.from].valid()) continue;
    flow.add_edge(keepers[edge.from], target(edge.to, mover_after(edge.step.kind, kKeeperMoves)), silent);
  }
  flow.begin = target(flow.begin, kKeeperMoves);
}

}  // namespace rgtrans::rbg
