// From a game to a Program.
#pragma once

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/layout.hpp"
#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

struct CompileOptions {
  InterpreterOptions interpreter;
  // Recognise second arrivals everywhere and by all variables, and keep every walk that is not so recognised:
  // what is counted then are walks.
  bool walks = false;
};

MachineProgram compile(const ir::Game& game, const StateLayout& layout, const CompileOptions& options);

}  // namespace rgtrans::interpreter
