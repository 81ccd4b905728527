// Searches a game twice to the same depth: first the transposition table has an entry for each state, then for each
// position.
//   transpositions [DEPTH]
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <memory>
#include <unordered_map>

#include "reasoner.hpp"

using game::GameState;

namespace {

// Alpha-beta search. The first player wants a high score, all others want a low one for the first player.
class Search {
 public:
  explicit Search(bool canonical) : canonical_(canonical) {
    const auto [least, most] = std::minmax_element(std::begin(game::kScoreValues), std::end(game::kScoreValues));
    least_ = *least;
    most_ = *most;
  }

  double value(const GameState& state, unsigned depth) { return value(state, depth, least_, most_); }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
  [[nodiscard]] std::size_t entries() const { return table_.size(); }

 private:
  // The value is known to lie between `low` and `high`.
  struct Entry {
    double low, high;
  };

  double value(const GameState& state, unsigned depth, double alpha, double beta) {
    ++nodes_;
    if (state.isTerminal()) return game::kScoreValues[state.getPlayerScore(0)];
    if (depth == 0) return (least_ + most_) / 2;
    const std::uint64_t hash = canonical_ ? state.canonicalHash() : state.hash();
    const std::uint64_t key = hash + depth * 0x9e3779b97f4a7c15;  // other depths have other values
    Entry known{least_, most_};
    if (const auto it = table_.find(key); it != table_.end()) known = it->second;
    if (known.low == known.high || known.low >= beta) return known.low;
    if (known.high <= alpha) return known.high;
    alpha = std::max(alpha, known.low);
    beta = std::min(beta, known.high);

    const bool first = state.mover() == 0;
    double best = first ? least_ : most_;
    double low = alpha, high = beta;
    GameState position = state;
    game::MoveList moves;
    position.getAllMoves(moves, *cache_);
    for (const game::Move& move : moves) {
      GameState next = state;
      next.apply(move, *cache_);  // it is legal: it was listed
      next.advance(*cache_);
      const double found = value(next, depth - 1, low, high);
      best = first ? std::max(best, found) : std::min(best, found);
      (first ? low : high) = first ? std::max(low, best) : std::min(high, best);
      if (low >= high) break;
    }
    Entry& entry = table_.try_emplace(key, known).first->second;
    if (best > alpha) entry.low = std::max(entry.low, best);
    if (best < beta) entry.high = std::min(entry.high, best);
    return best;
  }

  bool canonical_;
  double least_, most_;
  std::uint64_t nodes_ = 0;
  std::unordered_map<std::uint64_t, Entry> table_;
  std::unique_ptr<game::Cache> cache_ = std::make_unique<game::Cache>();
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned depth = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 9;
  const auto cache = std::make_unique<game::Cache>();
  GameState start;
  start.advance(*cache);
  std::cout << game::kGameName << ", " << depth << " moves deep\n";
  for (const bool canonical : {false, true}) {
    const std::clock_t begin = std::clock();
    Search search(canonical);
    const double value = search.value(start, depth);
    std::cout << (canonical ? "canonicalHash(): " : "hash():          ") << "value " << value << ", " << search.nodes()
              << " nodes, " << search.entries() << " entries, " << std::fixed << std::setprecision(2)
              << static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC << " s" << std::defaultfloat << std::endl;
  }
}
