// The order of the passes as two tables of names. `improve` is the inner one: it repeats its passes until nothing
// changes, up to a limit on rounds.
#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::array kPasses = {
    FlowPass{"use-knowledge", "remove steps that are never possible and tests that always hold", use_knowledge},
    FlowPass{"clean-up", "remove dead ends and empty steps", clean_up},
    FlowPass{"look-ahead", "test a place before the cursor goes there", look_ahead},
    FlowPass{"test-before-meeting", "test before several steps of the cursor meet", test_before_meeting},
    FlowPass{"drop-idle-steps", "drop steps whose effects nobody reads", drop_idle_steps},
    FlowPass{"flatten-tests", "inline small patterns into their tests", flatten_tests},
    FlowPass{"order-questions", "ask nothing twice", order_questions},
    FlowPass{"add-ends", "end the play where nobody can move", add_ends},
    FlowPass{"shorten-patterns", "drop parts that certainly lead to the end of a pattern", shorten_patterns},
    FlowPass{"merge-equal", "merge nodes with the same continuations", merge_equal},
    FlowPass{"tabulate-choices", "put alternatives that differ in a constant into a table", tabulate_choices},
    FlowPass{"commit-keeper", "choose one of several moves of the keeper", commit_keeper},
    FlowPass{"reset-unused", "reset unread variables, so that equal positions are equal states", reset_unused},
    FlowPass{"rely-on-tests", "leave it to the next test that the cursor left the board", rely_on_tests},
};

constexpr std::array<std::string_view, 9> kImprove = {"use-knowledge",       "clean-up",        "look-ahead",
                                                      "test-before-meeting", "drop-idle-steps", "clean-up",
                                                      "flatten-tests",       "order-questions", "clean-up"};

// "improve" runs the rounds; "improve?" runs them if the preceding pass changed something.
constexpr std::array<std::string_view, 17> kSchedule = {
    "clean-up",         "improve",     "add-ends",         "clean-up",     "shorten-patterns", "clean-up",
    "improve",          "merge-equal", "tabulate-choices", "improve?",     "commit-keeper",    "clean-up",
    "shorten-patterns", "improve",     "merge-equal",      "reset-unused", "rely-on-tests"};

std::vector<std::tuple<NodeId, NodeId, FlowStep>> edges_of(const FlowGraph& flow) {
  std::vector<std::tuple<NodeId, NodeId, FlowStep>> edges;
  for (const EdgeId id : flow.living_edges())
    edges.emplace_back(flow.edge(id).from, flow.edge(id).to, flow.edge(id).step);
  return edges;
}

bool run(std::string_view name, Draft& draft) {
  const auto pass = std::ranges::find(kPasses, name, &FlowPass::name);
  tell_phase(pass->help.data());
  if (coverage::current == nullptr) return pass->run(draft);
  const auto before = edges_of(draft.flow);
  const bool again = pass->run(draft);
  if (edges_of(draft.flow) != before) reached("rbg pass", name);
  return again;
}

void improve(Draft& draft) {
  bool changed = true;
  for (int round = 0; changed && round < kPassLimits.rounds; ++round) {
    changed = false;
    for (const std::string_view name : kImprove) changed |= run(name, draft);
  }
  run("use-knowledge", draft);
  run("clean-up", draft);
}

}  // namespace

std::span<const FlowPass> passes() { return kPasses; }

void run_schedule(Draft& draft) {
  bool changed = false;
  for (const std::string_view name : kSchedule) {
    if (name == "improve" || name == "improve?") {
      if (name == "improve" || changed) improve(draft);
    } else {
      changed = run(name, draft);
    }
  }
}

}  // namespace rgtrans::rbg
