// Compiles a game to a Program.
#pragma once

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/layout.hpp"
#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

struct CompileOptions {
  InterpreterOptions interpreter;
  // Test for second arrivals everywhere, by all variables, and keep every remaining walk: the program counts walks.
  bool walks = false;
};

MachineProgram compile(const ir::Game& game, const StateLayout& layout, const CompileOptions& options);

}  // namespace rgtrans::interpreter
