// Dashes: code that sets a single cell and tests, such as a ray that follows a board while its cells are empty. The
// machine executes a copy of this code without choice points and without a trail: if the dash fails, only that cell is
// restored. Code without a cycle is not copied, since the gain over a few steps is too small.
#pragma once

#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

void make_dashes(MachineProgram& program);
// Fuses a table lookup with the following test into one step instruction.
void join_steps(MachineProgram& program);
// Forks with a step or a dash as their second branch look ahead.
void look_ahead(MachineProgram& program);

}  // namespace rgtrans::interpreter
