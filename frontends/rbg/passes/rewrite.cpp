#include "frontends/rbg/passes/rewrite.hpp"

#include <algorithm>
#include <map>

#include "frontends/rbg/proofs/liveness.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kMaxInlinedTests = 4;  // of a pattern, to be put where it is asked
constexpr std::size_t kMaxInlinedChoices = 2;
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

}  // namespace

bool look_ahead(const Description&, Relations& relations, Flow& flow) {
  const std::vector<char> special = special_nodes(flow);
  bool changed = false;
  const std::size_t edges = flow.edge_count();
  for (EdgeId id = 0; id < edges; ++id) {
    if (!flow.edge(id).alive || flow.edge(id).step.kind != Do::move) continue;
    const Flow::Edge move = flow.edge(id);
    const NodeId middle = move.to;
    if (special[middle] != 0 || flow.in(middle).size() != 1 || flow.out(middle).empty()) continue;
    if (move.from == middle || relations.function_count() > kMaxFunctions) continue;
    const bool only_moves = std::ranges::all_of(flow.out(middle), [&](EdgeId out) {
      return flow.edge(out).step.kind == Do::move && flow.edge(out).to != middle;
    });
    if (only_moves && flow.out(middle).size() > 1) {
      const std::vector<EdgeId> list = flow.out(middle);
      for (EdgeId out : list) {
        Step& step = flow.edge(out).step;
        step.index = compose(relations, move.step.index, step.index);
        step.total = move.step.total && step.total;
        flow.set_from(out, move.from);
      }
      flow.remove_edge(id);
      changed = true;
      continue;
    }
    if (flow.out(middle).size() != 1) continue;
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

bool test_before_meeting(const Description& description, Relations& relations, Flow& flow) {
  const std::vector<char> special = special_nodes(flow);
  const Liveness live(description, relations, flow);
  bool changed = false;
  for (NodeId node = 0; node < special.size(); ++node) {
    if (special[node] != 0 || flow.in(node).empty() || flow.out(node).size() != 1) continue;
    const EdgeId test_id = flow.out(node).front();
    const Flow::Edge test = flow.edge(test_id);
    if (test.step.kind != Do::on || test.step.negated || test.to == node || live.cursor(test.to)) continue;
    const std::vector<EdgeId> in = flow.in(node);
    const bool all_moves = std::ranges::all_of(in, [&](EdgeId id) { return flow.edge(id).step.kind == Do::move; });
    if (!all_moves || relations.function_count() > kMaxFunctions) continue;
    for (EdgeId id : in) {
      Step step = test.step;
      const std::uint32_t walked = flow.edge(id).step.index;
      step.at = step.at == kNowhere ? walked : compose(relations, walked, step.at);
      flow.edge(id).step = step;
      flow.set_to(id, test.to);
    }
    flow.remove_edge(test_id);
    changed = true;
  }
  return changed;
}

void reset_unused(const Description& description, Relations& relations, Flow& flow) {
  const Liveness live(description, relations, flow);
  constexpr char kCursor = 1, kChoice = 2;
  std::vector<char> changed(flow.node_count());
  std::vector<NodeId> stack;
  auto join = [&](NodeId node, char bits) {
    if ((changed[node] | bits) == changed[node]) return;
    changed[node] = static_cast<char>(changed[node] | bits);
    stack.push_back(node);
  };
  // Which of the two may have been set in one of several ways since the last switch.
  auto after = [&](const Flow::Edge& edge) {
    char bits = changed[edge.from];
    if (ends_move(edge.step.kind)) return char{0};
    if (edge.step.kind == Do::any && relations.size(SetId(edge.step.index)) > 1)
      bits = static_cast<char>(bits | kCursor);
    if (edge.step.kind == Do::select) bits = kCursor | kChoice;
    const bool scans =
        std::ranges::any_of(flow.in(edge.to), [&](EdgeId in) { return flow.edge(in).step.kind == Do::any; });
    if (edge.step.kind == Do::move && (scans || flow.out(edge.from).size() > 1))
      bits = static_cast<char>(bits | kCursor);
    return bits;
  };
  for (EdgeId id = 0; id < flow.edge_count(); ++id) {
    if (flow.edge(id).alive) join(flow.edge(id).to, after(flow.edge(id)));
  }
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    for (EdgeId id : flow.out(node)) join(flow.edge(id).to, after(flow.edge(id)));
  }
  const std::size_t edges = flow.edge_count();
  for (EdgeId id = 0; id < edges; ++id) {
    const Flow::Edge edge = flow.edge(id);
    if (!edge.alive || !ends_move(edge.step.kind)) continue;
    auto before = [&](Step step) {
      const NodeId middle = flow.add_node();
      step.where = edge.step.where;
      flow.add_edge(flow.edge(id).from, middle, step);
      flow.set_from(id, middle);
    };
    if ((changed[edge.from] & kCursor) != 0 && edge.step.modifier == 0 && !live.cursor(edge.to)) {
      before(Step{.kind = Do::any, .index = 0});
    }
    if ((changed[edge.from] & kChoice) != 0) before(Step{.kind = Do::forget});
  }
  flow.rebuild();
}

namespace {

// A path of two edges through a node of its own: a test that tells the alternatives apart, then a step.
struct Alternative {
  EdgeId test, step;
  std::uint32_t key, value;
};

std::optional<std::uint32_t> constant_of(const Description& description, ArithId id) {
  const ArithNode& node = description.expressions.arith(id);
  if (node.kind != Arith::number) return std::nullopt;
  return static_cast<std::uint32_t>(node.value);
}

class Tabulator {
 public:
  Tabulator(const Description& description, Flow& flow)
      : d_(description), f_(flow), arithmetic_(description), special_(special_nodes(flow)) {}

  bool run() {
    const std::size_t nodes = f_.node_count();
    for (NodeId node = 0; node < nodes; ++node) {
      if (f_.out(node).size() > 1 && f_.out(node).size() < 200) tabulate(node);
    }
    if (changed_) f_.rebuild();
    return changed_;
  }

 private:
  void tabulate(NodeId node) {
    // Groups with the same question, the same kind of answer and the same way on.
    using Key = std::tuple<Do, std::uint32_t, Do, std::uint32_t, NodeId>;
    std::map<Key, std::vector<Alternative>> groups;
    for (EdgeId id : f_.out(node)) {
      const Flow::Edge& test = f_.edge(id);
      if (special_[test.to] != 0 || f_.in(test.to).size() != 1 || f_.out(test.to).size() != 1) continue;
      const EdgeId next = f_.out(test.to).front();
      const Flow::Edge& step = f_.edge(next);
      if (step.step.modifier != 0 || test.step.negated || step.to == test.to || step.to == node) continue;
      Alternative found{id, next, 0, 0};
      std::uint32_t asked = 0, target = 0;
      if (test.step.kind == Do::compare && test.step.relation == Relation::equal) {
        const ArithNode& left = d_.expressions.arith(test.step.left);
        const auto key = constant_of(d_, test.step.right);
        if (left.kind != Arith::variable || !key) continue;
        if (*key > arithmetic_.largest(static_cast<std::uint32_t>(left.value))) continue;
        found.key = *key;
        asked = static_cast<std::uint32_t>(left.value);
      } else if (test.step.kind == Do::on && test.step.at == kNowhere) {
        if (d_.expressions.pieces(test.step.index).size() != 1) continue;
        found.key = d_.expressions.pieces(test.step.index).front();
      } else {
        continue;
      }
      if (step.step.kind == Do::off && test.step.kind == Do::compare) {
        found.value = step.step.index;
      } else if (step.step.kind == Do::assign) {
        const auto value = constant_of(d_, step.step.left);
        if (!value || *value > d_.variable(step.step.index).bound) continue;
        found.value = *value;
        target = step.step.index;
      } else {
        continue;
      }
      groups[{test.step.kind, asked, step.step.kind, target, step.to}].push_back(found);
    }
    for (auto& [key, list] : groups) {
      std::ranges::sort(list, {}, &Alternative::key);
      const bool distinct = std::ranges::adjacent_find(list, {}, &Alternative::key) == list.end();
      if (list.size() > 1 && distinct) replace(node, std::get<1>(key), list);
    }
  }

  void replace(NodeId node, std::uint32_t asked, const std::vector<Alternative>& list) {
    const Step test = f_.edge(list.front().test).step;
    const Flow::Edge last = f_.edge(list.front().step);
    Step step{.kind = last.step.kind == Do::off ? Do::put : Do::code, .where = last.step.where};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> table;
    for (const Alternative& alternative : list) table.emplace_back(alternative.key, alternative.value);
    step.at = test.kind == Do::compare ? asked : kNowhere;
    step.index = last.step.kind == Do::off ? asked : last.step.index;
    step.table = f_.add_table(table);
    const NodeId middle = f_.add_node();
    Step guard{.kind = Do::among, .where = test.where};
    guard.at = step.at;
    guard.table = step.table;
    f_.add_edge(node, middle, guard);
    f_.add_edge(middle, last.to, step);
    for (const Alternative& alternative : list) {
      f_.remove_edge(alternative.test);
      f_.remove_edge(alternative.step);
    }
    changed_ = true;
  }

  const Description& d_;
  Flow& f_;
  Arithmetic arithmetic_;
  std::vector<char> special_;
  bool changed_ = false;
};

}  // namespace

bool tabulate_choices(const Description& description, Flow& flow) { return Tabulator(description, flow).run(); }

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
    if (edge.to != pattern.end || !is_plain_test(edge.step) || tests.size() == kMaxInlinedChoices) return {};
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
    } else {
      // One of them fails (of a choice: holds): the first such one, so that there is one way only.
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
