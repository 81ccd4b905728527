// rgtrans play: a person against the players of this program, in the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "backends/search/search.hpp"
#include "backends/terminal/terminal.hpp"
#include "cli/engine.hpp"
#include "cli/line_editor.hpp"

namespace rgtrans::cli {

namespace {

struct PlayArguments {
  EngineArguments engine;
  std::vector<std::string> people;
  std::vector<std::string> opponents;
  std::string adviser = "mcts:1s";
  bool nobody = false;
  bool reveal = false;
  StyleArguments style;
  std::uint64_t seed = 1;
};

int run(const PlayArguments& options) {
  for (const std::string& name : options.opponents) search::make_player(name);
  search::make_player(options.adviser);
  const Table table = options.engine.open();
  scene::Witness witness = table.witness();
  const std::vector<std::string>& players = table.reasoner->info().players;
  terminal::PlayOptions play_options;
  if (!options.opponents.empty()) {
    play_options.opponents = options.opponents;
  } else if (!options.nobody) {
    play_options.opponents = {"mcts:1s"};
  }
  play_options.adviser = options.adviser;
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
  terminal::StreamLines plain(std::cin, std::cout);
  const std::unique_ptr<terminal::TypedLines> editor = line_editor();
  terminal::play(*table.reasoner, witness, table.game, editor ? *editor : plain, std::cout, play_options);
  return kSuccess;
}

}  // namespace

const Command kPlay = {
    "play", "play against the computer", "rgtrans play --as black --opponent mcts:5s games/hrg/chess.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<PlayArguments>();
      options->engine.proofs = true;
      options->engine.add_to(app);
      options->engine.search = true;
      auto* people = app.add_option("--as", options->people, "players that you move for, by default the first one")
                         ->delimiter(',')
                         ->type_name("PLAYER,…");
      app.add_option("--opponent", options->opponents,
                     "opponents, one for all or one for each: random, mcts:1000 (simulations a move), "
                     "mcts:2s (seconds), solver:2s, command:./my-bot; by default mcts:1s")
          ->type_name("PLAYER");
      app.add_option("--adviser", options->adviser, "player that answers hint and eval, for example mcts:1s")
          ->capture_default_str()
          ->type_name("PLAYER");
      app.add_flag("--watch", options->nobody,
                   "watch the opponents, by default random ones, instead of moving yourself")
          ->excludes(people);
      app.add_flag("--reveal", options->reveal, "show what the game hides from these players, too");
      options->style.add_to(app);
      add_secret_seed(app, options->seed, "of the opponents and of chance");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
