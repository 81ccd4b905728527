// What a step of the game has to change. Where one role decides, the next facts are restricted to each of its moves,
// and only the variables that then can get another value are listed; what is the same for all moves is listed once.
// Elsewhere every variable is looked at, behind a test of the moves that can matter to it.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// A new value for the variable of a group. Exactly one form applies:
//   by_rule   the successor of a deterministic group
//   lookups   the first one whose condition holds; without one, the value stays
//   else      the first effect whose condition holds; without one, the value stays, except that the values of `keeps`
//             stay only under the condition given there
struct Update {
  std::uint32_t group = 0;
  bool by_rule = false;
  std::vector<Lookup> lookups;
  std::vector<std::pair<std::uint32_t, Wire>> effects;
  std::vector<std::pair<std::vector<std::uint32_t>, Wire>> keeps;
  // The moves, per role, without any of which nothing changes. Unguarded when empty.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> guard;
  // The decider's moves that have an update of their own for this variable.
  std::vector<std::uint32_t> unless;
  [[nodiscard]] bool nothing() const { return !by_rule && lookups.empty() && effects.empty() && keeps.empty(); }
  [[nodiscard]] bool one_lookup() const { return lookups.size() == 1 && lookups[0].when == kAlways; }
};

struct PhasePlan {
  std::vector<Wire> legal;  // per move of the game; kNever where it is none of the phase
  std::uint32_t decider = kNone;
  bool dispatch = false;                     // by the decider's move
  std::vector<Update> common;                // of all moves, but for those that an update leaves out
  std::vector<std::vector<Update>> by_move;  // per move of the decider in the phase
};

struct StepPlan {
  std::vector<PhasePlan> phases;
  std::vector<Update> all;  // for the phases without dispatch
};

// A phase is dispatched by move only within these limits.
struct PlanLimits {
  std::uint64_t work = 60'000'000;   // gates looked at
  std::uint64_t growth = 30'000;     // new gates, where that is more than half of the circuit
  std::uint64_t listed = 2'000'000;  // facts in the lists of all moves
};

StepPlan plan_steps(const GroundProgram& program, Conditions& conditions, const std::vector<FactGroup>& groups,
                    const TurnStructure& turns, const PlanLimits& limits = {});

}  // namespace rgtrans::gdl
