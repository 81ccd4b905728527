// known-conditions: empties a comparison or check that certainly holds, and removes an edge whose condition certainly
// fails. A condition is known if every path to it tests it, or an assignment implies it, and no variable that it reads
// was written since. Similarly, the pass replaces a lookup by a symbol or variable that it certainly equals. This
// forwards a value from the write of a map's cell to its read.
//
//   a, b: m[x] == r;   b, c: y = T(*);   c, d: m[x] == r;   c, e: m[x] == g;      =>      …   c, d: ;
//   a, b: m[x] = y;    b, c: f[m[x]] == r;                                        =>      …   b, c: f[y] == r;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::passes {

using ir::ExprId;
using ir::ExprKind;

namespace {

class Known {
 public:
  Known(ir::Game& game, const analysis::Flow& flow) : game_(game), flow_(flow), known_(game, flow) {}

  std::size_t run() {
    for (std::uint32_t i = 1; i < flow_.size(); ++i) {
      const ir::NodeId node = flow_.node(i);
      if (!known_.possible(node)) continue;
      for (ir::EdgeId edge : game_.graph.out_edges(node)) visit(edge, node);
    }
    Relabelling relabelling(game_, kName);
    for (const Change& change : changes_) relabelling.set_label(change.edge, change.label);
    for (const ir::EdgeId edge : unwalked_) claim_impassable(game_, kName, edge);
    return changes_.size() + remove_unwalked(game_, unwalked_);
  }

 private:
  struct Change {
    ir::EdgeId edge;
    ir::Label label;
  };

  static constexpr std::string_view kName = "known-conditions";

  void visit(ir::EdgeId edge, ir::NodeId node) {
    check_wanted();
    const ir::Label label = game_.graph.label(edge);
    if (ir::is_condition(label)) {
      const Truth answer = known_.ask(label, node);
      if (answer == Truth::yes) changes_.push_back({edge, ir::Empty{}});
      if (answer == Truth::no) unwalked_.push_back(edge);
      if (answer != Truth::unknown) return;
    }
    if (const auto* assign = std::get_if<ir::Assign>(&label); assign != nullptr && !game_.is_player_assignment(label)) {
      // An assignment x = e has no effect if x == e is known.
      if (known_.ask(ir::Compare{assign->lhs, assign->rhs, false}, node) == Truth::yes) {
        changes_.push_back({edge, ir::Empty{}});
        return;
      }
    }
    const ir::Label now = ir::rewrite_reads(game_, label, [&](ExprId part) {
      return game_.expressions().kind(part) == ExprKind::access ? known_.equal_name(part, node) : ExprId();
    });
    if (now != label && ir::well_typed(game_, now)) changes_.push_back({edge, now});
  }

  ir::Game& game_;
  const analysis::Flow& flow_;
  analysis::KnownConditions known_;
  std::vector<Change> changes_;
  std::vector<ir::EdgeId> unwalked_;
};

}  // namespace

std::size_t known_conditions(ir::Game& game, const PassContext& context) {
  return Known(game, context.analyses->flow()).run();
}

}  // namespace rgtrans::passes
