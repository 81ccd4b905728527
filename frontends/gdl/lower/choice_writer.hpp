// How a phase of the game is played: one decision after the other by the roles that really decide, and what everybody
// learns of them.
#pragma once

#include "frontends/gdl/lower/turn.hpp"

namespace rgtrans::gdl {

class ChoiceWriter {
 public:
  ChoiceWriter(Turn& turn, const Emitter::Stage& percepts);

  // From `at` to the node behind all choices of the phase.
  ir::NodeId write(std::size_t phase, ir::NodeId at);

 private:
  using Phase = TurnStructure::Phase;

  // Some move of the phase is not seen by everybody at once.
  [[nodiscard]] bool hidden(const Phase& phase) const;
  ir::NodeId assign_move(std::uint32_t role, std::uint32_t move, ir::NodeId at);
  // Makes tags visible to one role only, or to all for kEverybody.
  static constexpr std::uint32_t kEverybody = 0xffffffffU;
  ir::NodeId show(ir::NodeId at, std::uint32_t role);
  ir::NodeId decide(const Phase& phase, const PhasePlan& plan, std::uint32_t role, ir::NodeId at);
  // Everybody learns the joint move.
  ir::NodeId reveal(const Phase& phase, ir::NodeId at);
  // Each player learns its percepts.
  ir::NodeId perceive(ir::NodeId at);

  Turn& t_;
  const Emitter::Stage& percepts_;
  bool uses_visible_;
};

}  // namespace rgtrans::gdl
