#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "backends/play/play.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

void PlayoutStats::merge(const PlayoutStats& other) {
  playouts += other.playouts;
  moves += other.moves;
  max_length = std::max(max_length, other.max_length);
  min_length = std::min(min_length, other.min_length);
  length_squares += other.length_squares;
  branching_sum += other.branching_sum;
  branching_max = std::max(branching_max, other.branching_max);
  stopped += other.stopped;
  const auto add = [](auto& to, const auto& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  add(goal_sum, other.goal_sum);
  add(goal_squares, other.goal_squares);
  add(wins, other.wins);
  seconds = std::max(seconds, other.seconds);
}

namespace play {

namespace {

// The seeds of different threads are unrelated; thread 0 uses the given one.
std::uint64_t seed_of(std::uint64_t seed, unsigned thread) {
  return thread == 0 ? seed : mix_hash(seed + thread * 0x9e3779b97f4a7c15ULL);
}

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

struct Summary {
  explicit Summary(const PlayoutStats& stats)
      : plays(static_cast<double>(stats.playouts)),
        mean_length(ratio(static_cast<double>(stats.moves), plays)),
        deviation(std::sqrt(std::max(0.0, ratio(stats.length_squares, plays) - mean_length * mean_length))),
        branching(ratio(static_cast<double>(stats.branching_sum), static_cast<double>(stats.moves))) {}
  double plays;
  double mean_length;
  double deviation;
  double branching;
};

}  // namespace

PlayoutStats playouts(const Reasoner& reasoner, const PlayoutOptions& options, unsigned threads) {
  threads = std::max(1U, threads);
  if (options.count > 0) threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, options.count));
  std::vector<PlayoutStats> results(threads);
  std::exception_ptr problem;
  std::mutex mutex;
  const auto work = [&](unsigned thread) {
    try {
      PlayoutOptions mine = options;
      mine.seed = seed_of(options.seed, thread);
      if (options.count > 0) mine.count = options.count / threads + (thread < options.count % threads ? 1 : 0);
      results[thread] = reasoner.clone()->playouts(mine);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& thread : others) thread.join();
  if (problem) std::rethrow_exception(problem);
  PlayoutStats sum;
  for (const PlayoutStats& result : results) sum.merge(result);
  return sum;
}

std::string text(const PlayoutStats& stats, const GameInfo& info) {
  const Summary summary(stats);
  std::string out;
  out += fmt::format("playouts:   {} in {:.3f} s ({:.0f} per second)\n", stats.playouts, stats.seconds,
                     ratio(summary.plays, stats.seconds));
  out += fmt::format("moves:      {} ({:.0f} per second)\n", stats.moves,
                     ratio(static_cast<double>(stats.moves), stats.seconds));
  out += fmt::format("length:     mean {:.3f}, deviation {:.3f}, shortest {}, longest {}\n", summary.mean_length,
                     summary.deviation, stats.playouts == 0 ? 0 : stats.min_length, stats.max_length);
  out += fmt::format("branching:  mean {:.3f}", summary.branching);
  if (stats.branching_max > 0) out += fmt::format(", largest {}", stats.branching_max);  // unknown for drawn plays
  out += "\n";
  if (stats.stopped > 0) out += fmt::format("stopped:    {} at the limit of moves\n", stats.stopped);
  const double finished = static_cast<double>(stats.playouts - stats.stopped);
  for (std::size_t i = 0; i < info.players.size() && i < stats.goal_sum.size(); ++i) {
    out += fmt::format("{}: mean goal {:.3f}, wins {} ({:.2f}%)\n", info.players[i], ratio(stats.goal_sum[i], finished),
                       stats.wins[i], 100 * ratio(static_cast<double>(stats.wins[i]), finished));
  }
  return out;
}

std::string confidence(const PlayoutStats& stats, const GameInfo& info) {
  constexpr double kNormal95 = 1.96;
  const double finished = static_cast<double>(stats.playouts - stats.stopped);
  std::string out;
  for (std::size_t i = 0; i < info.players.size() && i < stats.goal_sum.size(); ++i) {
    const double mean = ratio(stats.goal_sum[i], finished);
    const double variance = std::max(0.0, ratio(stats.goal_squares[i], finished) - mean * mean);
    out += fmt::format("{}{} {:.2f} ± {:.2f}", i == 0 ? "" : ", ", info.players[i], mean,
                       kNormal95 * std::sqrt(ratio(variance, finished)));
  }
  return out;
}

std::string json(const PlayoutStats& stats, const GameInfo& info) {
  const Summary summary(stats);
  const double finished = static_cast<double>(stats.playouts - stats.stopped);
  nlohmann::ordered_json out;
  out["playouts"] = stats.playouts;
  out["seconds"] = stats.seconds;
  out["playouts_per_second"] = ratio(summary.plays, stats.seconds);
  out["moves"] = stats.moves;
  out["moves_per_second"] = ratio(static_cast<double>(stats.moves), stats.seconds);
  out["length"] = {{"mean", summary.mean_length},
                   {"deviation", summary.deviation},
                   {"min", stats.playouts == 0 ? 0 : stats.min_length},
                   {"max", stats.max_length}};
  out["branching"] = {{"mean", summary.branching}, {"max", stats.branching_max}};
  out["stopped"] = stats.stopped;
  out["players"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < info.players.size() && i < stats.goal_sum.size(); ++i) {
    out["players"].push_back(
        {{"name", info.players[i]}, {"mean_goal", ratio(stats.goal_sum[i], finished)}, {"wins", stats.wins[i]}});
  }
  return out.dump(2);
}

}  // namespace play
}  // namespace rgtrans
