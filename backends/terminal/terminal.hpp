// Plays a game in the terminal: the user moves for one or more players, players of backends/search for the others, and
// chance for random. If the game hides information, the user sees only what the player may know. Hints and evaluations
// use no other information.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"
#include "backends/terminal/lines.hpp"  // IWYU pragma: export

namespace rgtrans::terminal {

struct PlayOptions {
  std::vector<std::size_t> people = {};  // players moved by the user
  // The players for the other seats, named as in search::make_player: one for all, or one for each in order.
  std::vector<std::string> opponents = {"random"};
  std::string adviser = "mcts:1s";  // evaluates for `hint` and `eval`
  std::uint64_t seed = 1;
  bool reveal = false;  // also show hidden information
  scene::TextStyle style = {};
};

// Returns when the play is over or the user quits. `witness` is in the same state as `reasoner`, in `game` as written.
// Throws Error if users would see each other's secrets, or if the number of opponents does not match the free seats.
void play(Reasoner& reasoner, scene::Witness& witness, const ir::Game& game, TypedLines& lines, std::ostream& out,
          const PlayOptions& options);

}  // namespace rgtrans::terminal
