// Information-set search with one tree per player. A node represents the observations of its player since the search
// began. A text identifies a move; the number of times the move was available counts as the visits of its node.
#include <unordered_map>

#include "backends/search/search.hpp"
#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

struct Choice {
  double sum = 0;
  std::uint64_t visits = 0, offered = 0;
};
struct Node {
  std::uint64_t visits = 0;
  std::unordered_map<std::string, Choice> choices;
};

}  // namespace

class InformationSearch::Worker {
 public:
  Worker(const Reasoner& game, const TreeOptions& options, std::uint64_t seed)
      : options_(options), reasoner_(game.clone()), random_(seed), players_(game.info().players.size()) {
    least_ = game.info().least_goal;
    span_ = game.info().most_goal > least_ ? game.info().most_goal - least_ : 1;
  }

  TreeReport run(const SeatKnowledge& knowledge, const std::vector<std::string>& moves, const Budget& budget) {
    const auto begin = Clock::now();
    deadline_ = budget.seconds > 0 ? begin + seconds_long(budget.seconds) : Clock::time_point::max();
    seat_ = knowledge.seat();
    // Observations are counted from here on, so nodes of an earlier search have another meaning.
    trees_.assign(players_, {});
    sums_.assign(players_, 0);
    choices_ = 0;
    std::uint64_t done = 0;
    const auto& positions = knowledge.positions();
    for (std::uint64_t tried = 0; !positions.empty() && !late(); ++tried) {
      if (budget.simulations > 0 && tried >= budget.simulations) break;
      reasoner_->set_state_bytes(positions[random_.below(static_cast<std::uint32_t>(positions.size()))]);
      if (simulate()) ++done;
    }
    return report(moves, done, seconds_since(begin));
  }

 private:
  [[nodiscard]] bool late() const { return Clock::now() >= deadline_; }

  // False when the position does not lead to a decision of the player without his seeing anything.
  bool simulate() {
    seen_.assign(players_, 0);
    path_.clear();
    bool reached = false;  // his decision
    bool fresh = false;
    std::size_t steps = 0;
    while (!reasoner_->terminal() && !(fresh && reached) && steps++ < options_.most_moves) {
      const std::size_t mover = reasoner_->mover();
      reached = reached || mover == seat_;
      if (!list(reached)) return false;
      std::size_t index = fitting_[0];
      if (mover >= players_) {
        index = fitting_[random_.below(static_cast<std::uint32_t>(fitting_.size()))];
      } else {
        index = choose(mover, fresh);
      }
      note(mover, index);
      reasoner_->apply(index);
    }
    if (!reached) return false;
    std::vector<double> results(players_, 0.5);
    std::uint64_t seed = random_.next();
    if (reasoner_->play_out(seed, options_.most_moves, [&] { return late(); })) {
      const std::vector<double> goals = goal_numbers(*reasoner_);
      for (std::size_t p = 0; p < players_; ++p) results[p] = (goals[p] - least_) / span_;
    }
    for (std::size_t p = 0; p < players_; ++p) sums_[p] += results[p];
    for (const auto& [player, choice] : path_) choice->sum += results[player];
    return true;
  }

  // The moves that may have been made: until the player's decision those of which he sees nothing.
  bool list(bool reached) {
    const std::size_t count = reasoner_->move_count();
    fitting_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (reached || reasoner_->observed_move_text(i, seat_).empty()) fitting_.push_back(i);
    }
    return !fitting_.empty();
  }

  std::size_t choose(std::size_t mover, bool& fresh) {
    constexpr std::uint64_t kBytes = 200;  // of a choice, about
    auto& tree = trees_[mover];
    auto found = tree.find(seen_[mover]);
    if (found == tree.end()) {
      if (choices_ * kBytes > options_.memory) {
        fresh = true;
        return fitting_[random_.below(static_cast<std::uint32_t>(fitting_.size()))];
      }
      found = tree.emplace(seen_[mover], Node()).first;
    }
    Node& node = found->second;
    fresh = node.visits++ == 0;
    std::size_t best = fitting_[0];
    Choice* chosen = nullptr;
    double most = 0;
    std::size_t ties = 0;
    for (const std::size_t i : fitting_) {
      const auto [known, added] = node.choices.try_emplace(reasoner_->move_text(i));
      choices_ += added ? 1 : 0;
      Choice& choice = known->second;
      ++choice.offered;
      const double visits = static_cast<double>(choice.visits);
      const double score =
          choice.visits == 0
              ? 1e9
              : choice.sum / visits +
                    options_.exploration * std::sqrt(std::log(static_cast<double>(choice.offered) + 1) / visits);
      if (chosen == nullptr || score > most) {
        ties = 0;
      } else if (score < most) {
        continue;
      }
      // Among equals at random.
      if (random_.below(static_cast<std::uint32_t>(++ties)) != 0) continue;
      most = score;
      chosen = &choice;
      best = i;
    }
    ++chosen->visits;
    path_.emplace_back(mover, chosen);
    return best;
  }

  // Everybody remembers what he sees of the move.
  void note(std::size_t mover, std::size_t index) {
    for (std::size_t p = 0; p < players_; ++p) {
      std::string text = reasoner_->observed_move_text(index, p);
      if (p == mover) text += "/" + reasoner_->move_text(index);
      if (text.empty() && p != mover) continue;
      seen_[p] = mix_hash(seen_[p] * 31 + std::hash<std::string>()(text) + mover);
    }
  }

  TreeReport report(const std::vector<std::string>& moves, std::uint64_t done, double seconds) {
    TreeReport out;
    out.simulations = done;
    out.seconds = seconds;
    for (const auto& tree : trees_) out.nodes += tree.size();
    for (std::size_t p = 0; p < players_; ++p) {
      out.values.push_back(least_ + span_ * (done > 0 ? sums_[p] / static_cast<double>(done) : 0.5));
    }
    const Node& root = trees_[seat_][0];
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      RootMove& move = out.moves.emplace_back();
      move.move = i;
      const auto found = root.choices.find(moves[i]);
      if (found == root.choices.end()) continue;
      move.visits = found->second.visits;
      if (move.visits > 0) move.value = found->second.sum / static_cast<double>(move.visits);
    }
    return out;
  }

  TreeOptions options_;
  std::unique_ptr<Reasoner> reasoner_;
  TreeRandom random_;
  std::size_t players_;
  double least_ = 0, span_ = 1;
  std::size_t seat_ = 0;
  Clock::time_point deadline_;
  std::vector<std::unordered_map<std::uint64_t, Node>> trees_;  // by player: observations -> node
  std::uint64_t choices_ = 0;
  std::vector<std::uint64_t> seen_;
  std::vector<std::size_t> fitting_;
  std::vector<std::pair<std::size_t, Choice*>> path_;
  std::vector<double> sums_;
};

InformationSearch::InformationSearch(const Reasoner& game, const TreeOptions& options, std::uint64_t seed)
    : worker_(std::make_unique<Worker>(game, options, seed)) {}
InformationSearch::~InformationSearch() = default;
TreeReport InformationSearch::run(const SeatKnowledge& knowledge, const std::vector<std::string>& moves,
                                  const Budget& budget) {
  return worker_->run(knowledge, moves, budget);
}

}  // namespace rgtrans::search
