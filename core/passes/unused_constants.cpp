// unused-constants: removes constants that occur in no label and in no effect of a pragma.
//
//   const c: T -> T = { :a };      =>      (nothing, if no label mentions it)
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

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

}  // namespace rgtrans::passes
