// A reasoner that moves followers along with each play. Work that engines usually do at once, such as playouts, runs
// move by move here.
#include <fmt/format.h>

#include <set>

#include "backends/claims/claims.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/results.hpp"
#include "core/support/clock.hpp"
#include "core/support/play_path.hpp"
#include "core/support/support.hpp"

namespace rgtrans::claims {

namespace {

class AssertedReasoner final : public Reasoner {
 public:
  AssertedReasoner(std::unique_ptr<Reasoner> engine, std::vector<std::unique_ptr<Follower>> followers)
      : engine_(std::move(engine)), followers_(std::move(followers)) {}

  [[nodiscard]] const GameInfo& info() const override { return engine_->info(); }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override {
    std::vector<std::unique_ptr<Follower>> copies;
    for (const auto& follower : followers_) copies.push_back(follower->clone());
    auto copy = std::make_unique<AssertedReasoner>(engine_->clone(), std::move(copies));
    copy->path_ = path_;
    copy->following_ = following_;
    return copy;
  }
  void reset() override {
    engine_->reset();
    path_.clear();
    following_ = true;
    for (const auto& follower : followers_) follower->reset();
  }
  [[nodiscard]] bool terminal() const override { return engine_->terminal(); }
  [[nodiscard]] std::size_t mover() const override { return engine_->mover(); }
  std::size_t move_count() override {
    if (!engine_->terminal()) each([](Follower& follower) { follower.look(); });
    return engine_->move_count();
  }
  std::string move_text(std::size_t index) override { return engine_->move_text(index); }
  std::span<const std::uint32_t> move_tags(std::size_t index) override { return engine_->move_tags(index); }
  [[nodiscard]] std::string tag_text(std::uint32_t tag) const override { return engine_->tag_text(tag); }
  std::string observed_move_text(std::size_t index, std::size_t player) override {
    return engine_->observed_move_text(index, player);
  }
  std::uint64_t move_fingerprint(std::size_t index) override { return engine_->move_fingerprint(index); }
  std::uint64_t walk_count(std::size_t index) override { return engine_->walk_count(index); }
  void apply(std::size_t index) override {
    const bool keeper = engine_->keeper_moves();
    const std::string move = engine_->move_text(index);
    each([&](Follower& follower) { follower.apply(keeper, move); });
    path_.push_back(move);
    engine_->apply(index);
  }
  bool undo() override {
    if (!engine_->undo()) return false;
    if (!following_) return true;
    path_.pop_back();
    for (const auto& follower : followers_) follower->undo();
    return true;
  }
  [[nodiscard]] std::string goal(std::size_t player) const override { return engine_->goal(player); }
  [[nodiscard]] std::vector<std::byte> state_bytes() const override { return engine_->state_bytes(); }
  // Nobody knows the moves that lead there: the followers wait for the next play.
  void set_state_bytes(std::span<const std::byte> bytes) override {
    engine_->set_state_bytes(bytes);
    following_ = false;
    path_.clear();
  }
  void canonical(std::vector<std::byte>& state, bool symmetries) const override {
    engine_->canonical(state, symmetries);
  }
  [[nodiscard]] std::string describe() const override { return engine_->describe(); }
  [[nodiscard]] std::vector<VariableView> variables() const override { return engine_->variables(); }
  [[nodiscard]] std::vector<NumberedCell> cells() const override { return engine_->cells(); }
  [[nodiscard]] std::uint32_t cell_value(std::uint32_t cell) const override { return engine_->cell_value(cell); }
  [[nodiscard]] bool cell_alive(std::uint32_t cell) const override { return engine_->cell_alive(cell); }
  [[nodiscard]] std::string value_text(std::uint32_t value) const override { return engine_->value_text(value); }

