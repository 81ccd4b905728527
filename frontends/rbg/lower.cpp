#include "frontends/rbg/lower.hpp"

#include <fmt/format.h>

#include <set>

#include "frontends/rbg/emit/emit.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/thompson.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

namespace {

// An assignment whose value never fits is legal and never possible, which nobody means.
void warn_about_bounds(const Description& description, Diagnostics& diagnostics) {
  const Arithmetic arithmetic(description);
  std::set<std::uint32_t> told;  // places; macros repeat them
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

}  // namespace

ir::Game lower(Description& description, Diagnostics& diagnostics) {
  ir::Game game(diagnostics.sources());
  warn_about_bounds(description, diagnostics);
  Relations relations(description);
  FlowGraph flow = build_flow(description, relations);
  Draft draft{description, relations, flow};
  run_schedule(draft);
  emit(description, relations, flow, analyse(description, relations, flow), game, diagnostics);
  return game;
}

}  // namespace rgtrans::rbg
