#include "backends/wasm/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "backends/wasm/successors.hpp"
#include "core/support/support.hpp"

namespace rgtrans::wasm {

using interpreter::Instruction;
using interpreter::Op;
using interpreter::Pc;

namespace {

constexpr std::uint32_t kMostMoves = 1U << 20U;                 // in one position and those before it
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30U;  // without the growing part
constexpr std::uint32_t kFirstSlots = 1U << 9U;
constexpr std::uint32_t kSlotBytes = 32;
constexpr std::uint32_t kPage = 1U << 16U;

Bytes bytes_of(const std::vector<std::uint32_t>& numbers, std::uint32_t width) {
  Bytes out;
  for (const std::uint32_t number : numbers) {
    for (std::uint32_t i = 0; i < width; ++i) out += static_cast<char>(number >> (8 * i));
  }
  return out;
}

std::uint32_t narrowest(const std::vector<std::uint32_t>& numbers) {
  const std::uint32_t most = numbers.empty() ? 0 : *std::ranges::max_element(numbers);
  return most < 256 ? 1 : most < 65536 ? 2 : 4;
}

Load load_of(std::uint32_t bytes) { return bytes == 1 ? Load::byte : bytes == 2 ? Load::half : Load::i32; }

}  // namespace

ModuleFrame::ModuleFrame(const ir::Game& game) : names(write_tables(game)) {
  interpreter::TableReader reader(names.text.c_str());
  interpreter::transfer(reader, tables);
  names.text.clear();
  cell_bytes = names.symbols.size() <= 256 ? 1 : names.symbols.size() <= 65536 ? 2 : 4;
  load_cell = load_of(cell_bytes);
  store_cell = cell_bytes == 1 ? Store::byte : cell_bytes == 2 ? Store::half : Store::i32;
  for (const SymbolId player : game.players()) player_names.push_back(ir::written(game, player));
  count_tags();
  map_memory();
  declare();
}

// Finds the most tags of a walk, as far as they fit one number.
void ModuleFrame::count_tags() {
  tag_base = static_cast<std::uint32_t>(std::max<std::size_t>(names.tags.size(), 2));
  std::vector<std::uint64_t> powers{1};
  while (powers.back() < (std::uint64_t{1} << 62U) / tag_base) powers.push_back(powers.back() * tag_base);
  const auto most = static_cast<std::uint32_t>(powers.size() - 1);
  before_visit_.assign(program().visits.size(), 1);
  labels_ = 1;
  std::vector<std::uint32_t> before(program().code.size(), 0);
  std::vector<Pc> open;
  std::vector<bool> met(program().code.size(), false);
  const auto reach = [&](Pc pc, std::uint32_t count) {
    if (met[pc] && before[pc] >= count) return;
    met[pc] = true;
    before[pc] = count;
    open.push_back(pc);
  };
  for (const interpreter::Start& begin : program().starts) {
    for (const Pc entry : {begin.entry, begin.quiet}) {
      if (entry != interpreter::kFail) reach(entry, 0);
    }
  }
  while (!open.empty()) {
    const Pc pc = open.back();
    open.pop_back();
    const Instruction& here = program().code[pc];
    const bool many = here.op == Op::tags || here.op == Op::tail;
    const bool one = here.op == Op::tag || here.op == Op::tag_cell;
    const std::uint32_t count = before[pc] + (many ? here.c : one ? 1 : 0);
    if (count > most) {
      packed_tags = false;
      labels_ = 0;
      std::ranges::fill(before_visit_, 0);
      return;
    }
    labels_ = std::max(labels_, powers[count]);
    if (here.op == Op::visit) before_visit_[here.a] = std::max(before_visit_[here.a], powers[count]);
    for_each_successor(program(), here, [&](Pc next) { reach(next, count); });
  }
}

// Visits with few keys have a number for each key; the keys of others are in the set.
void ModuleFrame::place_stamps() {
  constexpr std::uint64_t kMostKeys = 1U << 20U;  // of one visit
  constexpr std::uint64_t kMostAll = 1U << 23U;   // of all visits
  constexpr std::uint64_t kMostLabels = 1U << 22U;
  std::uint64_t all = 0;
  first_stamp = room(0);
  std::map<Bytes, std::uint32_t> masks;
  for (std::size_t i = 0; i < program().visits.size(); ++i) {
    const interpreter::VisitSpec& visit = program().visits[i];
    const std::uint64_t tags = visit.tags ? before_visit_[i] : 1;
    const bool few = visit.exact && tags > 0 && tags <= kMostKeys && visit.codes <= kMostKeys / tags;
    visit_stamps.emplace_back();
    if (!few || all + tags * visit.codes > kMostAll) continue;
    all += tags * visit.codes;
    visit_stamps.back().count = static_cast<std::uint32_t>(tags * visit.codes);
    visit_stamps.back().address = room(4 * visit_stamps.back().count);
  }
  stamps_end = static_cast<std::uint32_t>(end_);
  for (const interpreter::VisitSpec& visit : program().visits) {
    visit_masks.push_back(0);
    if (visit.exact) continue;
    Bytes mask(8 * std::size_t{state_words()}, '\0');
    for (const interpreter::VisitSpec::Part& part : visit.parts) {
      for (std::uint32_t k = 0; k < cell_bytes; ++k) mask[cell_address(part.cell) + k] = '\xff';
    }
    const auto [it, fresh] = masks.try_emplace(mask, 0);
    if (fresh) it->second = place_bytes(mask);
    visit_masks.back() = it->second;
  }
  if (labels_ > 0 && labels_ <= kMostLabels) {
    label_stamps.count = static_cast<std::uint32_t>(labels_);
    label_stamps.address = room(label_stamps.count);
  }
}

std::uint32_t ModuleFrame::room(std::uint32_t bytes) {
  end_ = (end_ + 15) / 16 * 16;
  const std::uint64_t address = end_;
  end_ += bytes;
  if (end_ > kMostMemory) {
    throw Error("the game needs more than 1 GiB of tables, the limit of a WebAssembly module",
                "play it with the interpreter");
  }
  return static_cast<std::uint32_t>(address);
}

std::uint32_t ModuleFrame::place_bytes(const Bytes& bytes) {
  const std::uint32_t address = room(static_cast<std::uint32_t>(bytes.size()));
  if (!bytes.empty()) module.add_data(address, bytes);
  return address;
}

ModuleFrame::Row ModuleFrame::place(const std::vector<std::uint32_t>& numbers) {
  Row row;
  row.bytes = narrowest(numbers);
  row.load = load_of(row.bytes);
  row.address = place_bytes(bytes_of(numbers, row.bytes));
  return row;
}

void ModuleFrame::map_memory() {
  state_bytes = names.cells * cell_bytes;
  room(8 * state_words());
  Bytes begin = bytes_of(tables.initial, cell_bytes);
  begin.resize(8 * std::size_t{state_words()}, '\0');
  initial = place_bytes(begin);
  lookups = place(program().tables);
  lists = place(program().lists);
  tag_of_code = place(tables.tag_of_code);
  Bytes goals;
  for (const std::string& symbol : names.symbols) {
    const auto bits = std::bit_cast<std::uint64_t>(score_value(symbol));
    for (unsigned i = 0; i < 64; i += 8) goals += static_cast<char>(bits >> i);
  }
  goal_values = place_bytes(goals);
  results = room(static_cast<std::uint32_t>(64 + 24 * names.players.size()));
  shown = room(4 * most_shown());
  picked = room(8 * state_words());
  place_stamps();
  moves = room(kMostMoves * MoveRow::kBytes);
  moves_end = moves + kMostMoves * MoveRow::kBytes;
}

void ModuleFrame::declare() {
  const std::uint32_t first_slots = room(kFirstSlots * kSlotBytes);
  const std::uint32_t free = room(0);
  const auto number = [&](std::uint32_t value) { return module.add_global(WasmType::i32, value); };
  start = number(0);
  top = number(free);
  const std::uint32_t pages = (free + 2 * kSlack) / kPage + 1;
  module.set_memory(pages);
  top_limit = number(pages * kPage - kSlack);
  moves_top = number(moves);
  count = number(0);
  notice = number(0);
  listing = number(0);
  stops = number(0);
  behind = number(0);
  search = number(0);
  exploration = number(0);
  explorations = number(0);
  late = number(0);
  label_stamp = number(0);
  slots = number(first_slots);
  slot_mask = number(kFirstSlots - 1);
  used = number(0);
  floor = number(free);
  fresh = number(0);
  error = number(0);
  rng = module.add_global(WasmType::i64, 0);
  for (int i = 1; i < 4; ++i) module.add_global(WasmType::i64, 0);
  search_type = module.type({WasmType::i64}, {WasmType::i32});
  check_type = module.type({}, {WasmType::i32});
  behind_type = module.type({}, {});
  slot = module.declare(module.type({WasmType::i64, WasmType::i64, WasmType::i64}, {WasmType::i32}));
  grow = module.declare(behind_type);
  reserve = module.declare(behind_type);
  notice_move = module.declare(module.type({WasmType::i64, WasmType::i32}, {WasmType::i32}));
  arrive = module.declare(module.type({WasmType::i64, WasmType::i64, WasmType::i32}, {WasmType::i32}));
  extend = module.declare(module.type({WasmType::i64, WasmType::i32}, {WasmType::i64}));
}

void ModuleFrame::copy_state(Body& body, Local to, Local from) const {
  constexpr std::uint32_t kMostWords = 64;
  if (state_words() > kMostWords) {
    body.get(to).get(from).i32(8 * state_words()).copy_memory();
    return;
  }
  for (std::uint32_t word = 0; word < state_words(); ++word) {
    body.get(to).get(from).load(Load::i64, 8 * word).store(Store::i64, 8 * word);
  }
}

void ModuleFrame::fail(Body& body, Fault fault) const {
  body.i32(static_cast<std::uint32_t>(fault)).set_global(error).op(Plain::unreachable);
}

void ModuleFrame::load(Body& body, const Row& row, std::uint32_t first) const {
  const std::uint64_t offset = std::uint64_t{first} * row.bytes + row.address;
  const bool wraps = first > 0x7fffffffU || offset > 0x7fffffffU;
  if (wraps) body.i32(first).op(Plain::i32_add);
  if (row.bytes > 1) body.i32(row.bytes == 2 ? 1 : 2).op(Plain::i32_shl);
  body.load(row.load, wraps ? row.address : static_cast<std::uint32_t>(offset));
}

void ModuleFrame::scale(Body& body) const {
  if (cell_bytes > 1) body.i32(cell_bytes == 2 ? 1 : 2).op(Plain::i32_shl);
}

}  // namespace rgtrans::wasm
