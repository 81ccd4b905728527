#include "backends/wasm/runtime.hpp"

namespace rgtrans::wasm {

using enum Plain;

void ModuleRuntime::write_rng() {
  const auto s = [&](std::uint32_t i) { return f_.rng + i; };
  Body body;
  const Local result = body.add_local(WasmType::i64), t = body.add_local(WasmType::i64);
  body.get_global(s(0)).get_global(s(3)).op(i64_add).i64(23).op(i64_rotl).get_global(s(0)).op(i64_add).set(result);
  body.get_global(s(1)).i64(17).op(i64_shl).set(t);
  const auto mix = [&](std::uint32_t to, std::uint32_t from) {
    body.get_global(s(to)).get_global(s(from)).op(i64_xor).set_global(s(to));
  };
  mix(2, 0);
  mix(3, 1);
  mix(1, 2);
  mix(0, 3);
  body.get_global(s(2)).get(t).op(i64_xor).set_global(s(2));
  body.get_global(s(3)).i64(45).op(i64_rotl).set_global(s(3));
  body.get(result);
  module_.define(next_, body);

  Body below(1);
  const Local m = below.add_local(WasmType::i64), least = below.add_local(WasmType::i32);
  const auto draw = [&] { below.call(next_).i64(32).op(i64_shr_u).get(0).op(i64_extend).op(i64_mul).set(m); };
  draw();
  below.get(m).op(i32_wrap).get(0).op(i32_lt_u).begin_if();
  below.i32(0).get(0).op(i32_sub).get(0).op(i32_rem_u).set(least);
  below.block().loop();
  below.get(m).op(i32_wrap).get(least).op(i32_ge_u).br_if(1);
  draw();
  below.br(0).end().end().end();
  below.get(m).i64(32).op(i64_shr_u).op(i32_wrap);
  module_.define(below_, below);
}

void ModuleRuntime::seed(Body& body, Local seed) const {
  const Local z = body.add_local(WasmType::i64);
  for (std::uint32_t i = 0; i < 4; ++i) {
    body.get(seed).i64(0x9e3779b97f4a7c15U).op(i64_add).tee(seed).tee(z);
    body.get(z).i64(30).op(i64_shr_u).op(i64_xor).i64(0xbf58476d1ce4e5b9U).op(i64_mul).tee(z);
    body.get(z).i64(27).op(i64_shr_u).op(i64_xor).i64(0x94d049bb133111ebU).op(i64_mul).tee(z);
    body.get(z).i64(31).op(i64_shr_u).op(i64_xor).set_global(f_.rng + i);
  }
}

void ModuleRuntime::run_keeper(Body& body) const {
  body.call(keeper_).op(i32_eqz).begin_if();
  f_.fail(body, Fault::no_move);
  body.end();
}

void ModuleRuntime::write_play() {
  Body body(1);
  const Local top = body.add_local(WasmType::i32), count = body.add_local(WasmType::i32),
              ended = body.add_local(WasmType::i32);
  const Local moves = body.add_local(WasmType::i64), turns = body.add_local(WasmType::i64),
              choices = body.add_local(WasmType::i64);
  body.get_global(f_.top).set(top);
  body.block().loop();
  body.call(over_).tee(ended).br_if(1);
  body.get(moves).get(0).op(i64_eq).br_if(1);
  body.i32(0).i32(1).i32(0).call(find_).tee(count).op(i32_eqz).begin_if();
  f_.fail(body, Fault::no_move);
  body.end();
  body.get(moves).i64(1).op(i64_add).set(moves);
  player(body);
  body.i32(f_.names.random).op(i32_ne).begin_if();
  body.get(turns).i64(1).op(i64_add).set(turns).get(count).op(i64_extend).set(choices);
  add(body, ResultRow::kChoices, [&] { body.get(choices); });
  extreme(body, ResultRow::kMostChoices, choices, i64_gt_u);
  body.end();
  // The first move was noticed; another one is searched for again.
  body.get(count).i32(1).op(i32_ne).begin_if();
  body.get(count).call(below_).i32(1).op(i32_add).tee(count).i32(1).op(i32_ne).begin_if();
  body.i32(0).get(count).i32(1).call(find_).op(drop);
  body.end().end();
  body.call(make_picked_);
  release(body, top);
  run_keeper(body);
  body.br(0).end().end();
  add(body, ResultRow::kPlayouts, [&] { body.i64(1); });
  add(body, ResultRow::kMoves, [&] { body.get(turns); });
  add(body, ResultRow::kSquares, [&] { body.get(turns).get(turns).op(i64_mul); });
  extreme(body, ResultRow::kLongest, turns, i64_gt_u);
  extreme(body, ResultRow::kShortest, turns, i64_lt_u);
  body.get(ended);
  module_.define(play_, body);
}

void ModuleRuntime::write_playouts() {
  const auto players = static_cast<std::uint32_t>(f_.names.players.size());
  Body body(3);
  const Local top = body.add_local(WasmType::i32), rows = body.add_local(WasmType::i32),
              first = body.add_local(WasmType::i32), saved = body.add_local(WasmType::i32),
              start = body.add_local(WasmType::i32), first_start = body.add_local(WasmType::i32);
  std::vector<Local> goals;
  for (std::uint32_t p = 0; p < players; ++p) goals.push_back(body.add_local(WasmType::f64));
  body.get_global(f_.top).set(top).get_global(f_.moves_top).set(rows);
  seed(body, 1);
  body.i32(f_.results).i32(0).i32(ResultRow::kPlayers + ResultRow::kPlayerBytes * players).fill_memory();
  body.i32(f_.results).i64(~0ULL).store(Store::i64, ResultRow::kShortest);
  save(body, first);
  body.get_global(f_.start).set(first_start);
  run_keeper(body);
  save(body, saved);
  body.get_global(f_.start).set(start);
  body.block().loop();
  body.get(0).op(i64_eqz).br_if(1);
  body.get(0).i64(~0ULL).op(i64_add).set(0);
  restore(body, saved, start);
  body.get(2).call(play_).begin_if();
  for (std::uint32_t p = 0; p < players; ++p) {
    body.i32(0).load(f_.load_cell, f_.cell_address(f_.tables.goal_cells[p])).i32(3).op(i32_shl);
    body.load(Load::f64, f_.goal_values).set(goals[p]);
  }
  for (std::uint32_t p = 0; p < players; ++p) add_goal(body, goals, p);
  body.begin_else();
  add(body, ResultRow::kStopped, [&] { body.i64(1); });
  body.end().br(0).end().end();
  restore(body, first, first_start);
  release(body, top, rows);
  body.i32(f_.results);
  module_.define(playouts_, body);
}

void ModuleRuntime::add_goal(Body& body, const std::vector<Local>& goals, std::uint32_t p) const {
  const std::uint32_t place = ResultRow::kPlayers + ResultRow::kPlayerBytes * p;
  const auto total = [&](std::uint32_t at) { return body.i32(f_.results).i32(f_.results).load(Load::f64, at); };
  total(place);
  body.get(goals[p]).op(f64_add).store(Store::f64, place);
  total(place + 8);
  body.get(goals[p]).get(goals[p]).op(f64_mul).op(f64_add).store(Store::f64, place + 8);
  if (goals.size() == 1) {
    body.get(goals[p]).f64(0).op(f64_gt);
  } else {
    body.i32(1);
    for (const Local other : goals) {
      if (other != goals[p]) body.get(goals[p]).get(other).op(f64_gt).op(i32_and);
    }
  }
  body.begin_if();
  add(body, place + 16, [&] { body.i64(1); });
  body.end();
}

}  // namespace rgtrans::wasm
