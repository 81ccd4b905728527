// propagate-values: conditional constant propagation over value sets. Removes comparisons that cannot hold, empties
// those that always hold, and replaces an expression with a single possible value by that value, also in tag variables.
// On a loop through `begin`, the initial values remain possible.
//
//   var k: C = r;   const f: C -> C = { r: g, :b };
//   begin, a: l = C(*);   a, b: l == f[k];   b, c: k != r;      =>      begin, a: l = C(*);   a, b: l == g;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::ExprKind;
using ir::NodeId;

namespace {

class PropagateValues {
 public:
  PropagateValues(ir::Game& game, analysis::Cache& analyses)
      : game_(game), flow_(analyses.flow()), values_(analyses.values()) {}

  std::size_t run() {
    for (std::uint32_t i = 1; i < flow_.size(); ++i) {
      const NodeId node = flow_.node(i);
      if (!values_.possible(node)) continue;
      for (EdgeId edge : game_.graph.out_edge_list(node)) visit(edge, node);
    }
    return changes_ + remove_unwalked(game_, unwalked_);
  }

 private:
  void visit(EdgeId edge, NodeId node) {
    check_wanted();
    const ir::Label old = game_.graph.label(edge);
    if (const auto* c = std::get_if<ir::Compare>(&old)) {
      if (const Truth holds = values_.holds(*c, node); holds != Truth::unknown) {
        if (holds == Truth::no) {
          claim_impassable(game_, kName, edge);
          unwalked_.push_back(edge);
          return;
        }
        relabelling_.set_label(edge, ir::Empty{});
        ++changes_;
        return;
      }
    }
    ir::Label now = ir::rewrite_reads(game_, old, [&](ExprId part) { return symbol_for(part, node); });
    if (const auto* t = std::get_if<ir::TagVariable>(&old)) {
      const SymbolId symbol = values_.sets().single(values_.values(game_.variable_ref(t->variable), node));
      if (symbol.valid()) now = ir::Tag{symbol};
    }
    if (now == old || !ir::well_typed(game_, now)) return;
    relabelling_.set_label(edge, now);
    ++changes_;
  }

  // The only possible symbol of an expression, or none.
  ExprId symbol_for(ExprId expression, NodeId node) {
    const ir::Expressions& e = game_.expressions();
    if (e.kind(expression) == ExprKind::symbol || !game_.is_set(e.type(expression))) return {};
    const SymbolId symbol = values_.sets().single(values_.values(expression, node));
    // A symbol with the same name as a declaration cannot be written in an expression.
    const bool free = symbol.valid() && !game_.find_variable(symbol).valid() && !game_.find_constant(symbol).valid();
    return free ? game_.symbol(symbol) : ExprId();
  }

  static constexpr std::string_view kName = "propagate-values";
  ir::Game& game_;
  const analysis::Flow& flow_;
  analysis::ValueSets& values_;
  Relabelling relabelling_{game_, kName};
  std::vector<EdgeId> unwalked_;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t propagate_values(ir::Game& game, const PassContext& context) {
  return PropagateValues(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
