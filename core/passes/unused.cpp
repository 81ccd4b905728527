// unused-variables, unused-constants, unused-types: remove declarations that nothing refers to. A variable is
// referred to by every label in which it occurs, also as the variable of a tag or as an index on the left of an
// any-assignment; only being written is no use, and such assignments become empty. The built-in variables stay.
//
//   var v: T = a;   const c: T -> T = { :a };   type U = { x };     =>     (nothing, when no label mentions them)
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

namespace {

// f(ExprId) for all parts of the expressions in labels and in effects of pragmas.
template <class F>
void for_all_parts(const ir::Game& game, F&& f) {
  const auto visit = [&](ir::ExprId expression) {
    ir::visit_parts(game.expressions(), expression, [&](ir::ExprId part) {
      f(part);
      return true;
    });
  };
  for (ir::EdgeId edge : game.graph.edges()) ir::for_each_expression(game.graph.label(edge), visit);
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* p = std::get_if<ir::SimpleApply>(&pragma.content)) {
      for (const auto& effect : p->effects) {
        visit(effect.lhs);
        visit(effect.rhs);
      }
    }
  }
}

}  // namespace

std::size_t unused_variables(ir::Game& game, const PassContext& context) {
  std::vector<bool> read(game.variables().size(), false);
  for (ir::VarId builtin : {game.player(), game.goals(), game.visible()}) {
    if (builtin.valid()) read[builtin.value] = true;
  }
  for (ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    const ir::VarId written = ir::written_variable(game, label);
    ir::for_each_read(game, label, [&](ir::VarId v) {
      if (v != written) read[v.value] = true;
    });
  }
  const auto any_unread = [&] {
    for (std::uint32_t i = 0; i < read.size(); ++i) {
      if (!read[i] && game.variable(ir::VarId(i)).alive) return true;
    }
    return false;
  };
  if (!any_unread()) return 0;
  const analysis::Flow& flow = context.analyses->flow();
  const analysis::RandomMoves random(game, flow);
  for (const analysis::FlowEdge& edge : flow.edges()) {
    if (edge.call || !edge.edge.valid() || !random.inside[edge.from]) continue;
    const ir::VarId written = ir::written_variable(game, game.graph.label(edge.edge));
    if (written.valid()) read[written.value] = true;
  }
  std::size_t changes = 0;
  if (!any_unread()) return 0;
  for (ir::EdgeId edge : game.graph.edges()) {
    const ir::VarId written = ir::written_variable(game, game.graph.label(edge));
    if (!written.valid() || read[written.value]) continue;
    game.graph.set_label(edge, ir::Empty{});
    ++changes;
  }
  for (std::uint32_t i = 0; i < read.size(); ++i) {
    if (read[i] || !game.variable(ir::VarId(i)).alive) continue;
    game.remove_variable(ir::VarId(i));
    ++changes;
  }
  return changes;
}

std::size_t unused_constants(ir::Game& game, const PassContext&) {
  std::vector<bool> used(game.constants().size(), false);
  const ir::Expressions& e = game.expressions();
  auto note = [&](ir::ExprId expression) {
    if (e.kind(expression) == ir::ExprKind::constant) used[e.constant(expression).value] = true;
  };
  for_all_parts(game, note);
  std::size_t changes = 0;
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (used[i] || !game.constant(ir::ConstId(i)).alive) continue;
    game.remove_constant(ir::ConstId(i));
    ++changes;
  }
  return changes;
}

std::size_t unused_types(ir::Game& game, const PassContext&) {
  std::vector<bool> used(game.types.size(), false);
  auto use = [&](auto&& self, ir::TypeId type) -> void {
    if (!type.valid() || used[type.value]) return;
    used[type.value] = true;
    switch (game.types.kind(type)) {
      case ir::TypeKind::alias:
        if (const ir::TypeDef* def = game.find_type(game.types.alias_name(type))) self(self, def->type);
        break;
      case ir::TypeKind::arrow:
        self(self, game.types.from(type));
        self(self, game.types.to(type));
        break;
      case ir::TypeKind::set:
        break;
    }
  };
  const ir::Expressions& e = game.expressions();
  auto note = [&](ir::ExprId expression) {
    if (e.kind(expression) == ir::ExprKind::cast) use(use, e.cast_type(expression));
  };
  for (const ir::Constant& c : game.constants()) {
    if (c.alive) use(use, c.type);
  }
  for (const ir::Variable& v : game.variables()) {
    if (v.alive) use(use, v.type);
  }
  for_all_parts(game, note);
  for (ir::EdgeId edge : game.graph.edges()) {
    if (const auto* a = std::get_if<ir::AssignAny>(&game.graph.label(edge))) use(use, a->type);
  }
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* p = std::get_if<ir::SimpleApply>(&pragma.content)) {
      for (const auto& tag : p->tags) use(use, tag.type);
    }
  }
  for (const char* builtin : {"Player", "Score", "Bool", "Goals", "Visibility", "PlayerOrSystem"}) {
    use(use, game.types.alias(game.symbols.intern(builtin)));
    if (used.size() < game.types.size()) used.resize(game.types.size(), true);
  }
  std::size_t changes = 0;
  std::vector<SymbolId> gone;
  for (const ir::TypeDef& def : game.type_defs()) {
    if (!def.alive) continue;
    const ir::TypeId alias = game.types.alias(def.name);
    if (alias.value < used.size() && used[alias.value]) continue;
    gone.push_back(def.name);
  }
  for (SymbolId name : gone) {
    game.remove_type(name);
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
