// Defines the derived atoms of the ground program bottom-up. Constants are folded, equal definitions are shared, and an
// atom with a single literal is replaced by that literal.
#pragma once

#include <span>
#include <vector>

#include "frontends/gdl/ground/instances.hpp"

namespace rgtrans::gdl {

// The fact or move of an atom as a term, without its first `skip` arguments.
TermId term_of(const Instances& instances, GroundProgram& program, std::uint32_t atom, std::uint32_t skip);

// Defines the atoms in `program` on which outputs and the next values of these facts depend. `literals`, by atom of the
// engine, contains the facts and moves on entry and all atoms on return.
void define_atoms(const Instances& instances, std::span<const std::uint32_t> facts, std::span<const Range> places,
                  GroundProgram& program, std::vector<GroundLiteral>& literals, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
