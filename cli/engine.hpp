// A game, optimized and ready to play, as several commands want it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/claims/claims.hpp"
#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"
#include "cli/command.hpp"

namespace rgtrans::gdl {
class Steps;
}  // namespace rgtrans::gdl

namespace rgtrans::cli {

// A game on the table: its engine, and the original game for the spectators.
struct Table {
  ir::Game game;
  std::unique_ptr<Reasoner> reasoner;
  std::vector<std::string> moves;  // that led to its state

  // Has seen these moves.
  [[nodiscard]] scene::Witness witness() const;
};

// --ascii and --flip.
struct StyleArguments {
  bool ascii = false;
  bool flip = false;

  void add_to(OptionSet& app);
  [[nodiscard]] scene::TextStyle style() const;
};

struct EngineArguments {
  GameArguments game;
  OptimizerArguments optimizer;
  std::string engine = "interpreter";
  std::string path;            // of the state to start from; "" is the initial one
  std::string line;            // the same as moves, without those of the keeper
  bool search = false;         // compiled with tree search
  bool rules = false;          // the rules themselves can be evaluated, where the language has that
  bool cuda = false;           // the command knows how to play on a GPU
  bool symmetries = false;     // the interpreter gets the symmetries of the game
  bool proofs = false;         // proofs can be asserted
  bool assert_proofs = false;  // it is

  void add_to(OptionSet& app);
  [[nodiscard]] Table open() const;
  // For commands to which nobody looks on; only a path needs the game as it was written.
  [[nodiscard]] std::unique_ptr<Reasoner> make() const;
  // The game as it was written.
  [[nodiscard]] ir::Game load() const;
  // Neither --path nor --moves.
  [[nodiscard]] bool at_start() const { return path.empty() && line.empty(); }
  // Makes the moves of --path or --moves; returns them as in RG.
  std::vector<std::string> go_to_start(Reasoner& reasoner, const ir::Game& written) const;

  // For --engine rules: the description followed without making a game of it.
  [[nodiscard]] std::unique_ptr<gdl::Steps> rules_as_they_stand() const;

 private:
  [[nodiscard]] std::unique_ptr<Reasoner> engine_for(const ir::Game& optimized) const;
  // The name and the text of the description.
  [[nodiscard]] GameText read_rules() const;
  [[nodiscard]] std::unique_ptr<Reasoner> follow_rules() const;
};

// Of a game that was loaded with claims, once it is optimized: whatever evaluates them, the rules of the author
// included.
std::vector<std::unique_ptr<claims::Follower>> all_followers(const ir::Game& optimized, const GameArguments& game);
// Random plays in the interpreter, with them.
void play_asserting(const ir::Game& optimized, const GameArguments& game, std::uint64_t plays);

// The engine for the game; `engine` is a name of --engine.
std::unique_ptr<Reasoner> make_reasoner(const ir::Game& game, const std::string& engine, bool search = false);

}  // namespace rgtrans::cli
