// direct-choices: if a choice x = T(*) serves only to compute another variable, as in y = f[y][x], chooses the value of
// that variable directly. The possible values of f[y][x] must be the same for every value of y that is possible there,
// and x must be dead behind the assignment. A comparison with such an expression qualifies, too, if y is dead behind
// it.
//
// All edges into the node between the two must be such choices, the assignment must be its only outgoing edge, and no
// check may start or end there. No move of random may pass, because the value of x would distinguish its results. Runs
// only on request; the C++ back end requests it.
//
//   a, b: x = T(*);   b, c: y = f[y][x];      =>      type T_1 = { 2, 3 };   a, b: y = T_1(*);   b, c: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

namespace {

constexpr std::size_t kMostRows = 2048;  // limit on the rows of an evaluated table

class DirectChoices {
 public:
  DirectChoices(ir::Game& game, analysis::Cache& analyses)
      : game_(game),
        flow_(analyses.flow()),
        liveness_(analyses.liveness()),
        values_(game, flow_, kMostRows),
        ends_(game),
        random_(game, flow_) {}

  std::size_t run() {
    std::vector<Choice> found;  // collected first: the analyses describe the unchanged game
    for (const NodeId node : reached_nodes(game_, flow_)) {
      if (Choice choice = choice_before(node); !choice.members.empty()) found.push_back(std::move(choice));
    }
    for (const Choice& choice : found) {
      const ir::ExprId target = game_.variable_ref(choice.variable);
      claim(choice);
      const ir::TypeId type = named_set(game_, game_.variable(choice.variable).type, choice.members);
      for (const EdgeId in : game_.graph.in_edge_list(choice.node))
        game_.graph.set_label(in, ir::AssignAny{target, type});
      game_.graph.set_label(*game_.graph.out_edges(choice.node).begin(), choice.behind);
    }
    return found.size();
  }

 private:
  struct Choice {
    NodeId node;  // the node after the choice
    VarId variable;
    std::vector<SymbolId> members;
    ir::Label behind;  // the remaining label after the node
  };

  // Claims that the expression can have only the chosen values, and that the replaced variables are not read
  // afterwards.
  void claim(const Choice& choice) {
    if (!game_.claims.wanted()) return;
    const EdgeId out = *game_.graph.out_edges(choice.node).begin();
    const Range where = game_.graph.where(out);
    const auto* assign = std::get_if<ir::Assign>(&game_.graph.label(out));
    const VarId x = ir::written_variable(game_, game_.graph.label(*game_.graph.in_edges(choice.node).begin()));
    if (assign != nullptr) game_.claims.add(kName, ir::OneOf{out, assign->rhs, choice.members}, where);
    if (assign == nullptr) game_.claims.add(kName, ir::Unread{out, choice.variable, {}}, where);
    if (x != choice.variable) game_.claims.add(kName, ir::Unread{out, x, {}}, where);
  }

  // The replacement for the choice before the node; without members if there is none.
  [[nodiscard]] Choice choice_before(NodeId node) {
    const auto& graph = game_.graph;
    if (!ends_.inner(node) || graph.out_degree(node) != 1 || graph.in_degree(node) == 0) return {};
    if (!values_.possible(node) || random_.inside[flow_.index(node)]) return {};
    const EdgeId out = *graph.out_edges(node).begin();
    const NodeId behind = graph.target(out);
    const auto* any = std::get_if<ir::AssignAny>(&graph.label(*graph.in_edges(node).begin()));
    if (any == nullptr || !ir::writes_whole(game_, ir::Label(*any)) || behind == game_.end()) return {};
    for (const EdgeId in : graph.in_edges(node)) {
      if (graph.label(in) != ir::Label(*any)) return {};
    }
    const VarId x = game_.assigned_variable(any->lhs);
    Choice choice{node, {}, {}, ir::Empty{}};
    ir::ExprId expression;
    if (const auto* assign = std::get_if<ir::Assign>(&graph.label(out)); assign != nullptr) {
      if (!ir::writes_whole(game_, *assign) || game_.is_player_assignment(*assign)) return {};
      choice.variable = game_.assigned_variable(assign->lhs);
      expression = assign->rhs;
    } else if (const auto* compare = std::get_if<ir::Compare>(&graph.label(out)); compare != nullptr) {
      expression = compared(*compare, x);
      if (!expression.valid()) return {};
      choice.variable = other_variable(expression, x);
      if (liveness_.live(choice.variable, behind)) return {};
      const ir::ExprId by = game_.variable_ref(choice.variable);
      choice.behind =
          ir::Compare{replaced(compare->lhs, expression, by), replaced(compare->rhs, expression, by), compare->negated};
    } else {
      return {};
    }
    if (!game_.is_set(game_.variable(choice.variable).type)) return {};
    if (choice.variable != x && liveness_.live(x, behind)) return {};
    choice.members = same_for_all(expression, choice.variable, *any, node);
    return choice;
  }

