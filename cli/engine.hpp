// A game, optimized and ready to play, as several commands want it.
#pragma once

#include <memory>
#include <string>

#include "backends/reasoner.hpp"
#include "cli/command.hpp"

namespace rgtrans::cli {

struct EngineArguments {
  GameArguments game;
  OptimizerArguments optimizer;
  std::string engine = "interpreter";
  std::string path;         // of the state to start from; "" is the initial one
  bool search = false;      // compiled with tree search
  bool symmetries = false;  // the interpreter is told those of the game

  void add_to(OptionSet& app);
  [[nodiscard]] std::unique_ptr<Reasoner> make() const;
};

// What plays the game; `engine` is a name of --engine.
std::unique_ptr<Reasoner> make_reasoner(const ir::Game& game, const std::string& engine, bool search = false);

}  // namespace rgtrans::cli
