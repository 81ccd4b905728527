// rgtrans playouts: uniform random playouts and what they show.
#include <fmt/format.h>

#include <limits>

#include "backends/cuda/cuda.hpp"
#include "backends/play/play.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

namespace {

struct PlayoutsArguments {
  EngineArguments engine;
  PlayoutOptions playouts;
  unsigned threads = 1;
  bool json = false;
  std::string device = "cpu";
};

void print(const PlayoutsArguments& options, const PlayoutStats& stats, const GameInfo& info) {
  write_file("-", options.json ? play::json(stats, info) : play::text(stats, info));
}

// All plays at once, each with random numbers of its own.
int run_on_gpu(const PlayoutsArguments& options) {
  if (!options.engine.path.empty()) throw UsageError("--device cuda plays from the initial state: leave --path out");
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
               "{} plays were given up: the game does not fit into the memory of a thread; --device cpu plays them\n",
               plays.lacked);
  }
  print(options, plays.stats, compiled.info());
  return kSuccess;
}

int run(PlayoutsArguments options) {
  if (options.device == "cuda") return run_on_gpu(options);
  if (options.playouts.count == 0 && options.playouts.seconds <= 0) options.playouts.seconds = 1;
  const std::unique_ptr<Reasoner> reasoner = options.engine.make();
  const PlayoutStats stats = play::playouts(*reasoner, options.playouts, options.threads);
  print(options, stats, reasoner->info());
  return kSuccess;
}

}  // namespace

const Command kPlayouts = {
    "playouts", "random playouts: speed, length, branching, outcomes",
    "rgtrans playouts --count 10000 --seed 7 game.hrg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<PlayoutsArguments>();
      options->engine.add_to(app);
      auto* seconds = app.add_option("--seconds", options->playouts.seconds, "how long to play (default 1)")
                          ->between(0.001, 1e7)
                          ->type_name("S");
      app.add_option("--count", options->playouts.count, "how many playouts instead")
          ->between(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max())
          ->excludes(seconds)
          ->type_name("N");
      app.add_option("--seed", options->playouts.seed, "the same seed, count and threads give the same result")
          ->capture_default_str()
          ->type_name("K");
      app.add_option("--threads", options->threads, "threads to use")
          ->between(1U, 1024U)
          ->capture_default_str()
          ->type_name("T");
      app.add_option("--max-moves", options->playouts.max_moves, "give a playout up after so many moves")
          ->between(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max())
          ->capture_default_str()
          ->type_name("N");
      app.add_flag("--sample", options->playouts.sample,
                   "draw moves without listing them, where a compiled reasoner can");
      app.add_option(
             "--device", options->device,
             "cuda: many plays at once on a GPU (a million without --count), the seconds are those of the device")
          ->one_of({"cpu", "cuda"})
          ->capture_default_str()
          ->type_name("DEVICE");
      app.add_flag("--json", options->json, "as one JSON object");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
