// After a difference between two games, further walks search for a shorter path to it. Each is at most as long as the
// shortest path so far.
#include "backends/lockstep/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "core/support/clock.hpp"
#include "core/support/play_path.hpp"

namespace rgtrans::lockstep {

namespace {

// The remaining budget of a comparison.
class Allowance {
 public:
  explicit Allowance(const WalkOptions& options)
      : deadline_(options.seconds > 0 ? processor_seconds() + options.seconds : 0),
        listed_(options.listed > 0 ? options.listed : UINT64_MAX) {}
  void list(std::size_t moves) { listed_ -= std::min<std::uint64_t>(moves, listed_); }
  [[nodiscard]] bool late() const { return deadline_ > 0 && processor_seconds() > deadline_; }
  [[nodiscard]] bool spent() const { return listed_ == 0; }

 private:
  double deadline_;
  std::uint64_t listed_;
};

std::uint64_t fingerprint(const std::string& text) { return std::hash<std::string>()(text); }

// The fingerprints of the legal moves; none if the play is over.
std::vector<std::uint64_t> legal_moves(Reasoner& play) {
  std::vector<std::uint64_t> list(play.terminal() ? 0 : play.move_count());
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = play.move_fingerprint(i);
  return list;
}

std::string result_of(const Reasoner& play) {
  std::string text;
  for (std::size_t p = 0; p < play.info().players.size(); ++p)
    text += (p == 0 ? "" : ", ") + play.info().players[p] + " " + play.goal(p);
  return text;
}

// A fingerprint of the visible parts of a position: the result, or the mover and the set of legal moves.
std::uint64_t position(const Reasoner& play, const std::vector<std::uint64_t>& moves) {
  if (play.terminal()) return mix_hash(fingerprint(result_of(play)));
  std::uint64_t sum = mix_hash(fingerprint(play.mover_name()) + 1);
  for (const std::uint64_t move : moves) sum += mix_hash(move);
  return sum;
}

struct Difference {
  std::vector<std::string> path;
  std::string what;
};

class Walker {
 public:
  Walker(const Engine& engine, const ir::Game& before, const ir::Game& after, passes::PassEffect effect)
      : before_(engine(before)), after_(engine(after)), effect_(effect) {}

  // Also none if the time ran out during the walk.
  std::optional<Difference> walk(std::mt19937_64& random, std::size_t longest, Allowance& allowance) {
    before_->reset();
    after_->reset();
    Difference found;
    for (std::size_t length = 0;; ++length) {
      found.what = compare();
      if (!found.what.empty()) return found;
      if (before_->terminal() || length >= longest || allowance.spent()) return std::nullopt;
      cut_short_ = length > 0 && allowance.late();
      if (cut_short_) return std::nullopt;
      const std::vector<std::string> moves = seen_move_texts(*before_);
      allowance.list(moves.size());
      if (moves.empty()) return std::nullopt;
      const std::vector<std::string> others = seen_move_texts(*after_);
      if (effect_ == passes::PassEffect::tags && moves.size() > 1) return std::nullopt;
      const std::size_t choice = std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random);
      const auto same = effect_ == passes::PassEffect::tags ? others.begin() : std::ranges::find(others, moves[choice]);
      found.path.push_back(moves[choice]);
      before_->apply(choice);
      after_->apply(static_cast<std::size_t>(same - others.begin()));
    }
  }

  [[nodiscard]] bool cut_short() const { return cut_short_; }

 private:
  // "" if both states look the same, else a description of the difference.
  std::string compare() {
    if (before_->terminal() != after_->terminal())
      return after_->terminal() ? "the game is over" : "the game is not over";
    if (before_->terminal()) {
      if (result_of(*before_) == result_of(*after_)) return "";
      return fmt::format("the result is {} instead of {}", result_of(*after_), result_of(*before_));
    }
    if (before_->mover_name() != after_->mover_name()) {
      return fmt::format("{} moves instead of {}", after_->mover_name(), before_->mover_name());
    }
    std::vector<std::string> old_moves = seen_move_texts(*before_);
    std::vector<std::string> new_moves = seen_move_texts(*after_);
    if (old_moves.size() != new_moves.size() && effect_ == passes::PassEffect::tags) {
      return fmt::format("{} legal moves instead of {}", new_moves.size(), old_moves.size());
    }
    if (effect_ == passes::PassEffect::tags) return "";
    std::ranges::sort(old_moves);
    std::ranges::sort(new_moves);
    const auto first = std::ranges::mismatch(old_moves, new_moves);
    if (first.in1 == old_moves.end() && first.in2 == new_moves.end()) return "";
    const bool lost = first.in1 != old_moves.end() && (first.in2 == new_moves.end() || *first.in1 < *first.in2);
    return lost ? fmt::format("the move \"{}\" is lost", *first.in1)
                : fmt::format("the move \"{}\" is new", *first.in2);
  }

