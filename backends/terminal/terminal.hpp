// A game in the terminal: a person moves for one player or more, players of the search room for the others, chance for
// random. Where the game hides something, a person is shown what that player may know, and nothing else; hints and
// evaluations know no more.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"

namespace rgtrans::terminal {

struct PlayOptions {
  std::vector<std::size_t> people = {};  // players moved by the person
  // Who moves for the others, as search::make_player names them: one for all, or one for each in order.
  std::vector<std::string> opponents = {"random"};
  std::string adviser = "mcts:1s";  // whom `hint` and `eval` ask
  std::uint64_t seed = 1;
  bool reveal = false;  // show what is hidden, too
  scene::TextStyle style = {};
};

// Returns when the play is over or the person leaves. `witness` stands where `reasoner` does, in `game` as it was
// written. Throws Error when several people would look at each other's secrets, or when the opponents are not as many
// as the seats left to them.
void play(Reasoner& reasoner, scene::Witness& witness, const ir::Game& game, std::istream& in, std::ostream& out,
          const PlayOptions& options);

}  // namespace rgtrans::terminal
