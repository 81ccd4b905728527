// The functions that every module has: the set of keys, lists of moves, perft, playouts, and the exports.
#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "backends/wasm/frame.hpp"

namespace rgtrans::wasm {

namespace {

using enum Plain;

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

class Runtime {
 public:
  Runtime(Frame& frame, const Searches& searches) : f_(frame), module_(frame.module), searches_(searches) {
    const auto declare = [&](const std::vector<Type>& parameters, const std::vector<Type>& results) {
      return module_.declare(module_.type(parameters, results));
    };
    begin_ = declare({}, {});
    find_ = declare({Type::i32, Type::i32, Type::i32}, {Type::i32});
    list_ = declare({Type::i32, Type::i32, Type::i32}, {Type::i32});
    make_ = declare({Type::i32}, {});
    make_picked_ = declare({}, {});
    keeper_ = declare({}, {Type::i32});
    over_ = declare({}, {Type::i32});
    distinct_ = declare({Type::i32}, {});
    perft_ = declare({Type::i32}, {Type::i64});
    next_ = declare({}, {Type::i64});
    below_ = declare({Type::i32}, {Type::i32});
    play_ = declare({Type::i64}, {Type::i32});
    playouts_ = declare({Type::i64, Type::i64, Type::i64}, {Type::i32});
  }

