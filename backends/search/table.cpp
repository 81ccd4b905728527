#include "backends/search/table.hpp"

#include <algorithm>
#include <numeric>

namespace rgtrans::search {

std::uint64_t PlaySeeds::of_player(std::size_t seat) const { return derived_seed(table, "player", seat); }

PlaySeeds seeds_of_play(const MatchOptions& options, std::uint64_t play) {
  return {.table = derived_seed(options.seed, "play", play),
          .opening = derived_seed(options.seed, "opening", play / options.players.size())};
}

std::vector<std::size_t> seats_of_play(const MatchOptions& options, std::size_t seats, std::uint64_t play) {
  std::vector<std::size_t> out;
  for (std::size_t s = 0; s < seats; ++s) out.push_back((play + s) % options.players.size());
  return out;
}

std::optional<std::size_t> TableChance::draw(Reasoner& game) {
  const std::size_t mover = game.mover();
  if (mover == game.info().keeper()) return 0;
  const bool chance = mover == game.info().random();
  if (!chance && left_ == 0) return std::nullopt;
  if (!chance) --left_;
  const std::vector<std::string> texts = game.move_texts();
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) -> const std::string& { return texts[i]; });
  return order.at((chance ? chance_ : opening_).below(order.size()));
}

}  // namespace rgtrans::search
