// Derived atoms of the ground program, bottom-up: constants are folded, equal definitions are shared, and atoms with a
// single literal are replaced by that literal.
#pragma once

#include <span>
#include <vector>

#include "frontends/gdl/ground/instances.hpp"

namespace rgtrans::gdl {

// The fact or move of an atom as one term, without the first `skip` arguments.
TermId term_of(const Instances& instances, GroundProgram& program, std::uint32_t atom, std::uint32_t skip);

// Defines, in `program`, what outputs and the next values of these facts depend on. `literals`, by atom of the engine,
// has the facts and moves at first, and everything at the end.
void define_atoms(const Instances& instances, std::span<const std::uint32_t> facts, GroundProgram& program,
                  std::vector<GroundLiteral>& literals, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
