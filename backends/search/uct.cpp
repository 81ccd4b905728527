// The tree on the Reasoner interface, for engines without a search of their own.

#include "backends/search/positions.hpp"
#include "backends/search/search.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

bool run_keeper(Reasoner& reasoner) {
  constexpr std::size_t kMost = 1'000'000;
  for (std::size_t moves = 0; reasoner.keeper_moves(); ++moves) {
    if (reasoner.move_count() == 0) throw Error("the play is stuck: keeper has no move, and the play is not over");
    if (moves == kMost) throw Error("keeper moves without end");
    reasoner.apply(0);
  }
  return !reasoner.terminal();
}

// The states are compared without the variables that no later move reads.
void Walker::compare_keeper_moves(std::size_t count) {
  std::vector<std::byte> first;
  for (std::size_t i = 0; i < count; ++i) {
    reasoner_->apply(i);
    std::vector<std::byte> state = reasoner_->state_bytes();
    reasoner_->canonical(state, false);
    reasoner_->undo();
    if (i == 0)
      first = std::move(state);
    else if (state != first)
      throw Error("keeper's moves lead to different positions, so the position has no value");
  }
}

std::vector<double> goal_numbers(const Reasoner& reasoner) {
  std::vector<double> out;
  for (std::size_t p = 0; p < reasoner.info().players.size(); ++p) {
    out.push_back(score_value(reasoner.goal(p)));
  }
  return out;
}

std::uint32_t best_move(const TreeReport& report) {
  // The promise of the best unproven move. A proven move with a worse result is never chosen.
  double promised = -1;
  std::uint64_t visits = 0;
  for (const RootMove& move : report.moves) {
    if (move.proven || move.visits < visits) continue;
    if (move.visits > visits || move.value > promised) promised = move.value;
    visits = move.visits;
  }
  const RootMove* best = nullptr;
  for (const RootMove& move : report.moves) {
    if (move.proven && move.value < promised && !report.proven) continue;
    const auto rank = [&](const RootMove& m) {
      const bool exact = m.proven && (report.proven || m.value >= promised);
      return std::tuple(exact ? m.value : -1.0, m.visits, m.value);
    };
    if (best == nullptr || rank(move) > rank(*best)) best = &move;
  }
  return best == nullptr ? 0 : best->move;
}

namespace {

class ReasonerGame {
 public:
  explicit ReasonerGame(const Reasoner& reasoner)
      : reasoner_(reasoner.clone()), info_(reasoner.info()), size_(reasoner.state_bytes().size()) {}

  [[nodiscard]] std::size_t players() const { return info_.players.size(); }
  [[nodiscard]] std::size_t state_size() const { return size_; }
  [[nodiscard]] double least() const { return info_.least_goal; }
  [[nodiscard]] double most() const { return info_.most_goal; }

  class Worker {
   public:
    explicit Worker(std::unique_ptr<Reasoner> reasoner) : r_(std::move(reasoner)), size_(r_->state_bytes().size()) {}
    void load(const std::byte* state) { r_->set_state_bytes({state, size_}); }
    void store(std::byte* state) const {
      std::vector<std::byte> bytes = r_->state_bytes();
      r_->canonical(bytes, false);
      std::ranges::copy(bytes, state);
    }
    [[nodiscard]] bool terminal() const { return r_->terminal(); }
    [[nodiscard]] std::uint32_t mover() const {
      const std::size_t players = r_->info().players.size();
      return static_cast<std::uint32_t>(std::min(r_->mover(), players));
    }
    std::uint32_t list() {
      const std::size_t count = r_->move_count();
      if (count == 0) throw Error("a player has no move, and the play is not over");
      return static_cast<std::uint32_t>(count);
    }
    void reload(const std::byte* state) {
      load(state);
      list();
    }
    std::uint64_t key(std::uint32_t index) { return r_->move_fingerprint(index); }
    void apply(std::uint32_t index) {
      r_->apply(index);
      run_keeper(*r_);
    }
    void results(double* out) const { std::ranges::copy(goal_numbers(*r_), out); }
    template <class Stop>
    bool play_out(TreeRandom& random, std::uint32_t most_moves, const Stop& stop) {
      std::uint64_t seed = random.next();
      return r_->play_out(seed, most_moves, stop);
    }

   private:
    std::unique_ptr<Reasoner> r_;
    std::size_t size_;
  };
  [[nodiscard]] std::unique_ptr<Worker> worker() const { return std::make_unique<Worker>(reasoner_->clone()); }

 private:
  std::shared_ptr<const Reasoner> reasoner_;
  GameInfo info_;
  std::size_t size_;
};

class ReasonerTree : public TreeSearch {
 public:
  ReasonerTree(const Reasoner& game, const TreeOptions& options, std::uint64_t seed)
      : tree_(ReasonerGame(game), options, seed) {}
  TreeReport run(Reasoner& position, const Budget& budget) override {
    std::vector<std::byte> state = position.state_bytes();
    position.canonical(state, false);
    return tree_.run(state.data(), budget);
  }
  void stop() override { tree_.stop(); }

 private:
  SearchTree<ReasonerGame> tree_;
};

}  // namespace

std::shared_ptr<TreeSearch> make_tree(const Reasoner& game, const TreeOptions& options, std::uint64_t seed) {
  if (std::shared_ptr<TreeSearch> own = game.make_search(options, seed)) return own;
  return std::make_shared<ReasonerTree>(game, options, seed);
}

}  // namespace rgtrans::search
