// Merges parallel tests of one place into one test, and inlines patterns that consist of a few plain tests.
#include <algorithm>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

namespace {

// The tests of a pattern that is a single chain of tests; empty for other patterns.
std::vector<FlowStep> chain_of(const FlowGraph& flow, const FlowGraph::Pattern& pattern) {
  std::vector<FlowStep> tests;
  NodeId node = pattern.start;
  while (node != pattern.end) {
    if (flow.out(node).size() != 1 || tests.size() == kPassLimits.inlined_tests) return {};
    const FlowGraph::Edge& edge = flow.edge(flow.out(node).front());
    if (!is_plain_test(edge.step)) return {};
    tests.push_back(edge.step);
    node = edge.to;
  }
  return tests;
}

// The tests of a pattern that is a choice between single tests; empty for other patterns.
std::vector<FlowStep> choice_of(const FlowGraph& flow, const FlowGraph::Pattern& pattern) {
  std::vector<FlowStep> tests;
  for (EdgeId id : flow.out(pattern.start)) {
    const FlowGraph::Edge& edge = flow.edge(id);
    if (edge.to != pattern.end || !is_plain_test(edge.step) || tests.size() == kPassLimits.inlined_choices) return {};
    tests.push_back(edge.step);
  }
  return tests;
}

FlowStep negated(FlowStep step) {
  step.negated = !step.negated;
  return step;
}

bool join_parallel_tests(RuleExpressions& sets, FlowGraph& flow) {
  bool changed = false;
  for (NodeId node : flow.nodes()) {
    const auto& list = flow.out(node);
    if (list.size() < 2 || list.size() > 500) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      FlowGraph::Edge& first = flow.edge(list[i]);
      if (!first.alive || first.step.kind != Do::on || first.step.negated) continue;
      for (std::size_t k = i + 1; k < list.size(); ++k) {
        FlowGraph::Edge& second = flow.edge(list[k]);
        if (!second.alive || second.to != first.to || second.step.kind != Do::on || second.step.negated ||
            second.step.at != first.step.at) {
          continue;
        }
        std::vector<std::uint32_t> both = sets.pieces(first.step.index);
        const auto& more = sets.pieces(second.step.index);
        both.insert(both.end(), more.begin(), more.end());
        first.step.index = sets.piece_set(std::move(both));
        second.alive = false;
        changed = true;
      }
    }
  }
  if (changed) flow.rebuild();
  return changed;
}

}  // namespace

bool flatten_tests(Draft& draft) {
  FlowGraph& flow = draft.flow;
  bool changed = join_parallel_tests(draft.description.expressions, flow);
  for (EdgeId id : flow.living_edges()) {
    if (flow.edge(id).step.kind != Do::check) continue;
    const FlowGraph::Edge check = flow.edge(id);
    const FlowGraph::Pattern& pattern = flow.pattern(check.step);
    std::vector<FlowStep> tests = chain_of(flow, pattern);
    const bool chain = !tests.empty();
    if (!chain) tests = choice_of(flow, pattern);
    if (tests.empty()) continue;
    NodeId at = check.from;
    auto add = [&](NodeId to, const FlowStep& step) {
      FlowStep placed = step;
      placed.where = check.step.where;
      flow.add_edge(at, to, placed);
    };
    if (chain != check.step.negated) {
      // All tests hold or, for a negated choice, all fail: a chain.
      for (std::size_t i = 0; i < tests.size(); ++i) {
        const NodeId to = i + 1 == tests.size() ? check.to : flow.add_node();
        add(to, chain ? tests[i] : negated(tests[i]));
        at = to;
      }
    } else {
      // Some test fails or, for a choice, holds. Selects the first such test, so that only one walk exists.
      for (std::size_t i = 0; i < tests.size(); ++i) {
        add(check.to, chain ? negated(tests[i]) : tests[i]);
        if (i + 1 == tests.size()) break;
        const NodeId to = flow.add_node();
        add(to, chain ? tests[i] : negated(tests[i]));
        at = to;
      }
    }
    flow.edge(id).alive = false;
    changed = true;
  }
  if (changed) flow.rebuild();
  return changed;
}

}  // namespace rgtrans::rbg
