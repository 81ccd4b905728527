// Program: a game compiled for a small backtracking machine (machine.hpp). Every edge is an instruction or a part of
// one; every node is the address of its first instruction. Instructions name their successors, so chains of nodes cost
// nothing. Expressions are folded into a few addressing modes over lookup tables. Reasoners compiled from tables embed
// this file, so it depends on the standard library only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rgtrans::interpreter {

// Addressing modes over the cells S and the tables T. Indices wrap modulo 2^32.
enum class Mode : std::uint8_t {
  constant,            // k
  cell,                // S[a]
  table,               // T[b + S[a]]
  indirect,            // S[T[b + S[a]]]
  table_of_indirect,   // T[c + S[T[b + S[a]]]]
  table2,              // T[c + S[a] * w + S[e]]
  indirect2,           // S[T[b + S[a] * w + S[e]]]
  table_of_indirect2,  // T[c + S[T[b + S[a] * w + S[e]]]]
  table2_of_indirect,  // T[c + S[T[b + S[a]]] * w + S[e]]
  deep,                // S[T[c + S[T[b + S[a]]] * w + S[e]]]
  sum,                 // T[T[b + S[a]] + T[c + S[e]]]
  indirect_sum,        // S[T[T[b + S[a]] + T[c + S[e]]]]
  table_of_twice,      // T[e + S[T[c + S[T[b + S[a]]]]]]
  routine,             // the result of the stack routine that starts at a
};
// Applies a macro to every mode.
#define RGTRANS_FOR_EACH_MODE(f)                                                                             \
  f(constant) f(cell) f(table) f(indirect) f(table_of_indirect) f(table2) f(indirect2) f(table_of_indirect2) \
      f(table2_of_indirect) f(deep) f(sum) f(indirect_sum) f(table_of_twice) f(routine)

// The modes of the final test or jump of a fan's branch. Refinement creates no others, and look-ahead handles all of
// these.
#define RGTRANS_FOR_EACH_ASKED_TEST(f) \
  f(cell) f(table) f(indirect) f(table_of_indirect) f(indirect2) f(table2_of_indirect)
#define RGTRANS_FOR_EACH_ASKED_JUMP(f) f(indirect) f(table2_of_indirect)

struct Operand {
  Mode mode = Mode::constant;
  std::uint16_t w = 0;
  std::uint32_t a = 0, b = 0, c = 0, e = 0;
};

// Fallback stack code for operands without an addressing mode.
struct Micro {
  enum class Op : std::uint8_t { push, cell, load, table, load_table, add, done } op;
  std::uint32_t k;
};
constexpr std::size_t kMaxRoutineStack = 1024;

#define RGTRANS_TEST_OP(mode) test_##mode,
#define RGTRANS_SET_OP(mode) set_##mode,
#define RGTRANS_JUMP_OP(mode) jump_##mode,
#define RGTRANS_STEP_OP(mode) step_test_##mode, step_jump_##mode,
enum class Op : std::uint8_t {
  fail,           // no successor
  fork,           // next; alt as the second choice
  ahead,          // a fork with a step or dash at alt, which is tried first: if it fails, there is no choice
  fan,            // tries c branches whose instructions begin at b: see Instruction
  fan_table_set,  // in a fan: set_table followed by a test of a cell whose address depends on the value that is set
  dash,           // next, in a copy of the code that sets only cell a; alt if that takes too long: see dashes.hpp
  visit,          // next, unless the key of visit specification a was seen before; k: the visit is late
  any,       // for each of the c codes at lists[b]: S[a] = code, next; e, alt: kAsks; k - 1: first of adjacent cells
  any_at,    // the same, at the address operands[a]
  tag,       // symbol a; with kMark an artificial one
  tag_cell,  // the symbol whose code is S[a]
  tags,      // several tags: c entries of lists[b]; an entry with kCellTag is a cell
  check,     // next if automaton a reaches its target, else alt
  tail,      // next, deterministic code that completes a move; its tags as in `tags`
  move,      // player = operands[a]: a move to start b is complete
  reached,   // the target of a check
  set_at,    // S[operands[a]] = operands[b], which is one of the c cells from k on
  put,       // S[T[b + S[a]]] = k
  copy,      // a run of cells: copies[a]
  same,      // next if the runs of compares[a] are equal, else alt
  equal2,    // next if operands[a] == operands[b], else alt
  // A test, an assignment and a jump for each mode.
  // clang-format off
  RGTRANS_FOR_EACH_MODE(RGTRANS_TEST_OP)  // next if the value is k, else alt
  RGTRANS_FOR_EACH_MODE(RGTRANS_SET_OP)   // S[k] = value; next
  RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP_OP)  // jumps[k + value]; the `alt` targets from `next` on are possible
  // Steps: the cell becomes T[a + cell], and the fused test or jump reads it. The cell is e where that field is free;
  // otherwise it is the dash's cell.
  RGTRANS_FOR_EACH_MODE(RGTRANS_STEP_OP)
  // clang-format on
  test = test_constant,
  set = set_constant,
  jump = jump_constant,
};
#undef RGTRANS_TEST_OP
#undef RGTRANS_SET_OP
#undef RGTRANS_JUMP_OP
#undef RGTRANS_STEP_OP

