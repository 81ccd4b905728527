// Chooses how to solve a game. For one player, a search for the best end. For two players with a constant sum of goals,
// proof numbers, or, if positions repeat, the whole graph if it fits into memory. With chance or more players, backward
// induction over positions that do not repeat.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

#include "backends/search/induction.hpp"
#include "backends/search/proof_numbers.hpp"
#include "backends/search/retrograde.hpp"
#include "backends/search/strategies.hpp"
#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

Key key_of(std::span<const std::byte> state) {
  Key key{0x9e3779b97f4a7c15U ^ state.size(), 0xd6e8feb86659fd93U};
  std::size_t at = 0;
  while (at < state.size()) {
    std::uint64_t part = 0;
    const std::size_t size = std::min<std::size_t>(8, state.size() - at);
    std::copy_n(state.data() + at, size, reinterpret_cast<std::byte*>(&part));
    key.a = mix_hash(key.a ^ part);
    key.b = mix_hash(key.b + part * 0xbf58476d1ce4e5b9U + 0x94d049bb133111ebU);
    at += size;
  }
  return key;
}

SolveLimits::SolveLimits(const SolveOptions& options)
    : memory_(options.memory),
      until_(options.seconds > 0 ? Clock::now() + seconds_long(options.seconds) : Clock::time_point::max()),
      following_(options.following) {}

std::string OutOfTime::why() const { return what == nullptr ? "interrupted" : fmt::format("the {} is used up", what); }

SolveLimits SolveLimits::part(double share) const {
  SolveLimits out = *this;
  out.memory_ = static_cast<std::uint64_t>(static_cast<double>(memory_) * share);
  if (until_ != Clock::time_point::max()) {
    const auto now = Clock::now();
    out.until_ = now + std::chrono::duration_cast<Clock::duration>(share * (until_ - now));
  }
  return out;
}

double constant_sum_value(const Reasoner& end) {
  const std::vector<double> goals = goal_numbers(end);
  if (std::abs(goals[0] + goals[1] - end.info().least_goal - end.info().most_goal) > 1e-9) throw NotConstant();
  return goals[0];
}

namespace {

// One player: positions in the order of their distance, until one ends as well as a play can.
class Puzzle {
 public:
  Puzzle(const Reasoner& start, SolveLimits& limits) {
    const std::unique_ptr<Reasoner> r = start.clone();
    run_keeper(*r);
    std::deque<std::vector<std::byte>> waiting = {r->state_bytes()};
    ids_[canonical_key(*r)] = 0;
    from_.push_back({0, 0});
    for (std::uint32_t n = 0; !waiting.empty(); ++n) {
      const std::vector<std::byte> state = std::move(waiting.front());
      waiting.pop_front();
      r->set_state_bytes(state);
      if (r->terminal()) {
        const double goal = goal_numbers(*r)[0];
        if (goal > value) {
          value = goal;
          end_ = n;
        }
        if (goal >= start.info().most_goal) return;
        continue;
      }
      if (r->mover() != 0) throw Chance();
      const std::size_t count = r->move_count();
      if (count == 0) throw Error("the play is stuck: the player has no move, and the play is not over");
      for (std::uint32_t i = 0; i < count; ++i) {
        if (i > 0) r->set_state_bytes(state);
        r->apply(i);
        run_keeper(*r);
        std::vector<std::byte> below = r->state_bytes();
        const Key key = canonical_key(*r);
        if (ids_.find(key) != nullptr) continue;
        ids_[key] = static_cast<std::uint32_t>(from_.size());
        from_.push_back({n, i});
        waiting.push_back(std::move(below));
      }
      limits.check(ids_.bytes() + from_.capacity() * sizeof(Step) + waiting.size() * (state.size() + 64));
    }
  }
  // The moves to the best end.
  [[nodiscard]] std::vector<std::uint32_t> way() const {
    std::vector<std::uint32_t> moves;
    for (std::uint32_t n = end_; n != 0; n = from_[n].from) moves.push_back(from_[n].move);
    std::ranges::reverse(moves);
    return moves;
  }
  [[nodiscard]] std::uint64_t positions() const { return from_.size(); }
  double value = -std::numeric_limits<double>::infinity();

 private:
  struct Step {
    std::uint32_t from, move;
  };
  KeyTable<std::uint32_t> ids_;
  std::vector<Step> from_;
  std::uint32_t end_ = 0;
};

// Depth-first search for one player. It stores less per position, and one play with the best possible end settles the
// value at once. The order of moves is random. A search whose first moves were wrong is abandoned for a new one with
// twice the budget.
class Dive {
 public:
  Dive(const Reasoner& start, SolveLimits& limits) : r_(start.clone()), limits_(limits) { run_keeper(*r_); }
  void run() {
    constexpr std::size_t kFirst = 4096;
    const std::vector<std::byte> start = r_->state_bytes();
    for (std::size_t most = kFirst; !finish(start, most); most *= 2) {
    }
  }
  double value = -std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> way;  // to that
  std::uint64_t positions = 0;

