// mangle-symbols: gives nodes, constants and variables short names. Symbols and tags keep their names, because players
// and goals show them; types keep theirs, too. Lookups of declarations by name still use the old names, so only
// printing should follow this pass.
//
//   var board: M = …;      =>      var _0: M = …;

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::NodeId;

std::size_t mangle_symbols(ir::Game& game, const PassContext&) {
  std::size_t changes = 0;
  std::size_t next = 0;
  auto fresh = [&] {
    for (;;) {
      std::string text;
      for (std::size_t n = next++; text.empty() || n > 0; n /= 36)
        text += "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36];
      text.insert(0, 1, '_');
      if (!game.symbols.find(text).valid()) return game.symbols.intern(text);
    }
  };
  for (std::uint32_t i = 0; i < game.constants().size(); ++i) {
    const ir::ConstId id(i);
    if (!game.constant(id).alive) continue;
    game.constant(id).name = fresh();
    ++changes;
  }
  for (const ir::VarId id : game.living_variables()) {
    if (game.built_in(id)) continue;
    game.variable(id).name = fresh();
    ++changes;
  }
  for (NodeId node : game.graph.nodes()) {
    if (node == game.begin() || node == game.end() || !game.graph.name(node).valid()) continue;
    game.graph.set_name(node, {});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
