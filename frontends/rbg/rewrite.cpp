#include "frontends/rbg/rewrite.hpp"

#include <algorithm>

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kMaxInlinedTests = 4;   // of a pattern, to be put where it is asked
constexpr std::size_t kMaxFunctions = 4'000;  // combined directions

std::vector<char> special_nodes(const Flow& flow) {
  std::vector<char> special(flow.node_count());
  special[flow.begin] = 1;
  special[flow.end] = 1;
  for (const Flow::Pattern& pattern : flow.patterns) {
    if (!pattern.alive) continue;
    special[pattern.start] = 1;
    special[pattern.end] = 1;
  }
  return special;
}

// second(first(v)).
std::uint32_t compose(Relations& relations, std::uint32_t first, std::uint32_t second) {
  const std::vector<std::uint32_t>& f = relations.function(first);
  const std::vector<std::uint32_t>& g = relations.function(second);
  std::vector<std::uint32_t> values(f.size(), kNowhere);
  for (std::size_t v = 0; v < f.size(); ++v) {
    if (f[v] != kNowhere) values[v] = g[f[v]];
  }
  std::string name;
  const std::string& a = relations.function_name(first);
  const std::string& b = relations.function_name(second);
  if (!a.empty() && !b.empty() && a.size() + b.size() < 40) name = a + "_" + b;
  return relations.function(std::move(values), name);
}

}  // namespace

bool look_ahead(const Description&, Relations& relations, Flow& flow) {
  const std::vector<char> special = special_nodes(flow);
  bool changed = false;
  const std::size_t edges = flow.edge_count();
  for (EdgeId id = 0; id < edges; ++id) {
    if (!flow.edge(id).alive || flow.edge(id).step.kind != Do::move) continue;
    const Flow::Edge move = flow.edge(id);
    const NodeId middle = move.to;
    if (special[middle] != 0 || middle >= special.size() || flow.in(middle).size() != 1 || flow.out(middle).size() != 1)
      continue;
    if (move.from == middle || relations.function_count() > kMaxFunctions) continue;
    const EdgeId next_id = flow.out(middle).front();
    const Flow::Edge next = flow.edge(next_id);
    if (next.step.kind == Do::move && next.to != middle) {
      Step both = next.step;
      both.index = compose(relations, move.step.index, next.step.index);
      both.total = move.step.total && next.step.total;
      flow.remove_edge(next_id);
      flow.edge(id).step = both;
      flow.set_to(id, next.to);
      changed = true;
    } else if (next.step.kind == Do::on && !next.step.negated) {
      Step test = next.step;
      test.at = test.at == kNowhere ? move.step.index : compose(relations, move.step.index, test.at);
      Step walk = move.step;
      walk.total = true;
      flow.edge(id).step = test;
      flow.edge(next_id).step = walk;
      changed = true;
    } else if (next.step.kind == Do::where) {
      std::vector<std::uint32_t> domain;
      const std::vector<std::uint32_t>& f = relations.function(move.step.index);
      const auto inside = relations.members(SetId(next.step.index));
      for (std::uint32_t v = 0; v < f.size(); ++v) {
        if (f[v] != kNowhere && std::ranges::binary_search(inside, f[v]) != next.step.negated) domain.push_back(v);
      }
      Step test = next.step;
      test.negated = false;
      test.index = relations.intern(domain).value;
      Step walk = move.step;
      walk.total = true;
      flow.edge(id).step = test;
      flow.edge(next_id).step = walk;
      changed = true;
    }
  }
  if (changed) flow.rebuild();
  return changed;
}

