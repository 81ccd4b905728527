// Replaces alternatives that differ only in a constant by one step with a table, indexed by the piece at the cursor or
// by a variable.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/passes/nodes.hpp"
#include "frontends/rbg/passes/passes.hpp"

namespace rgtrans::rbg {

namespace {

// A path of two edges through a node of its own: a test that selects the alternative, then a step.
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
  explicit Tabulator(Draft& draft) : d_(draft.description), f_(draft.flow), arithmetic_(d_), fixed_(fixed_nodes(f_)) {}

  bool run() {
    for (NodeId node : f_.nodes()) {
      if (f_.out(node).size() > 1 && f_.out(node).size() < 200) tabulate(node);
    }
    if (changed_) f_.rebuild();
    return changed_;
  }

 private:
  void tabulate(NodeId node) {
    // Groups alternatives by the tested expression, the kind of step and its target.
    using Key = std::tuple<Do, std::uint32_t, Do, std::uint32_t, NodeId>;
    std::map<Key, std::vector<Alternative>> groups;
    for (EdgeId id : f_.out(node)) {
      const FlowGraph::Edge& test = f_.edge(id);
      if (fixed_[test.to] != 0 || f_.in(test.to).size() != 1 || f_.out(test.to).size() != 1) continue;
      const EdgeId next = f_.out(test.to).front();
      const FlowGraph::Edge& step = f_.edge(next);
      if (step.step.modifier != 0 || test.step.negated || step.to == test.to || step.to == node) continue;
      Alternative found{id, next, 0, 0};
      std::uint32_t asked = 0, target = 0;
      if (test.step.kind == Do::compare && test.step.relation == Comparison::equal) {
        const ArithNode& left = d_.expressions.arith(test.step.left);
        const auto key = constant_of(d_, test.step.right);
        if (left.kind != Arith::variable || !key) continue;
        if (*key > arithmetic_.largest(static_cast<std::uint32_t>(left.value))) continue;
        found.key = *key;
        asked = static_cast<std::uint32_t>(left.value);
      } else if (test.step.kind == Do::on && test.step.at == kNone) {
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
    const FlowStep test = f_.edge(list.front().test).step;
    const FlowGraph::Edge last = f_.edge(list.front().step);
    FlowStep step{.kind = last.step.kind == Do::off ? Do::put : Do::code, .where = last.step.where};
    FlowGraph::Table table;
    for (const Alternative& alternative : list) table.emplace_back(alternative.key, alternative.value);
    step.at = test.kind == Do::compare ? asked : kNone;
    step.index = last.step.kind == Do::off ? asked : last.step.index;
    step.table = f_.add_table(table);
    const NodeId middle = f_.add_node();
    FlowStep guard{.kind = Do::among, .where = test.where};
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
  FlowGraph& f_;
  Arithmetic arithmetic_;
  ByNode<char> fixed_;
  bool changed_ = false;
};

}  // namespace

bool tabulate_choices(Draft& draft) { return Tabulator(draft).run(); }

}  // namespace rgtrans::rbg
