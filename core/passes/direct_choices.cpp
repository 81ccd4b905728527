// direct-choices: where a choice x = T(*) is there only to compute another variable from it, y = f[y][x], that one is
// chosen: its values are the same ones from everywhere, each made by one member of T. They must be so for all values
// that the other variables of the expression can have there; x must not be needed behind it. All ways into the node
// between are such choices, the assignment is its only way out, and no check starts or ends there. No move of random
// passes, because what x holds would tell its results apart. Runs only when named: the C++ back end names it.
//
//   a, b: x = T(*);   b, c: y = f[y][x];      =>      type T_1 = { 2, 3 };   a, b: y = T_1(*);   b, c: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

namespace {

constexpr std::size_t kMostRows = 2048;  // of a table that is asked

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
    struct Found {
      NodeId node;
      std::vector<SymbolId> members;
    };
    std::vector<Found> found;  // the analyses know the game as it was
    for (const NodeId node : reached_nodes(game_, flow_)) {
      if (std::vector<SymbolId> members = chosen(node); !members.empty()) found.push_back({node, std::move(members)});
    }
    for (const Found& row : found) {
      const EdgeId out = *game_.graph.out_edges(row.node).begin();
      const ir::ExprId target = std::get<ir::Assign>(game_.graph.label(out)).lhs;
      const ir::TypeId type = named_set(game_, game_.variable(game_.assigned_variable(target)).type, row.members);
      for (const EdgeId in : game_.graph.in_edge_list(row.node)) game_.graph.set_label(in, ir::AssignAny{target, type});
      game_.graph.set_label(out, ir::Empty{});
    }
    return found.size();
  }

 private:
  // What is assigned behind the node, for the members of the choice before it; nothing where the rule does not apply.
  [[nodiscard]] std::vector<SymbolId> chosen(NodeId node) {
    const auto& graph = game_.graph;
    if (!ends_.inner(node) || graph.out_degree(node) != 1 || graph.in_degree(node) == 0) return {};
    if (!values_.possible(node) || random_.inside[flow_.index(node)]) return {};
    const EdgeId out = *graph.out_edges(node).begin();
    const ir::Label& label = graph.label(out);
    const auto* assign = std::get_if<ir::Assign>(&label);
    const auto* any = std::get_if<ir::AssignAny>(&graph.label(*graph.in_edges(node).begin()));
    if (assign == nullptr || any == nullptr || !ir::writes_whole(game_, label) || game_.is_player_assignment(label))
      return {};
    for (const EdgeId in : graph.in_edges(node)) {
      if (graph.label(in) != ir::Label(*any)) return {};
    }
    if (!ir::writes_whole(game_, ir::Label(*any)) || !game_.is_set(game_.expressions().type(assign->lhs))) return {};
    const VarId x = game_.assigned_variable(any->lhs);
    const NodeId behind = graph.target(out);
    if (game_.assigned_variable(assign->lhs) != x && (behind == game_.end() || liveness_.live(x, behind))) return {};
    return same_for_all(*assign, *any, x, node);
  }

  // The values of the expression, if they are the same for all values of the variables but x.
  [[nodiscard]] std::vector<SymbolId> same_for_all(const ir::Assign& assign, const ir::AssignAny& any, VarId x,
                                                   NodeId node) {
    constexpr std::size_t kMostFolded = 1 << 16;
    const ir::Expressions& e = game_.expressions();
    std::vector<VarId> others;
    bool reads = false;
    bool scalars = true;
    ir::for_each_read(game_, assign, [&](VarId v) {
      reads = reads || v == x;
      scalars = scalars && game_.is_set(game_.variable(v).type);
      if (v != x && std::ranges::find(others, v) == others.end()) others.push_back(v);
    });
    if (!reads || !scalars || others.size() != 1) return {};
    const std::vector<SymbolId> rows = values_.sets().of(values_.values(game_.variable_ref(others[0]), node));
    const auto span = game_.members(any.type);
    const std::vector<SymbolId> members(span.begin(), span.end());
    if (rows.size() * members.size() > kMostFolded) return {};
    const ir::TypeId type = game_.variable(game_.assigned_variable(assign.lhs)).type;
    std::vector<SymbolId> result;
    for (const SymbolId row : rows) {
      std::vector<SymbolId> values;
      for (const SymbolId member : members) {
        const auto bound = [&](ir::ExprId part) {
          if (e.kind(part) != ir::ExprKind::variable) return ir::Folded{};
          return ir::Folded{e.variable(part) == x ? member : row, {}};
        };
        values.push_back(ir::fold(game_, assign.rhs, bound).symbol);
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

  ir::Game& game_;
  const analysis::Flow& flow_;
  const analysis::Liveness& liveness_;
  analysis::ValueSets values_;  // knows more than the passes that are always run
  const analysis::EndPoints ends_;
  const analysis::RandomMoves random_;
};

}  // namespace

std::size_t direct_choices(ir::Game& game, const PassContext& context) {
  return DirectChoices(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
