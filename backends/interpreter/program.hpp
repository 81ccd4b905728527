// Program: a game as code for a small backtracking machine (machine.hpp). Every edge became an instruction or a
// part of one, every node the place where its instructions start; instructions name their successor, so that
// chains of nodes cost nothing. Expressions are folded to a few addressing modes over lookup tables.
// Reasoners that are compiled from tables carry this text, so it stands on the standard library alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rgtrans::interpreter {

// How to get a value out of the cells S and the tables T (all indices wrap modulo 2^32):
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
  routine,             // the stack routine that starts at a
};
// All of them, for what is done mode by mode.
#define RGTRANS_FOR_EACH_MODE(f)                                                                             \
  f(constant) f(cell) f(table) f(indirect) f(table_of_indirect) f(table2) f(indirect2) f(table_of_indirect2) \
      f(table2_of_indirect) f(deep) f(sum) f(indirect_sum) f(table_of_twice) f(routine)

// The modes of the tests and jumps that a way of a fan may end with: refinement makes no others, look-ahead knows them
// all.
#define RGTRANS_FOR_EACH_ASKED_TEST(f) \
  f(cell) f(table) f(indirect) f(table_of_indirect) f(indirect2) f(table2_of_indirect)
#define RGTRANS_FOR_EACH_ASKED_JUMP(f) f(indirect) f(table2_of_indirect)

struct Operand {
  Mode mode = Mode::constant;
  std::uint16_t w = 0;
  std::uint32_t a = 0, b = 0, c = 0, e = 0;
};

// Stack routines, for what no mode covers.
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
  fail,      // no way on
  fork,      // next, and later alt
  ahead,     // the same where a dash or a step begins at alt, which is tried first: if it fails, nothing is put aside
  fan,       // each of the c ways whose instructions lie from b on: see Instruction
  lead,      // in a fan: set_table, and the test behind asks about a cell whose address depends on what is set
  dash,      // next, in a copy of the code where only the cell a is set; alt where that gets long: see dashes.hpp
  visit,     // next unless the key of visit specification a was met before; k: it is late
  any,       // for each of the c codes from lists[b]: S[a] = it; next; e, alt: see kAsks; k - 1: a row of cells begins
  any_at,    // the same at the address operands[a]
  tag,       // symbol a, or an artificial one with kMark
  tag_cell,  // symbol whose code is S[a]
  tags,      // several of both: c of lists[b], those of cells with kCellTag
  check,     // next when automaton a reaches its target, else alt
  tail,      // next, from where a move is completed in one way; its tags as in `tags`
  move,      // player = operands[a]: a move to start b is complete
  reached,   // the target of a check
  set_at,    // S[operands[a]] = operands[b]; of the c cells from k on
  put,       // S[T[b + S[a]]] = k
  copy,      // a run of cells: copies[a]
  same,      // next when the runs of compares[a] are equal, else alt
  equal2,    // next when operands[a] == operands[b], else alt
  // A test, an assignment and a jump for each mode.
  // clang-format off
  RGTRANS_FOR_EACH_MODE(RGTRANS_TEST_OP)  // next when the value is k, else alt
  RGTRANS_FOR_EACH_MODE(RGTRANS_SET_OP)   // S[k] = value; next
  RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP_OP)  // jumps[k + value]; of jumps, `alt` many from `next` on are possible
  // The cell becomes T[a + it], and the test or the jump that is behind asks about it; the cell is e where that
  // is free, and that of the dash otherwise.
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

// A cell of one byte. Unlike an unsigned char it is never taken for a part of something else, which the compiler would
// have to read again after each write.
using ByteCell = char8_t;

using Pc = std::uint32_t;
constexpr Pc kFail = 0;  // code[0] is `fail`
constexpr std::uint32_t kNoCell = 0xffffffffU;

constexpr bool is_test(Op op) { return op >= Op::test_constant && op <= Op::test_routine; }
constexpr bool is_set(Op op) { return op >= Op::set_constant && op <= Op::set_routine; }
constexpr bool is_jump(Op op) { return op >= Op::jump_constant && op <= Op::jump_routine; }
// The step that ends with a test or a jump; the mode begins with the value of a cell.
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

// A way of a fan is two instructions: what sets the cell a of the fan (or `fail`, or a dash), then a test or a jump
// that must lead somewhere (or `fail`, whose successor is where the way goes on).
struct Instruction {
  Op op = Op::fail;
  std::uint16_t w = 0;
  Pc next = kFail;
  Pc alt = kFail;
  std::uint32_t a = 0, b = 0, c = 0, e = 0, k = 0;
};

constexpr std::uint32_t kLateVisits = 4096;

// e of `any`: what stands behind fails for some members. Those that pass go on at next, or at alt, behind the test or
// the tests, one behind the other.
constexpr std::uint32_t kAsks = 1, kAsksThere = 2, kAsksMore = 3;
constexpr bool alt_is_behind_tests(const Instruction& any) { return any.e == kAsks || any.e == kAsksMore; }
// Where a test leads, one of whose ways fails.
constexpr Pc passed(const Instruction& test) { return test.alt == kFail ? test.next : test.alt; }

// Only the program that counts walks keeps artificial tags; the symbol's number then has this bit.
constexpr std::uint32_t kMark = 0x80000000U;
// Of several tags: the value of this cell, or, of a tail, what operands[it] is where the tail begins.
constexpr std::uint32_t kCellTag = 0x40000000U;
constexpr std::uint32_t kValueTag = kCellTag | kMark;

// Recognises a second visit of one place by the values of some cells (and the tags before).
struct VisitSpec {
  struct Part {
    std::uint32_t cell;
    std::uint32_t low;    // smallest code that can be here
    std::uint32_t range;  // how many from there on
  };
  std::vector<Part> parts;
  bool late = false;         // begin only after kLateVisits arrivals: repetitions are rare, or mean an endless loop
  bool tags = false;         // the tags so far are part of the key
  bool exact = true;         // the mixed-radix code of the parts fits 64 bits
  std::uint64_t codes = 1;   // how many there are, when exact
  std::uint32_t direct = 0;  // first stamp, when `small`
  std::vector<bool> member;  // by cell: whether it is in `parts`; when there are many and not exact
  bool small = false;        // no tags and few codes: one stamp a code
};

// Copying or comparing whole maps; cells pair up by key.
struct Run {
  std::uint32_t left = 0, right = 0;                   // operands with the addresses of the first cells
  bool left_constant = false, right_constant = false;  // in the tables, not in the state
  std::vector<std::uint32_t> left_cells, right_cells;  // relative
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
  bool listed = true;       // somebody who is not keeper may move there
  Pc quiet = kFail;         // where the same code begins without tags; kFail where they are needed or nobody made it
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
  Pc dashes = ~Pc{0};                                  // from here on stands the code of dashes
  std::uint32_t stamps = 0;                            // for the small visit specifications
  std::vector<std::vector<std::uint32_t>> live_cells;  // by start: what the rest of a play can depend on
};

}  // namespace rgtrans::interpreter