 private:
  struct Level {
    std::vector<std::byte> state;
    std::vector<std::uint32_t> untried;
    std::uint32_t move;  // that leads here
  };
  // False when so many positions were not all.
  bool finish(const std::vector<std::byte>& start, std::size_t most) {
    KeyTable<bool> known;
    std::vector<Level> levels;
    r_->set_state_bytes(start);
    arrive(levels, 0);
    while (!levels.empty() && value < r_->info().most_goal) {
      Level& at = levels.back();
      if (at.untried.empty()) {
        levels.pop_back();
        continue;
      }
      const std::uint32_t move = at.untried.back();
      at.untried.pop_back();
      r_->set_state_bytes(at.state);
      r_->apply(move);
      run_keeper(*r_);
      bool& met = known[canonical_key(*r_)];
      if (std::exchange(met, true)) continue;
      ++positions;
      if (known.size() > most) return false;
      limits_.check(known.bytes() + levels.size() * (at.state.size() + sizeof(Level) + 64));
      arrive(levels, move);
    }
    return true;
  }
  void arrive(std::vector<Level>& levels, std::uint32_t move) {
    if (r_->terminal()) {
      const double goal = goal_numbers(*r_)[0];
      if (goal <= value) return;
      value = goal;
      way.clear();
      for (std::size_t i = 1; i < levels.size(); ++i) way.push_back(levels[i].move);
      way.push_back(move);
      return;
    }
    if (r_->mover() != 0) throw Chance();
    const std::size_t count = r_->move_count();
    if (count == 0) throw Error("the play is stuck: the player has no move, and the play is not over");
    Level& level = levels.emplace_back();
    level.state = r_->state_bytes();
    level.move = move;
    level.untried.resize(count);
    std::iota(level.untried.begin(), level.untried.end(), 0);
    for (std::uint32_t i = static_cast<std::uint32_t>(count); i > 1; --i) {
      std::swap(level.untried[i - 1], level.untried[random_.below(i)]);
    }
  }

  std::unique_ptr<Reasoner> r_;
  SolveLimits& limits_;
  TreeRandom random_{1};
};

class Solver {
 public:
  Solver(const Reasoner& position, const SolveOptions& options)
      : start_(position.clone()), options_(options), limits_(options) {
    if (position.info().hidden) {
      throw Error("this game hides moves from players, so a position alone has no value",
                  "players of such games can be compared with `rgtrans match`");
    }
    run_keeper(*start_);
    const GameInfo& info = position.info();
    out_.low = info.least_goal;
    out_.high = info.most_goal;
    const ir::Game* written = options.proof != nullptr ? options.proof->written : options.written;
    const GameInfo scores = written != nullptr ? make_interpreter(*written)->info() : info;
    out_.cycle_value = info.players.size() == 1 ? scores.least_goal : (scores.least_goal + scores.most_goal) / 2;
  }

  Solution run() {
    const auto begin = Clock::now();
    try {
      if (start_->terminal()) {
        finish("the play is over", goal_numbers(*start_));
        if (start_->info().players.size() <= 2) prove({});
      } else {
        choose();
      }
    } catch (const OutOfTime& limit) {
      out_.stopped = limit.why();
    }
    out_.seconds = seconds_since(begin);
    return std::move(out_);
  }

 private:
  void choose() {
    const std::size_t players = start_->info().players.size();
    try {
      if (players == 1) return puzzle();
      if (players == 2) return two();
    } catch (const Chance&) {
      // One of the moves is random's.
    } catch (const NotConstant&) {
      // Both may win or lose at once.
    }
    induction();
  }

  // The shortest way if the positions are few; else any.
  void puzzle() {
    try {
      SolveLimits some = limits_.part(1.0 / 3);
      const Puzzle solved(*start_, some);
      out_.positions = solved.positions();
      return solved_puzzle("search of a puzzle", solved.value, solved.way());
    } catch (const OutOfTime&) {
      // They are many.
    }
    Dive dive(*start_, limits_);
    try {
      dive.run();
    } catch (const OutOfTime&) {
      out_.positions = dive.positions;
      out_.low = std::max(out_.low, dive.value);
      throw;
    }
    out_.positions = dive.positions;
    solved_puzzle("search of a puzzle, depth first", dive.value, dive.way);
  }
  void solved_puzzle(const std::string& method, double value, const std::vector<std::uint32_t>& way) {
    finish(method, {std::max(value, out_.cycle_value)});
    Walker at(*start_);
    for (const std::uint32_t move : way) step(at, move);
    std::size_t next = 0;
    prove([&](Walker&, const ProofClaim&) { return way.at(next++); });
  }

