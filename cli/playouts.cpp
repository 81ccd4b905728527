// rgtrans playouts: uniform random playouts and their statistics.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "backends/cuda/cuda.hpp"
#include "backends/play/play.hpp"
#include "cli/engine.hpp"
#include "cli/watch.hpp"
#include "core/support/clock.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

struct PlayoutsArguments {
  EngineArguments engine;
  PlayoutOptions playouts;
  unsigned jobs = 1;
  double timeout = 600;
  bool json = false;
  ShowProgress progress = ShowProgress::on_terminal;
};

void print(const PlayoutsArguments& options, const PlayoutStats& stats, const GameInfo& info) {
  write_file("-", options.json ? play::json(stats, info) : play::text(stats, info));
}

// All plays at once, each with random numbers of its own.
int run_on_gpu(const PlayoutsArguments& options) {
  if (!options.engine.at_start()) {
    throw UsageError("--engine cuda plays from the initial state: leave --path and --moves out");
  }
  constexpr std::uint64_t kCount = std::uint64_t{1} << 20U;
  cuda::require_device();
  ir::Game game = options.engine.game.load();
  options.engine.optimizer.run(game);
  const cuda::DeviceGame compiled(game, cuda::Target::gpu);
  const cuda::Plays plays = compiled.play({.count = options.playouts.count > 0 ? options.playouts.count : kCount,
                                           .seed = options.playouts.seed,
                                           .most_moves = options.playouts.max_moves});
  if (plays.lacked > 0) {
    fmt::print(stderr,
               "{} plays were given up: the game does not fit into the memory of a thread; --engine cpp plays them\n",
               plays.lacked);
  }
  print(options, plays.stats, compiled.info());
  return kSuccess;
}

// Ends playouts that take too long, after a warning: plays of some games have no end.
class Patience {
 public:
  Patience(const PlayoutsArguments& options, Watch& watch)
      : options_(options), watch_(watch), thread_([this] { run(); }) {}
  ~Patience() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void run() {
    double told = 10;
    const auto begin = Clock::now();
    std::unique_lock lock(mutex_);
    while (!over_) {
      const double next = std::min(told, options_.timeout);
      if (wake_.wait_until(lock, begin + seconds_long(next), [this] { return over_; })) return;
      if (next >= options_.timeout) {
        ended_ = true;
        Watch::stop();
        return;
      }
      watch_.clear();
      fmt::print(stderr,
                 "{} playouts: still playing after {:g} s; a playout ends at {} moves (--max-moves), all at {:g} s "
                 "(--timeout)\n",
                 options_.playouts.count, next, options_.playouts.max_moves, options_.timeout);
      told *= 3;
    }
  }

  const PlayoutsArguments& options_;
  Watch& watch_;
  std::atomic<bool> ended_ = false;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

PlayoutStats play_so_many(const Reasoner& reasoner, const PlayoutsArguments& options, Watch& watch) {
  const Patience patience(options, watch);
  PlayoutStats stats = play::playouts(reasoner, options.playouts, workers(options.jobs));
  if (patience.ended()) {
    throw Error(
        fmt::format("{} playouts take longer than {:g} s: {} were begun, {} moves were made", options.playouts.count,
                    options.timeout, stats.playouts, stats.moves),
        "--timeout allows more time, --max-moves makes playouts shorter, --seconds plays as many as fit; plays of "
        "this game may have no end");
  }
  return stats;
}

int run(PlayoutsArguments options) {
  if (options.engine.engine == "cuda") return run_on_gpu(options);
  if (options.playouts.count == 0 && options.playouts.seconds <= 0) options.playouts.seconds = 1;
  const std::unique_ptr<Reasoner> reasoner = options.engine.make();
  const std::string wanted = options.playouts.count > 0 ? fmt::format("{} playouts", options.playouts.count)
                                                        : fmt::format("playouts of {:g} s", options.playouts.seconds);
  Watch watch(options.progress, wanted);
  options.playouts.stop = watch.following().stop;
  const PlayoutStats stats = options.playouts.count > 0
                                 ? play_so_many(*reasoner, options, watch)
                                 : play::playouts(*reasoner, options.playouts, workers(options.jobs));
  watch.clear();
  print(options, stats, reasoner->info());
  if (!Watch::interrupted()) return kSuccess;
  fmt::print(stderr, "interrupted: {} playouts; at 95 % {}\n", stats.playouts - stats.stopped,
             printable(play::confidence(stats, reasoner->info())));
  return kInterrupted;
}

}  // namespace

const Command kPlayouts = {
    "playouts", "play at random: speed, length, branching, outcomes",
    "rgtrans playouts --count 10000 --seed 7 game.hrg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<PlayoutsArguments>();
      options->engine.rules = options->engine.cuda = options->engine.proofs = true;
      options->engine.add_to(app);
      const Option* const seconds = add_seconds(app, options->playouts.seconds, "1 without --count");
      add_count(app, options->playouts.count, "instead of --seconds; on a GPU a million")->excludes(seconds);
      add_timeout(app, options->timeout, "of --count");
      add_seed(app, options->playouts.seed, "equal with the same count and jobs");
      add_jobs(app, options->jobs, "threads");
      add_max_moves(app, options->playouts.max_moves, "");
      app.add_flag("--sample", options->playouts.sample,
                   "draw moves without listing them, if the compiled reasoner can");
      add_json(app, options->json);
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
