// Dashes: code that only sets one cell and asks, such as a ray of a board that is followed as far as it is empty. The
// machine follows a copy of it without putting aside or writing down anything: what fails has changed one cell, which
// is put back. A copy that never comes back to itself is no dash: for few steps there is nothing to win.
#pragma once

#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

void make_dashes(MachineProgram& program);
// In them a lookup in a table and the question behind it become one instruction.
void join_steps(MachineProgram& program);
// Forks with one of them behind look ahead.
void look_ahead(MachineProgram& program);

}  // namespace rgtrans::interpreter
