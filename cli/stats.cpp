// rgtrans stats: how large the automaton and its states are.
#include "backends/stats/stats.hpp"

#include "cli/command.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  GameArguments game;
  OptimizerArguments optimizer;
  bool json = false;
};

}  // namespace

const Command kStats = {"stats", "size of the automaton and of its states", "rgtrans stats -O0 game.rbg",
                        [](CLI::App& app) -> std::function<int()> {
                          auto options = std::make_shared<Options>();
                          options->game.add_to(app);
                          options->optimizer.add_to(app, 2);
                          app.add_flag("--json", options->json, "as one JSON object");
                          return [options] {
                            ir::Game game = options->game.load();
                            options->optimizer.run(game);
                            const stats::Stats stats = stats::collect(game);
                            write_file("-", options->json ? stats::json(stats) : stats::text(stats));
                            return kSuccess;
                          };
                        }};

}  // namespace rgtrans::cli
