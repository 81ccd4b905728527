#include "core/analysis/random_moves.hpp"

#include <algorithm>
#include <functional>

#include "core/analysis/worklist.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

namespace {

// Whether this player assignment can pass the move to random, judged by its value or else its type.
bool may_be_random(const ir::Game& game, const ir::Assign& assign) {
  if (const auto symbol = game.constant_symbol(assign.rhs)) return *symbol == game.random();
  return game.index_of(game.expressions().type(assign.rhs), game.random()) >= 0;
}

}  // namespace

RandomMoves::RandomMoves(const ir::Game& game, const Flow& flow) : inside(flow.size()), ends(flow.size()) {
  if (!game.player().valid()) return;
  const Order order = flow.order();
  Worklist work(order);
  auto enter = [&](std::uint32_t index) {
    inside[index] = true;
    work.queue(index);
  };
  const ir::ValueId initial = game.variable(game.player()).initial;
  for (const FlowEdge& edge : flow.edges()) {
    if (edge.call) continue;
    if (!edge.edge.valid()) {
      if (initial.valid() && game.values.as_symbol(initial) == game.random()) enter(edge.to);
    } else if (flow.main(flow.node(edge.from)) && game.is_player_assignment(game.graph.label(edge.edge)) &&
               may_be_random(game, std::get<ir::Assign>(game.graph.label(edge.edge)))) {
      enter(edge.to);
    }
  }
  if (std::ranges::none_of(inside, std::identity())) return;
  // Written sets accumulate along walks; a node is processed again when its set grows.
  written.assign(flow.size(), Bits(game.variables().size()));
  end_written = written;
  work.run([&](std::uint32_t index) {
    for (const FlowEdge& edge : flow.out(index)) {
      if (edge.call || !edge.edge.valid()) continue;
      const ir::Label& label = game.graph.label(edge.edge);
      Bits before = written[index];
      if (const ir::VarId v = written_variable(game, label); v.valid()) before.set(v.value);
      const bool ended = game.is_player_assignment(label);
      // A move's writes end with the move, but are recorded at the node where it ends.
      Bits& at = ended ? end_written[edge.to] : written[edge.to];
      const Bits old = at;
      at |= before;
      if (ended) {
        ends[edge.to] = true;
      } else if (!inside[edge.to] || !(at == old)) {
        enter(edge.to);
      }
    }
    return true;
  });
}

}  // namespace rgtrans::analysis
