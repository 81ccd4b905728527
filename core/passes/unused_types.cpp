// unused-types: removes types that occur in no declaration, cast, any-assignment or pragma. Built-in types stay.
//
//   type U = { x };      =>      (nothing, if nothing mentions it)
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

std::size_t unused_types(ir::Game& game, const PassContext&) {
  std::set<SymbolId> used;
  auto use = [&](auto&& self, ir::TypeId type) -> void {
    if (!type.valid()) return;
    game.types.for_each_alias(type, [&](SymbolId name) {
      if (!used.insert(name).second) return;
      if (const ir::TypeDef* def = game.find_type(name)) self(self, def->type);
    });
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
  for (const std::string_view name : ir::kBuiltinTypes) use(use, game.types.alias(game.symbols.intern(name)));
  std::vector<SymbolId> unused;
  for (const ir::TypeDef& def : game.type_defs()) {
    if (def.alive && !used.contains(def.name)) unused.push_back(def.name);
  }
  for (SymbolId name : unused) game.remove_type(name);
  return unused.size();
}

}  // namespace rgtrans::passes
