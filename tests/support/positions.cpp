#include "tests/support/positions.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/support/support.hpp"

namespace rgtrans::test {

namespace {

using Bytes = std::vector<std::byte>;

void let_keeper_move(Reasoner& game) {
  while (game.keeper_moves() && game.move_count() > 0) game.apply(0);
}

// Calls f(fingerprint of the move) in the state after each move.
template <class F>
void for_each_child(Reasoner& game, const Bytes& state, const F& f) {
  game.set_state_bytes(state);
  const std::size_t count = game.terminal() ? 0 : game.move_count();
  for (std::size_t i = 0; i < count; ++i) {
    game.set_state_bytes(state);
    const std::uint64_t move = game.move_fingerprint(i);
    game.apply(i);
    let_keeper_move(game);
    f(move);
  }
}

// All positions and their moves, with blocks that are split until the moves of a block lead to the same blocks.
class Futures {
 public:
  // Whether there are at most so many.
  bool explore(Reasoner& game, std::size_t most) {
    const auto number_of = [&] {
      const auto [it, fresh] = numbers_.try_emplace(game.canonical_bytes(), numbers_.size());
      if (fresh) {
        states_.push_back(game.state_bytes());
        blocks_.push_back(label(game));
      }
      return it->second;
    };
    number_of();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_.size() > most) return false;
      std::vector<std::pair<std::uint64_t, std::size_t>>& moves = moves_.emplace_back();
      const Bytes state = states_[i];
      for_each_child(game, state, [&](std::uint64_t move) { moves.emplace_back(move, number_of()); });
    }
    while (split()) {
    }
    return true;
  }
  [[nodiscard]] std::size_t block(const Bytes& canonical) const { return blocks_[numbers_.at(canonical)]; }

 private:
  // What can be seen without a move: whose turn it is, or the scores.
  static std::size_t label(Reasoner& game) {
    if (!game.terminal()) return game.mover();
    std::size_t hash = SIZE_MAX;
    for (std::size_t p = 0; p < game.info().players.size(); ++p)
      hash = combine_hash(hash, std::hash<std::string>()(game.goal(p)));
    return hash;
  }
  bool split() {
    using Key = std::pair<std::size_t, std::vector<std::pair<std::uint64_t, std::size_t>>>;
    std::map<Key, std::size_t> known;
    std::vector<std::size_t> next(blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      Key key{blocks_[i], {}};
      for (const auto& [move, to] : moves_[i]) key.second.emplace_back(move, blocks_[to]);
      std::ranges::sort(key.second);
      next[i] = known.try_emplace(std::move(key), known.size()).first->second;
    }
    const bool more = known.size() > count_;
    count_ = known.size();
    blocks_ = std::move(next);
    return more;
  }

  std::map<Bytes, std::size_t> numbers_;  // by canonical bytes
  std::vector<Bytes> states_;
  std::vector<std::size_t> blocks_;
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> moves_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<PlyCount> count_positions(Reasoner& game, std::size_t plies, std::size_t most_states,
                                      std::size_t most_positions) {
  game.reset();
  let_keeper_move(game);
  std::set<Bytes> states = {game.state_bytes()};
  Futures futures;
  const bool finite = futures.explore(game, most_positions);
  std::vector<PlyCount> result;
  for (std::size_t ply = 0; ply < plies; ++ply) {
    std::set<Bytes> next, positions;
    std::set<std::size_t> blocks;
    for (const Bytes& state : states) {
      for_each_child(game, state, [&](std::uint64_t) {
        if (!next.insert(game.state_bytes()).second) return;
        const auto [it, fresh] = positions.insert(game.canonical_bytes());
        if (fresh && finite) blocks.insert(futures.block(*it));
      });
      if (next.size() > most_states) return result;
    }
    result.push_back({next.size(), positions.size(), finite ? std::optional(blocks.size()) : std::nullopt});
    states = std::move(next);
  }
  return result;
}

}  // namespace rgtrans::test
