// rgtrans perft: how many positions there are after 1, 2, … moves.
#include <fmt/format.h>

#include "backends/play/play.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  EngineArguments engine;
  unsigned depth = 0;
  bool divide = false;
  bool walks = false;
};

int run(const Options& options) {
  const std::unique_ptr<Reasoner> reasoner = options.engine.make();
  if (options.divide) {
    for (const play::DivideLine& line : play::divide(*reasoner, options.depth)) {
      fmt::print("{}\t{}\n", line.move, line.leaves);
    }
    return kSuccess;
  }
  play::perft(*reasoner, 1, options.depth, options.walks, [](const play::PerftLine& line) {
    fmt::print("{}\t{}\t{:.3f}\n", line.depth, line.leaves, line.seconds);
    std::fflush(stdout);
  });
  return kSuccess;
}

}  // namespace

const Command kPerft = {
    "perft", "count the positions after a number of moves", "rgtrans perft games/hrg/chess.hrg 3",
    [](CLI::App& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      options->engine.add_to(app);
      app.add_option("DEPTH", options->depth, "moves of players and of random; moves of keeper cost nothing")
          ->required()
          ->check(CLI::Range(1, 1000))
          ->type_name("");
      auto* divide = app.add_flag("--divide", options->divide, "a line for each first move instead of one a depth");
      app.add_flag("--walks", options->walks, "count walks of the automaton instead of distinct moves")
          ->excludes(divide);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
