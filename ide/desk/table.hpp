// A game on the desk, opened once and shared by all who work on it, and a play of it.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"
#include "core/ir/ir.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::ide {

using Json = nlohmann::json;

// What is needed to play a game.
struct PlayableGame {
  ir::Game optimized;
  scene::Painter painter;
  scene::Wording wording;
  std::unique_ptr<Reasoner> start;  // plays the optimized game; to be cloned
};

struct OpenedGame {
  std::string name;
  std::shared_ptr<Sources> sources;
  ir::Game written;
  bool hides = false;

  OpenedGame(std::string title, std::shared_ptr<Sources> texts, ir::Game game, passes::OptimizeOptions options);
  // Made when it is first asked for, so that who types waits for the text alone.
  [[nodiscard]] const PlayableGame& playable() const;
  // What people look at: the optimizer may take boards apart. But passes that are named one by one may change the texts
  // of moves, which those of the pipeline do not.
  [[nodiscard]] const ir::Game& shown() const { return options_.passes ? playable().optimized : written; }

 private:
  passes::OptimizeOptions options_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const PlayableGame> playable_;
};

// {name, text, language, level, passes}. Throws Error with what is wrong.
std::shared_ptr<const OpenedGame> open_game(const Json& request);
passes::OptimizeOptions optimizer_of(const Json& request);

// {line, column, endLine, endColumn}, from 1, columns in code points; null where a place is not known.
Json place_of(const Sources& sources, Range range);
// Of each mistake its place, severity, message and hint.
Json diagnostics_of(const Error& error);
Json diagnostics_of(std::span<const Diagnostic> diagnostics, const Sources* sources);

// Makes these moves, and after each of them those of the keeper that show nothing. Throws Error.
void follow(Reasoner& reasoner, const std::vector<std::string>& path);

// A play that is shown. It goes from one position to the next by taking back and making moves.
class ShownPlay {
 public:
  explicit ShownPlay(std::shared_ptr<const OpenedGame> game);
  // {path, viewer, flip}
  Json state(const Json& request);

 private:
  struct Made {
    std::string move;  // as in RG
    std::size_t mover = 0;
    std::string text;
    std::size_t plies = 0;
  };
  void go_to(const std::vector<std::string>& path);
  void settle(std::size_t& plies);
  void apply(std::size_t index, std::size_t& plies);
  [[nodiscard]] Json moves(const scene::Scene& scene);

  std::shared_ptr<const OpenedGame> game_;
  std::unique_ptr<Reasoner> reasoner_;
  scene::Witness witness_;
  std::vector<Made> made_;
};

}  // namespace rgtrans::ide
