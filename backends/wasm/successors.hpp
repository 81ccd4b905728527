// The control flow of the interpreter's program, as this back end follows it: dashes are replaced by the code that they
// repeat, and tails end a search.
#pragma once

#include "backends/interpreter/tables.hpp"

namespace rgtrans::wasm {

// A step contains a test or a jump.
constexpr bool jumps(const interpreter::Instruction& i) {
  using interpreter::Op;
  const int step = static_cast<int>(i.op) - static_cast<int>(Op::step_test_constant);
  return interpreter::is_jump(i.op) || (interpreter::is_step(i.op) && step % 2 == 1);
}

// Calls f(pc) for each successor but kFail. A successor may be repeated.
template <class F>
void for_each_successor(const interpreter::MachineProgram& program, const interpreter::Instruction& i, F&& f) {
  using interpreter::Op;
  const auto reach = [&](interpreter::Pc pc) {
    if (pc != interpreter::kFail) f(pc);
  };
  if (jumps(i)) {
    for (std::uint32_t k = 0; k < i.alt; ++k) reach(program.jumps[i.next + k]);
    return;
  }
  switch (i.op) {
    case Op::fail:
    case Op::fan_table_set:
    case Op::tail:
    case Op::move:
    case Op::reached:
      return;
    case Op::dash:
      reach(i.alt);
      return;
    case Op::any:
    case Op::any_at:
      reach(i.next);  // alt is behind tests that next repeats
      return;
    case Op::fan:
      for (std::uint32_t way = 0; way < i.c; ++way) {
        const interpreter::Instruction& set = program.code[i.b + 2 * way];
        const interpreter::Instruction& ask = program.code[i.b + 2 * way + 1];
        if (set.op == Op::dash) {
          reach(set.alt);
        } else if (ask.op == Op::fail) {
          reach(ask.next);
        } else {
          for_each_successor(program, ask, f);
        }
      }
      return;
    default:
      reach(i.next);
      reach(i.alt);
  }
}

}  // namespace rgtrans::wasm
