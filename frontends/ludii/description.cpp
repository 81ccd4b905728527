#include "frontends/ludii/description.hpp"

#include <algorithm>

#include "frontends/ludii/text/arguments.hpp"

namespace rgtrans::ludii {

Description read_description(const Sources::File& file, Sources& sources, const ReadOptions& options) {
  Description result;
  result.bounds = options.bounds;
  result.tree = read_tree(expand(file, sources, options));
  const auto game = std::ranges::find_if(result.tree, [](const Node& node) { return node.is_clause("game"); });
  if (game == result.tree.end()) {
    const auto match = std::ranges::find_if(result.tree, [](const Node& node) { return node.is_clause("match"); });
    if (match != result.tree.end()) refuse(*match);
    throw Refused(file.range(0, 1), "there is no game", "(game \"Name\" (players 2) (equipment {…}) (rules …))");
  }
  result.game = &*game;
  Arguments arguments(*game);
  arguments.need("a name");
  const auto need = [&](std::string_view name) {
    const Node* const found = arguments.take_clause(name);
    if (found == nullptr && arguments.peek() != nullptr) refuse(*arguments.peek());
    if (found == nullptr) throw Refused(game->where, "the game has no (" + std::string(name) + " …)");
    return found;
  };
  result.players = need("players");
  result.mode = arguments.take_clause("mode");
  result.equipment = need("equipment");
  result.rules = need("rules");
  arguments.finish();
  return result;
}

}  // namespace rgtrans::ludii