  std::uint64_t perft(unsigned depth) override {
    if (depth == 0) return 1;
    if (terminal()) return 0;
    const std::size_t count = move_count();
    const bool keeper = mover() == info().keeper(), random = mover() == info().random();
    if (depth == 1 && !keeper && !random) return count;
    std::set<std::vector<std::byte>> results;
    std::uint64_t leaves = 0;
    for (std::size_t i = 0; i < (keeper ? std::min<std::size_t>(count, 1) : count); ++i) {
      apply(i);
      if (!random || results.insert(state_bytes()).second) leaves += perft(keeper ? depth : depth - 1);
      undo();
    }
    return leaves;
  }
  std::uint64_t perft_walks(unsigned depth) override { return engine_->perft_walks(depth); }

  PlayoutStats playouts(const PlayoutOptions& options) override {
    const auto start = Clock::now();
    const std::unique_ptr<Reasoner> play = clone();
    PlayoutStats stats;
    const std::size_t players = info().players.size();
    for (auto* list : {&stats.goal_sum, &stats.goal_squares}) list->assign(players, 0);
    stats.wins.assign(players, 0);
    std::uint64_t random = options.seed * 0x9e3779b97f4a7c15U + 1;
    const std::size_t begun = path_.size();
    while (!options.stopped() &&
           (options.count > 0 ? stats.playouts < options.count : seconds_since(start) < options.seconds)) {
      static_cast<AssertedReasoner&>(*play).play_on(options, random, stats);
      static_cast<AssertedReasoner&>(*play).back_to(begun);
    }
    stats.seconds = seconds_since(start);
    return stats;
  }

 private:
  void play_on(const PlayoutOptions& options, std::uint64_t& random, PlayoutStats& stats) {
    std::uint64_t length = 0;
    bool stopped = false;
    for (std::uint64_t moves = 0; !terminal(); ++moves) {
      stopped = moves >= options.max_moves || options.stopped();
      if (stopped) break;
      const std::size_t count = engine_->move_count();
      if (count == 0) throw Error(mover_name() + " has no move, and the play is not over");
      if (mover() < info().players.size()) {
        ++length;
        stats.branching_sum += count;
        stats.branching_max = std::max<std::uint64_t>(stats.branching_max, count);
      }
      random = mix_hash(random + 0x9e3779b97f4a7c15U);
      apply(static_cast<std::size_t>((random >> 32U) * count >> 32U));
    }
    ++stats.playouts;
    stats.moves += length;
    stats.length_squares += static_cast<double>(length) * static_cast<double>(length);
    stats.max_length = std::max(stats.max_length, length);
    stats.min_length = std::min(stats.min_length, length);
    if (stopped) {
      ++stats.stopped;
      return;
    }
    std::vector<double> goals;
    for (std::size_t p = 0; p < info().players.size(); ++p) goals.push_back(score_value(goal(p)));
    add_result(stats, goals, 1);
  }
  void back_to(std::size_t length) {
    if (length == 0) return reset();
    while (path_.size() > length) undo();
  }

  template <class F>
  void each(F&& f) {
    if (!following_) return;
    try {
      for (const auto& follower : followers_) f(*follower);
    } catch (const ProofError& error) {
      std::vector<Diagnostic> diagnostics = error.diagnostics();
      std::string path = path_of(path_);
      if (path.size() > kLongestPath) path = fmt::format("a play of {} moves", path_.size());
      diagnostics.front().notes.push_back({{}, "in the state after " + path});
      throw ProofError(std::move(diagnostics), error.sources());
    }
  }

  static constexpr std::size_t kLongestPath = 2000;
  std::unique_ptr<Reasoner> engine_;
  std::vector<std::unique_ptr<Follower>> followers_;
  std::vector<std::string> path_;
  bool following_ = true;
};

}  // namespace

std::unique_ptr<Reasoner> assert_proofs(std::unique_ptr<Reasoner> engine,
                                        std::vector<std::unique_ptr<Follower>> followers) {
  return std::make_unique<AssertedReasoner>(std::move(engine), std::move(followers));
}

std::unique_ptr<Reasoner> assert_proofs(std::unique_ptr<Reasoner> engine, const ir::Game& game, const Rules& rules) {
  return assert_proofs(std::move(engine), followers_of(game, rules));
}

}  // namespace rgtrans::claims
