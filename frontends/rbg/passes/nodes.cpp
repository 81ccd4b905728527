#include "frontends/rbg/passes/nodes.hpp"

namespace rgtrans::rbg {

ByNode<char> fixed_ends(const FlowGraph& flow) {
  ByNode<char> fixed(flow.node_count());
  fixed[flow.end] = 1;
  for (const FlowGraph::Pattern& pattern : flow.patterns) {
    if (pattern.alive) fixed[pattern.end] = 1;
  }
  return fixed;
}

ByNode<char> fixed_nodes(const FlowGraph& flow) {
  ByNode<char> fixed = fixed_ends(flow);
  fixed[flow.begin] = 1;
  for (const FlowGraph::Pattern& pattern : flow.patterns) {
    if (pattern.alive) fixed[pattern.start] = 1;
  }
  return fixed;
}

bool is_plain_test(const FlowStep& step) {
  return step.kind == Do::on || step.kind == Do::where || step.kind == Do::compare || step.kind == Do::check;
}

bool same_step(const FlowStep& a, const FlowStep& b) {
  FlowStep placed = a;
  placed.where = b.where;
  return placed == b;
}

}  // namespace rgtrans::rbg
