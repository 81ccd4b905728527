#include "backends/proper/known_game.hpp"

#include <algorithm>

namespace rgtrans::proper {

KnownGame::KnownGame(const ir::Game& original)
    : game(original),
      flow(game),
      values(game, flow),
      liveness(game, flow),
      lost(lost_stores(game, flow, values)),
      recursive(std::ranges::any_of(ir::reachability_checks(game.graph), &ir::CheckOf::recursive)),
      inputs(game),
      known(game, flow, options_of_known()),
      exclusion(game, values, analysis::Exclusive::kTries),
      cells(game) {
  for (const ir::NodeId start : analysis::move_starts(game, flow))
    if (start != game.end() && values.possible(start) && known.possible(start)) starts.push_back(start);
}

std::vector<SymbolId> KnownGame::symbols(ir::VarId variable, ir::NodeId node) {
  return symbols(game.variable_ref(variable), node);
}

bool KnownGame::can_be_mover(SymbolId mover, ir::NodeId start) {
  const std::vector<SymbolId> movers = symbols(game.player(), start);
  return std::ranges::find(movers, mover) != movers.end();
}

std::string KnownGame::at(ir::NodeId node) const {
  return game.graph.name(node).valid() ? " at " + game.symbols.str(game.graph.name(node)) : "";
}

Range KnownGame::where(ir::NodeId node) const {
  Range where = game.graph.where(node);
  for (const ir::EdgeId edge : game.graph.out_edges(node))
    if (!where.known()) where = game.graph.where(edge);
  for (const ir::EdgeId edge : game.graph.in_edges(node))
    if (!where.known()) where = game.graph.where(edge);
  return where;
}

}  // namespace rgtrans::proper
