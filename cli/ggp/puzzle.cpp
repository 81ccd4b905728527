#include "cli/ggp/puzzle.hpp"

#include <algorithm>

namespace rgtrans::cli::ggp {

const std::string* Puzzle::next(const std::vector<std::string>& played) const {
  if (moves_.size() <= played.size() || !std::equal(played.begin(), played.end(), moves_.begin())) return nullptr;
  return &moves_[played.size()];
}

void Puzzle::solve(const Translated& game, const std::vector<std::string>& played,
                   const search::SolveOptions& options) {
  if (!position_) position_ = game.beginning();
  for (; made_ < played.size(); ++made_) game.step(*position_, {played[made_]});
  if (!search::run_keeper(*position_)) return;
  const search::Solution solution = search::solve(*position_, options);
  if (!solution.solved) return;
  moves_ = played;
  for (const std::string& move : solution.line) moves_.push_back(game.term(move));
  value_ = solution.values[0];
}

}  // namespace rgtrans::cli::ggp
