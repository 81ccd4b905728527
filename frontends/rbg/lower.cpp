#include "frontends/rbg/lower.hpp"

#include <fmt/format.h>

#include <set>

#include "frontends/rbg/arithmetic.hpp"
#include "frontends/rbg/cleanup.hpp"
#include "frontends/rbg/commit.hpp"
#include "frontends/rbg/continuing.hpp"
#include "frontends/rbg/emit.hpp"
#include "frontends/rbg/ends.hpp"
#include "frontends/rbg/knowledge.hpp"
#include "frontends/rbg/liveness.hpp"
#include "frontends/rbg/rewrite.hpp"
#include "frontends/rbg/thompson.hpp"

namespace rgtrans::rbg {

namespace {

// Everything that may change with what became known, until nothing does (or often enough).
void improve(Description& description, Relations& relations, Flow& flow) {
  for (int round = 0; round < 6; ++round) {
    use_knowledge(description, relations, flow);
    clean_up(flow);
    bool changed = look_ahead(description, relations, flow);
    changed |= test_before_meeting(description, relations, flow);
    changed |= drop_idle_steps(description, relations, flow);
    clean_up(flow);
    changed |= flatten_tests(description, description.expressions, flow);
    changed |= order_questions(flow);
    clean_up(flow);
    if (!changed) break;
  }
  use_knowledge(description, relations, flow);
  clean_up(flow);
}

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

ir::Game lower(Description& description, const Sources::File&, Diagnostics& diagnostics) {
  ir::Game game(diagnostics.sources());
  warn_about_bounds(description, diagnostics);
  Relations relations(description);
  Flow flow = build_flow(description, relations);
  clean_up(flow);
  improve(description, relations, flow);
  add_ends(description, relations, flow);
  clean_up(flow);
  shorten_patterns(description, relations, flow);
  clean_up(flow);
  improve(description, relations, flow);
  merge_equal(flow);
  if (tabulate_choices(description, flow)) improve(description, relations, flow);
  commit_keeper(description, relations, flow);
  clean_up(flow);
  shorten_patterns(description, relations, flow);
  improve(description, relations, flow);
  merge_equal(flow);
  reset_unused(description, relations, flow);
  rely_on_tests(flow);
  emit(description, relations, flow, analyse(description, relations, flow), game, diagnostics);
  return game;
}

}  // namespace rgtrans::rbg
