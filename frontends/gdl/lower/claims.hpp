// Claims of the ground lowering about mutually exclusive facts, in the vocabulary of the description.
#pragma once

#include <span>

#include "core/ir/ir.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// At most one fact of a group holds, or exactly one.
void claim_groups(const GroundProgram& program, std::span<const FactGroup> groups, ir::Claims& claims);
// While certain facts of the turn's group hold, some roles have a single legal move.
void claim_forced(const GroundProgram& program, std::span<const FactGroup> groups, const TurnStructure& turns,
                  ir::Claims& claims);
// At most one of the derived atoms that became a computed variable holds.
void claim_computed(const GroundProgram& program, std::span<const Conditions::Computed> computed, ir::Claims& claims);

}  // namespace rgtrans::gdl
