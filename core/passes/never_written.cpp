// never-written: converts a variable to a constant if it is never written and no tag shows it.
//
//   var f: C -> C = { :r };      =>      const f: C -> C = { :r };
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;

std::size_t never_written(ir::Game& game, const PassContext&) {
  std::vector<bool> written(game.variables().size(), false);
  std::vector<bool> tagged(game.variables().size(), false);
  for (ir::VarId builtin : {game.player(), game.goals(), game.visible()}) {
    if (builtin.valid()) written[builtin.value] = true;
  }
  for (EdgeId edge : game.graph.edges()) {
    const ir::VarId v = ir::written_variable(game, game.graph.label(edge));
    if (v.valid()) written[v.value] = true;
    if (const auto* t = std::get_if<ir::TagVariable>(&game.graph.label(edge))) tagged[t->variable.value] = true;
  }
  std::vector<ExprId> reference(written.size());
  std::size_t changes = 0;
  for (std::uint32_t i = 0; i < written.size(); ++i) {
    const ir::VarId id(i);
    const ir::Variable v = game.variable(id);
    if (!v.alive || written[i] || tagged[i] || game.find_constant(v.name).valid()) continue;
    if (game.values.is_symbol(v.initial))
      game.claims.add("never-written", ir::OnlyHolds{id, {game.values.as_symbol(v.initial)}}, v.where);
    game.remove_variable(id);
    reference[i] = game.constant_ref(game.define_constant(v.name, v.type, v.initial, v.where));
    ++changes;
  }
  if (changes == 0) return 0;
  // Claims about maps are recorded at each read: the value read is compared with the constant's.
  Relabelling relabelling(game, "never-written");
  std::vector<ir::VarId> reads;
  for (EdgeId edge : game.graph.edges()) {
    reads.clear();
    ir::for_each_read(game, game.graph.label(edge), [&](ir::VarId v) { reads.push_back(v); });
    relabelling.note(edge);
    for (ir::VarId v : reads) {
      if (!reference[v.value].valid()) continue;
      if (const auto now = substitute(game, game.graph.label(edge), v, reference[v.value]))
        game.graph.set_label(edge, *now);
    }
  }
  relabelling.claim();
  return changes;
}

}  // namespace rgtrans::passes
