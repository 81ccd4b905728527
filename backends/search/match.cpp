// Matches: plays with changing seats, in parallel on several threads. Results are counted in the order of the plays, so
// they do not depend on which play ends first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "backends/search/table.hpp"
#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNormal95 = 1.959964;

double elo_of(double share) {
  const double s = std::clamp(share, 1e-4, 1 - 1e-4);
  return -400 * std::log10(1 / s - 1);
}
double share_of_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

}  // namespace

Estimate share_of(double successes, double cases) {
  if (cases <= 0) return {0.5, 0, 1};
  const double p = successes / cases;
  const double z2 = kNormal95 * kNormal95;
  const double middle = (p + z2 / (2 * cases)) / (1 + z2 / cases);
  const double half = kNormal95 / (1 + z2 / cases) * std::sqrt(p * (1 - p) / cases + z2 / (4 * cases * cases));
  return {p, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Estimate mean_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double half = n > 1 ? kNormal95 * std::sqrt(squares / (n - 1) / n) : 0;
  return {mean, mean - half, mean + half};
}

// --- One play. ---

namespace {

class Table {
 public:
  Table(const Reasoner& game, std::span<const std::string> seats, const PlaySeeds& seeds, const PlayLimits& limits)
      : game_(game.clone()), limits_(limits), chance_(seeds, limits), players_(game.info().players.size()) {
    record_.seats.assign(seats.begin(), seats.end());
    record_.seeds = seeds;
    record_.seconds.assign(players_, 0);
    for (std::size_t p = 0; p < players_; ++p) sitting_.push_back(make_player(seats[p]));
  }

  PlayRecord play() {
    const auto begin = Clock::now();
    for (std::size_t p = 0; p < players_ && record_.stopped.empty(); ++p) {
      at_risk(p, [&] { sitting_[p]->start(*game_, p, record_.seeds.of_player(p)); });
    }
    while (record_.stopped.empty() && !game_->terminal()) {
      if (record_.moves.size() >= limits_.most_moves) {
        record_.stopped = "too many moves";
      } else if (limits_.seconds > 0 && seconds_since(begin) >= limits_.seconds) {
        record_.stopped = "too much time";
      } else if (limits_.stop != nullptr && __atomic_load_n(limits_.stop, __ATOMIC_RELAXED) != 0) {
        record_.stopped = kInterruptedPlay;
      } else {
        step();
      }
    }
    if (record_.stopped.empty()) record_.goals = goal_numbers(*game_);
    return std::move(record_);
  }

 private:
  // Runs the code of a player on the player's clock. A player that fails loses.
  template <class F>
  void at_risk(std::size_t p, F&& f) {
    const auto begin = Clock::now();
    try {
      f();
    } catch (const PlayerError& e) {
      record_.stopped = e.what();
      record_.goals.assign(players_, game_->info().most_goal);
      record_.goals[p] = game_->info().least_goal;
      record_.fault = static_cast<int>(p);
    }
    record_.seconds[p] += seconds_since(begin);
  }
  void step() {
    const std::size_t mover = game_->mover();
    const std::size_t count = game_->move_count();
    if (count == 0) throw Error("the play is stuck: somebody has no move, and the play is not over");
    std::size_t index = 0;
    std::vector<double> expected;
    if (const auto drawn = chance_.draw(*game_)) {
      index = *drawn;
    } else if (mover < players_) {
      at_risk(mover, [&] { index = sitting_[mover]->choose(*game_); });
      if (!record_.stopped.empty()) return;
      if (const TreeReport* thoughts = sitting_[mover]->thoughts()) expected = thoughts->values;
    }
    if (mover < players_) ++record_.player_moves;
    for (std::size_t p = 0; p < players_ && record_.stopped.empty(); ++p) {
      at_risk(p, [&] { sitting_[p]->observe(*game_, index); });
    }
    record_.moves.push_back(game_->move_text(index));
    record_.choices.push_back(mover < players_ ? static_cast<std::uint32_t>(count) : 0);
    record_.expected.push_back(std::move(expected));
    game_->apply(index);
  }

  std::unique_ptr<Reasoner> game_;
  PlayLimits limits_;
  TableChance chance_;
  std::size_t players_;
  std::vector<std::unique_ptr<SeatPlayer>> sitting_;
  PlayRecord record_;
};

}  // namespace

PlayRecord play_once(const Reasoner& game, std::span<const std::string> seats, const PlaySeeds& seeds,
                     const PlayLimits& limits) {
  return Table(game, seats, seeds, limits).play();
}

// --- Many plays. ---

namespace {

// The score of each player in a play. The players with the best result share 1.
std::vector<double> scores(const PlayRecord& record, std::size_t seats, double least, double most) {
  std::vector<double> out(record.goals.size(), 0);
  if (record.goals.empty()) return std::vector<double>(seats, 1.0 / static_cast<double>(seats));
  if (out.size() == 1) {
    out[0] = most > least ? (record.goals[0] - least) / (most - least) : 0;
    return out;
  }
  const double best = std::ranges::max(record.goals);
  const auto sharing = static_cast<double>(std::ranges::count(record.goals, best));
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = record.goals[p] == best ? 1 / sharing : 0;
  return out;
}

}  // namespace

MatchTally::MatchTally(const GameInfo& info, const MatchOptions& options, std::function<void(const PlayRecord&)> report)
    : seats_(info.players.size()),
      least_goal_(info.least_goal),
      most_goal_(info.most_goal),
      options_(options),
      report_(std::move(report)) {
  for (const std::string& player : options.players) result_.standings.push_back({.player = player});
  if (seats_ == 2 && options.players.size() == 2) result_.pairs.assign(5, 0);
  result_.seed = options.seed;
}

void MatchTally::add(std::uint64_t play, PlayRecord record) {
  finished_.emplace(play, std::move(record));
  for (auto it = finished_.find(result_.plays); it != finished_.end() && !over_; it = finished_.find(result_.plays)) {
    const PlayRecord next = std::move(it->second);
    finished_.erase(it);
    if (report_) report_(next);
    count(next);
    if (result_.plays % options_.players.size() == 0) end_round();
  }
}

void MatchTally::count(const PlayRecord& record) {
  const std::vector<double> score = scores(record, seats_, least_goal_, most_goal_);
  const std::vector<std::size_t> seats = seats_of_play(options_, seats_, result_.plays++);
  for (std::size_t s = 0; s < seats.size(); ++s) {
    Standing& standing = result_.standings[seats[s]];
    ++standing.plays;
    standing.score += score[s];
    ++(score[s] >= 1 ? standing.wins : score[s] > 0 ? standing.draws : standing.losses);
    if (record.fault == static_cast<int>(s)) ++standing.faults;
    standing.seconds += record.seconds[s];
    standing.moves += record.player_moves / seats.size();
    if (!record.goals.empty()) standing.mean_goal += record.goals[s];
    if (seats[s] == 0) round_.push_back(score[s]);
  }
}

// Wald's sequential test with the normal approximation of the log-likelihood ratio. With two players it is the
// pentanomial one.
void MatchTally::end_round() {
  const double sum = std::accumulate(round_.begin(), round_.end(), 0.0);
  if (!result_.pairs.empty()) ++result_.pairs[static_cast<std::size_t>(std::lround(2 * sum))];
  samples_.push_back(sum / static_cast<double>(std::max<std::size_t>(1, round_.size())));
  round_.clear();
  constexpr std::size_t kFewestPlays = 10;
  if (!options_.sprt || result_.plays < kFewestPlays) return;
  const auto n = static_cast<double>(samples_.size());
  double mean = 0.5, squares = 0.25;  // one draw beforehand, so that the variance is not zero
  for (const double s : samples_) {
    mean += s;
    squares += s * s;
  }
  mean /= n + 1;
  const double variance = std::max(squares / (n + 1) - mean * mean, 1e-3);
  const double s0 = share_of_elo(options_.elo0), s1 = share_of_elo(options_.elo1);
  result_.llr = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
  const double bound = std::log(0.95 / 0.05);
  if (result_.llr >= bound) result_.verdict = fmt::format("stronger by {} Elo (accepted)", options_.elo1);
  if (result_.llr <= -bound)
    result_.verdict = fmt::format("not stronger by more than {} Elo (rejected)", options_.elo0);
  over_ = !result_.verdict.empty();
}

std::string MatchTally::progress() const {
  const Standing& first = result_.standings[0];
  const Estimate share = share_of(first.score, static_cast<double>(first.plays));
  return fmt::format("{} of {} plays, {} scores {:.1f} % ({:.1f} … {:.1f})", result_.plays, options_.games,
                     first.player, 100 * share.value, 100 * share.low, 100 * share.high);
}

MatchResult MatchTally::result() const {
  MatchResult out = result_;
  if (options_.sprt && out.verdict.empty()) out.verdict = "undecided";
  for (Standing& standing : out.standings) {
    if (standing.plays == 0) continue;
    const auto n = static_cast<double>(standing.plays);
    // Draws make the interval of a share narrower than that of wins and losses alone; Wilson's is never too narrow.
    standing.share = share_of(standing.score, n);
    standing.elo = {elo_of(standing.share.value), elo_of(standing.share.low), elo_of(standing.share.high)};
    standing.mean_goal /= n;
  }
  return out;
}

PlayRecord play_of_match(const Reasoner& game, const MatchOptions& options, std::uint64_t play) {
  std::vector<std::string> names;
  for (const std::size_t player : seats_of_play(options, game.info().players.size(), play))
    names.push_back(options.players[player]);
  PlayLimits limits = options.limits;
  limits.stop = options.following.stop;
  return play_once(game, names, seeds_of_play(options, play), limits);
}

namespace {

class Match {
 public:
  Match(const Reasoner& game, const MatchOptions& options, const std::function<void(const PlayRecord&)>& report)
      : game_(game), options_(options), tally_(game.info(), options, report) {}

  MatchResult run() {
    std::vector<std::thread> threads;
    const auto parallel = static_cast<unsigned>(
        std::min<std::uint64_t>(std::max(1U, options_.parallel), std::max<std::uint64_t>(options_.games, 1)));
    for (unsigned i = 1; i < parallel; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (problem_) std::rethrow_exception(problem_);
    return tally_.result();
  }

 private:
  void work() {
    for (;;) {
      std::uint64_t play = 0;
      {
        const std::lock_guard lock(mutex_);
        if (problem_ || tally_.over() || next_ >= options_.games || options_.following.stopped()) return;
        play = next_++;
      }
      try {
        PlayRecord record = play_of_match(game_, options_, play);
        // Ctrl-C ends programs that play, too: that is no fault of theirs.
        if (options_.following.stopped() && (record.stopped == kInterruptedPlay || record.fault >= 0)) return;
        const std::lock_guard lock(mutex_);
        tally_.add(play, std::move(record));
        options_.following.tell([&] { return tally_.progress(); });
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!problem_) problem_ = std::current_exception();
      }
    }
  }

  const Reasoner& game_;
  const MatchOptions& options_;
  std::mutex mutex_;
  std::uint64_t next_ = 0;
  std::exception_ptr problem_;
  MatchTally tally_;
};

}  // namespace

MatchResult run_match(const Reasoner& game, const MatchOptions& options,
                      const std::function<void(const PlayRecord&)>& report) {
  return Match(game, options, report).run();
}

std::string text(const MatchResult& result) {
  std::size_t width = 6;
  for (const Standing& s : result.standings) width = std::max(width, s.player.size());
  std::string out = fmt::format("{:<{}} {:>6} {:>6} {:>6} {:>6}  {:>7} {:>15}  {:>6} {:>15} {:>10}\n", "player", width,
                                "plays", "won", "drawn", "lost", "score", "95 %", "Elo", "95 %", "seconds");
  for (const Standing& s : result.standings) {
    out += fmt::format("{:<{}} {:>6} {:>6} {:>6} {:>6}  {:>6.1f}% {:>15}  {:>+6.0f} {:>15} {:>10.2f}\n", s.player,
                       width, s.plays, s.wins, s.draws, s.losses, 100 * s.share.value,
                       fmt::format("{:.1f} … {:.1f}", 100 * s.share.low, 100 * s.share.high), s.elo.value,
                       fmt::format("{:+.0f} … {:+.0f}", s.elo.low, s.elo.high), s.seconds);
    if (s.faults > 0) out += fmt::format("{:<{}} lost {} plays by not answering a legal move\n", "", width, s.faults);
  }
  if (!result.pairs.empty() && !result.verdict.empty()) {
    out += fmt::format("rounds in which {} scored 0, ½, 1, 1½, 2: {}\n", result.standings[0].player,
                       fmt::join(result.pairs, ", "));
  }
  if (!result.verdict.empty())
    out += fmt::format("test of {}: {} (log-likelihood ratio {:.2f})\n", result.standings[0].player, result.verdict,
                       result.llr);
  return out + fmt::format("seed {}\n", result.seed);
}

std::string json(const MatchResult& result) {
  const auto interval = [](const Estimate& e) { return Json{{"value", e.value}, {"low", e.low}, {"high", e.high}}; };
  Json out;
  out["plays"] = result.plays;
  out["seed"] = result.seed;
  if (!result.verdict.empty()) out["test"] = {{"verdict", result.verdict}, {"llr", result.llr}};
  if (!result.pairs.empty()) out["pairs"] = result.pairs;
  out["players"] = Json::array();
  for (const Standing& s : result.standings) {
    out["players"].push_back({{"player", s.player},
                              {"plays", s.plays},
                              {"won", s.wins},
                              {"drawn", s.draws},
                              {"lost", s.losses},
                              {"faults", s.faults},
                              {"score", interval(s.share)},
                              {"elo", interval(s.elo)},
                              {"mean_goal", s.mean_goal},
                              {"seconds", s.seconds}});
  }
  return out.dump(2);
}

}  // namespace rgtrans::search
