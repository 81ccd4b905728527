// What the ground form has proved of facts that exclude each other, in the words of the description.
#pragma once

#include <span>

#include "core/ir/ir.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// At most one of the facts of a group holds, or exactly one.
void claim_groups(const GroundProgram& program, std::span<const FactGroup> groups, ir::Claims& claims);
// While a fact of the group of the turn holds, some roles have one legal move.
void claim_forced(const GroundProgram& program, std::span<const FactGroup> groups, const TurnStructure& turns,
                  ir::Claims& claims);
// At most one of the derived atoms that became one variable holds.
void claim_computed(const GroundProgram& program, std::span<const Conditions::Computed> computed, ir::Claims& claims);

}  // namespace rgtrans::gdl
