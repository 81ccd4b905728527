// rgtrans playouts: uniform random playouts and what they show.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "backends/cuda/cuda.hpp"
#include "backends/play/play.hpp"
#include "cli/engine.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::cli {

namespace {

struct PlayoutsArguments {
  EngineArguments engine;
  PlayoutOptions playouts;
  unsigned jobs = 1;
  double timeout = 600;
  bool json = false;
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

// Ends playouts that take too long, and tells before that they take long: plays of some games have no end.
class Watch {
 public:
  explicit Watch(const PlayoutsArguments& options) : options_(options), thread_([this] { run(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] const std::uint32_t* stop() const { return &stop_; }
  [[nodiscard]] bool stopped() const { return __atomic_load_n(&stop_, __ATOMIC_RELAXED) != 0; }

 private:
  void run() {
    double told = 10;
    const auto begin = Clock::now();
    std::unique_lock lock(mutex_);
    while (!over_) {
      const double next = std::min(told, options_.timeout);
      if (wake_.wait_until(lock, begin + seconds_long(next), [this] { return over_; })) return;
      if (next >= options_.timeout) {
        __atomic_store_n(&stop_, 1U, __ATOMIC_RELAXED);
        return;
      }
      fmt::print(stderr,
                 "{} playouts: still playing after {:g} s; a playout ends at {} moves (--max-moves), all at {:g} s "
                 "(--timeout)\n",
                 options_.playouts.count, next, options_.playouts.max_moves, options_.timeout);
      told *= 3;
    }
  }

  const PlayoutsArguments& options_;
  std::uint32_t stop_ = 0;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

PlayoutStats play_so_many(const Reasoner& reasoner, const PlayoutsArguments& options) {
  Watch watch(options);
  PlayoutOptions playouts = options.playouts;
  playouts.stop = watch.stop();
  PlayoutStats stats = play::playouts(reasoner, playouts, workers(options.jobs));
  if (watch.stopped()) {
    throw Error(
        fmt::format("{} playouts take longer than {:g} s: {} were begun, {} moves were made", playouts.count,
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
  const PlayoutStats stats = options.playouts.count > 0
                                 ? play_so_many(*reasoner, options)
                                 : play::playouts(*reasoner, options.playouts, workers(options.jobs));
  print(options, stats, reasoner->info());
  return kSuccess;
}

}  // namespace

const Command kPlayouts = {
    "playouts", "random playouts: speed, length, branching, outcomes",
    "rgtrans playouts --count 10000 --seed 7 game.hrg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<PlayoutsArguments>();
      options->engine.rules = options->engine.cuda = options->engine.proofs = true;
      options->engine.add_to(app);
      const Option* const seconds = add_seconds(app, options->playouts.seconds, "1 without --count");
      add_count(app, options->playouts.count, "instead of --seconds; on a GPU a million")->excludes(seconds);
      add_timeout(app, options->timeout, "of --count");
      add_seed(app, options->playouts.seed, "with the same count and jobs");
      add_jobs(app, options->jobs, "threads");
      add_max_moves(app, options->playouts.max_moves, "");
      app.add_flag("--sample", options->playouts.sample,
                   "draw moves without listing them, where a compiled reasoner can");
      add_json(app, options->json);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
