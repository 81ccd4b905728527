// Expressions over the cells of the state.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "backends/wasm/addresses.hpp"
#include "backends/wasm/frame.hpp"

namespace rgtrans::wasm {

// The addressing mode of a test, assignment, jump or step.
inline interpreter::Mode mode_of(interpreter::Op op) {
  if (interpreter::is_step(op)) {
    return static_cast<interpreter::Mode>(
        (static_cast<int>(op) - static_cast<int>(interpreter::Op::step_test_constant)) / 2);
  }
  const interpreter::Op first = interpreter::is_test(op)  ? interpreter::Op::test_constant
                                : interpreter::is_set(op) ? interpreter::Op::set_constant
                                                          : interpreter::Op::jump_constant;
  return static_cast<interpreter::Mode>(static_cast<int>(op) - static_cast<int>(first));
}

// What is known about cells at one place of a function.
struct KnownCells {
  std::map<std::uint32_t, Local> values;
  // Cells whose memory still holds another value, with that value if it is known.
  std::map<std::uint32_t, std::optional<Local>> unwritten;
};

// Writes expressions. `settled(cell, old)` is called for each cell that is written, since a read may reach it.
class ValueCode {
 public:
  using Settled = std::function<void(std::uint32_t cell, Local old)>;
  ValueCode(const ModuleFrame& frame, Addresses& addresses, Body& body, Settled settled)
      : frame_(frame), addresses_(addresses), body_(body), settled_(std::move(settled)) {}

  // The value of a cell, which stays in a local.
  void cell(KnownCells& known, std::uint32_t cell) {
    const auto [it, fresh] = known.values.try_emplace(cell, 0);
    if (!fresh) {
      body_.get(it->second);
      return;
    }
    it->second = body_.add_local(WasmType::i32);
    body_.i32(0).load(frame_.load_cell, frame_.cell_address(cell)).tee(it->second);
  }

  // Writes a cell to memory. Returns the value that was there.
  Local write(const KnownCells& known, std::uint32_t cell, std::optional<Local> old) {
    if (!old) {
      old = body_.add_local(WasmType::i32);
      body_.i32(0).load(frame_.load_cell, frame_.cell_address(cell)).set(*old);
    }
    body_.i32(0).get(known.values.at(cell)).store(frame_.store_cell, frame_.cell_address(cell));
    return *old;
  }
  // Writes all unwritten cells of a span.
  void settle(KnownCells& known, const CellSpan& span) {
    auto at = known.unwritten.lower_bound(span.first);
    while (at != known.unwritten.end() && at->first <= span.last) {
      settled_(at->first, write(known, at->first, at->second));
      at = known.unwritten.erase(at);
    }
  }

  // The value of an operand or instruction. `first`: the value of its first cell, if it is not in the state.
  template <class From>
  void value(KnownCells& known, interpreter::Mode mode, const From& i, std::optional<Local> first = std::nullopt) {
    const auto head = [&] {
      if (first) {
        body_.get(*first);
      } else {
        cell(known, i.a);
      }
    };
    const std::uint32_t head_cell = first ? i.e : i.a;  // a step asks about the cell that it sets
    const auto read = [&](const CellSpan& span = {}) {
      settle(known, span);
      frame_.scale(body_);
      body_.load(frame_.load_cell, 0);
    };
    const auto single = [&] { return addresses_.span(i.b, head_cell); };
    const auto pair = [&] {  // value * w + S[e]
      body_.i32(i.w).op(Plain::i32_mul);
      cell(known, i.e);
      body_.op(Plain::i32_add);
    };
    switch (mode) {
      case interpreter::Mode::constant:
        body_.i32(i.a);
        return;
      case interpreter::Mode::routine:
        routine(known, i.a);
        return;
      case interpreter::Mode::cell:
        head();
        return;
      case interpreter::Mode::table:
        head();
        look_up(i.b);
        return;
      case interpreter::Mode::indirect:
        head();
        look_up(i.b);
        read(single());
        return;
      case interpreter::Mode::table_of_indirect:
        head();
        look_up(i.b);
        read(single());
        look_up(i.c);
        return;
      case interpreter::Mode::table2:
        head();
        pair();
        look_up(i.c);
        return;
      case interpreter::Mode::indirect2:
      case interpreter::Mode::table_of_indirect2:
        head();
        pair();
        look_up(i.b);
        read(addresses_.span(i.b, head_cell, i.w, i.e));
        if (mode == interpreter::Mode::table_of_indirect2) look_up(i.c);
        return;
      case interpreter::Mode::table2_of_indirect:
      case interpreter::Mode::deep:
        head();
        look_up(i.b);
        read(single());
        pair();
        look_up(i.c);
        if (mode == interpreter::Mode::deep) read();
        return;
      case interpreter::Mode::sum:
      case interpreter::Mode::indirect_sum:
        head();
        look_up(i.b);
        cell(known, i.e);
        look_up(i.c);
        body_.op(Plain::i32_add);
        look_up(0);
        if (mode == interpreter::Mode::indirect_sum) read();
        return;
      case interpreter::Mode::table_of_twice:
        head();
        look_up(i.b);
        read(single());
        look_up(i.c);
        read();
        look_up(i.e);
        return;
    }
  }
  void value(KnownCells& known, const interpreter::Operand& operand) { value(known, operand.mode, operand); }
  void operand(KnownCells& known, std::uint32_t index) { value(known, frame_.program().operands[index]); }

 private:
  void look_up(std::uint32_t first) { frame_.load(body_, frame_.lookups, first); }
  void routine(KnownCells& known, std::uint32_t at) {
    using Micro = interpreter::Micro;
    for (const Micro* micro = &frame_.program().routines[at]; micro->op != Micro::Op::done; ++micro) {
      switch (micro->op) {
        case Micro::Op::push:
          body_.i32(micro->k);
          break;
        case Micro::Op::cell:
          cell(known, micro->k);
          break;
        case Micro::Op::load_table:
          look_up(micro->k);
          [[fallthrough]];
        case Micro::Op::load:
          settle(known, {});
          frame_.scale(body_);
          body_.load(frame_.load_cell, 0);
          break;
        case Micro::Op::table:
          look_up(micro->k);
          break;
        case Micro::Op::add:
          body_.op(Plain::i32_add);
          break;
        case Micro::Op::done:
          break;
      }
    }
  }

  const ModuleFrame& frame_;
  Addresses& addresses_;
  Body& body_;
  Settled settled_;
};

}  // namespace rgtrans::wasm