  void write() {
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

 private:
  // --- Keys. ---

  void hash(Body& body, Local a, Local b, Local c) const {
    body.get(a).i64(0x9e3779b97f4a7c15U).op(i64_mul).i64(29).op(i64_rotl).get(b).op(i64_xor);
    body.i64(0xbf58476d1ce4e5b9U).op(i64_mul).i64(31).op(i64_rotl).get(c).op(i64_xor);
    body.i64(0x94d049bb133111ebU).op(i64_mul).i64(32).op(i64_shr_u).op(i32_wrap);
  }

  // (a, b, c) -> address of the key's row, which is added if it is new; `fresh` says so.
  void write_slot() {
    Body body(3);
    const Local at = body.add_local(Type::i32), row = body.add_local(Type::i32);
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

  // Doubles the set. The new rows stay in memory for good.
  void write_grow() {
    Body body;
    const Local from = body.add_local(Type::i32), end = body.add_local(Type::i32), to = body.add_local(Type::i32),
                at = body.add_local(Type::i32), bytes = body.add_local(Type::i32);
    const Local a = body.add_local(Type::i64), b = body.add_local(Type::i64), c = body.add_local(Type::i64);
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

  // Makes room behind `top`.
  void write_reserve() {
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

  // (tags, behind) -> whether the search ends.
  void write_notice() {
    Body body(2);
    const Local row = body.add_local(Type::i32), state = body.add_local(Type::i32), zero = body.add_local(Type::i32);
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

  // (tags, tag) -> the longer sequence.
  void write_extend() {
    Body body(2);
    const Local row = body.add_local(Type::i32), tag = body.add_local(Type::i32);
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

  // (tags, visit, mask) -> whether this is the first arrival. The key is a hash of the tags and of the selected cells,
  // and a number that counts different keys with this hash. The number in its row is the address of the tags and cells.
  void write_arrive() {
    Body body(3);
    const Local at = body.add_local(Type::i32), row = body.add_local(Type::i32), key = body.add_local(Type::i32);
    const Local hash = body.add_local(Type::i64), tried = body.add_local(Type::i64);
    const auto word = [&] {
      body.get(at).load(Load::i64, 0).get(at).get(2).op(i32_add).load(Load::i64, 0).op(i64_and);
    };
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

  // --- Searches. ---

  void write_begin() {
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

  // (listing, moves from which on they are noticed, whether the first of those ends the search) -> the number of moves.
  void write_search(Function function, const std::vector<Function>& starts, bool tags) {
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

  // Makes the move of a row in the state.
  void write_make() {
    Body body(1);
    const Local state = body.add_local(Type::i32), zero = body.add_local(Type::i32);
    body.get(0).load(Load::i32, MoveRow::kState).set(state);
    f_.copy_state(body, zero, state);
    body.get(0).load(Load::i32, MoveRow::kBehind).call_indirect(f_.behind_type);
    module_.define(make_, body);
    // The same for the last move that was noticed without a list.
    Body picked;
    const Local from = picked.add_local(Type::i32), to = picked.add_local(Type::i32);
    picked.i32(f_.picked).set(from);
    f_.copy_state(picked, to, from);
    picked.get_global(f_.behind).call_indirect(f_.behind_type);
    module_.define(make_picked_, picked);
  }

  void player(Body& body) const { body.i32(0).load(f_.load_cell, f_.cell_address(f_.tables.player_cell)); }

  void write_over() {
    Body body;
    body.get_global(f_.start).i32(f_.names.end).op(i32_eq);
    module_.define(over_, body);
  }

  // Makes keeper's moves; 0 if one is missing.
  void write_keeper() {
    Body body;
    const Local count = body.add_local(Type::i32), top = body.add_local(Type::i32);
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
  // Frees moves and memory, but not the set of keys.
  void release(Body& body, Local top, Local rows) const {
    release(body, top);
    body.get(rows).set_global(f_.moves_top);
  }
  void release(Body& body, Local top) const {
    body.get(top).get_global(f_.floor).get(top).get_global(f_.floor).op(i32_gt_u).op(select).set_global(f_.top);
  }
  // Of several moves from the row on with equal results, keeps the first.
  void write_distinct() {
    Body body(1);
    const Local saved = body.add_local(Type::i32), start = body.add_local(Type::i32), row = body.add_local(Type::i32),
                end = body.add_local(Type::i32), at = body.add_local(Type::i32);
    const Local key = body.add_local(Type::i64);
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
  // Copies the state to free memory, which stays in use.
  void save(Body& body, Local saved) const {
    body.get_global(f_.top).i32(7).op(i32_add).i32(~7U).op(i32_and).tee(saved);
    body.i32(8 * f_.state_words()).op(i32_add).set_global(f_.top);
    body.get_global(f_.top).get_global(f_.top_limit).op(i32_gt_u).begin_if().call(f_.reserve).end();
    const Local zero = body.add_local(Type::i32);
    f_.copy_state(body, saved, zero);
  }
  void restore(Body& body, Local saved, Local start) const {
    const Local zero = body.add_local(Type::i32);
    f_.copy_state(body, zero, saved);
    body.get(start).set_global(f_.start);
  }

  void write_perft() {
    Body body(1);
    const Local top = body.add_local(Type::i32), rows = body.add_local(Type::i32), row = body.add_local(Type::i32),
                end = body.add_local(Type::i32), saved = body.add_local(Type::i32), start = body.add_local(Type::i32);
    const Local leaves = body.add_local(Type::i64);
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

  // --- Playouts. ---

  // xoshiro256++ and Lemire's method, as in the interpreter's Rng.
  void write_rng() {
    const auto s = [&](std::uint32_t i) { return f_.rng + i; };
    Body body;
    const Local result = body.add_local(Type::i64), t = body.add_local(Type::i64);
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
    const Local m = below.add_local(Type::i64), least = below.add_local(Type::i32);
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
  void seed(Body& body, Local seed) const {
    const Local z = body.add_local(Type::i64);
    for (std::uint32_t i = 0; i < 4; ++i) {
      body.get(seed).i64(0x9e3779b97f4a7c15U).op(i64_add).tee(seed).tee(z);
      body.get(z).i64(30).op(i64_shr_u).op(i64_xor).i64(0xbf58476d1ce4e5b9U).op(i64_mul).tee(z);
      body.get(z).i64(27).op(i64_shr_u).op(i64_xor).i64(0x94d049bb133111ebU).op(i64_mul).tee(z);
      body.get(z).i64(31).op(i64_shr_u).op(i64_xor).set_global(f_.rng + i);
    }
  }

  // Adds a number on the stack to a total.
  template <class Push>
  void add(Body& body, std::uint32_t place, Push&& push) const {
    body.i32(f_.results).i32(f_.results).load(Load::i64, place);
    push();
    body.op(i64_add).store(Store::i64, place);
  }
  // Stores the number if it is beyond the one so far.
  void extreme(Body& body, std::uint32_t place, Local number, Plain beyond) const {
    body.get(number).i32(f_.results).load(Load::i64, place).op(beyond).begin_if();
    body.i32(f_.results).get(number).store(Store::i64, place).end();
  }

  // Fails unless keeper's moves can be made.
  void run_keeper(Body& body) const {
    body.call(keeper_).op(i32_eqz).begin_if();
    f_.fail(body, Fault::no_move);
    body.end();
  }

  // (most moves) -> 1, or 0 if the play was stopped. Plays from the current state and counts the play.
  void write_play() {
    Body body(1);
    const Local top = body.add_local(Type::i32), count = body.add_local(Type::i32), ended = body.add_local(Type::i32);
    const Local moves = body.add_local(Type::i64), turns = body.add_local(Type::i64),
                choices = body.add_local(Type::i64);
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

  // (count, seed, most moves) -> address of the totals. The plays begin in the current state, which stays.
  void write_playouts() {
    const auto players = static_cast<std::uint32_t>(f_.names.players.size());
    Body body(3);
    const Local top = body.add_local(Type::i32), rows = body.add_local(Type::i32), first = body.add_local(Type::i32),
                saved = body.add_local(Type::i32), start = body.add_local(Type::i32),
                first_start = body.add_local(Type::i32);
    std::vector<Local> goals;
    for (std::uint32_t p = 0; p < players; ++p) goals.push_back(body.add_local(Type::f64));
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
  void add_goal(Body& body, const std::vector<Local>& goals, std::uint32_t p) const {
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

  // --- Exports. ---

  Body& define(std::string_view name, std::uint32_t parameters, const std::vector<Type>& results) {
    const Function function = module_.declare(module_.type(std::vector<Type>(parameters, Type::i32), results));
    module_.export_function(name, function);
    return exported_.emplace_back(function, Body(parameters)).second;
  }

  void write_exports() {
    const Function perft = module_.declare(module_.type({Type::i32}, {Type::i64}));
    Body whole(1);  // the position stays
    const Local top = whole.add_local(Type::i32), rows = whole.add_local(Type::i32), saved = whole.add_local(Type::i32),
                start = whole.add_local(Type::i32);
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

    Body& moves = define("moves", 0, {Type::i32});
    moves.get_global(f_.floor).set_global(f_.top).i32(f_.moves).set_global(f_.moves_top);
    moves.call(over_).begin_if().i32(0).op(give_back).end().i32(1).i32(0).i32(0).call(list_);

    Body& apply = define("apply", 1, {});
    check_move(apply);
    apply.get(0).i32(4).op(i32_shl).i32(f_.moves).op(i32_add).call(make_).i32(f_.moves).set_global(f_.moves_top);

    write_tags(define("tags", 1, {Type::i32}));
    module_.export_constant("tagList", f_.shown);

    Body& mover = define("player", 0, {Type::i32});
    std::vector<std::uint32_t> movers = f_.names.players;
    movers.push_back(f_.names.keeper);
    movers.push_back(f_.names.random);
    for (std::uint32_t i = 0; i < movers.size(); ++i) {
      player(mover);
      mover.i32(movers[i]).op(i32_eq).begin_if().i32(i).op(give_back).end();
    }
    mover.i32(players + 2);

    Body& goal = define("goal", 1, {Type::i32});
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
  void check_move(Body& body) const {
    body.get(0).get_global(f_.moves_top).i32(f_.moves).op(i32_sub).i32(4).op(i32_shr_u).op(i32_ge_u).begin_if();
    f_.fail(body, Fault::no_move);
    body.end();
  }

  // (move) -> the number of its tags, which are listed in `shown`.
  void write_tags(Body& body) {
    const Local rest = body.add_local(Type::i64), all = body.add_local(Type::i64);
    const Local count = body.add_local(Type::i32), at = body.add_local(Type::i32);
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

  Frame& f_;
  Module& module_;
  const Searches& searches_;
  Function begin_ = 0, find_ = 0, list_ = 0, make_ = 0, make_picked_ = 0, keeper_ = 0, over_ = 0, distinct_ = 0,
           perft_ = 0, next_ = 0, below_ = 0, play_ = 0, playouts_ = 0;
  std::deque<std::pair<Function, Body>> exported_;
};

}  // namespace

void write_runtime(Frame& frame, const Searches& searches) { Runtime(frame, searches).write(); }

}  // namespace rgtrans::wasm
