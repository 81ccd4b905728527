// Evaluates operands from the cells of a state and the tables of a program. Reasoners compiled from tables embed this
// file, so it depends on the standard library only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

template <class Cell>
[[gnu::noinline]] std::uint32_t value_of_routine(const MachineProgram& program, const Cell* s, std::uint32_t at) {
  std::uint32_t stack[kMaxRoutineStack + 1];
  std::size_t top = 0;
  for (const Micro* micro = &program.routines[at];; ++micro) {
    switch (micro->op) {
      case Micro::Op::push:
        stack[top++] = micro->k;
        break;
      case Micro::Op::cell:
        stack[top++] = s[micro->k];
        break;
      case Micro::Op::load:
        stack[top - 1] = s[stack[top - 1]];
        break;
      case Micro::Op::load_table:
        stack[top - 1] = s[program.tables[micro->k + stack[top - 1]]];
        break;
      case Micro::Op::table:
        stack[top - 1] = program.tables[micro->k + stack[top - 1]];
        break;
      case Micro::Op::add:
        stack[top - 2] += stack[top - 1];
        --top;
        break;
      case Micro::Op::done:
        return stack[0];
    }
  }
}

// The value of an instruction or operand whose first cell holds `v`.
template <Mode mode, class Cell, class From>
[[gnu::always_inline]] inline std::uint32_t value_from(const MachineProgram& program, const Cell* s, std::uint32_t v,
                                                       const From& i) {
  using M = Mode;
  const std::uint32_t* t = program.tables.data();
  if constexpr (mode == M::cell) return v;
  if constexpr (mode == M::table) return t[i.b + v];
  if constexpr (mode == M::indirect) return s[t[i.b + v]];
  if constexpr (mode == M::table_of_indirect) return t[i.c + s[t[i.b + v]]];
  if constexpr (mode == M::table2) return t[i.c + v * i.w + s[i.e]];
  if constexpr (mode == M::indirect2) return s[t[i.b + v * i.w + s[i.e]]];
  if constexpr (mode == M::table_of_indirect2) return t[i.c + s[t[i.b + v * i.w + s[i.e]]]];
  if constexpr (mode == M::table2_of_indirect) return t[i.c + std::uint32_t{s[t[i.b + v]]} * i.w + s[i.e]];
  if constexpr (mode == M::deep) return s[t[i.c + std::uint32_t{s[t[i.b + v]]} * i.w + s[i.e]]];
  if constexpr (mode == M::sum) return t[t[i.b + v] + t[i.c + s[i.e]]];
  if constexpr (mode == M::indirect_sum) return s[t[t[i.b + v] + t[i.c + s[i.e]]]];
  if constexpr (mode == M::table_of_twice) return t[i.e + s[t[i.c + s[t[i.b + v]]]]];
  return 0;
}

// The value of an instruction or operand.
template <Mode mode, class Cell, class From>
[[gnu::always_inline]] inline std::uint32_t value_of(const MachineProgram& program, const Cell* s, const From& i) {
  using M = Mode;
  if constexpr (mode == M::constant) return i.a;
  if constexpr (mode == M::routine) return value_of_routine(program, s, i.a);
  if constexpr (mode != M::constant && mode != M::routine) return value_from<mode>(program, s, s[i.a], i);
}

template <class Cell>
std::uint32_t value_of(const MachineProgram& program, const Cell* s, const Operand& i) {
  switch (i.mode) {
#define RGTRANS_GET(mode) \
  case Mode::mode:        \
    return value_of<Mode::mode>(program, s, i);
    RGTRANS_FOR_EACH_MODE(RGTRANS_GET)
#undef RGTRANS_GET
  }
  return 0;
}

// The value of an operand, with fast paths for the frequent modes.
template <class Cell>
[[gnu::always_inline]] inline std::uint32_t usual_value(const MachineProgram& program, const Cell* s,
                                                        const Operand& i) {
  using M = Mode;
  if (i.mode == M::constant) return i.a;
  if (i.mode == M::table) return value_of<M::table>(program, s, i);
  if (i.mode == M::cell) return s[i.a];
  return value_of(program, s, i);
}

template <class Cell>
[[gnu::always_inline]] inline bool equal_operands(const MachineProgram& program, const Cell* s, const Instruction& i) {
  return usual_value(program, s, program.operands[i.a]) == usual_value(program, s, program.operands[i.b]);
}

}  // namespace rgtrans::interpreter
