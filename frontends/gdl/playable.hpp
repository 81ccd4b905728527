// A lowered description and the way from joint moves to moves of the game: which roles decide in a step, and what their
// moves are called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "frontends/gdl/network/machine.hpp"

namespace rgtrans::gdl {

struct Playable {
  std::unique_ptr<GroundProgram> program;
  std::unique_ptr<Network> network;
  std::unique_ptr<ir::Game> game;
  LoweredNames names;
};
// Throws Error with what is wrong with the description.
Playable make_playable(const std::string& text);

// A line of play, followed step by step.
class Line {
 public:
  explicit Line(const Playable& playable);
  // Makes the step in which each role makes the move that is this term; the moves of the game that it consists of, in
  // order. Throws Error where a move is not legal.
  std::vector<std::string> step(const std::function<std::string(std::uint32_t role)>& term);
  // The term of a role's move of the game.
  [[nodiscard]] std::optional<std::string> term(std::uint32_t role, const std::string& move) const;

 private:
  [[nodiscard]] bool decides(std::uint32_t role) const;

  const Playable& playable_;
  NetworkMachine machine_;
  std::unordered_map<std::string, std::uint32_t> by_term_;  // role number, space, term
};

}  // namespace rgtrans::gdl
