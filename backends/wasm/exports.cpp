#include <nlohmann/json.hpp>

#include "backends/wasm/runtime.hpp"

namespace rgtrans::wasm {

using enum Plain;

Body& ModuleRuntime::define(std::string_view name, std::uint32_t parameters, const std::vector<WasmType>& results) {
  const Function function = module_.declare(module_.type(std::vector<WasmType>(parameters, WasmType::i32), results));
  module_.export_function(name, function);
  return exported_.emplace_back(function, Body(parameters)).second;
}

void ModuleRuntime::write_exports() {
  const Function perft = module_.declare(module_.type({WasmType::i32}, {WasmType::i64}));
  Body whole(1);  // the position stays
  const Local top = whole.add_local(WasmType::i32), rows = whole.add_local(WasmType::i32),
              saved = whole.add_local(WasmType::i32), start = whole.add_local(WasmType::i32);
  whole.get_global(f_.top).set(top).get_global(f_.moves_top).set(rows).get_global(f_.start).set(start);
  save(whole, saved);
  whole.get(0).call(perft_);
  restore(whole, saved, start);
  release(whole, top, rows);
  module_.define(perft, whole);
  module_.export_function("perft", perft);
  module_.export_function("playouts", playouts_);
  module_.export_function("terminal", over_);
  module_.export_global("error", f_.error);
  module_.export_global("position", f_.start);
  const auto players = static_cast<std::uint32_t>(f_.names.players.size());

  Body& init = define("init", 0, {});
  init.i32(0).i32(f_.initial).i32(f_.state_bytes).copy_memory().i32(0).set_global(f_.start);

  Body& moves = define("moves", 0, {WasmType::i32});
  moves.get_global(f_.floor).set_global(f_.top).i32(f_.moves).set_global(f_.moves_top);
  moves.call(over_).begin_if().i32(0).op(give_back).end().i32(1).i32(0).i32(0).call(list_);

  Body& apply = define("apply", 1, {});
  check_move(apply);
  apply.get(0).i32(4).op(i32_shl).i32(f_.moves).op(i32_add).call(make_).i32(f_.moves).set_global(f_.moves_top);

  write_tags(define("tags", 1, {WasmType::i32}));
  module_.export_constant("tagList", f_.shown);

  Body& mover = define("player", 0, {WasmType::i32});
  std::vector<std::uint32_t> movers = f_.names.players;
  movers.push_back(f_.names.keeper);
  movers.push_back(f_.names.random);
  for (std::uint32_t i = 0; i < movers.size(); ++i) {
    player(mover);
    mover.i32(movers[i]).op(i32_eq).begin_if().i32(i).op(give_back).end();
  }
  mover.i32(players + 2);

  Body& goal = define("goal", 1, {WasmType::i32});
  for (std::uint32_t i = 0; i < players; ++i) {
    goal.get(0).i32(i).op(i32_eq).begin_if();
    goal.i32(0).load(f_.load_cell, f_.cell_address(f_.tables.goal_cells[i])).op(give_back).end();
  }
  goal.op(unreachable);
  for (const auto& [function, body] : exported_) module_.define(function, body);

  nlohmann::ordered_json game;
  game["players"] = f_.player_names;
  game["tags"] = f_.names.tags;
  game["symbols"] = f_.names.symbols;
  game["positions"] = f_.names.starts;
  game["stateBytes"] = f_.state_bytes;
  module_.add_custom("rgtrans.game", game.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace));
}

void ModuleRuntime::check_move(Body& body) const {
  body.get(0).get_global(f_.moves_top).i32(f_.moves).op(i32_sub).i32(4).op(i32_shr_u).op(i32_ge_u).begin_if();
  f_.fail(body, Fault::no_move);
  body.end();
}

void ModuleRuntime::write_tags(Body& body) {
  const Local rest = body.add_local(WasmType::i64), all = body.add_local(WasmType::i64);
  const Local count = body.add_local(WasmType::i32), at = body.add_local(WasmType::i32);
  check_move(body);
  body.get(0).i32(4).op(i32_shl).load(Load::i64, f_.moves + MoveRow::kTags).tee(all).set(rest);
  const auto each = [&](auto&& step) {
    body.block().loop().get(rest).op(i64_eqz).br_if(1);
    step();
    if (f_.packed_tags) {
      body.get(rest).i64(f_.tag_base).op(i64_div_u).set(rest);
    } else {
      body.get(rest).op(i32_wrap).load(Load::i32, TagRow::kBefore).op(i64_extend).set(rest);
    }
    body.br(0).end().end();
  };
  each([&] { body.get(count).i32(1).op(i32_add).set(count); });
  body.get(count).i32(f_.most_shown()).op(i32_gt_u).begin_if();
  f_.fail(body, Fault::too_many_moves);
  body.end();
  body.get(count).i32(2).op(i32_shl).set(at).get(all).set(rest);
  each([&] {
    body.get(at).i32(4).op(i32_sub).tee(at).get(rest);
    if (f_.packed_tags) {
      body.i64(f_.tag_base).op(i64_rem_u).op(i32_wrap);
    } else {
      body.op(i32_wrap).load(Load::i32, TagRow::kTag);
    }
    body.store(Store::i32, f_.shown);
  });
  body.get(count);
}

void write_runtime(ModuleFrame& frame, const Searches& searches) { ModuleRuntime(frame, searches).write(); }

}  // namespace rgtrans::wasm
