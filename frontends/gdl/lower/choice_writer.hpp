// Writes the choices of a phase: the decisions of its roles in sequence, and the observations of the others.
#pragma once

#include "frontends/gdl/lower/turn.hpp"

namespace rgtrans::gdl {

class ChoiceWriter {
 public:
  ChoiceWriter(Turn& turn, const Emitter::Stage& percepts);

  // Writes from `at` to the returned node after all choices of the phase.
  ir::NodeId write(std::size_t phase, ir::NodeId at);

 private:
  using Phase = TurnStructure::Phase;

  // Some player does not see every move of the phase at once.
  [[nodiscard]] bool hidden(const Phase& phase) const;
  ir::NodeId assign_move(std::uint32_t role, std::uint32_t move, ir::NodeId at);
  // Makes the following tags visible to one role only, or to all for kEverybody.
  static constexpr std::uint32_t kEverybody = 0xffffffffU;
  ir::NodeId show(ir::NodeId at, std::uint32_t role);
  ir::NodeId decide(const Phase& phase, const PhasePlan& plan, std::uint32_t role, ir::NodeId at);
  // Reveals the joint move to all players.
  ir::NodeId reveal(const Phase& phase, ir::NodeId at);
  // Shows each player its percepts.
  ir::NodeId perceive(ir::NodeId at);

  Turn& t_;
  const Emitter::Stage& percepts_;
  bool uses_visible_;
};

}  // namespace rgtrans::gdl
