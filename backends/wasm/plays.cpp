// Searches from a position, and perft.
#include "backends/wasm/runtime.hpp"

namespace rgtrans::wasm {

using enum Plain;

void ModuleRuntime::write_begin() {
  Body body;
  body.get_global(f_.explorations).i32(kMostNumbers).op(i32_gt_u);
  body.get_global(f_.search).i32(kMostNumbers).op(i32_gt_u).op(i32_or).begin_if();
  body.get_global(f_.slots).i32(0).get_global(f_.slot_mask).i32(1).op(i32_add).i32(5).op(i32_shl).fill_memory();
  body.i32(f_.first_stamp).i32(0).i32(f_.stamps_end - f_.first_stamp).fill_memory();
  body.i32(0).set_global(f_.explorations).i32(0).set_global(f_.search);
  body.end();
  body.get_global(f_.search).i32(1).op(i32_add).set_global(f_.search);
  body.get_global(f_.explorations).i32(1).op(i32_add).set_global(f_.explorations);
  body.get_global(f_.explorations).set_global(f_.exploration);
  if (f_.label_stamps.count > 0) {
    body.get_global(f_.label_stamp).i32(1).op(i32_add).i32(255).op(i32_and).set_global(f_.label_stamp);
    body.get_global(f_.label_stamp).op(i32_eqz).begin_if();
    body.i32(f_.label_stamps.address).i32(0).i32(f_.label_stamps.count).fill_memory();
    body.i32(1).set_global(f_.label_stamp).end();
  }
  body.i32(0).set_global(f_.used).i32(0).set_global(f_.late);
  body.i32(0).set_global(f_.count);
  body.get_global(f_.top).get_global(f_.top_limit).op(i32_gt_u).begin_if().call(f_.reserve).end();
  module_.define(begin_, body);
}

void ModuleRuntime::write_search(Function function, const std::vector<Function>& starts, bool tags) {
  Body body(3);
  body.get(0).set_global(f_.listing).get(1).set_global(f_.notice).get(2).set_global(f_.stops).call(begin_);
  const auto count = static_cast<std::uint32_t>(starts.size());
  std::vector<std::uint32_t> labels;
  for (std::uint32_t i = 0; i < count; ++i) labels.push_back(i);
  for (std::uint32_t i = 0; i <= count; ++i) body.block();
  body.get_global(f_.start).br_table(labels, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    body.end();
    if (starts[i] != kNoFunction) {
      if (tags || f_.program().starts[i].quiet == interpreter::kFail) body.i64(0);
      body.call(starts[i]).op(drop);
    }
    body.br(count - 1 - i);
  }
  body.end();
  body.get_global(f_.count);
  module_.define(function, body);
}

void ModuleRuntime::write_make() {
  Body body(1);
  const Local state = body.add_local(WasmType::i32), zero = body.add_local(WasmType::i32);
  body.get(0).load(Load::i32, MoveRow::kState).set(state);
  f_.copy_state(body, zero, state);
  body.get(0).load(Load::i32, MoveRow::kBehind).call_indirect(f_.behind_type);
  module_.define(make_, body);
  // The same for the last move that was noticed without a list.
  Body picked;
  const Local from = picked.add_local(WasmType::i32), to = picked.add_local(WasmType::i32);
  picked.i32(f_.picked).set(from);
  f_.copy_state(picked, to, from);
  picked.get_global(f_.behind).call_indirect(f_.behind_type);
  module_.define(make_picked_, picked);
}

void ModuleRuntime::write_over() {
  Body body;
  body.get_global(f_.start).i32(f_.names.end).op(i32_eq);
  module_.define(over_, body);
}

void ModuleRuntime::write_keeper() {
  Body body;
  const Local count = body.add_local(WasmType::i32), top = body.add_local(WasmType::i32);
  body.block().loop();
  player(body);
  body.i32(f_.names.keeper).op(i32_ne).br_if(1).call(over_).br_if(1);
  body.get(count).i32(1).op(i32_add).tee(count).i32(kMostKeeperMoves).op(i32_gt_u).begin_if();
  f_.fail(body, Fault::endless_keeper);
  body.end();
  body.get_global(f_.top).set(top);
  body.i32(0).i32(1).i32(1).call(find_).op(i32_eqz).begin_if().i32(0).op(give_back).end();
  body.call(make_picked_);
  release(body, top);
  body.br(0).end().end();
  body.i32(1);
  module_.define(keeper_, body);
}

void ModuleRuntime::write_distinct() {
  Body body(1);
  const Local saved = body.add_local(WasmType::i32), start = body.add_local(WasmType::i32),
              row = body.add_local(WasmType::i32), end = body.add_local(WasmType::i32),
              at = body.add_local(WasmType::i32);
  const Local key = body.add_local(WasmType::i64);
  save(body, saved);
  body.get_global(f_.start).set(start).get(0).set(row).get_global(f_.moves_top).set(end);
  body.block().loop();
  body.get(row).get(end).op(i32_ge_u).br_if(1);
  body.get(row).call(make_);
  for (const std::uint32_t cell : f_.tables.trash) body.i32(0).i32(0).store(f_.store_cell, f_.cell_address(cell));
  body.get_global(f_.start).op(i64_extend).set(key).i32(0).set(at);
  body.loop();
  body.get(key).get(at).load(Load::i64, 0);
  body.get(at).op(i64_extend).i64(8).op(i64_shl).i64(kResultKey).op(i64_or).call(f_.slot);
  body.load(Load::i32, SlotRow::kNumber).op(i64_extend).set(key);
  body.get(at).i32(8).op(i32_add).tee(at).i32(8 * f_.state_words()).op(i32_lt_u).br_if(0);
  body.end();
  body.get_global(f_.fresh).begin_if();
  body.get(0).get(row).i32(MoveRow::kBytes).copy_memory().get(0).i32(MoveRow::kBytes).op(i32_add).set(0);
  body.end();
  restore(body, saved, start);
  body.get(row).i32(MoveRow::kBytes).op(i32_add).set(row).br(0);
  body.end().end();
  body.get(0).set_global(f_.moves_top);
  module_.define(distinct_, body);
}

void ModuleRuntime::save(Body& body, Local saved) const {
  body.get_global(f_.top).i32(7).op(i32_add).i32(~7U).op(i32_and).tee(saved);
  body.i32(8 * f_.state_words()).op(i32_add).set_global(f_.top);
  body.get_global(f_.top).get_global(f_.top_limit).op(i32_gt_u).begin_if().call(f_.reserve).end();
  const Local zero = body.add_local(WasmType::i32);
  f_.copy_state(body, saved, zero);
}

void ModuleRuntime::restore(Body& body, Local saved, Local start) const {
  const Local zero = body.add_local(WasmType::i32);
  f_.copy_state(body, zero, saved);
  body.get(start).set_global(f_.start);
}

void ModuleRuntime::write_perft() {
  Body body(1);
  const Local top = body.add_local(WasmType::i32), rows = body.add_local(WasmType::i32),
              row = body.add_local(WasmType::i32), end = body.add_local(WasmType::i32),
              saved = body.add_local(WasmType::i32), start = body.add_local(WasmType::i32);
  const Local leaves = body.add_local(WasmType::i64);
  body.get(0).op(i32_eqz).begin_if().i64(1).op(give_back).end();
  body.call(keeper_).op(i32_eqz).begin_if().i64(0).op(give_back).end();
  body.call(over_).begin_if().i64(0).op(give_back).end();
  body.get_global(f_.top).set(top).get_global(f_.moves_top).tee(rows).set(row);
  player(body);
  body.i32(f_.names.random).op(i32_eq).get(0).i32(1).op(i32_ne).op(i32_or).begin_if();  // a list is needed
  body.i32(1).i32(0).i32(0).call(find_).op(drop);
  player(body);
  body.i32(f_.names.random).op(i32_eq).begin_if().get(rows).call(distinct_).end();
  body.get_global(f_.moves_top).set(end);
  body.begin_else();
  body.i32(0).i32(~0U).i32(0).call(find_).op(i64_extend).op(give_back);
  body.end();
  body.get(0).i32(1).op(i32_eq).begin_if();
  body.get(end).get(rows).op(i32_sub).i32(4).op(i32_shr_u).op(i64_extend).set(leaves);
  body.begin_else();
  save(body, saved);
  body.get_global(f_.start).set(start);
  body.block().loop();
  body.get(row).get(end).op(i32_ge_u).br_if(1);
  restore(body, saved, start);
  body.get(row).call(make_);
  body.get(leaves).get(0).i32(1).op(i32_sub).call(perft_).op(i64_add).set(leaves);
  body.get(row).i32(MoveRow::kBytes).op(i32_add).set(row).br(0);
  body.end().end();
  body.end();
  release(body, top, rows);
  body.get(leaves);
  module_.define(perft_, body);
}

}  // namespace rgtrans::wasm
