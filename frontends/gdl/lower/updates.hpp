// The changes of a step. If one role decides, the next facts are restricted to each of its moves. Only the variables
// that can change then are listed, and changes of all moves are listed once. Otherwise every variable is updated behind
// a test of the moves on which it depends.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// The new value of a group's variable. Exactly one form applies:
//   by_rule   the successor of a deterministic group.
//   lookups   the first one whose condition holds; without one, the value stays.
//   else      the first effect whose condition holds. Without one, the value stays, except that the values in `keeps`
//             stay only under their condition.
struct Update {
  std::uint32_t group = 0;
  bool by_rule = false;
  std::vector<Lookup> lookups;
  std::vector<std::pair<std::uint32_t, Wire>> effects;
  std::vector<std::pair<std::vector<std::uint32_t>, Wire>> keeps;
  // The moves, per role, without which nothing changes. Empty: unguarded.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> guard;
  // The decider's moves with their own update of this variable.
  std::vector<std::uint32_t> unless;
  [[nodiscard]] bool nothing() const { return !by_rule && lookups.empty() && effects.empty() && keeps.empty(); }
  [[nodiscard]] bool one_lookup() const { return lookups.size() == 1 && lookups[0].when == kAlways; }
};

struct PhasePlan {
  std::vector<Wire> legal;  // per move of the game; kNever outside the phase
  std::uint32_t decider = kNone;
  bool dispatch = false;                     // by the decider's move
  std::vector<Update> common;                // for all moves except those in `unless`
  std::vector<std::vector<Update>> by_move;  // per move of the decider in the phase
};

struct StepPlan {
  std::vector<PhasePlan> phases;
  std::vector<Update> all;  // for the phases without dispatch
};

// Limits for the dispatch by move.
struct PlanLimits {
  std::uint64_t work = 60'000'000;   // visited gates
  std::uint64_t growth = 30'000;     // new gates, if that is more than half of the circuit
  std::uint64_t listed = 2'000'000;  // facts in the lists of all moves
};

StepPlan plan_steps(const GroundProgram& program, Conditions& conditions, const std::vector<FactGroup>& groups,
                    const TurnStructure& turns, const PlanLimits& limits = {});

}  // namespace rgtrans::gdl
