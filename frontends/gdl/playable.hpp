// A lowered description with the mapping from joint moves to moves of the game: the roles that decide in a step, and
// the names of their moves.
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
// Throws Error with the diagnostics of the description.
Playable make_playable(const std::string& text);

// A line of play, step by step.
class Line {
 public:
  explicit Line(const Playable& playable);
  // Makes the step in which each role makes the move with this term; returns its moves of the game in order. Throws
  // Error if a move is not legal.
  std::vector<std::string> step(const std::function<std::string(std::uint32_t role)>& term);
  // The term of a role's move in the game.
  [[nodiscard]] std::optional<std::string> term(std::uint32_t role, const std::string& move) const;

 private:
  [[nodiscard]] bool decides(std::uint32_t role) const;

  const Playable& playable_;
  NetworkMachine machine_;
  std::unordered_map<std::string, std::uint32_t> by_term_;  // role number, space, term
};

}  // namespace rgtrans::gdl
