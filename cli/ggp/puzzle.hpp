// The best play of a match with one role.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/search/search.hpp"
#include "cli/ggp/translated.hpp"

namespace rgtrans::cli::ggp {

class Puzzle {
 public:
  // Looks for the best play after these moves of the role, on the translated game.
  void solve(const Translated& game, const std::vector<std::string>& played, const search::SolveOptions& options);
  // The next move of that play; null where there is none, or where the match left it.
  [[nodiscard]] const std::string* next(const std::vector<std::string>& played) const;
  [[nodiscard]] double value() const { return value_; }

 private:
  std::unique_ptr<Reasoner> position_;
  std::size_t made_ = 0;            // steps that it has made
  std::vector<std::string> moves_;  // from the first step on
  double value_ = 0;
};

}  // namespace rgtrans::cli::ggp
