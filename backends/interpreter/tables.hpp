// Tables: all data needed to play a game with the machine, and its text format. The text is a sequence of numbers in
// base 32, lowest digit first. The digits are letters that need no escape in a string literal; all digits but the last
// of a number come from the second half of the alphabet. Most numbers take one or two letters, and a compiler reads
// many megabytes of them per second. Reasoners compiled from tables embed this file, so it depends on the standard
// library only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/interpreter/machine.hpp"

namespace rgtrans::interpreter {

// A variable as shown to users. Maps of maps are not shown.
struct ShownVariable {
  std::uint32_t first = 0;          // cell
  bool map = false;                 // otherwise a scalar
  std::vector<std::uint32_t> keys;  // codes
};

// Adjacent cells with the same possible codes.
struct CellRange {
  std::uint32_t first = 0, count = 0;
  std::vector<std::uint64_t> codes;  // a bit set
};

struct MachineTables {
  MachineProgram program;                  // its tags are tag numbers
  std::vector<std::uint32_t> initial;      // codes, by cell
  std::vector<std::uint32_t> tag_of_code;  // tag of each value that a tag variable can show
  std::vector<std::uint32_t> trash;        // cells that are not part of the state
  std::uint32_t player_cell = 0;
  std::vector<std::uint32_t> goal_cells;  // by player
  Visibility visibility;
  bool hiding = false;  // some player may not see some tag
  std::vector<ShownVariable> variables;
  std::vector<CellRange> ranges;
  // Cells that nothing reads before it is assigned: lists, and the list of each start.
  std::vector<std::vector<CellRange>> dead;
  std::vector<std::uint32_t> dead_at;
};

inline constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

class TableWriter {
 public:
  template <class Number>
  void number(const Number& value) {
    auto rest = static_cast<std::uint64_t>(value);
    for (; rest >= 32; rest >>= 5U) text_ += kDigits[32 + (rest & 31U)];
    text_ += kDigits[rest];
  }
  template <class... Numbers>
  void numbers(const Numbers&... values) {
    (number(values), ...);
  }
  template <class List, class Item>
  void list(const List& items, Item&& item) {
    number(items.size());
    for (const auto& i : items) item(i);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class TableReader {
 public:
  explicit TableReader(const char* text) : at_(text) {
    for (std::size_t i = 0; i < kDigits.size(); ++i) value_[static_cast<unsigned char>(kDigits[i])] = std::uint8_t(i);
  }
  template <class Number>
  void number(Number& value) {
    std::uint64_t sum = 0;
    for (unsigned shift = 0;; shift += 5) {
      const std::uint64_t digit = value_[static_cast<unsigned char>(*at_++)];
      sum |= (digit & 31U) << shift;
      if (digit < 32) break;
    }
    value = static_cast<Number>(sum);
  }
  template <class... Numbers>
  void numbers(Numbers&... values) {
    (number(values), ...);
  }
  template <class List, class Item>
  void list(List& items, Item&& item) {
    std::size_t size = 0;
    number(size);
    items.resize(size);
    for (auto& i : items) item(i);
  }

 private:
  const char* at_;
  std::array<std::uint8_t, 256> value_{};
};

// Encodes a successor relative to its instruction, since most are close. kFail is 0.
constexpr std::uint32_t near_code(Pc to, Pc from) {
  const std::uint32_t distance = to - from;
  return to == kFail ? 0 : 1 + (distance << 1U ^ (0U - (distance >> 31U)));
}
constexpr Pc near_pc(std::uint32_t code, Pc from) {
  const std::uint32_t distance = (code - 1) >> 1U ^ (0U - ((code - 1) & 1U));
  return code == 0 ? kFail : from + distance;
}

// Writes an instruction with a TableWriter or reads it with a TableReader. The functions below do the same.
template <class Io, class I>
void transfer_instruction(Io& io, I& instruction, Pc pc) {
  std::uint32_t next = near_code(instruction.next, pc);
  std::uint32_t alt = near_code(instruction.alt, pc);
  const std::array<std::uint32_t, 8> given = {next,          alt,           instruction.a, instruction.b,
                                              instruction.c, instruction.e, instruction.k, instruction.w};
  std::uint32_t used = 0;  // bit set of nonzero fields
  for (std::size_t i = 0; i < given.size(); ++i) used |= static_cast<std::uint32_t>(given[i] != 0) << i;
  io.numbers(instruction.op, used);
  if ((used & 1U) != 0) io.number(next);
  if ((used & 2U) != 0) io.number(alt);
  if ((used & 4U) != 0) io.number(instruction.a);
  if ((used & 8U) != 0) io.number(instruction.b);
  if ((used & 16U) != 0) io.number(instruction.c);
  if ((used & 32U) != 0) io.number(instruction.e);
  if ((used & 64U) != 0) io.number(instruction.k);
  if ((used & 128U) != 0) io.number(instruction.w);
  if constexpr (!std::is_const_v<I>) {
    instruction.next = near_pc(next, pc);
    instruction.alt = near_pc(alt, pc);
  }
}

template <class Io, class Specification>
void transfer_visit(Io& io, Specification& visit) {
  io.list(visit.parts, [&](auto& part) { io.numbers(part.cell, part.low, part.range); });
  io.numbers(visit.late, visit.tags, visit.exact, visit.codes, visit.direct, visit.small);
  auto cells = visit.member.size();
  io.number(cells);
  if constexpr (!std::is_const_v<Specification>) {
    visit.member.resize(cells);
    for (const VisitSpec::Part& part : visit.parts) {
      if (cells > 0) visit.member[part.cell] = true;
    }
  }
}

template <class Io, class P>
void transfer_program(Io& io, P& program) {
  const auto number = [&](auto& value) { io.number(value); };
  Pc pc = 0;
  io.list(program.code, [&](auto& instruction) { transfer_instruction(io, instruction, pc++); });
  io.list(program.tables, number);
  io.list(program.operands,
          [&](auto& operand) { io.numbers(operand.mode, operand.w, operand.a, operand.b, operand.c, operand.e); });
  io.list(program.routines, [&](auto& micro) { io.numbers(micro.op, micro.k); });
  io.list(program.lists, number);
  io.list(program.jumps, number);
  io.list(program.visits, [&](auto& visit) { transfer_visit(io, visit); });
  io.list(program.runs, [&](auto& run) {
    io.numbers(run.left, run.right, run.left_constant, run.right_constant);
    io.list(run.left_cells, number);
    io.list(run.right_cells, number);
  });
  io.list(program.checks, [&](auto& check) { io.numbers(check.entry, check.from, check.to); });
  io.list(program.starts, [&](auto& start) { io.numbers(start.entry, start.node, start.deduplicate, start.quiet); });
  io.numbers(program.dashes, program.stamps);
}

template <class Io, class T>
void transfer(Io& io, T& tables) {
  const auto number = [&](auto& value) { io.number(value); };
  transfer_program(io, tables.program);
  io.list(tables.initial, number);
  io.list(tables.tag_of_code, number);
  io.list(tables.trash, number);
  io.number(tables.player_cell);
  io.list(tables.goal_cells, number);
  io.list(tables.visibility.cells, number);
  io.numbers(tables.visibility.zero, tables.hiding);
  io.list(tables.variables, [&](auto& variable) {
    io.numbers(variable.first, variable.map);
    io.list(variable.keys, number);
  });
  io.list(tables.ranges, [&](auto& range) {
    io.numbers(range.first, range.count);
    io.list(range.codes, number);
  });
  io.list(tables.dead,
          [&](auto& ranges) { io.list(ranges, [&](auto& range) { io.numbers(range.first, range.count); }); });
  io.list(tables.dead_at, number);
}

}  // namespace rgtrans::interpreter
