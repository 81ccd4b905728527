// Changes of a game that make its code shorter: choices without cycles, steps without decided conditions.
#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/cpp.hpp"
#include "backends/cpp/model.hpp"
#include "backends/cpp/project.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::cpp {

bool may_be_code(const ir::Game& game) { return game.graph.edge_count() * kSizes.edge <= limits::cpp_code; }

ir::Game with_direct_choices(ir::Game game) {
  if (!may_be_code(game)) return game;
  passes::OptimizeOptions options;
  options.passes = {"close-cycles", "direct-choices"};
  passes::optimize(game, options);
  return game;
}

ir::Game without_decided_steps(ir::Game game) {
  if (!may_be_code(game)) {
    analysis::drop_decided_conditions(game);
    return game;
  }
  const NumberedGame numbered(game);
  std::vector<const Step*> asked(game.graph.edge_bound());
  for (const Step& step : numbered.steps) asked[step.edge.value] = &step;
  std::vector<ir::EdgeId> conditions;
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (std::holds_alternative<ir::Compare>(game.graph.label(edge))) conditions.push_back(edge);
  }
  for (const ir::EdgeId edge : conditions) {
    if (asked[edge.value] == nullptr)
      game.graph.remove_edge(edge);
    else if (asked[edge.value]->kind == Deed::nothing)
      game.graph.set_label(edge, ir::Empty());
  }
  return game;
}

}  // namespace rgtrans::cpp
