// Comparing two games by playing: random walks in lock-step. When they part, more walks look for a shorter way to a
// difference, each no longer than the shortest so far.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "core/passes/passes.hpp"

namespace rgtrans::passes {

namespace {

struct Difference {
  std::vector<std::string> path;
  std::string what;
};

class Walker {
 public:
  Walker(const Engine& engine, const ir::Game& before, const ir::Game& after, Effect effect)
      : before_(engine(before)), after_(engine(after)), effect_(effect) {}

  // Nothing, too, when the time was over before the end of the walk.
  std::optional<Difference> walk(std::mt19937_64& random, std::size_t longest, double deadline) {
    before_->reset();
    after_->reset();
    Difference found;
    for (std::size_t length = 0;; ++length) {
      found.what = compare();
      if (!found.what.empty()) return found;
      if (before_->terminal() || length >= longest) return std::nullopt;
      cut_short_ = length > 0 && deadline > 0 && processor_seconds() > deadline;
      if (cut_short_) return std::nullopt;
      const std::vector<std::string> moves = before_->moves();
      if (moves.empty()) return std::nullopt;
      const std::vector<std::string> others = after_->moves();
      if (effect_ == Effect::tags && moves.size() > 1) return std::nullopt;
      const std::size_t choice = std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random);
      const auto same = effect_ == Effect::tags ? others.begin() : std::ranges::find(others, moves[choice]);
      found.path.push_back(moves[choice]);
      before_->apply(choice);
      after_->apply(static_cast<std::size_t>(same - others.begin()));
    }
  }

  [[nodiscard]] bool cut_short() const { return cut_short_; }

  static double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

 private:
  // "" when both states look the same.
  std::string compare() {
    if (before_->terminal() != after_->terminal())
      return after_->terminal() ? "the game is over" : "the game is not over";
    if (before_->terminal()) {
      if (before_->goals() == after_->goals()) return "";
      return fmt::format("the result is {} instead of {}", after_->goals(), before_->goals());
    }
    if (before_->mover() != after_->mover()) {
      return fmt::format("{} moves instead of {}", after_->mover(), before_->mover());
    }
    std::vector<std::string> old_moves = before_->moves();
    std::vector<std::string> new_moves = after_->moves();
    if (old_moves.size() != new_moves.size() && effect_ == Effect::tags) {
      return fmt::format("{} legal moves instead of {}", new_moves.size(), old_moves.size());
    }
    if (effect_ == Effect::tags) return "";
    std::ranges::sort(old_moves);
    std::ranges::sort(new_moves);
    const auto first = std::ranges::mismatch(old_moves, new_moves);
    if (first.in1 == old_moves.end() && first.in2 == new_moves.end()) return "";
    const bool lost = first.in1 != old_moves.end() && (first.in2 == new_moves.end() || *first.in1 < *first.in2);
    return lost ? fmt::format("the move \"{}\" is lost", *first.in1)
                : fmt::format("the move \"{}\" is new", *first.in2);
  }

  std::unique_ptr<Play> before_, after_;
  Effect effect_;
  bool cut_short_ = false;
};

}  // namespace

std::string compare_by_walks(const Engine& engine, const ir::Game& before, const ir::Game& after, Effect effect,
                             const WalkOptions& options, std::size_t* made) {
  Walker walker(engine, before, after, effect);
  std::mt19937_64 random(options.seed);
  std::optional<Difference> shortest;
  std::size_t longest = options.longest;
  const double deadline = options.seconds > 0 ? Walker::processor_seconds() + options.seconds : 0;
  std::size_t i = 0;
  for (; i < options.walks; ++i) {
    if (i > 0 && deadline > 0 && Walker::processor_seconds() > deadline) break;
    auto found = walker.walk(random, longest, deadline);
    if (walker.cut_short()) break;
    if (!found) continue;
    shortest = std::move(found);
    if (shortest->path.empty()) break;
    longest = shortest->path.size() - 1;
  }
  if (made != nullptr) *made = i;
  if (!shortest) return "";
  std::string path = "/";
  for (const std::string& move : shortest->path) path += move + "/";
  return fmt::format("after {} {}", path, shortest->what);
}

}  // namespace rgtrans::passes
