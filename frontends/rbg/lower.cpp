#include "frontends/rbg/lower.hpp"

#include "frontends/rbg/emit/emit.hpp"
#include "frontends/rbg/flow/thompson.hpp"
#include "frontends/rbg/passes/cleanup.hpp"
#include "frontends/rbg/passes/commit.hpp"
#include "frontends/rbg/passes/ends.hpp"
#include "frontends/rbg/passes/rewrite.hpp"
#include "frontends/rbg/proofs/continuing.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"
#include "frontends/rbg/proofs/liveness.hpp"

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

}  // namespace

ir::Game lower(Description& description, const Sources::File&, Diagnostics& diagnostics) {
  ir::Game game(diagnostics.sources());
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
