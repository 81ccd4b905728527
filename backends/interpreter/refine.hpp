// Optimizes the code of a whole Program: the same walks and moves with fewer executed instructions.
#pragma once

#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

// Moves tests before tags and visits, adds code without tags for moves that are not shown, and turns choices into fans.
void refine(MachineProgram& program);

}  // namespace rgtrans::interpreter
