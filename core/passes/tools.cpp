#include "core/passes/tools.hpp"

#include <algorithm>

namespace rgtrans::passes {

using ir::ExprId;
using ir::ExprKind;
using ir::Label;
using ir::NodeId;

std::vector<ir::EdgeId> changed_edges(const ir::Game& game, const PassContext& context) {
  std::vector<ir::EdgeId> edges;
  const auto journal = game.graph.journal();
  if (context.seen == 0 || journal.size() - context.seen >= game.graph.edge_bound()) {
    for (ir::EdgeId edge : game.graph.edges()) edges.push_back(edge);
    return edges;
  }
  const auto fresh = journal.subspan(context.seen);
  edges.assign(fresh.begin(), fresh.end());
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [&](ir::EdgeId edge) { return !game.graph.alive(edge); });
  return edges;
}

void leave_out(const PassContext& context, std::string_view note) {
  if (context.notes == nullptr || std::ranges::find(*context.notes, note) != context.notes->end()) return;
  context.notes->emplace_back(note);
}

bool remove_if_isolated(ir::Game& game, NodeId node, const analysis::EndPoints& ends) {
  if (!game.graph.alive(node) || game.graph.in_degree(node) > 0 || game.graph.out_degree(node) > 0) return false;
  if (node == game.begin() || node == game.end()) return false;
  if (node.value < ends.starts.size() && ends.any(node)) return false;
  game.graph.remove_node(node);
  return true;
}

std::size_t rename_end_points(ir::Game& game, const std::vector<NodeId>& map) {
  std::size_t changes = 0;
  auto renamed = [&](NodeId node) {
    return node.value < map.size() && map[node.value].valid() ? map[node.value] : node;
  };
  for (ir::EdgeId edge : game.graph.edges()) {
    const auto* check = std::get_if<ir::Reachability>(&game.graph.label(edge));
    if (check == nullptr) continue;
    const ir::Reachability now{renamed(check->from), renamed(check->to), check->negated};
    if (now == *check) continue;
    game.graph.set_label(edge, now);
    ++changes;
  }
  return changes;
}

bool compatible(const ir::Game& game, ir::TypeId a, ir::TypeId b) {
  if (a == b) return a.valid();
  a = game.resolve(a);
  b = game.resolve(b);
  if (!a.valid() || !b.valid()) return false;
  if (a == b) return true;
  const ir::Types& types = game.types;
  if (types.kind(a) != types.kind(b)) return false;
  if (types.kind(a) == ir::TypeKind::arrow) {
    return compatible(game, types.from(a), types.from(b)) && compatible(game, types.to(a), types.to(b));
  }
  if (types.members(a).size() > types.members(b).size()) std::swap(a, b);
  return std::ranges::any_of(types.members(a), [&](SymbolId m) { return types.index_of(b, m) >= 0; });
}

bool well_typed(const ir::Game& game, ExprId expression) {
  const ir::Expressions& e = game.expressions();
  switch (e.kind(expression)) {
    case ExprKind::access: {
      if (!well_typed(game, e.map(expression)) || !well_typed(game, e.index(expression))) return false;
      const ir::TypeId map = game.resolve(e.type(e.map(expression)));
      if (!map.valid() || game.types.kind(map) != ir::TypeKind::arrow) return false;
      return game.is_set(e.type(e.index(expression))) &&
             compatible(game, game.types.from(map), e.type(e.index(expression)));
    }
    case ExprKind::cast:
      return well_typed(game, e.operand(expression)) &&
             compatible(game, e.cast_type(expression), e.type(e.operand(expression)));
    case ExprKind::symbol:
    case ExprKind::constant:
    case ExprKind::variable:
      break;
  }
  return e.type(expression).valid();
}

bool well_typed(const ir::Game& game, const Label& label) {
  auto both = [&](ExprId a, ExprId b) {
    return well_typed(game, a) && well_typed(game, b) &&
           compatible(game, game.expressions().type(a), game.expressions().type(b));
  };
  if (const auto* c = std::get_if<ir::Compare>(&label)) return both(c->lhs, c->rhs);
  if (const auto* a = std::get_if<ir::Assign>(&label)) return both(a->lhs, a->rhs);
  if (const auto* a = std::get_if<ir::AssignAny>(&label)) return well_typed(game, a->lhs);
  return true;
}

