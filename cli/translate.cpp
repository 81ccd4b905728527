// rgtrans translate, the default command: any language in, RG (or another form of the same game) out.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/emit.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  GameArguments game;
  OptimizerArguments optimizer;
  std::string to = "rg";
  std::string output = "-";
};

int run(const Options& options) {
  ir::Game game = options.game.load();
  options.optimizer.run(game);
  write_file(options.output, emit(game, options.to));
  return kSuccess;
}

}  // namespace

const Command kTranslate = {
    "translate", "translate a game (the default command)", "rgtrans --from rbg --to json -O2 -o chess.json chess.rbg",
    [](CLI::App& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      options->game.add_to(app);
      options->optimizer.add_to(app, 2);
      app.add_option("--to", options->to, "what to write: " + emitter_list())
          ->check(CLI::IsMember(emitter_names()))
          ->type_name("FORM");
      app.add_option("-o,--output", options->output, "file to write, by default standard output")->type_name("FILE");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
