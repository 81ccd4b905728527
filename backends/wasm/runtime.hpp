// The functions that every module has: the set of keys, lists of moves, perft, playouts, and the exports.
#pragma once

#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/wasm/frame.hpp"

namespace rgtrans::wasm {

constexpr std::uint32_t kMostKeeperMoves = 10'000'000;  // in a row, as in the interpreter
constexpr std::uint32_t kMostNumbers =
    0xf0000000U;  // of searches and explorations, before all memory of them is cleared

// A row of the set of keys.
struct SlotRow {
  static constexpr std::uint32_t kFirst = 0, kSecond = 8, kThird = 16;
  static constexpr std::uint32_t kNumber = 24;  // of the key, from 1 on; for tags the address of a TagRow
  static constexpr std::uint32_t kSearch = 28;  // the search that added it; rows of other searches are free
  static constexpr std::uint32_t kBytes = 32;
};
// A tag and the sequence before it.
struct TagRow {
  static constexpr std::uint32_t kBefore = 0, kTag = 4, kBytes = 8;
};
// Totals of playouts; then for each player the sum of goals, of their squares, and the wins.
struct ResultRow {
  static constexpr std::uint32_t kPlayouts = 0, kMoves = 8, kLongest = 16, kShortest = 24, kSquares = 32, kChoices = 40,
                                 kMostChoices = 48, kStopped = 56, kPlayers = 64, kPlayerBytes = 24;
};

class ModuleRuntime {
 public:
  ModuleRuntime(ModuleFrame& frame, const Searches& searches) : f_(frame), module_(frame.module), searches_(searches) {
    const auto declare = [&](const std::vector<WasmType>& parameters, const std::vector<WasmType>& results) {
      return module_.declare(module_.type(parameters, results));
    };
    begin_ = declare({}, {});
    find_ = declare({WasmType::i32, WasmType::i32, WasmType::i32}, {WasmType::i32});
    list_ = declare({WasmType::i32, WasmType::i32, WasmType::i32}, {WasmType::i32});
    make_ = declare({WasmType::i32}, {});
    make_picked_ = declare({}, {});
    keeper_ = declare({}, {WasmType::i32});
    over_ = declare({}, {WasmType::i32});
    distinct_ = declare({WasmType::i32}, {});
    perft_ = declare({WasmType::i32}, {WasmType::i64});
    next_ = declare({}, {WasmType::i64});
    below_ = declare({WasmType::i32}, {WasmType::i32});
    play_ = declare({WasmType::i64}, {WasmType::i32});
    playouts_ = declare({WasmType::i64, WasmType::i64, WasmType::i64}, {WasmType::i32});
  }

  void write();

 private:
  // --- Keys. ---

  void hash(Body& body, Local a, Local b, Local c) const;

  // (a, b, c) -> address of the key's row, which is added if it is new; `fresh` says so.
  void write_slot();

  // Doubles the set. The new rows stay in memory for good.
  void write_grow();

  // Makes room behind `top`.
  void write_reserve();

  // (tags, behind) -> whether the search ends.
  void write_notice();

  // (tags, tag) -> the longer sequence.
  void write_extend();

  // (tags, visit, mask) -> whether this is the first arrival. The key is a hash of the tags and of the selected cells,
  // and a number that counts different keys with this hash. The number in its row is the address of the tags and cells.
  void write_arrive();

  // --- Searches. ---

  void write_begin();

  // (listing, moves from which on they are noticed, whether the first of those ends the search) -> the number of moves.
  void write_search(Function function, const std::vector<Function>& starts, bool tags);

  // Makes the move of a row in the state.
  void write_make();

  void player(Body& body) const { body.i32(0).load(f_.load_cell, f_.cell_address(f_.tables.player_cell)); }

  void write_over();

  // Makes keeper's moves; 0 if one is missing.
  void write_keeper();
  // Frees moves and memory, but not the set of keys.
  void release(Body& body, Local top, Local rows) const {
    release(body, top);
    body.get(rows).set_global(f_.moves_top);
  }
  void release(Body& body, Local top) const {
    body.get(top)
        .get_global(f_.floor)
        .get(top)
        .get_global(f_.floor)
        .op(Plain::i32_gt_u)
        .op(Plain::select)
        .set_global(f_.top);
  }
  // Of several moves from the row on with equal results, keeps the first.
  void write_distinct();
  // Copies the state to free memory, which stays in use.
  void save(Body& body, Local saved) const;
  void restore(Body& body, Local saved, Local start) const;

  void write_perft();

  // --- Playouts. ---

  // xoshiro256++ and Lemire's method, as in the interpreter's Rng.
  void write_rng();
  void seed(Body& body, Local seed) const;

  // Adds a number on the stack to a total.
  template <class Push>
  void add(Body& body, std::uint32_t place, Push&& push) const {
    body.i32(f_.results).i32(f_.results).load(Load::i64, place);
    push();
    body.op(Plain::i64_add).store(Store::i64, place);
  }
  // Stores the number if it is beyond the one so far.
  void extreme(Body& body, std::uint32_t place, Local number, Plain beyond) const {
    body.get(number).i32(f_.results).load(Load::i64, place).op(beyond).begin_if();
    body.i32(f_.results).get(number).store(Store::i64, place).end();
  }

  // Fails unless keeper's moves can be made.
  void run_keeper(Body& body) const;

  // (most moves) -> 1, or 0 if the play was stopped. Plays from the current state and counts the play.
  void write_play();

  // (count, seed, most moves) -> address of the totals. The plays begin in the current state, which stays.
  void write_playouts();
  void add_goal(Body& body, const std::vector<Local>& goals, std::uint32_t p) const;

  // --- Exports. ---

  Body& define(std::string_view name, std::uint32_t parameters, const std::vector<WasmType>& results);

  void write_exports();
  void check_move(Body& body) const;

  // (move) -> the number of its tags, which are listed in `shown`.
  void write_tags(Body& body);

  ModuleFrame& f_;
  Module& module_;
  const Searches& searches_;
  Function begin_ = 0, find_ = 0, list_ = 0, make_ = 0, make_picked_ = 0, keeper_ = 0, over_ = 0, distinct_ = 0,
           perft_ = 0, next_ = 0, below_ = 0, play_ = 0, playouts_ = 0;
  std::deque<std::pair<Function, Body>> exported_;
};

}  // namespace rgtrans::wasm