  std::unique_ptr<Reasoner> before_, after_;
  passes::PassEffect effect_;
  bool cut_short_ = false;
};

}  // namespace

std::vector<std::string> seen_move_texts(Reasoner& reasoner) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) {
    const std::string all = reasoner.move_text(i);
    list.push_back(all);
    for (std::size_t p = 0; p < reasoner.info().players.size(); ++p) {
      const std::string seen = reasoner.observed_move_text(i, p);
      if (seen != all) list.back() += fmt::format(" ({} sees: {})", reasoner.info().players[p], seen);
    }
  }
  return list;
}

std::string compare_by_walks(const Engine& engine, const ir::Game& before, const ir::Game& after,
                             passes::PassEffect effect, const WalkOptions& options, std::size_t* made) {
  Walker walker(engine, before, after, effect);
  std::mt19937_64 random(options.seed);
  std::optional<Difference> shortest;
  std::size_t longest = options.longest;
  Allowance allowance(options);
  std::size_t i = 0;
  for (; i < options.walks; ++i) {
    if (i > 0 && (allowance.late() || allowance.spent())) break;
    auto found = walker.walk(random, longest, allowance);
    if (walker.cut_short()) break;
    if (!found) continue;
    shortest = std::move(found);
    if (shortest->path.empty()) break;
    longest = shortest->path.size() - 1;
  }
  if (made != nullptr) *made = i;
  if (!shortest) return "";
  return fmt::format("after {} {}", path_of(shortest->path), shortest->what);
}

void RecordedWalks::record(const ir::Game& game) {
  walks_.clear();
  recorded_ = true;
  const std::unique_ptr<Reasoner> play = engine_(game);
  std::mt19937_64 random(options_.seed);
  Allowance allowance(options_);
  while (walks_.size() < options_.walks) {
    if (!walks_.empty() && (allowance.late() || allowance.spent())) return;
    std::vector<Position> walk;
    play->reset();
    while (true) {
      const bool over = play->terminal() || walk.size() >= options_.longest || allowance.spent();
      const std::vector<std::uint64_t> moves = legal_moves(*play);
      allowance.list(moves.size());
      walk.push_back({position(*play, moves), 0});
      if (over || moves.empty()) break;
      if (walk.size() > 1 && allowance.late()) return;
      const std::size_t choice = std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random);
      walk.back().move = moves[choice];
      play->apply(choice);
    }
    walks_.push_back(std::move(walk));
  }
}

// Whether all positions of the walk match the recorded ones.
bool RecordedWalks::follows(Reasoner& play, const std::vector<Position>& walk, const std::function<bool()>& late,
                            bool& cut_short) {
  play.reset();
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const std::vector<std::uint64_t> moves = legal_moves(play);
    if (position(play, moves) != walk[i].seen) return false;
    if (i + 1 == walk.size()) break;
    cut_short = i > 0 && late();
    if (cut_short) break;
    const auto move = std::ranges::find(moves, walk[i].move);
    if (move == moves.end()) return false;
    play.apply(static_cast<std::size_t>(move - moves.begin()));
  }
  return true;
}

std::string RecordedWalks::compare(const ir::Game& before, const ir::Game& after, passes::PassEffect effect,
                                   std::size_t* made) {
  if (effect == passes::PassEffect::tags) {  // the moves of this version have other texts
    recorded_ = false;
    return compare_by_walks(engine_, before, after, effect, options_, made);
  }
  if (!recorded_) record(before);
  const std::unique_ptr<Reasoner> play = engine_(after);
  const auto late = [allowance = Allowance(options_)] { return allowance.late(); };
  std::size_t compared = 0;
  for (const std::vector<Position>& walk : walks_) {
    if (compared > 0 && late()) break;
    bool cut_short = false;
    if (!follows(*play, walk, late, cut_short)) {
      std::string difference = compare_by_walks(engine_, before, after, effect, options_);
      return difference.empty() ? fmt::format("walk {} of the first version is another one now", compared + 1)
                                : difference;
    }
    if (cut_short) break;
    ++compared;
  }
  if (made != nullptr) *made = compared;
  return "";
}

passes::Comparison comparison(const WalkOptions& options, Engine engine) {
  if (!engine) engine = [](const ir::Game& game) { return make_interpreter(game); };
  const auto walks = std::make_shared<RecordedWalks>(std::move(engine), options);
  return [walks](const ir::Game& before, const ir::Game& after, passes::PassEffect effect, std::size_t& made) {
    return walks->compare(before, after, effect, &made);
  };
}

}  // namespace rgtrans::lockstep
