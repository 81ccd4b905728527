// rgtrans games: the games that come with the program.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "frontends/library/library.hpp"

namespace rgtrans::cli {

namespace {

int run() {
  std::string text = fmt::format("{:<34} {}\n", "name", "language");
  for (const std::string& name : library_names()) {
    const LibraryGame& game = *find_game(name);
    text += fmt::format("{:<34} {}\n", name, choose_frontend(game.path, game.text).title);
  }
  write_file("-", text);
  return kSuccess;
}

}  // namespace

const Command kGames = {"games", "list the games that come with rgtrans; every command takes their names",
                        "rgtrans play connect-four",
                        [](OptionSet&) -> std::function<int()> { return [] { return run(); }; }};

}  // namespace rgtrans::cli
