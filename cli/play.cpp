// rgtrans play: a person against random opponents, in the terminal.
#include "backends/play/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/engine.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  EngineArguments engine;
  std::vector<std::string> people;
  bool nobody = false;
  bool reveal = false;
  StyleArguments style;
  std::uint64_t seed = 1;
};

int run(const Options& options) {
  const Table table = options.engine.open();
  scene::Witness witness = table.witness();
  const std::vector<std::string>& players = table.reasoner->info().players;
  play::PlayOptions play_options;
  play_options.seed = options.seed;
  play_options.reveal = options.reveal;
  play_options.style = options.style.style();
  for (const std::string& name : options.people) {
    const auto it = std::ranges::find(players, name);
    if (it == players.end()) {
      throw UsageError(fmt::format("there is no player {}; the players are {}", name, fmt::join(players, ", ")));
    }
    play_options.people.push_back(static_cast<std::size_t>(it - players.begin()));
  }
  if (options.people.empty() && !options.nobody) play_options.people = {0};
  play::play(*table.reasoner, witness, table.game, std::cin, std::cout, play_options);
  return kSuccess;
}

}  // namespace

const Command kPlay = {
    "play", "play against a random opponent", "rgtrans play --as white games/hrg/chess.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      options->engine.add_to(app);
      auto* people = app.add_option("--as", options->people, "the players you move for, by default the first one")
                         ->delimiter(',')
                         ->type_name("PLAYER,…");
      app.add_flag("--watch", options->nobody, "move for nobody: watch one random play")->excludes(people);
      app.add_flag("--reveal", options->reveal, "show what the game hides from these players, too");
      options->style.add_to(app);
      app.add_option("--seed", options->seed, "of the random opponents")->capture_default_str()->type_name("K");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