ExprId substitute(ir::Game& game, ExprId in, ir::VarId variable, ExprId by) {
  const ir::Expressions& e = game.expressions();
  switch (e.kind(in)) {
    case ExprKind::variable:
      return e.variable(in) == variable ? by : in;
    case ExprKind::access: {
      const ExprId old_index = e.index(in);
      const ExprId old_map = e.map(in);
      const ExprId map = substitute(game, old_map, variable, by);
      const ExprId index = substitute(game, old_index, variable, by);
      return map == old_map && index == old_index ? in : game.access(map, index);
    }
    case ExprKind::cast: {
      const ir::TypeId type = e.cast_type(in);
      const ExprId old = e.operand(in);
      const ExprId operand = substitute(game, old, variable, by);
      return operand == old ? in : game.cast(type, operand);
    }
    case ExprKind::symbol:
    case ExprKind::constant:
      break;
  }
  return in;
}

namespace {

// In the indices of a left side.
ExprId substitute_indices(ir::Game& game, ExprId lhs, ir::VarId variable, ExprId by) {
  const ir::Expressions& e = game.expressions();
  if (e.kind(lhs) == ExprKind::access) {
    const ExprId old_index = e.index(lhs);
    const ExprId old_map = e.map(lhs);
    const ExprId map = substitute_indices(game, old_map, variable, by);
    const ExprId index = substitute(game, old_index, variable, by);
    return map == old_map && index == old_index ? lhs : game.access(map, index);
  }
  if (e.kind(lhs) == ExprKind::cast) {
    const ir::TypeId type = e.cast_type(lhs);
    return game.cast(type, substitute_indices(game, e.operand(lhs), variable, by));
  }
  return lhs;
}

}  // namespace

std::optional<Label> substitute(ir::Game& game, const Label& label, ir::VarId variable, ExprId by) {
  if (const auto* c = std::get_if<ir::Compare>(&label)) {
    const ir::Compare old = *c;
    return Label(
        ir::Compare{substitute(game, old.lhs, variable, by), substitute(game, old.rhs, variable, by), old.negated});
  }
  if (const auto* a = std::get_if<ir::Assign>(&label)) {
    const ir::Assign old = *a;
    return Label(ir::Assign{substitute_indices(game, old.lhs, variable, by), substitute(game, old.rhs, variable, by)});
  }
  if (const auto* a = std::get_if<ir::AssignAny>(&label)) {
    const ir::AssignAny old = *a;
    return Label(ir::AssignAny{substitute_indices(game, old.lhs, variable, by), old.type});
  }
  if (const auto* t = std::get_if<ir::TagVariable>(&label); t != nullptr && t->variable == variable) {
    const ExprId plain = game.expressions().uncast(by);
    if (game.expressions().kind(plain) == ExprKind::variable)
      return Label(ir::TagVariable{game.expressions().variable(plain)});
    if (const auto symbol = game.constant_symbol(plain)) return Label(ir::Tag{*symbol});
    return std::nullopt;
  }
  return label;
}

void drop_stale_pragmas(ir::Game& game) {
  const ir::Automaton& graph = game.graph;
  auto gone = [&](NodeId node) { return !node.valid() || node.value >= graph.node_bound() || !graph.alive(node); };
  auto gone_variable = [&](ir::VarId v) { return !game.variable(v).alive; };
  std::erase_if(game.pragmas, [&](ir::Pragma& pragma) {
    return std::visit(ir::Overloaded{
                          [&](ir::Disjoint&) { return true; },
                          [&](ir::SimpleApply&) { return true; },
                          [&](ir::Iterator&) { return true; },
                          [&](ir::Repeat& p) {
                            std::erase_if(p.nodes, gone);
                            return p.nodes.empty() || std::ranges::any_of(p.variables, gone_variable);
                          },
                          [&](ir::Unique& p) {
                            std::erase_if(p.nodes, gone);
                            return p.nodes.empty();
                          },
                          [&](ir::TagIndex&) { return true; },
                          [](auto&) { return false; },
                      },
                      pragma.content);
  });
}

ir::TypeId alias_of(const ir::Game& game, ir::TypeId type) {
  for (const ir::TypeDef& def : game.type_defs()) {
    if (def.alive && def.type == type) return const_cast<ir::Game&>(game).types.alias(def.name);
  }
  return type;
}

ir::TypeId named_set(ir::Game& game, ir::TypeId of, const std::vector<SymbolId>& members) {
  const ir::TypeId set = game.types.set(members);
  const ir::TypeId known = alias_of(game, set);
  if (known != set) return known;
  const bool alias = game.types.kind(of) == ir::TypeKind::alias;
  const std::string stem = alias ? game.symbols.str(game.types.alias_name(of)) : "Choice";
  std::string name;
  for (std::size_t k = 1; name.empty() || game.symbols.find(name).valid(); ++k) name = stem + "_" + std::to_string(k);
  const SymbolId symbol = game.symbols.intern(name);
  game.define_type(symbol, set);
  return game.types.alias(symbol);
}

}  // namespace rgtrans::passes
