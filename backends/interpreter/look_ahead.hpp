// Looks ahead over several branches before the machine pushes a choice point or extends the trail. Branches that fail
// at once are skipped: members of a type, rays and other dashes (dashes.hpp), and the branches of fans. Reasoners
// compiled from tables embed this file, so it depends on the standard library only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/interpreter/program.hpp"
#include "backends/interpreter/values_of_cells.hpp"
#include "backends/interpreter/visited.hpp"

namespace rgtrans::interpreter {

constexpr std::uint32_t kMostDashSteps = 1024;
// Limit for one exploration. Dashes skip late visits; beyond the limit the machine executes those visits, so that a
// cycle through several dashes ends.
constexpr std::uint32_t kMostDashes = 4 * kLateVisits;

// Instructions inside and outside of dashes.
#define RGTRANS_TEST(mode)                                                          \
  case Op::test_##mode:                                                             \
    pc = value_of<interpreter::Mode::mode>(program_, s, i) == i.k ? i.next : i.alt; \
    continue;
#define RGTRANS_JUMP(mode)                                                        \
  case Op::jump_##mode:                                                           \
    pc = program_.jumps[i.k + value_of<interpreter::Mode::mode>(program_, s, i)]; \
    continue;
// Steps that also occur outside of dashes, with the successor after the value `found` has been read.
#define RGTRANS_FOR_EACH_STEP_OUTSIDE(X)                    \
  X(test, cell, found == i.k ? i.next : i.alt)              \
  X(test, table, found == i.k ? i.next : i.alt)             \
  X(test, indirect, found == i.k ? i.next : i.alt)          \
  X(test, table_of_indirect, found == i.k ? i.next : i.alt) \
  X(jump, indirect, program_.jumps[i.k + found])
// Steps that occur in dashes only.
#define RGTRANS_STEP(mode)                                                                 \
  case Op::step_test_##mode:                                                               \
    do {                                                                                   \
      v = tables[i.a + v];                                                                 \
      s[cell] = static_cast<Cell>(v);                                                      \
      to = value_from<interpreter::Mode::mode>(program_, s, v, i) == i.k ? i.next : i.alt; \
    } while (to == pc && ++steps < kMostDashSteps);                                        \
    pc = to;                                                                               \
    continue;                                                                              \
  case Op::step_jump_##mode:                                                               \
    do {                                                                                   \
      v = tables[i.a + v];                                                                 \
      s[cell] = static_cast<Cell>(v);                                                      \
      to = jumps[i.k + value_from<interpreter::Mode::mode>(program_, s, v, i)];            \
    } while (to == pc && ++steps < kMostDashSteps);                                        \
    pc = to;                                                                               \
    continue;
#define RGTRANS_DASH_SET(mode)                             \
  case Op::set_##mode:                                     \
    v = value_of<interpreter::Mode::mode>(program_, s, i); \
    s[cell] = static_cast<Cell>(v);                        \
    pc = i.next;                                           \
    continue;

template <class Cell>
class LookAhead {
 public:
  struct Aside {  // a pending branch of a dash
    std::uint32_t value;
    Pc in_dash, outside;
  };

  explicit LookAhead(const MachineProgram& program) : program_(program) {}

  // Starts a search.
  void begin() {
    plain_ = false;
    dashes_ = 0;
  }
  [[gnu::always_inline]] std::uint32_t member(Cell* s, const Instruction& chooser, std::uint32_t cell,
                                              std::uint32_t index) const {
    if (chooser.e == kAsksMore) return passing_member_of_all(s, chooser, cell, index);
    if (chooser.k != 0) {
      if (s[chooser.k - 1 + index] != program_.code[chooser.next].k) {
        return found_member(s, chooser, cell, index, program_.code[chooser.next]);
      }
    } else if (chooser.e != 0) {
      return passing_member(s, chooser, cell, index);
    }
    s[cell] = static_cast<Cell>(program_.lists[chooser.b + index]);
    return index;
  }

  // The successor after a passing member. Tests that have been evaluated are skipped.
  [[nodiscard]] [[gnu::always_inline]] Pc behind_member(const Instruction& chooser) const {
    return alt_is_behind_tests(chooser) ? chooser.alt : chooser.next;
  }

  // Evaluates consecutive tests and jumps from `pc`, and returns the first other instruction.
  [[nodiscard]] [[gnu::always_inline]] Pc behind_tests(const Cell* s, Pc pc) const {
    for (;;) {
      const Instruction& i = program_.code[pc];
      switch (i.op) {
        RGTRANS_FOR_EACH_MODE(RGTRANS_TEST)
        RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP)
        default:
          return pc;
      }
    }
  }

