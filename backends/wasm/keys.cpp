// The set of the keys that a search has met.
#include "backends/wasm/runtime.hpp"

namespace rgtrans::wasm {

using enum Plain;

void ModuleRuntime::write() {
  write_slot();
  write_grow();
  write_reserve();
  write_notice();
  write_extend();
  write_arrive();
  write_begin();
  write_search(find_, searches_.finding, false);
  write_search(list_, searches_.listing, true);
  write_make();
  write_over();
  write_keeper();
  write_distinct();
  write_perft();
  write_rng();
  write_play();
  write_playouts();
  write_exports();
}

void ModuleRuntime::hash(Body& body, Local a, Local b, Local c) const {
  body.get(a).i64(0x9e3779b97f4a7c15U).op(i64_mul).i64(29).op(i64_rotl).get(b).op(i64_xor);
  body.i64(0xbf58476d1ce4e5b9U).op(i64_mul).i64(31).op(i64_rotl).get(c).op(i64_xor);
  body.i64(0x94d049bb133111ebU).op(i64_mul).i64(32).op(i64_shr_u).op(i32_wrap);
}

void ModuleRuntime::write_slot() {
  Body body(3);
  const Local at = body.add_local(WasmType::i32), row = body.add_local(WasmType::i32);
  body.get_global(f_.used).i32(1).op(i32_shl).get_global(f_.slot_mask).op(i32_gt_u);
  body.begin_if().call(f_.grow).end();
  hash(body, 0, 1, 2);
  body.set(at);
  body.loop();
  body.get(at).get_global(f_.slot_mask).op(i32_and).i32(5).op(i32_shl).get_global(f_.slots).op(i32_add).tee(row);
  body.load(Load::i32, SlotRow::kSearch).get_global(f_.search).op(i32_ne);
  body.begin_if();
  body.get(row).get(0).store(Store::i64, SlotRow::kFirst);
  body.get(row).get(1).store(Store::i64, SlotRow::kSecond);
  body.get(row).get(2).store(Store::i64, SlotRow::kThird);
  body.get(row).get_global(f_.search).store(Store::i32, SlotRow::kSearch);
  body.get_global(f_.used).i32(1).op(i32_add).set_global(f_.used);
  body.get(row).get_global(f_.used).store(Store::i32, SlotRow::kNumber);
  body.i32(1).set_global(f_.fresh).get(row).op(give_back);
  body.end();
  body.get(row).load(Load::i64, SlotRow::kFirst).get(0).op(i64_eq);
  body.get(row).load(Load::i64, SlotRow::kSecond).get(1).op(i64_eq).op(i32_and);
  body.get(row).load(Load::i64, SlotRow::kThird).get(2).op(i64_eq).op(i32_and);
  body.begin_if().i32(0).set_global(f_.fresh).get(row).op(give_back).end();
  body.get(at).i32(1).op(i32_add).set(at).br(0);
  body.end();
  body.op(unreachable);
  module_.define(f_.slot, body);
}

void ModuleRuntime::write_grow() {
  Body body;
  const Local from = body.add_local(WasmType::i32), end = body.add_local(WasmType::i32),
              to = body.add_local(WasmType::i32), at = body.add_local(WasmType::i32),
              bytes = body.add_local(WasmType::i32);
  const Local a = body.add_local(WasmType::i64), b = body.add_local(WasmType::i64), c = body.add_local(WasmType::i64);
  body.get_global(f_.slots).tee(from).get_global(f_.slot_mask).i32(1).op(i32_add).i32(5).op(i32_shl).tee(bytes);
  body.op(i32_add).set(end);
  body.get(bytes).i32(0x20000000).op(i32_ge_u).begin_if();
  f_.fail(body, Fault::no_memory);
  body.end();
  body.get_global(f_.top).i32(15).op(i32_add).i32(~15U).op(i32_and).tee(to).set_global(f_.slots);
  body.get(bytes).i32(1).op(i32_shl).set(bytes);
  body.get(to).get(bytes).op(i32_add).set_global(f_.top);
  body.call(f_.reserve);
  body.get_global(f_.top).set_global(f_.floor);
  body.get(to).i32(0).get(bytes).fill_memory();
  body.get(bytes).i32(5).op(i32_shr_u).i32(1).op(i32_sub).set_global(f_.slot_mask);
  body.loop();
  body.get(from).load(Load::i32, SlotRow::kSearch).get_global(f_.search).op(i32_eq).begin_if();
  body.get(from).load(Load::i64, SlotRow::kFirst).set(a);
  body.get(from).load(Load::i64, SlotRow::kSecond).set(b);
  body.get(from).load(Load::i64, SlotRow::kThird).set(c);
  hash(body, a, b, c);
  body.set(at);
  body.loop();
  body.get(at).get_global(f_.slot_mask).op(i32_and).i32(5).op(i32_shl).get_global(f_.slots).op(i32_add).tee(to);
  body.get(at).i32(1).op(i32_add).set(at);
  body.load(Load::i32, SlotRow::kSearch).br_if(0);
  body.end();
  body.get(to).get(from).i32(SlotRow::kBytes).copy_memory();
  body.end();
  body.get(from).i32(SlotRow::kBytes).op(i32_add).tee(from).get(end).op(i32_lt_u).br_if(0);
  body.end();
  module_.define(f_.grow, body);
}

void ModuleRuntime::write_reserve() {
  constexpr std::uint32_t kPageShift = 16;
  Body body;
  body.loop();
  body.get_global(f_.top).get_global(f_.top_limit).op(i32_gt_u).begin_if();
  body.memory_size().i32(2).op(i32_shr_u).i32(64).op(i32_add).memory_grow().i32(~0U).op(i32_eq).begin_if();
  f_.fail(body, Fault::no_memory);
  body.end();
  body.memory_size().i32(kSlack >> kPageShift).op(i32_sub).i32(kPageShift).op(i32_shl).set_global(f_.top_limit);
  body.br(1).end().end();
  module_.define(f_.reserve, body);
}

void ModuleRuntime::write_notice() {
  Body body(2);
  const Local row = body.add_local(WasmType::i32), state = body.add_local(WasmType::i32),
              zero = body.add_local(WasmType::i32);
  body.get_global(f_.listing).op(i32_eqz).begin_if();
  body.i32(f_.picked).set(state);
  f_.copy_state(body, state, zero);
  body.get(1).set_global(f_.behind).i32(~0U).set_global(f_.notice).get_global(f_.stops).op(give_back);
  body.end();
  body.get_global(f_.moves_top).tee(row).i32(f_.moves_end).op(i32_ge_u).begin_if();
  f_.fail(body, Fault::too_many_moves);
  body.end();
  save(body, state);
  body.get(row).get(state).store(Store::i32, MoveRow::kState);
  body.get(row).get(1).store(Store::i32, MoveRow::kBehind);
  body.get(row).get(0).store(Store::i64, MoveRow::kTags);
  body.get(row).i32(MoveRow::kBytes).op(i32_add).set_global(f_.moves_top).i32(0);
  module_.define(f_.notice_move, body);
}

void ModuleRuntime::write_extend() {
  Body body(2);
  const Local row = body.add_local(WasmType::i32), tag = body.add_local(WasmType::i32);
  body.get(0).get(1).op(i64_extend).i64(kTagKey).call(f_.slot).set(row);
  body.get_global(f_.fresh).begin_if();
  body.get_global(f_.top).i32(7).op(i32_add).i32(~7U).op(i32_and).set(tag);
  body.get(tag).get(0).op(i32_wrap).store(Store::i32, TagRow::kBefore);
  body.get(tag).get(1).store(Store::i32, TagRow::kTag);
  body.get(tag).i32(TagRow::kBytes).op(i32_add).set_global(f_.top);
  body.get(row).get(tag).store(Store::i32, SlotRow::kNumber);
  body.get_global(f_.top).get_global(f_.top_limit).op(i32_gt_u).begin_if().call(f_.reserve).end();
  body.end();
  body.get(row).load(Load::i32, SlotRow::kNumber).op(i64_extend);
  module_.define(f_.extend, body);
}

void ModuleRuntime::write_arrive() {
  Body body(3);
  const Local at = body.add_local(WasmType::i32), row = body.add_local(WasmType::i32),
              key = body.add_local(WasmType::i32);
  const Local hash = body.add_local(WasmType::i64), tried = body.add_local(WasmType::i64);
  const auto word = [&] { body.get(at).load(Load::i64, 0).get(at).get(2).op(i32_add).load(Load::i64, 0).op(i64_and); };
  const auto next_word = [&] { body.get(at).i32(8).op(i32_add).tee(at).i32(8 * f_.state_words()).op(i32_lt_u); };
  body.get(0).set(hash);
  body.loop();
  body.get(hash).i64(0x9e3779b97f4a7c15U).op(i64_mul).i64(29).op(i64_rotl);
  word();
  body.op(i64_xor).set(hash);
  next_word();
  body.br_if(0).end();
  body.loop();
  body.get(hash).get(tried).get(1).call(f_.slot).set(row).i32(0).set(at);
  body.get_global(f_.fresh).begin_if();
  body.get_global(f_.top).i32(7).op(i32_add).i32(~7U).op(i32_and).tee(key).get(0).store(Store::i64, 0);
  body.loop().get(key).get(at).op(i32_add);
  word();
  body.store(Store::i64, 8);
  next_word();
  body.br_if(0).end();
  body.get(key).i32(8 * f_.state_words() + 8).op(i32_add).set_global(f_.top);
  body.get(row).get(key).store(Store::i32, SlotRow::kNumber);
  body.get_global(f_.top).get_global(f_.top_limit).op(i32_gt_u).begin_if().call(f_.reserve).end();
  body.i32(1).op(give_back);
  body.end();
  body.get(row).load(Load::i32, SlotRow::kNumber).set(key);
  body.get(key).load(Load::i64, 0).get(0).op(i64_eq).begin_if();
  body.block().loop();
  body.get(key).get(at).op(i32_add).load(Load::i64, 8);
  word();
  body.op(i64_ne).br_if(1);
  next_word();
  body.br_if(0);
  body.i32(0).op(give_back);
  body.end().end().end();
  body.get(tried).i64(1).op(i64_add).set(tried).br(0);
  body.end().op(unreachable);
  module_.define(f_.arrive, body);
}

}  // namespace rgtrans::wasm
