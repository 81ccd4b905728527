#include "core/passes/tools.hpp"

#include <algorithm>

#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"

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
  sort_unique(edges);
  std::erase_if(edges, [&](ir::EdgeId edge) { return !game.graph.alive(edge); });
  return edges;
}

void leave_out(const PassContext& context, std::string_view note) {
  if (context.notes == nullptr || std::ranges::find(*context.notes, note) != context.notes->end()) return;
  context.notes->emplace_back(note);
}

void Relabelling::claim(ir::EdgeId edge, const Label& before, const Label& now) {
  if (before == now) return;
  const bool dropped = ir::is_condition(before) && std::holds_alternative<ir::Empty>(now);
  if (dropped) {
    game_.claims.add(pass_, ir::Passable{edge, true}, game_.graph.where(edge));
  } else {
    game_.claims.add(pass_, ir::SameEffect{edge, now}, game_.graph.where(edge));
  }
}

void Relabelling::set_label(ir::EdgeId edge, const Label& label) {
  if (game_.claims.wanted()) claim(edge, game_.graph.label(edge), label);
  game_.graph.set_label(edge, label);
}

void Relabelling::note(ir::EdgeId edge) {
  if (game_.claims.wanted()) noted_.emplace_back(edge, game_.graph.label(edge));
}

void Relabelling::forget(ir::EdgeId edge) {
  if (game_.claims.wanted()) forgotten_.insert(edge);
}

void Relabelling::claim() {
  std::ranges::stable_sort(noted_, {}, &std::pair<ir::EdgeId, Label>::first);
  for (std::size_t i = 0; i < noted_.size(); ++i) {
    const auto& [edge, before] = noted_[i];
    if ((i == 0 || noted_[i - 1].first != edge) && !forgotten_.contains(edge))
      claim(edge, before, game_.graph.label(edge));
  }
}

bool remove_if_isolated(ir::Game& game, NodeId node, const analysis::EndPoints& ends) {
  if (!game.graph.alive(node) || game.graph.in_degree(node) > 0 || game.graph.out_degree(node) > 0) return false;
  if (!ends.inner(node)) return false;
  game.graph.remove_node(node);
  return true;
}

std::size_t remove_unwalked(ir::Game& game, const std::vector<ir::EdgeId>& edges) {
  if (edges.empty()) return 0;
  std::vector<bool> unwalked(game.graph.edge_bound(), false);
  for (const ir::EdgeId edge : edges) unwalked[edge.value] = true;
  const std::uint32_t begin[] = {game.begin().value};
  const auto reached = reached_from(game.graph.node_bound(), begin, [&](std::uint32_t node, auto&& reach) {
    for (const ir::EdgeId edge : game.graph.out_edges(NodeId(node)))
      if (!unwalked[edge.value]) reach(game.graph.target(edge).value);
  });
  if (!reached[game.end().value]) return 0;
  for (const ir::EdgeId edge : edges) game.graph.remove_edge(edge);
  return edges.size();
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

namespace {

auto reader_of(const ir::Game& game, ir::VarId variable, ExprId by) {
  return [&e = game.expressions(), variable, by](ExprId part) {
    return e.kind(part) == ExprKind::variable && e.variable(part) == variable ? by : ExprId();
  };
}

}  // namespace

ExprId substitute(ir::Game& game, ExprId in, ir::VarId variable, ExprId by) {
  return ir::rewrite(game, in, reader_of(game, variable, by));
}

std::optional<Label> substitute(ir::Game& game, const Label& label, ir::VarId variable, ExprId by) {
  if (const auto* t = std::get_if<ir::TagVariable>(&label); t != nullptr && t->variable == variable) {
    const ExprId plain = game.expressions().uncast(by);
    if (game.expressions().kind(plain) == ExprKind::variable)
      return Label(ir::TagVariable{game.expressions().variable(plain)});
    if (const auto symbol = game.constant_symbol(plain)) return Label(ir::Tag{*symbol});
    return std::nullopt;
  }
  return ir::rewrite_reads(game, label, reader_of(game, variable, by));
}

bool same_value(ir::Game& game, ExprId a, ExprId b) { return a == b || game.strip_casts(a) == game.strip_casts(b); }

std::vector<NodeId> reached_nodes(const ir::Game& game, const analysis::Flow& flow) {
  std::vector<NodeId> nodes;
  for (NodeId node : game.graph.nodes()) {
    if (flow.reached(node)) nodes.push_back(node);
  }
  return nodes;
}

void drop_stale_pragmas(ir::Game& game) {
  const ir::Automaton& graph = game.graph;
  auto removed = [&](NodeId node) { return !node.valid() || node.value >= graph.node_bound() || !graph.alive(node); };
  auto gone_variable = [&](ir::VarId v) { return !game.variable(v).alive; };
  std::erase_if(game.pragmas, [&](ir::Pragma& pragma) {
    return std::visit(ir::Overloaded{
                          [&](ir::Disjoint&) { return true; },
                          [&](ir::SimpleApply&) { return true; },
                          [&](ir::Iterator&) { return true; },
                          [&](ir::Repeat& p) {
                            std::erase_if(p.nodes, removed);
                            return p.nodes.empty() || std::ranges::any_of(p.variables, gone_variable);
                          },
                          [&](ir::Unique& p) {
                            std::erase_if(p.nodes, removed);
                            return p.nodes.empty();
                          },
                          [&](ir::TagIndex&) { return true; },
                          [](auto&) { return false; },
                      },
                      pragma.content);
  });
}

ir::TypeId alias_of(ir::Game& game, ir::TypeId type) {
  for (const ir::TypeDef& def : game.type_defs()) {
    if (def.alive && def.type == type) return game.types.alias(def.name);
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

ir::ExprId named_constant(ir::Game& game, const std::string& stem, ir::TypeId type, ir::ValueId value, Range where) {
  for (std::uint32_t i = 0; i < game.constants().size(); ++i) {
    const ir::Constant& c = game.constant(ir::ConstId(i));
    if (c.alive && c.value == value && game.resolve(c.type) == game.resolve(type))
      return game.constant_ref(ir::ConstId(i));
  }
  // Every interned name counts as used, so that the constant shadows no symbol.
  std::string name = stem;
  for (std::size_t k = 2; game.symbols.find(name).valid(); ++k) name = stem + "_" + std::to_string(k);
  return game.constant_ref(game.define_constant(game.symbols.intern(name), type, value, where));
}

bool reads_only(const ir::Game& game, const ir::Compare& compare, ir::VarId variable) {
  const ir::Expressions& e = game.expressions();
  bool alone = game.is_set(e.type(compare.lhs)) && game.is_set(e.type(compare.rhs)), reads = false;
  ir::for_each_read(game, compare, [&](ir::VarId v) {
    reads = reads || v == variable;
    alone = alone && v == variable;
  });
  return reads && alone;
}

bool holds_for(const ir::Game& game, const ir::Compare& compare, SymbolId value) {
  const auto chosen = [&](ir::ExprId part) {
    return game.expressions().kind(part) == ir::ExprKind::variable ? ir::Folded{value, {}} : ir::Folded{};
  };
  return (ir::fold(game, compare.lhs, chosen) == ir::fold(game, compare.rhs, chosen)) != compare.negated;
}

}  // namespace rgtrans::passes
