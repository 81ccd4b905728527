// What is done to the code of a whole Program: the same walks and moves with fewer instructions on the way.
#pragma once

#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

// Tests come before tags and visits, code without tags is made where nobody asks for them, and choices become fans.
void refine(MachineProgram& program);

}  // namespace rgtrans::interpreter
