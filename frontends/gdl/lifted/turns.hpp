// The turn order: a scalar fact that determines its own next value, and single forced moves of roles under its values.
// One of its columns determines these moves. Instead of one there may be several scalars of which exactly one always
// holds, such as `placeControl` and `rotateControl`.
//
//   (<= (next (control black)) (true (control white)))      (<= (legal black noop) (true (control white)))
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

struct Turns {
  struct Scalar {
    RelId relation;
    std::uint32_t column = 0;
  };
  struct Phase {
    std::vector<std::pair<std::size_t, std::uint32_t>> values;  // of the scalars' columns; empty without scalars
    std::vector<std::optional<RelId>> forced;                   // per role: its only move, which has no arguments
    std::set<const LiftedRule*> never{};  // rules of `legal` that never hold for the only deciding role
  };
  std::vector<Scalar> scalars;  // empty: one phase
  std::vector<Phase> phases;
  bool single = true;  // at most one role decides in each state
};

// If a legal move implies that a scalar equals the moving role, adds that equality to every rule that reads the move.
Turns find_turns(Model& model, const Dependencies& dependencies, bool keep_forced);

// The number of roles that decide.
std::size_t deciders(const Turns::Phase& phase);
// The only deciding role, if it equals the scalar and the applicable rules of `legal` test only its turn.
std::optional<std::size_t> free_decider(const Model& model, const Turns& turns, const Turns::Phase& phase);

}  // namespace rgtrans::gdl::lifted
