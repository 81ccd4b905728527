// artificial-tags: empties the tags that a front end listed in @artificialTag, and removes this pragma and the promises
// that may rely on those tags. Artificial tags only keep branches distinct during the transformation of a game. The
// author promises that moves are unambiguous without them.
#include <algorithm>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;

std::size_t artificial_tags(ir::Game& game, const PassContext&) {
  const std::vector<bool> artificial = ir::artificial_tags(game);
  std::size_t changes = static_cast<std::size_t>(std::ranges::count(artificial, true));
  if (changes == 0) return 0;
  std::erase_if(game.pragmas, [](const ir::Pragma& pragma) {
    return std::visit(ir::Overloaded{
                          [](const ir::ArtificialTag&) { return true; },
                          [](const ir::Unique&) { return true; },
                          [](const ir::Repeat&) { return true; },
                          [](const ir::SimpleApply&) { return true; },
                          [](const ir::TagIndex&) { return true; },
                          [](const auto&) { return false; },
                      },
                      pragma.content);
  });
  for (EdgeId edge : game.graph.edges()) {
    const auto* tag = std::get_if<ir::Tag>(&game.graph.label(edge));
    if (tag == nullptr || !artificial[tag->symbol.value]) continue;
    game.graph.set_label(edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
