// The context that the writers of a turn share: the analysed game, and the automaton under construction.
#pragma once

#include "frontends/gdl/lower/declarations.hpp"
#include "frontends/gdl/lower/emit.hpp"
#include "frontends/gdl/lower/updates.hpp"

namespace rgtrans::gdl {

struct Turn {
  const GroundProgram& program;
  const std::vector<FactGroup>& groups;
  const TurnStructure& turns;
  const StepPlan& plan;
  ir::Game& game;
  Conditions& conditions;
  Declarations& declarations;
  Emitter& emitter;

  [[nodiscard]] bool several_moves(std::uint32_t role) const { return declarations.of_role(role).values.size() > 1; }
};

}  // namespace rgtrans::gdl