// A cell of one byte. Unlike unsigned char, char8_t may not alias other objects, so the compiler need not reload them
// after each write.
using ByteCell = char8_t;

using Pc = std::uint32_t;
constexpr Pc kFail = 0;  // code[0] is `fail`
constexpr std::uint32_t kNoCell = 0xffffffffU;

constexpr bool is_test(Op op) { return op >= Op::test_constant && op <= Op::test_routine; }
constexpr bool is_set(Op op) { return op >= Op::set_constant && op <= Op::set_routine; }
constexpr bool is_jump(Op op) { return op >= Op::jump_constant && op <= Op::jump_routine; }
// The step that fuses a test or a jump whose mode begins with the value of a cell.
constexpr Op step_of(Op ask) {
  const bool jumps = is_jump(ask);
  const int mode = static_cast<int>(ask) - static_cast<int>(jumps ? Op::jump_constant : Op::test_constant);
  return static_cast<Op>(static_cast<int>(Op::step_test_constant) + 2 * mode + (jumps ? 1 : 0));
}
constexpr bool steps_outside(Op ask) {
  return ask == Op::test_cell || ask == Op::test_table || ask == Op::test_indirect ||
         ask == Op::test_table_of_indirect || ask == Op::jump_indirect;
}
constexpr bool is_step(Op op) { return op >= Op::step_test_constant && op <= Op::step_jump_routine; }
constexpr bool steps_to(Op ask) {
  return (is_test(ask) && ask != Op::test_constant && ask != Op::test_routine) ||
         (is_jump(ask) && ask != Op::jump_constant && ask != Op::jump_routine);
}

// A branch of a fan takes two instructions. The first sets cell a of the fan (or is `fail` or a dash). The second is a
// test or a jump that must succeed, or `fail` whose `next` is the branch's target.
struct Instruction {
  Op op = Op::fail;
  std::uint16_t w = 0;
  Pc next = kFail;
  Pc alt = kFail;
  std::uint32_t a = 0, b = 0, c = 0, e = 0, k = 0;
};

constexpr std::uint32_t kLateVisits = 4096;

// Field e of `any`: the code behind it tests the member. A passing member continues at next or, if the tests need not
// be repeated, at alt behind them.
constexpr std::uint32_t kAsks = 1, kAsksThere = 2, kAsksMore = 3;
constexpr bool alt_is_behind_tests(const Instruction& any) { return any.e == kAsks || any.e == kAsksMore; }
// The successor of a test with one failing outcome, if the test passes.
constexpr Pc passed(const Instruction& test) { return test.alt == kFail ? test.next : test.alt; }

// Marks artificial tags, which only the program that counts walks keeps.
constexpr std::uint32_t kMark = 0x80000000U;
// In lists of tags: the value of this cell or, in a tail, of operands[tag - kValueTag] at the begin of the tail.
constexpr std::uint32_t kCellTag = 0x40000000U;
constexpr std::uint32_t kValueTag = kCellTag | kMark;

// Detects a second visit of one place by the values of some cells and the preceding tags.
struct VisitSpec {
  struct Part {
    std::uint32_t cell;
    std::uint32_t low;    // smallest possible code
    std::uint32_t range;  // number of possible codes from `low` on
  };
  std::vector<Part> parts;
  bool late = false;         // start recording after kLateVisits arrivals: repetitions are rare or mean an endless loop
  bool tags = false;         // the key includes the preceding tags
  bool exact = true;         // the mixed-radix code of the parts fits into 64 bits
  std::uint64_t codes = 1;   // number of codes, if exact
  std::uint32_t direct = 0;  // first stamp, if `small`
  std::vector<bool> member;  // by cell: whether it is in `parts`; used for large inexact keys
  bool small = false;        // no tags and few codes: one stamp per code
};

// Copies or compares whole maps; cells are paired by key.
struct Run {
  std::uint32_t left = 0, right = 0;                   // operands: addresses of the first cells
  bool left_constant = false, right_constant = false;  // stored in the tables, not in the state
  std::vector<std::uint32_t> left_cells, right_cells;  // relative to the first cells
};

struct Automat {  // a reachability check
  Pc entry = kFail;
  std::uint32_t from = 0, to = 0;  // nodes
};

// A place where a move can start.
struct Start {
  Pc entry = kFail;
  std::uint32_t node = 0;
  bool deduplicate = true;  // two walks may have the same labeling
  bool listed = true;       // a mover other than keeper may start there
  Pc quiet = kFail;         // entry of the copy without tags; kFail if tags are needed or there is no copy
};

struct MachineProgram {
  std::vector<Instruction> code;
  std::vector<std::uint32_t> tables;
  std::vector<Operand> operands;
  std::vector<Micro> routines;
  std::vector<std::uint32_t> lists;
  std::vector<Pc> jumps;
  std::vector<VisitSpec> visits;
  std::vector<Run> runs;
  std::vector<Automat> checks;
  std::vector<Start> starts;                           // 0: begin
  Pc dashes = ~Pc{0};                                  // the code of dashes begins here
  std::uint32_t stamps = 0;                            // used by small visit specifications
  std::vector<std::vector<std::uint32_t>> live_cells;  // by start: cells that can affect the rest of a play
};

}  // namespace rgtrans::interpreter
