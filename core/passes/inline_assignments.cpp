// inline-assignments: forward substitution. After x = e, replaces a later read of x by e if x and every variable in e
// have the same value there as here. The pass compares value versions to decide this.
//
// Symbols, constants and other variables are always substituted. A larger expression is substituted only if it stays
// small and the assignment then disappears: no read may remain, no merge of versions may need it, and it may not tell
// apart the states behind moves of random (see random_moves.hpp). Definitions are processed in an order in which e
// already contains earlier substitutions, so that one run resolves whole chains.
//
//   begin, a: k = n[l];   a, b: k != r;   b, c: l = k;   c, end: $ t;    =>    a, b: n[l] != r;   b, c: l = n[l];   …

#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::passes {

using analysis::Version;
using ir::EdgeId;
using ir::ExprId;
using ir::ExprKind;
using ir::Label;
using ir::VarId;

namespace {

class InlineAssignments {
 public:
  InlineAssignments(ir::Game& game, analysis::Cache& analyses)
      : game_(game), flow_(analyses.flow()), versions_(analyses.versions()) {}

  std::size_t run() {
    collect();
    collect_results_of_random();
    for (const analysis::FlowEdge& e : flow_.edges()) {
      check_wanted();
      if (e.edge.valid() && !e.call) visit(e);
    }
    relabelling_.claim();
    return changes_;
  }

 private:
  struct Use {
    EdgeId edge;
    std::uint32_t occurrences;
    bool root;  // a cell write, which changes the variable itself
  };
  struct Reads {
    std::vector<Use> uses;
  };

  void collect() {
    reads_.resize(versions_.size());
    for (const analysis::FlowEdge& e : flow_.edges()) {
      if (!e.edge.valid() || e.call) continue;
      const Label& label = game_.graph.label(e.edge);
      const ir::NodeId node = flow_.node(e.from);
      auto note = [&](VarId v, bool root) {
        auto& uses = reads_[versions_.at(v, node)].uses;
        if (uses.empty() || uses.back().edge != e.edge) uses.push_back({e.edge, 0, false});
        if (root) {
          uses.back().root = true;
        } else {
          ++uses.back().occurrences;
        }
      };
      ir::for_each_read(game_, label, [&](VarId v) { note(v, false); });
      const VarId written = ir::written_variable(game_, label);
      if (written.valid() && !ir::writes_whole(game_, label)) note(written, true);
    }
  }

  // Marks the versions that the state has where a move of random ends.
  void collect_results_of_random() {
    result_of_random_.assign(versions_.size(), false);
    const analysis::RandomMoves random(game_, flow_);
    if (!random.any()) return;
    for (std::uint32_t i = 1; i < flow_.size(); ++i) {
      if (!random.ends[i]) continue;
      random.end_written[i].for_each(
          [&](std::size_t v) { result_of_random_[versions_.at(VarId(v), flow_.node(i))] = true; });
    }
  }

  void visit(const analysis::FlowEdge& e) {
    const Label label = game_.graph.label(e.edge);
    const auto* assign = std::get_if<ir::Assign>(&label);
    if (assign == nullptr || !ir::writes_whole(game_, label)) return;
    const VarId x = game_.assigned_variable(assign->lhs);
    if (game_.built_in(x)) return;
    const ExprId rhs = game_.expressions().uncast(assign->rhs);
    const Version version = versions_.made_by(e.edge);
    Reads& reads = reads_[version];
    if (reads.uses.empty()) return;

    const ir::NodeId here = flow_.node(e.from);
    const ExprKind kind = game_.expressions().kind(rhs);
    const bool name = kind != ExprKind::access;
    const bool everywhere = !versions_.merged(version) && !result_of_random_[version];
    std::size_t occurrences = 0;
    bool all = everywhere;
    for (const Use& use : reads.uses) {
      occurrences += use.occurrences;
      if (use.root || !possible(use, x, rhs, here)) all = false;
    }
    if (!name && (!all || !cheap(rhs, occurrences))) return;
    if (!all && ir::reads(game_, rhs, x)) return;
    bool replaced_all = everywhere;
    ir::Unread unread{e.edge, {}, {}};
    // An expression that reads the old value of x changes its meaning where x has the new value.
    const bool old_value = ir::reads(game_, rhs, x) || old_values_.contains(e.edge);
    for (const Use& use : reads.uses) {
      if (use.root || !possible(use, x, rhs, here)) {
        replaced_all = false;
        continue;
      }
      const auto now = substitute(game_, game_.graph.label(use.edge), x, rhs);
      if (old_value) {
        old_values_.insert(use.edge);
        relabelling_.forget(use.edge);
      } else if (!old_values_.contains(use.edge)) {
        relabelling_.note(use.edge);
      }
      unread.readers.push_back(use.edge);
      game_.graph.set_label(use.edge, *now);
      ++changes_;
    }
    if (!replaced_all) return;
    game_.claims.add(kName, std::move(unread), game_.graph.where(e.edge));
    relabelling_.forget(e.edge);
    game_.graph.set_label(e.edge, ir::Empty{});
  }

  // Whether substitution is correct at this place and leaves a well-typed label. An expression that reads x itself, as
  // in x = f[x], is substituted only if the assignment disappears; x then keeps its old value up to this place.
  bool possible(const Use& use, VarId x, ExprId rhs, ir::NodeId here) {
    check_wanted();
    const ir::NodeId there = game_.graph.source(use.edge);
    bool same = true;
    game_.for_each_variable(
        rhs, [&](VarId y) { same = same && (y == x || versions_.at(y, here) == versions_.at(y, there)); });
    if (!same) return false;
    const Label label = game_.graph.label(use.edge);
    const auto now = substitute(game_, label, x, rhs);
    return now && (*now == label || ir::well_typed(game_, *now));
  }

  // Whether substitution keeps labels small and repeats no expensive evaluation.
  bool cheap(ExprId rhs, std::size_t occurrences) const {
    constexpr std::size_t kLargest = 12;
    const std::size_t size = ir::expression_size(game_, rhs);
    return size <= kLargest && (occurrences <= 1 || size * occurrences <= 2 * kLargest);
  }

  ir::Game& game_;
  const analysis::Flow& flow_;
  const analysis::Versions& versions_;
  static constexpr std::string_view kName = "inline-assignments";
  std::vector<Reads> reads_;            // by version
  std::vector<bool> result_of_random_;  // by version
  Relabelling relabelling_{game_, kName};
  std::set<EdgeId> old_values_;  // edges that read the value of a variable before an assignment that disappears
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t inline_assignments(ir::Game& game, const PassContext& context) {
  return InlineAssignments(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
