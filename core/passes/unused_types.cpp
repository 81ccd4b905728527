// unused-types: removes types that no declaration, cast, any-assignment or pragma mentions. The built-in types stay.
//
//   type U = { x };      =>      (nothing, when nothing mentions it)
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

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
