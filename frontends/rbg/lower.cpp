#include "frontends/rbg/lower.hpp"

#include <fmt/format.h>

#include <set>

#include "core/support/reach.hpp"
#include "frontends/rbg/emit/emit.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/thompson.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

namespace {

// Warns about assignments whose value never fits: they are legal but never possible, which is rarely intended.
void warn_about_bounds(const Description& description, Diagnostics& diagnostics) {
  const Arithmetic arithmetic(description);
  std::set<std::uint32_t> told;  // places already reported; macros repeat them
  for (std::size_t i = 0; i < description.expressions.size(); ++i) {
    const ExprNode& node = description.expressions[ExprId(i)];
    if (node.kind != Kind::assign) continue;
    const Declared& variable = description.variable(node.index);
    const auto values = arithmetic.interval(node.left);
    if (!values || (values->low <= variable.bound && values->high >= 0) || !told.insert(node.where.begin).second)
      continue;
    diagnostics.warning(node.where,
                        fmt::format("{} cannot be {}: its values are 0 to {}", description.symbols.text(variable.name),
                                    values->low == values->high ? std::to_string(values->low)
                                                                : fmt::format("{} to {}", values->low, values->high),
                                    variable.bound),
                        "such an assignment is never possible; the number behind a name in #players and #variables is "
                        "its largest value");
  }
}

// Emits each version of the flow graph as a game of its own, with the facts that the next version relies on as claims.
class StageWriter final : public FlowStages {
 public:
  StageWriter(const Description& description, const Relations& relations, ir::Game& game)
      : description_(description), relations_(relations), game_(game) {}

  void keep(const FlowGraph& flow, const FlowClaims& claims) override {
    if (!claims.any()) return;
    Diagnostics diagnostics(game_.sources());
    ir::Game version(game_.sources());
    version.claims.want();
    emit(description_, relations_, flow, Knowledge(), version, diagnostics, claims);
    if (!diagnostics.has_errors() && !version.claims.empty())
      game_.stages.push_back(std::make_shared<const ir::Game>(std::move(version)));
  }

 private:
  const Description& description_;
  const Relations& relations_;
  ir::Game& game_;
};

}  // namespace

ir::Game lower(Description& description, Diagnostics& diagnostics, bool claims) {
  ir::Game game(diagnostics.sources());
  game.claims.want(claims);
  warn_about_bounds(description, diagnostics);
  Relations relations(description);
  FlowGraph flow = build_flow(description, relations);
  StageWriter stages(description, relations, game);
  Draft draft{description, relations, flow, claims ? &stages : nullptr};
  run_schedule(draft);
  const Knowledge known = analyse(description, relations, flow);
  emit(description, relations, flow, known, game, diagnostics, {"emit", &known});
  if (!diagnostics.has_errors() && !leads_to(game.graph, game.begin(), game.end())) {
    diagnostics.error(description.expressions[description.rules].where, "no play of this game ends",
                      "a play ends where the player on move has no move left, and here one always has");
  }
  return game;
}

}  // namespace rgtrans::rbg