namespace {

bool is_plain_test(const Step& step) {
  return step.kind == Do::on || step.kind == Do::where || step.kind == Do::compare || step.kind == Do::check;
}

// The tests of a pattern that is one chain of them; empty when it is something else.
std::vector<Step> chain_of(const Flow& flow, const Flow::Pattern& pattern) {
  std::vector<Step> tests;
  NodeId node = pattern.start;
  while (node != pattern.end) {
    if (flow.out(node).size() != 1 || tests.size() == kMaxInlinedTests) return {};
    const Flow::Edge& edge = flow.edge(flow.out(node).front());
    if (!is_plain_test(edge.step)) return {};
    tests.push_back(edge.step);
    node = edge.to;
  }
  return tests;
}

// The tests of a pattern that is a choice between single tests.
std::vector<Step> choice_of(const Flow& flow, const Flow::Pattern& pattern) {
  std::vector<Step> tests;
  for (EdgeId id : flow.out(pattern.start)) {
    const Flow::Edge& edge = flow.edge(id);
    if (edge.to != pattern.end || !is_plain_test(edge.step) || tests.size() == kMaxInlinedTests) return {};
    tests.push_back(edge.step);
  }
  return tests;
}

Step negated(Step step) {
  step.negated = !step.negated;
  return step;
}

bool join_parallel_tests(const Description& description, Expressions& sets, Flow& flow) {
  bool changed = false;
  for (NodeId node = 0; node < flow.node_count(); ++node) {
    const auto& list = flow.out(node);
    if (list.size() < 2 || list.size() > 500) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Flow::Edge& first = flow.edge(list[i]);
      if (!first.alive || first.step.kind != Do::on || first.step.negated) continue;
      for (std::size_t k = i + 1; k < list.size(); ++k) {
        Flow::Edge& second = flow.edge(list[k]);
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
  static_cast<void>(description);
  if (changed) flow.rebuild();
  return changed;
}

}  // namespace

bool flatten_tests(const Description& description, Expressions& sets, Flow& flow) {
  bool changed = join_parallel_tests(description, sets, flow);
  const std::size_t edges = flow.edge_count();
  for (EdgeId id = 0; id < edges; ++id) {
    if (!flow.edge(id).alive || flow.edge(id).step.kind != Do::check) continue;
    const Flow::Edge check = flow.edge(id);
    const Flow::Pattern& pattern = flow.patterns[check.step.index];
    std::vector<Step> tests = chain_of(flow, pattern);
    const bool chain = !tests.empty();
    if (!chain) tests = choice_of(flow, pattern);
    if (tests.empty()) continue;
    NodeId at = check.from;
    auto add = [&](NodeId to, const Step& step) {
      Step placed = step;
      placed.where = check.step.where;
      flow.add_edge(at, to, placed);
    };
    if (chain != check.step.negated) {
      // All of them hold, or (of a choice) none does: one after the other.
      for (std::size_t i = 0; i < tests.size(); ++i) {
        const NodeId to = i + 1 == tests.size() ? check.to : flow.add_node();
        add(to, chain ? tests[i] : negated(tests[i]));
        at = to;
      }
    } else if (chain) {
      // The first ones hold, the next one does not.
      for (std::size_t i = 0; i < tests.size(); ++i) {
        add(check.to, negated(tests[i]));
        if (i + 1 == tests.size()) break;
        const NodeId to = flow.add_node();
        add(to, tests[i]);
        at = to;
      }
    } else {
      continue;  // several alternatives may hold at once; asking for one is better
    }
    flow.edge(id).alive = false;
    changed = true;
  }
  if (changed) flow.rebuild();
  return changed;
}

bool order_questions(Flow& flow) {
  bool changed = false;
  const std::vector<char> special = special_nodes(flow);
  for (NodeId node = 0; node < flow.node_count(); ++node) {
    const std::vector<EdgeId> list = flow.out(node);
    if (list.size() < 3 || list.size() > 64) continue;
    for (EdgeId no : list) {
      if (flow.edge(no).from != node || !is_plain_test(flow.edge(no).step)) continue;
      const Flow::Edge negative = flow.edge(no);
      const auto yes = std::ranges::find_if(list, [&](EdgeId id) {
        const Flow::Edge& edge = flow.edge(id);
        return edge.from == node && edge.step.kind == negative.step.kind && edge.step.index == negative.step.index &&
               edge.step.at == negative.step.at && edge.step.left == negative.step.left &&
               edge.step.right == negative.step.right && edge.step.relation == negative.step.relation &&
               edge.step.negated != negative.step.negated && special[edge.to] == 0 && flow.in(edge.to).size() == 1 &&
               edge.to != node;
      });
      if (yes == list.end()) continue;
      const NodeId later = flow.edge(*yes).to;
      for (EdgeId other : list) {
        const Flow::Edge& edge = flow.edge(other);
        if (other == no || other == *yes || edge.from != node || edge.to != negative.to || !is_plain_test(edge.step))
          continue;
        flow.set_from(other, later);
        changed = true;
      }
      if (changed) break;
    }
  }
  return changed;
}

void rely_on_tests(Flow& flow) {
  const std::vector<char> special = special_nodes(flow);
  for (NodeId node = 0; node < flow.node_count(); ++node) {
    if (special[node] != 0 || flow.in(node).empty() || flow.out(node).empty()) continue;
    const bool tested = std::ranges::all_of(flow.out(node), [&](EdgeId id) {
      const Step& step = flow.edge(id).step;
      return step.kind == Do::on && !step.negated && step.at == kNowhere;
    });
    bool leaves = false;
    for (EdgeId id : flow.in(node)) {
      const Step& step = flow.edge(id).step;
      leaves = leaves || (step.kind == Do::move && !step.total) || step.kind == Do::select;
    }
    if (!tested || !leaves) continue;
    for (EdgeId id : flow.in(node)) {
      Step& step = flow.edge(id).step;
      if (step.kind == Do::move || step.kind == Do::select) step.unchecked = true;
    }
    for (EdgeId id : flow.out(node)) flow.edge(id).step.unchecked = true;
  }
}

}  // namespace rgtrans::rbg
