// Translates the program of the interpreter to functions. Each instruction with several predecessors begins a function;
// others are written where they are reached. A function tries all ways from its instruction and returns 1 if the search
// shall end: in a check, once the target is reached. Functions leave the state as they found it: old values stay in
// locals. Moves are counted; only the wanted ones are noticed, with a copy of the state.
#include "backends/wasm/function_code.hpp"

namespace rgtrans::wasm {

using interpreter::Instruction;
using interpreter::kFail;
using interpreter::Mode;
using interpreter::Op;
using interpreter::Pc;

namespace {

// The code that completes a move in the state itself.
Body code_behind(const ModuleFrame& frame, Addresses& addresses, Pc pc) {
  Body body;
  ValueCode values(frame, addresses, body, [](std::uint32_t, Local) {});  // every cell is written at once
  KnownCells known;
  for (;; pc = frame.program().code[pc].next) {
    const Instruction& i = frame.program().code[pc];
    switch (i.op) {
      case Op::tag:
      case Op::tag_cell:
      case Op::tags:
        continue;
      case Op::move:
        body.i32(0);
        values.operand(known, i.a);
        body.store(frame.store_cell, frame.cell_address(frame.tables.player_cell));
        body.i32(i.b).set_global(frame.start);
        return body;
      case Op::set_at:
      case Op::put:
        if (i.op == Op::put) {
          values.value(known, Mode::table, i);
          frame.scale(body);
          body.i32(i.k);
        } else {
          values.operand(known, i.a);
          frame.scale(body);
          values.operand(known, i.b);
        }
        body.store(frame.store_cell, 0);
        known.values.clear();
        continue;
      default: {
        if (!interpreter::is_set(i.op)) throw Error("a move ends in code that is not deterministic");
        const Local value = body.add_local(WasmType::i32);
        values.value(known, mode_of(i.op), i);
        body.set(value).i32(0).get(value).store(frame.store_cell, frame.cell_address(i.k));
        known.values[i.k] = value;
      }
    }
  }
}

}  // namespace

Searches write_searches(ModuleFrame& frame) {
  SearchPlan plan(frame);
  Addresses addresses(frame.tables);
  Searches searches;
  for (const interpreter::Start& start : frame.program().starts) {
    const auto of = [&](Pc entry, SearchKind kind) {
      return entry == kFail ? kNoFunction : plan.function(entry, kind);
    };
    searches.listing.push_back(of(start.entry, SearchKind::tagged));
    searches.finding.push_back(start.quiet == kFail ? searches.listing.back() : of(start.quiet, SearchKind::quiet));
  }
  while (const auto unit = plan.next()) {
    FunctionCode code(frame, plan, addresses, *unit);
    Body body = code.write();
    if (code.turns()) body.make_loop(code.start(), WasmType::i32);
    frame.module.define(unit->function, body);
  }
  std::vector<Function> table;
  for (const Pc pc : plan.all_behind()) {
    const Function function = frame.module.declare(frame.behind_type);
    frame.module.define(function, pc == kFail ? Body().op(Plain::unreachable) : code_behind(frame, addresses, pc));
    table.push_back(function);
  }
  frame.module.set_table(std::move(table));
  return searches;
}

}  // namespace rgtrans::wasm