  // Runs a dash and returns its exit, or kFail with the cell in any state. aside() holds the branches left pending.
  [[gnu::noinline]] Pc dash(Cell* s, const Instruction& from) {
    aside_.cut(0);
    if (plain_ || ++dashes_ > kMostDashes) return from.alt;
    const std::uint32_t cell = from.a;
    std::uint32_t v = s[cell];
    const std::uint32_t old = v;
    const Instruction* const code = program_.code.data();
    const std::uint32_t* const tables = program_.tables.data();
    const Pc* const jumps = program_.jumps.data();
    const Pc dashes = program_.dashes;
    Pc pc = from.next;
    Pc to = kFail;
    for (std::uint32_t steps = 0;; ++steps) {
      if (pc < dashes) {
        if (pc != kFail || aside_.empty()) return pc;
        v = aside_.top().value;
        s[cell] = static_cast<Cell>(v);
        pc = aside_.top().in_dash;
        aside_.pop();
        continue;
      }
      if (steps >= kMostDashSteps) {
        plain_ = true;
        s[cell] = static_cast<Cell>(old);
        aside_.cut(0);
        return from.alt;
      }
      const Instruction& i = code[pc];
      switch (i.op) {
        RGTRANS_FOR_EACH_MODE(RGTRANS_TEST)
        RGTRANS_FOR_EACH_MODE(RGTRANS_DASH_SET)
        RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP)
        RGTRANS_FOR_EACH_MODE(RGTRANS_STEP)
        case Op::fork:
          aside_.push({v, i.alt, i.a});
          pc = i.next;
          continue;
        case Op::equal2:
          pc = equal_operands(program_, s, i) ? i.next : i.alt;
          continue;
        default:
          __builtin_unreachable();  // a dash contains no other instruction
      }
    }
  }

  [[nodiscard]] const Stack<Aside>& aside() const { return aside_; }

  // Runs a step or a dash, which changes its cell, and returns the successor.
  [[gnu::always_inline]] Pc look_ahead(Cell* s, const Instruction& i) {
    if (i.op == Op::dash) return dash(s, i);
    const std::uint32_t v = program_.tables[i.a + s[i.e]];
    s[i.e] = static_cast<Cell>(v);
    switch (i.op) {
#define RGTRANS_LEADS(op, mode, target)                                                 \
  case Op::step_##op##_##mode: {                                                        \
    const std::uint32_t found = value_from<interpreter::Mode::mode>(program_, s, v, i); \
    return target;                                                                      \
  }
      RGTRANS_FOR_EACH_STEP_OUTSIDE(RGTRANS_LEADS)
#undef RGTRANS_LEADS
      default:
        __builtin_unreachable();  // occurs in dashes only
    }
  }

  struct Way {
    std::uint32_t index;  // the number of branches if there is none
    std::uint32_t value;  // new value of the fan's cell
    Pc target;
  };

  // The first branch from `index` on that does not fail, if the fan's cell held `old` before.
  [[gnu::always_inline]] Way find_way(Cell* s, const Instruction& fan, std::uint32_t index, std::uint32_t old) {
    const std::uint32_t* const t = program_.tables.data();
    const Instruction* way = program_.code.data() + fan.b + 2 * std::size_t{index};
    for (; index < fan.c; ++index, way += 2) {
      std::uint32_t value = old;
      Pc target = kFail;
      if (way->op == Op::fan_table_set) {
        value = t[way->b + old];
        target = asked_of(s, fan.a, value, way[1]);
      } else if (way->op == Op::dash) {
        s[fan.a] = static_cast<Cell>(old);
        target = dash(s, *way);
        value = s[fan.a];
      } else {
        if (fan.a != kNoCell) s[fan.a] = static_cast<Cell>(old);
        if (way->op != Op::fail) {
          value = set_value(s, *way);
          s[fan.a] = static_cast<Cell>(value);
        }
        target = asked(s, way[1]);
      }
      if (target != kFail) {
        if (const Instruction& there = program_.code[target];
            there.op == Op::dash && there.a == fan.a && there.k == 0) {
          s[fan.a] = static_cast<Cell>(value);
          target = dash(s, there);
          value = s[fan.a];
        }
      }
      if (target != kFail) return {index, value, target};
    }
    return {index, old, kFail};
  }

 private:
  template <interpreter::Mode mode>
  std::uint32_t passing(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                        const Instruction& test) const {
    const std::uint32_t* const list = program_.lists.data() + chooser.b;
    if (test.alt == kFail) {
      for (; index < chooser.c; ++index) {
        s[cell] = static_cast<Cell>(list[index]);
        if (value_of<mode>(program_, s, test) == test.k) break;
      }
    } else {
      for (; index < chooser.c; ++index) {
        s[cell] = static_cast<Cell>(list[index]);
        if (value_of<mode>(program_, s, test) != test.k) break;
      }
    }
    return index;
  }

  // Stores the first member from `index` on that passes the next test into the cell. Returns its index, or the number
  // of members if there is none.
  [[gnu::noinline]] std::uint32_t passing_member(Cell* s, const Instruction& chooser, std::uint32_t cell,
                                                 std::uint32_t index) const {
    using M = interpreter::Mode;
    const std::uint32_t* const list = program_.lists.data() + chooser.b;
    const Instruction* first = &program_.code[chooser.next];
    if (first->op == Op::dash) first = &program_.code[first->next];
    switch (first->op) {
#define RGTRANS_PASSING(mode) \
  case Op::test_##mode:       \
    return passing<interpreter::Mode::mode>(s, chooser, cell, index, *first);
      RGTRANS_FOR_EACH_MODE(RGTRANS_PASSING)
#undef RGTRANS_PASSING
      case Op::jump_indirect:
        for (; index < chooser.c; ++index) {
          s[cell] = static_cast<Cell>(list[index]);
          if (program_.jumps[first->k + value_of<M::indirect>(program_, s, *first)] != kFail) break;
        }
        return index;
      default:
        return passing_when_set(s, chooser, cell, index, *first);
    }
  }

  // The same with several consecutive tests.
  [[gnu::noinline]] std::uint32_t passing_member_of_all(Cell* s, const Instruction& chooser, std::uint32_t cell,
                                                        std::uint32_t index) const {
    const Instruction& first = program_.code[chooser.next];
    for (;; ++index) {
      index = chooser.k != 0 ? found_member(s, chooser, cell, index, first) : passing_member(s, chooser, cell, index);
      if (index >= chooser.c) return chooser.c;
      if (behind_tests(s, passed(first)) != kFail) return index;
    }
  }

  // The same where another cell is set, depending on the member, and then tested.
  std::uint32_t passing_when_set(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                                 const Instruction& set) const {
    const std::uint32_t* const list = program_.lists.data() + chooser.b;
    const std::uint32_t* const t = program_.tables.data();
    const Instruction& ask = program_.code[set.next];
    for (; index < chooser.c; ++index) {
      s[cell] = static_cast<Cell>(list[index]);
      const std::uint32_t value = value_of<interpreter::Mode::table2>(program_, s, set);
      const std::uint32_t address = t[ask.b + value];
      const std::uint32_t found = address == set.k ? value : s[address];
      if (found == ask.k) break;
    }
    return index;
  }

  // The same where the tested cells are contiguous.
  std::uint32_t found_member(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                             const Instruction& test) const {
    const Cell* const first = s + (chooser.k - 1);
    std::uint32_t at = chooser.c;
    if constexpr (sizeof(Cell) == 1) {
      const void* const found = std::memchr(first + index, static_cast<int>(test.k), chooser.c - index);
      if (found != nullptr) at = static_cast<std::uint32_t>(static_cast<const Cell*>(found) - first);
    } else {
      const Cell* const end = first + chooser.c;
      at = static_cast<std::uint32_t>(std::find(first + index, end, static_cast<Cell>(test.k)) - first);
    }
    if (at == chooser.c) return chooser.c;
    s[cell] = static_cast<Cell>(program_.lists[chooser.b + at]);
    return at;
  }

  [[gnu::always_inline]] std::uint32_t set_value(const Cell* s, const Instruction& set) const {
    using M = interpreter::Mode;
    if (set.op == Op::set_table) return value_of<M::table>(program_, s, set);
    if (set.op == Op::set_table2) return value_of<M::table2>(program_, s, set);
    if (set.op == Op::set_table2_of_indirect) return value_of<M::table2_of_indirect>(program_, s, set);
    return value_of<M::constant>(program_, s, set);
  }

  // The result of a test whose address depends on `cell`, as if that cell held `value`.
  [[gnu::always_inline]] Pc asked_of(const Cell* s, std::uint32_t cell, std::uint32_t value,
                                     const Instruction& test) const {
    const std::uint32_t* const t = program_.tables.data();
    const std::uint32_t address = t[test.b + value];
    std::uint32_t found = address == cell ? value : s[address];
    if (test.op == Op::test_table_of_indirect) found = t[test.c + found];
    if (test.op == Op::test_table2_of_indirect) found = t[test.c + found * test.w + s[test.e]];
    return found == test.k ? test.next : kFail;
  }

  [[gnu::always_inline]] Pc asked(const Cell* s, const Instruction& test) const {
    switch (test.op) {
#define RGTRANS_ASKED_TEST(mode) \
  case Op::test_##mode:          \
    return value_of<interpreter::Mode::mode>(program_, s, test) == test.k ? test.next : kFail;
#define RGTRANS_ASKED_JUMP(mode) \
  case Op::jump_##mode:          \
    return program_.jumps[test.k + value_of<interpreter::Mode::mode>(program_, s, test)];
      RGTRANS_FOR_EACH_ASKED_TEST(RGTRANS_ASKED_TEST)
      RGTRANS_FOR_EACH_ASKED_JUMP(RGTRANS_ASKED_JUMP)
#undef RGTRANS_ASKED_TEST
#undef RGTRANS_ASKED_JUMP
      case Op::fail:  // the branch has no test
        return test.next;
      default:
        __builtin_trap();  // refinement allows no other test in a fan
    }
  }

  const MachineProgram& program_;
  Stack<Aside> aside_;
  bool plain_ = false;        // a dash of this exploration exceeded its limit: use plain code from now on
  std::uint32_t dashes_ = 0;  // number of dashes in this exploration
};

#undef RGTRANS_STEP
#undef RGTRANS_DASH_SET

}  // namespace rgtrans::interpreter
