// Plays that evaluate what was proved of a game.
#include "backends/interpreter/interpreter.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

std::vector<std::unique_ptr<claims::Follower>> all_followers(const ir::Game& optimized, const GameArguments& game) {
  const Sources::File* file = optimized.sources()->file_of(1);
  const Frontend& language = frontend_for(game.language, game.path, file->text);
  return claims::followers_of(optimized, rule_reader(language, *file, game.frontend));
}

void play_asserting(const ir::Game& optimized, const GameArguments& game, std::uint64_t plays) {
  constexpr std::uint64_t kLongest = 1000;  // moves
  const auto play = claims::assert_proofs(make_interpreter(optimized), all_followers(optimized, game));
  play->playouts({.count = plays, .max_moves = kLongest});
}

}  // namespace rgtrans::cli