  // Random plays may end with another sum of goals than the search meets before it has an answer.
  void sample_ends() const {
    constexpr int kPlays = 200;
    constexpr std::uint64_t kMostMoves = 500, kAllMoves = 5000;
    const auto interrupted = [&] { return options_.following.stopped(); };
    std::uint64_t random = 1;
    std::uint64_t moves = 0;
    for (int i = 0; i < kPlays && moves < kAllMoves; ++i) {
      const std::unique_ptr<Reasoner> play = start_->clone();
      const std::function<bool()> counted = [&] { return ++moves > kAllMoves || interrupted(); };
      try {
        if (!play->play_out(random, kMostMoves, counted)) continue;
      } catch (const std::runtime_error&) {
        return;  // somebody is stuck; the search reports that if it matters
      }
      constant_sum_value(*play);
    }
  }

  void two() {
    sample_ends();
    try {
      prove_two(false);
    } catch (const Repeats&) {
      out_.cyclic = true;
      two_with_cycles();
    }
  }
  void prove_two(bool patient) {
    ProofNumbers search(*start_, out_.cycle_value, limits_, patient);
    try {
      const double value = search.solve();
      out_.positions = search.positions();
      out_.assumes_sum = true;
      solved_two("proof numbers", value, [&](Walker& at, const ProofClaim& claim) { return search.advise(at, claim); });
    } catch (const OutOfTime&) {
      out_.positions = search.positions();
      out_.low = search.known().low;
      out_.high = search.known().high;
      throw;
    }
  }
  // Explores all positions if they are few; else a player may win without that.
  void two_with_cycles() {
    try {
      SolveLimits some = limits_.part(1.0 / 4);
      PositionGraph graph(*start_, out_.cycle_value, some);
      out_.positions = graph.positions();
      return solved_two("all positions, from the ends backwards", graph.value(),
                        [&](Walker& at, const ProofClaim& claim) { return graph.advise(at, claim); });
    } catch (const OutOfTime&) {
      // They are many.
    }
    try {
      prove_two(true);
    } catch (const Repeats&) {
      out_.stopped =
          "no player was found to win, and there are too many positions to decide whether the play is endless";
    }
  }
  void solved_two(const std::string& method, double value, const Adviser& adviser) {
    const GameInfo& info = start_->info();
    finish(method, {value, info.least_goal + info.most_goal - value});
    const ProofClaim both[] = {{0, 0, true, value}, {1, 0, false, value}};
    Walker at(*start_);
    KeyTable<bool> seen;
    while (!at.at().terminal() && !out_.repeats) {
      bool& known = seen[at.key()];
      out_.repeats = known;
      known = true;
      if (!out_.repeats) step(at, adviser(at, both[at.at().mover()]));
    }
    prove(adviser);
  }

  void induction() {
    try {
      if (options_.proof != nullptr && start_->info().players.size() <= 2) return induction_with<Worth>(false);
      induction_with<double>(false);
    } catch (const Ties&) {
      induction_with<Worth>(true);
    }
  }
  template <class Number>
  void induction_with(bool ordered) {
    try {
      Induction<Number> solved(*start_, limits_, ordered);
      out_.positions = solved.positions();
      finish("backward induction", solved.values);
      Walker at(*start_);
      // The line ends where chance decides.
      while (!at.at().terminal() && at.at().mover() < start_->info().players.size()) step(at, solved.best(at));
      if (start_->info().players.size() <= 2 && solved.constant_sum) {
        prove([&](Walker& where, const ProofClaim&) { return solved.best(where); });
      } else {
        out_.stopped = "there are proofs for one or two players alone, whose goals have a constant sum";
      }
    } catch (const Repeats&) {
      out_.cyclic = true;
      out_.stopped =
          "positions can come back in this game of chance, of more than two players, or whose goals have no "
          "constant sum; there is no method for that";
    }
  }

  void finish(const std::string& method, std::vector<double> values) {
    out_.solved = true;
    out_.method = method;
    out_.low = out_.high = values[0];
    out_.values = std::move(values);
  }
  void step(Walker& at, std::size_t move) {
    at.list();
    out_.line.push_back(at.at().move_text(move));
    at.down(move);
  }
  void prove(const Adviser& adviser) {
    if (options_.proof == nullptr) return;
    try {
      write_proof(*start_, *options_.proof, out_.values[0], adviser, limits_);
      out_.proven = true;
    } catch (const std::runtime_error& e) {
      out_.stopped = fmt::format("the strategy found is no proof: {}", e.what());
    }
  }

  std::unique_ptr<Reasoner> start_;
  const SolveOptions& options_;
  SolveLimits limits_;
  Solution out_;
};

}  // namespace

Solution solve(const Reasoner& position, const SolveOptions& options) { return Solver(position, options).run(); }

}  // namespace rgtrans::search