  // The only part of a comparison that reads x and another variable, if the comparison reads both nowhere else.
  [[nodiscard]] ir::ExprId compared(const ir::Compare& compare, VarId x) const {
    const ir::Expressions& e = game_.expressions();
    ir::ExprId found;
    bool alone = true;
    for (const ir::ExprId side : {compare.lhs, compare.rhs}) {
      ir::visit_parts(e, side, [&](ir::ExprId part) {
        const bool table = e.kind(part) == ir::ExprKind::access && e.kind(e.root(part)) == ir::ExprKind::constant;
        if (!table || !other_variable(part, x).valid()) return true;
        alone = alone && (!found.valid() || found == part);
        found = part;
        return false;
      });
    }
    if (!found.valid() || !alone) return {};
    const VarId other = other_variable(found, x);
    for (const ir::ExprId side : {compare.lhs, compare.rhs}) {
      ir::visit_parts(e, side, [&](ir::ExprId part) {
        alone =
            alone && (e.kind(part) != ir::ExprKind::variable || (e.variable(part) != x && e.variable(part) != other));
        return part != found;
      });
    }
    return alone ? found : ir::ExprId();
  }

  // The variable that an expression reads in addition to x, if there is exactly one.
  [[nodiscard]] VarId other_variable(ir::ExprId expression, VarId x) const {
    VarId other;
    bool reads = false;
    bool one = true;
    game_.for_each_variable(expression, [&](VarId v) {
      reads = reads || v == x;
      one = one && (v == x || !other.valid() || v == other);
      if (v != x) other = v;
    });
    return reads && one ? other : VarId();
  }

  ir::ExprId replaced(ir::ExprId in, ir::ExprId part, ir::ExprId by) {
    const ir::Expressions& e = game_.expressions();
    if (in == part) return by;
    if (e.kind(in) == ir::ExprKind::cast) return game_.cast(e.type(in), replaced(e.operand(in), part, by));
    if (e.kind(in) != ir::ExprKind::access) return in;
    const ir::ExprId index = e.index(in);
    return game_.access(replaced(e.map(in), part, by), replaced(index, part, by));
  }

  // The values of the expression over all members of the choice, if they are the same for all values of `variable`.
  [[nodiscard]] std::vector<SymbolId> same_for_all(ir::ExprId expression, VarId variable, const ir::AssignAny& any,
                                                   NodeId node) {
    constexpr std::size_t kMostFolded = 1 << 16;
    const ir::Expressions& e = game_.expressions();
    const VarId x = game_.assigned_variable(any.lhs);
    const VarId other = other_variable(expression, x);
    if (!other.valid() || !game_.is_set(game_.variable(other).type)) return {};
    const std::vector<SymbolId> rows = values_.sets().of(values_.values(game_.variable_ref(other), node));
    const auto span = game_.members(any.type);
    const std::vector<SymbolId> members(span.begin(), span.end());
    if (rows.size() * members.size() > kMostFolded) return {};
    const ir::TypeId type = game_.variable(variable).type;
    std::vector<SymbolId> result;
    for (const SymbolId row : rows) {
      std::vector<SymbolId> values;
      for (const SymbolId member : members) {
        const auto bound = [&](ir::ExprId part) {
          if (e.kind(part) != ir::ExprKind::variable) return ir::Folded{};
          return ir::Folded{e.variable(part) == x ? member : row, {}};
        };
        values.push_back(ir::fold(game_, expression, bound).symbol);
        if (!values.back().valid() || game_.index_of(type, values.back()) < 0) return {};
      }
      std::ranges::sort(values);
      if (std::ranges::adjacent_find(values) != values.end() || (!result.empty() && values != result)) return {};
      result = std::move(values);
    }
    return in_order_of(type, result);
  }

  [[nodiscard]] std::vector<SymbolId> in_order_of(ir::TypeId type, std::vector<SymbolId> members) const {
    std::ranges::sort(members, {}, [&](SymbolId member) { return game_.index_of(type, member); });
    return members;
  }

  static constexpr std::string_view kName = "direct-choices";
  ir::Game& game_;
  const analysis::Flow& flow_;
  const analysis::Liveness& liveness_;
  analysis::ValueSets values_;  // more precise than the analysis that all passes share
  const analysis::EndPoints ends_;
  const analysis::RandomMoves random_;
};

}  // namespace

std::size_t direct_choices(ir::Game& game, const PassContext& context) {
  return DirectChoices(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
