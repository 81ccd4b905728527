// A play that is shown. It goes from one position to the next by taking back and making moves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/scene/scene.hpp"
#include "ide/workbench/game.hpp"

namespace rgtrans::ide {

class ShownPlay {
 public:
  explicit ShownPlay(GamePointer game);
  [[nodiscard]] const GamePointer& game() const { return game_; }
  BoardReply board(const BoardRequest& request);
  PlayReply play(const PlayRequest& request);

 private:
  struct Made {
    std::string move;  // as in RG
    std::size_t mover = 0;
    std::string text;
    std::size_t plies = 0;
    std::vector<scene::Target> targets;
  };
  void go_to(const std::vector<std::string>& moves);
  void settle(std::size_t& plies);
  void apply(std::size_t index, std::size_t& plies);
  [[nodiscard]] std::optional<std::size_t> viewer_of(const BoardRequest& request) const;
  [[nodiscard]] std::vector<MoveMade> made(std::optional<std::size_t> viewer) const;
  [[nodiscard]] std::vector<MoveChoice> choices(const scene::Scene& scene);

  GamePointer game_;
  std::unique_ptr<Reasoner> reasoner_;
  scene::Witness witness_;
  std::vector<Made> made_;
};

}  // namespace rgtrans::ide
