// Translates the program of the interpreter to functions. Each instruction with several predecessors begins a function;
// others are written where they are reached. A function tries all ways from its instruction and returns 1 if the search
// shall end: in a check, once the target is reached. Functions leave the state as they found it: old values stay in
// locals. Moves are counted; only the wanted ones are noticed, with a copy of the state.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "backends/wasm/addresses.hpp"
#include "backends/wasm/frame.hpp"
#include "backends/wasm/successors.hpp"

namespace rgtrans::wasm {

using interpreter::Instruction;
using interpreter::kFail;
using interpreter::Mode;
using interpreter::Op;
using interpreter::Operand;
using interpreter::Pc;

namespace {

constexpr std::size_t kLargeBody = 1U << 14U;  // bytes, from which the rest is another function
constexpr int kDeepWalk = 40;
constexpr std::uint32_t kDeepBlocks = 200;
constexpr std::size_t kMostPairs = 1U << 12U;  // cells of a map that is copied or compared

Mode mode_of(Op op) {
  if (interpreter::is_step(op)) {
    return static_cast<Mode>((static_cast<int>(op) - static_cast<int>(Op::step_test_constant)) / 2);
  }
  const Op first = interpreter::is_test(op)  ? Op::test_constant
                   : interpreter::is_set(op) ? Op::set_constant
                                             : Op::jump_constant;
  return static_cast<Mode>(static_cast<int>(op) - static_cast<int>(first));
}

// What a function searches for: moves with their tags, moves without them, or the target of a check.
enum class Kind : std::uint8_t { tagged, quiet, check };

// The functions of a program.
class Plan {
 public:
  explicit Plan(Frame& frame)
      : frame_(frame), arrivals_(frame.program().code.size(), 0), distinct_(frame.program().code.size(), false) {
    const interpreter::MachineProgram& program = frame.program();
    std::vector<bool> met(program.code.size(), false);
    std::vector<Pc> open;
    const auto reach = [&](Pc pc) {
      ++arrivals_[pc];
      if (met[pc]) return;
      met[pc] = true;
      open.push_back(pc);
    };
    for (const interpreter::Start& start : program.starts) {
      for (const Pc entry : {start.entry, start.quiet}) {
        if (entry != kFail) reach(entry);
      }
    }
    for (const interpreter::Automat& check : program.checks) {
      if (check.entry != kFail) reach(check.entry);
    }
    while (!open.empty()) {
      const Pc pc = open.back();
      open.pop_back();
      for_each_successor(program, program.code[pc], reach);
    }
    behind_.push_back(kFail);  // number 0 is no code
    for (const interpreter::Start& start : program.starts) {
      if (start.deduplicate && start.entry != kFail) mark_distinct(start.entry);
    }
    repeat_tests();
  }

  // Whether the code at `pc` is a function because several places lead to it.
  [[nodiscard]] bool shared(Pc pc) const {
    const Op op = frame_.program().code[pc].op;
    return arrivals_[pc] > 1 && op != Op::tail && op != Op::move && op != Op::reached;
  }
  // Whether walks with equal tags may end in this code.
  [[nodiscard]] bool distinct(Pc pc) const { return distinct_[pc]; }

  struct Unit {
    Pc pc;
    Kind kind;
    Function function;
  };
  Function function(Pc pc, Kind kind) {
    const auto [it, fresh] = functions_.try_emplace({pc, kind}, 0);
    if (fresh) {
      it->second = frame_.module.declare(kind == Kind::tagged ? frame_.search_type : frame_.check_type);
      open_.push_back({pc, kind, it->second});
    }
    return it->second;
  }
  std::optional<Unit> next() {
    if (open_.empty()) return std::nullopt;
    const Unit unit = open_.back();
    open_.pop_back();
    return unit;
  }

  // The number of the code that completes a move.
  std::uint32_t behind(Pc pc) {
    const auto [it, fresh] = behind_numbers_.try_emplace(pc, static_cast<std::uint32_t>(behind_.size()));
    if (fresh) behind_.push_back(pc);
    return it->second;
  }
  [[nodiscard]] const std::vector<Pc>& all_behind() const { return behind_; }

  // A check as a function, with an exploration of its own if it records visits.
  Function check(std::uint32_t index) {
    const Pc entry = frame_.program().checks[index].entry;
    const auto [it, fresh] = checks_.try_emplace(index, 0);
    if (!fresh) return it->second;
    it->second = function(entry, Kind::check);
    if (!visits(entry)) return it->second;
    const Function inner = it->second;
    it->second = frame_.module.declare(frame_.check_type);
    Body body;
    const Local outer = body.add_local(Type::i32);
    body.get_global(frame_.exploration).set(outer);
    body.get_global(frame_.explorations).i32(1).op(Plain::i32_add).set_global(frame_.explorations);
    body.get_global(frame_.explorations).set_global(frame_.exploration);
    body.call(inner).get(outer).set_global(frame_.exploration);
    frame_.module.define(it->second, body);
    return it->second;
  }

 private:
  [[nodiscard]] bool visits(Pc entry) const {
    std::set<Pc> met{entry};
    std::vector<Pc> open{entry};
    while (!open.empty()) {
      const Instruction& here = frame_.program().code[open.back()];
      open.pop_back();
      if (here.op == Op::visit) return true;
      for_each_successor(frame_.program(), here, [&](Pc next) {
        if (met.insert(next).second) open.push_back(next);
      });
    }
    return false;
  }

  void mark_distinct(Pc entry) {
    std::vector<Pc> open;
    const auto reach = [&](Pc pc) {
      if (distinct_[pc]) return;
      distinct_[pc] = true;
      open.push_back(pc);
    };
    reach(entry);
    while (!open.empty()) {
      const Pc pc = open.back();
      open.pop_back();
      for_each_successor(frame_.program(), frame_.program().code[pc], reach);
    }
  }

  // Tests with one way out are repeated wherever they are reached, so that a failing test needs no call. The code
  // behind them is reached as often.
  void repeat_tests() {
    constexpr int kMostRepeated = 4;  // consecutive tests
    const std::vector<Instruction>& code = frame_.program().code;
    const auto repeats = [&](Pc pc) {
      return interpreter::is_test(code[pc].op) && (code[pc].next == kFail || code[pc].alt == kFail);
    };
    const std::vector<std::uint32_t> before = arrivals_;
    for (Pc pc = 1; pc < code.size(); ++pc) {
      if (before[pc] < 2 || !repeats(pc)) continue;
      Pc here = pc;
      for (int i = 0; i < kMostRepeated && here != kFail && repeats(here); ++i) {
        arrivals_[here] = 1;
        here = interpreter::passed(code[here]);
      }
      if (here != kFail) arrivals_[here] += 2;
    }
  }

  Frame& frame_;
  std::vector<std::uint32_t> arrivals_;
  std::vector<bool> distinct_;  // by instruction
  std::map<std::pair<Pc, Kind>, Function> functions_;
  std::vector<Unit> open_;
  std::map<Pc, std::uint32_t> behind_numbers_;
  std::vector<Pc> behind_;
  std::map<std::uint32_t, Function> checks_;
};

// What is known about cells at one place of a function.
struct Known {
  std::map<std::uint32_t, Local> values;
  // Cells whose memory still holds another value, with that value if it is known.
  std::map<std::uint32_t, std::optional<Local>> unwritten;
};

// Writes expressions. `settled(cell, old)` is called for each cell that is written, since a read may reach it.
class ValueCode {
 public:
  using Settled = std::function<void(std::uint32_t cell, Local old)>;
  ValueCode(const Frame& frame, Addresses& addresses, Body& body, Settled settled)
      : frame_(frame), addresses_(addresses), body_(body), settled_(std::move(settled)) {}

  // The value of a cell, which stays in a local.
  void cell(Known& known, std::uint32_t cell) {
    const auto [it, fresh] = known.values.try_emplace(cell, 0);
    if (!fresh) {
      body_.get(it->second);
      return;
    }
    it->second = body_.add_local(Type::i32);
    body_.i32(0).load(frame_.load_cell, frame_.cell_address(cell)).tee(it->second);
  }

  // Writes a cell to memory. Returns the value that was there.
  Local write(const Known& known, std::uint32_t cell, std::optional<Local> old) {
    if (!old) {
      old = body_.add_local(Type::i32);
      body_.i32(0).load(frame_.load_cell, frame_.cell_address(cell)).set(*old);
    }
    body_.i32(0).get(known.values.at(cell)).store(frame_.store_cell, frame_.cell_address(cell));
    return *old;
  }
  // Writes all unwritten cells of a span.
  void settle(Known& known, const CellSpan& span) {
    auto at = known.unwritten.lower_bound(span.first);
    while (at != known.unwritten.end() && at->first <= span.last) {
      settled_(at->first, write(known, at->first, at->second));
      at = known.unwritten.erase(at);
    }
  }

  // The value of an operand or instruction. `first`: the value of its first cell, if it is not in the state.
  template <class From>
  void value(Known& known, Mode mode, const From& i, std::optional<Local> first = std::nullopt) {
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
      case Mode::constant:
        body_.i32(i.a);
        return;
      case Mode::routine:
        routine(known, i.a);
        return;
      case Mode::cell:
        head();
        return;
      case Mode::table:
        head();
        look_up(i.b);
        return;
      case Mode::indirect:
        head();
        look_up(i.b);
        read(single());
        return;
      case Mode::table_of_indirect:
        head();
        look_up(i.b);
        read(single());
        look_up(i.c);
        return;
      case Mode::table2:
        head();
        pair();
        look_up(i.c);
        return;
      case Mode::indirect2:
      case Mode::table_of_indirect2:
        head();
        pair();
        look_up(i.b);
        read(addresses_.span(i.b, head_cell, i.w, i.e));
        if (mode == Mode::table_of_indirect2) look_up(i.c);
        return;
      case Mode::table2_of_indirect:
      case Mode::deep:
        head();
        look_up(i.b);
        read(single());
        pair();
        look_up(i.c);
        if (mode == Mode::deep) read();
        return;
      case Mode::sum:
      case Mode::indirect_sum:
        head();
        look_up(i.b);
        cell(known, i.e);
        look_up(i.c);
        body_.op(Plain::i32_add);
        look_up(0);
        if (mode == Mode::indirect_sum) read();
        return;
      case Mode::table_of_twice:
        head();
        look_up(i.b);
        read(single());
        look_up(i.c);
        read();
        look_up(i.e);
        return;
    }
  }
  void value(Known& known, const Operand& operand) { value(known, operand.mode, operand); }
  void operand(Known& known, std::uint32_t index) { value(known, frame_.program().operands[index]); }

 private:
  void look_up(std::uint32_t first) { frame_.load(body_, frame_.lookups, first); }
  void routine(Known& known, std::uint32_t at) {
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

  const Frame& frame_;
  Addresses& addresses_;
  Body& body_;
  Settled settled_;
};

class FunctionCode {
 public:
  FunctionCode(Frame& frame, Plan& plan, Addresses& addresses, const Plan::Unit& unit)
      : frame_(frame),
        plan_(plan),
        addresses_(addresses),
        unit_(unit),
        body_(unit.kind == Kind::tagged ? 1 : 0),
        values_(frame, addresses, body_, [this](std::uint32_t cell, Local old) {
          closers_.push_back({Closer::Kind::cell, cell, old});
        }) {}

  Body write() {
    result_ = body_.add_kept_local(Type::i32);
    Path path;
    walk(path, unit_.pc, true);
    for (const auto& [cell, old] : turned_) store_cell(cell, old);
    body_.get(result_);
    if (!turns_) return std::move(body_);
    // The body is a loop: the old values are read before it.
    for (const auto& [cell, old] : turned_) {
      start_.i32(0).load(frame_.load_cell, frame_.cell_address(cell)).set(old);
    }
    return std::move(body_);
  }

 private:
  struct Path {
    Known known;
    Local tags = 0;  // of the walk so far, without pending ones: at first the parameter
    std::vector<Local> pending_tags;
  };
  // Something to do after all ways behind a place: to restore a cell, or to end a block. A branch to an `end` leaves
  // everything behind the place; other blocks are ends of loops and of the cases of a jump.
  struct Closer {
    enum class Kind : std::uint8_t { end, other_end, cell, address } kind;
    std::uint32_t place = 0;  // cell, or local with an address
    Local old = 0;
  };

  [[nodiscard]] const Instruction& at(Pc pc) const { return frame_.program().code[pc]; }
  [[nodiscard]] bool tagged() const { return unit_.kind == Kind::tagged; }

  void store_cell(std::uint32_t cell, Local value) {
    body_.i32(0).get(value).store(frame_.store_cell, frame_.cell_address(cell));
  }
  void restore(const Closer& closer) {
    if (closer.kind == Closer::Kind::end || closer.kind == Closer::Kind::other_end) {
      body_.end();
    } else if (closer.kind == Closer::Kind::cell) {
      store_cell(closer.place, closer.old);
    } else {
      body_.get(closer.place).get(closer.old).store(frame_.store_cell, 0);
    }
  }
  void close_to(std::size_t size) {
    while (closers_.size() > size) {
      restore(closers_.back());
      closers_.pop_back();
    }
  }
  void open_if() {
    body_.begin_if();
    closers_.push_back({Closer::Kind::end});
  }

  // --- Recording. ---

  void record_tags(Path& path) {
    if (path.pending_tags.empty()) return;
    const Local tags = body_.add_local(Type::i64);
    body_.get(path.tags);
    for (const Local tag : path.pending_tags) add_tag([&] { body_.get(tag); });
    body_.set(tags);
    path.tags = tags;
    path.pending_tags.clear();
  }
  // Appends a tag to the sequence on the stack.
  template <class Push>
  void add_tag(Push&& push) {
    if (frame_.packed_tags) {
      body_.i64(frame_.tag_base).op(Plain::i64_mul);
      push();
      body_.op(Plain::i64_extend).op(Plain::i64_add);
    } else {
      push();
      body_.call(frame_.extend);
    }
  }

  void call(Path& path, Pc pc) {
    if (tagged()) {
      record_tags(path);
      body_.get(path.tags);
    }
    exposed(path, [&] { body_.call(plan_.function(pc, unit_.kind)).set(result_); });
  }
  // Runs code that reads the state.
  template <class Run>
  void exposed(Path& path, Run&& run) {
    for (auto& [cell, old] : path.known.unwritten) old = values_.write(path.known, cell, old);
    run();
    for (const auto& [cell, old] : path.known.unwritten) store_cell(cell, *old);
  }

  // Counts a move.
  void add_move(Path& path, Pc pc, Pc behind, const Instruction* tail) {
    Local tags = 0;
    if (tagged()) {
      record_tags(path);
      tags = body_.add_local(Type::i64);
      body_.get(path.tags);
      for (std::uint32_t k = 0; tail != nullptr && k < tail->c; ++k) {
        add_tag([&] { listed_tag(path, frame_.program().lists[tail->b + k]); });
      }
      body_.set(tags);
    }
    const bool distinct = tagged() && plan_.distinct(pc);
    if (distinct) {
      if (const Frame::Stamps& stamps = frame_.label_stamps; stamps.count > 0) {
        body_.get(tags).op(Plain::i32_wrap).load(Load::byte, stamps.address).get_global(frame_.label_stamp);
        body_.op(Plain::i32_ne).begin_if();
        body_.get(tags).op(Plain::i32_wrap).get_global(frame_.label_stamp).store(Store::byte, stamps.address);
      } else {
        body_.get(tags).i64(0).i64(kLabelKey).call(frame_.slot).op(Plain::drop).get_global(frame_.fresh).begin_if();
      }
    }
    body_.get_global(frame_.count).i32(1).op(Plain::i32_add).set_global(frame_.count);
    body_.get_global(frame_.count).get_global(frame_.notice).op(Plain::i32_ge_u).begin_if();
    exposed(path, [&] {
      if (tagged()) {
        body_.get(tags);
      } else {
        body_.i64(0);
      }
      body_.i32(plan_.behind(behind)).call(frame_.notice_move).set(result_);
    });
    body_.end();
    if (distinct) body_.end();
  }
  void listed_tag(Path& path, std::uint32_t tag) {
    if ((tag & interpreter::kCellTag) == 0) {
      body_.i32(tag);
      return;
    }
    if ((tag & interpreter::kMark) == 0) {
      values_.cell(path.known, tag - interpreter::kCellTag);
    } else {
      values_.operand(path.known, tag - interpreter::kValueTag);
    }
    frame_.load(body_, frame_.tag_of_code, 0);
  }

  // --- Writes. ---

  // The value is on the stack.
  void set_cell(Path& path, std::uint32_t cell) {
    const Local value = body_.add_local(Type::i32);
    body_.set(value);
    set_cell_to(path, cell, value);
  }
  void set_cell_to(Path& path, std::uint32_t cell, Local value) {
    const auto old = path.known.values.find(cell);
    // The memory of a cell that is not unwritten holds its known value.
    path.known.unwritten.try_emplace(cell, old == path.known.values.end() ? std::nullopt : std::optional(old->second));
    path.known.values[cell] = value;
  }
  // Writes to a cell of the span.
  void set_at(Path& path, Local address, Local value, const CellSpan& span) {
    values_.settle(path.known, span);
    const Local old = body_.add_local(Type::i32);
    body_.get(address).load(frame_.load_cell, 0).set(old);
    body_.get(address).get(value).store(frame_.store_cell, 0);
    closers_.push_back({Closer::Kind::address, address, old});
    std::erase_if(path.known.values,
                  [&](const auto& known) { return known.first >= span.first && known.first <= span.last; });
  }
  Local local_of_top() {
    const Local local = body_.add_local(Type::i32);
    body_.set(local);
    return local;
  }

  // --- Walks. ---

  // Whether nothing but restored cells and ends of blocks follows in this function.
  [[nodiscard]] bool can_turn() const {
    return std::ranges::none_of(closers_, [](const Closer& c) { return c.kind == Closer::Kind::address; });
  }
  void turn(Path& path) {
    if (tagged()) record_tags(path);
    const auto change = [&](std::uint32_t cell) {
      if (!turned_.contains(cell)) turned_[cell] = body_.add_kept_local(Type::i32);
    };
    for (const Closer& closer : closers_) {
      if (closer.kind == Closer::Kind::cell) change(closer.place);
    }
    for (const auto& [cell, old] : path.known.unwritten) {
      store_cell(cell, path.known.values.at(cell));
      change(cell);
    }
    turns_ = true;
    if (tagged()) body_.get(path.tags).set(0);
    body_.br(body_.depth());  // write() puts the loop around
  }

  // Writes everything behind `pc`. `last`: nothing else is tried in this function afterwards.
  void walk(Path path, Pc pc, bool last) {
    const std::size_t outside = closers_.size();
    const std::size_t locals = body_.in_use();
    ++nesting_;
    bool entered = entered_;
    entered_ = true;
    while (pc != kFail) {
      if (entered) {
        if (pc == unit_.pc && last && can_turn()) {
          turn(path);
          break;
        }
        if (pc == unit_.pc || plan_.shared(pc) || too_large(pc)) {
          call(path, pc);
          break;
        }
      }
      entered = true;
      pc = step(path, pc, last);
    }
    close_to(outside);
    body_.release_locals(locals);
    --nesting_;
  }
  [[nodiscard]] bool too_large(Pc pc) const {
    const Op op = at(pc).op;
    if (op == Op::tail || op == Op::move || op == Op::reached) return false;
    return body_.size() > kLargeBody || nesting_ > kDeepWalk || body_.depth() > kDeepBlocks;
  }

  // Writes one instruction and returns the next one, or kFail if everything is written.
  Pc step(Path& path, Pc pc, bool last) {
    const Instruction& i = at(pc);
    switch (i.op) {
      case Op::fail:
      case Op::fan_table_set:
        return kFail;
      case Op::fork:
      case Op::ahead:
        try_first([&] { walk(path, i.next, false); });
        return i.alt;
      case Op::fan:
        for (std::uint32_t way = 0; way < i.c; ++way) {
          const auto try_way = [&](bool is_last) {
            walk_way(path, i, at(i.b + 2 * way), at(i.b + 2 * way + 1), is_last);
          };
          if (way + 1 == i.c) {
            try_way(last);
          } else {
            try_first([&] { try_way(false); });
          }
        }
        return kFail;
      case Op::dash:
        return i.alt;
      case Op::visit:
        visit(path, i);
        return i.next;
      case Op::any:
      case Op::any_at:
        each_member(path, i);
        return kFail;
      case Op::tag:
        body_.i32(i.a);
        path.pending_tags.push_back(local_of_top());
        return i.next;
      case Op::tag_cell:
        values_.cell(path.known, i.a);
        frame_.load(body_, frame_.tag_of_code, 0);
        path.pending_tags.push_back(local_of_top());
        return i.next;
      case Op::tags:
        for (std::uint32_t k = 0; k < i.c; ++k) {
          listed_tag(path, frame_.program().lists[i.b + k]);
          path.pending_tags.push_back(local_of_top());
        }
        return i.next;
      case Op::check:
        if (frame_.program().checks[i.a].entry == kFail) return i.alt;
        exposed(path, [&] { body_.call(plan_.check(i.a)); });
        return branch(path, i.next, i.alt, last);
      case Op::tail:
        add_move(path, pc, i.next, &i);
        return kFail;
      case Op::move:
        add_move(path, pc, pc, nullptr);
        return kFail;
      case Op::reached:
        body_.i32(1).set(result_);
        return kFail;
      case Op::set_at: {
        values_.operand(path.known, i.a);
        frame_.scale(body_);
        const Local address = local_of_top();
        values_.operand(path.known, i.b);
        set_at(path, address, local_of_top(), {i.k, i.k + i.c - 1});
        return i.next;
      }
      case Op::put: {
        values_.value(path.known, Mode::table, i);
        frame_.scale(body_);
        const Local address = local_of_top();
        body_.i32(i.k);
        set_at(path, address, local_of_top(), addresses_.span(i.b, i.a));
        return i.next;
      }
      case Op::copy:
        copy(path, frame_.program().runs[i.a]);
        return i.next;
      case Op::same:
        same(path, frame_.program().runs[i.a]);
        return branch(path, i.next, i.alt, last);
      case Op::equal2:
        values_.operand(path.known, i.a);
        values_.operand(path.known, i.b);
        body_.op(Plain::i32_eq);
        return branch(path, i.next, i.alt, last);
      default:
        break;
    }
    if (interpreter::is_set(i.op)) {
      values_.value(path.known, mode_of(i.op), i);
      set_cell(path, i.k);
      return i.next;
    }
    std::optional<Local> first;
    if (interpreter::is_step(i.op)) {
      values_.cell(path.known, i.e);
      frame_.load(body_, frame_.lookups, i.a);
      first = local_of_top();
      set_cell_to(path, i.e, *first);
    }
    values_.value(path.known, mode_of(i.op), i, first);
    if (jumps(i)) {
      jump(path, i, last);
      return kFail;
    }
    equals(i.k);
    return branch(path, i.next, i.alt, last);
  }

  void equals(std::uint32_t k) {
    if (k == 0) {
      body_.op(Plain::i32_eqz);
    } else {
      body_.i32(k).op(Plain::i32_eq);
    }
  }

  // Tries one way; what is written next is skipped if the search ends.
  template <class Try>
  void try_first(Try&& way) {
    if (closers_.empty() || closers_.back().kind != Closer::Kind::end) {
      body_.block();
      closers_.push_back({Closer::Kind::end});
    }
    way();
    body_.get(result_).br_if(0);
  }

  // The condition is on the stack. Returns the instruction that is to be written inside.
  Pc branch(Path& path, Pc yes, Pc no, bool last) {
    if (yes == no) {
      body_.op(Plain::drop);
      return yes;
    }
    if (yes == kFail) {
      body_.op(Plain::i32_eqz);
      open_if();
      return no;
    }
    open_if();
    if (no == kFail) return yes;
    walk(path, yes, last);
    body_.begin_else();
    return no;
  }

  // The value is on the stack.
  void jump(Path& path, const Instruction& i, bool last) {
    const std::vector<Pc>& all = frame_.program().jumps;
    std::vector<Pc> targets;
    for (std::uint32_t k = 0; k < i.alt; ++k) {
      const Pc target = all[i.next + k];
      if (target != kFail && std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
    }
    const auto count = static_cast<std::uint32_t>(targets.size());
    std::vector<std::uint32_t> labels;
    for (std::uint32_t k = 0; k < i.alt; ++k) {
      const auto target = std::ranges::find(targets, all[i.next + k]);
      labels.push_back(static_cast<std::uint32_t>(target - targets.begin()));  // `count` is the outer block
    }
    const Local value = local_of_top();
    const std::size_t outside = closers_.size();
    for (std::uint32_t k = 0; k <= count; ++k) {
      body_.block();
      closers_.push_back({Closer::Kind::other_end});
    }
    body_.get(value);
    if (i.k != i.next) body_.i32(i.k - i.next).op(Plain::i32_add);
    body_.br_table(labels, count);
    for (std::uint32_t k = 0; k < count; ++k) {
      close_to(closers_.size() - 1);
      walk(path, targets[k], last);
      if (k + 1 < count) body_.br(count - 1 - k);
    }
    close_to(outside);
  }

  void walk_way(Path path, const Instruction& fan, const Instruction& set, const Instruction& ask, bool last) {
    const std::size_t outside = closers_.size();
    if (set.op == Op::dash) {
      walk(path, set.alt, last);
      return;
    }
    if (set.op != Op::fail) {
      Instruction write = set;
      if (set.op == Op::fan_table_set) {
        write.op = Op::set_table;
        write.a = fan.a;
      }
      values_.value(path.known, mode_of(write.op), write);
      set_cell(path, fan.a);
    }
    if (ask.op == Op::fail) {
      walk(path, ask.next, last);
    } else {
      values_.value(path.known, mode_of(ask.op), ask);
      if (jumps(ask)) {
        jump(path, ask, last);
      } else {
        equals(ask.k);
        open_if();
        walk(path, ask.next, last);
      }
    }
    close_to(outside);
  }

  void each_member(Path path, const Instruction& i) {
    const std::size_t outside = closers_.size();
    const std::vector<std::uint32_t>& lists = frame_.program().lists;
    bool row = true;  // the members have adjacent codes
    for (std::uint32_t k = 0; k < i.c; ++k) row = row && lists[i.b + k] == lists[i.b] + k;
    std::optional<Local> address;
    if (i.op == Op::any) {
      values_.cell(path.known, i.a);  // its old value is read once
      body_.op(Plain::drop);
    } else {
      values_.operand(path.known, i.a);
      frame_.scale(body_);
      address = local_of_top();
      values_.settle(path.known, {});
      const Local old = body_.add_local(Type::i32);
      body_.get(*address).load(frame_.load_cell, 0).set(old);
      closers_.push_back({Closer::Kind::address, *address, old});
    }
    const Local value = body_.add_local(Type::i32);
    const Local number = row ? value : body_.add_local(Type::i32);
    const std::uint32_t first = row ? lists[i.b] : 0;
    body_.i32(first).set(number);
    body_.loop();
    closers_.push_back({Closer::Kind::other_end});
    if (!row) {
      body_.get(number);
      frame_.load(body_, frame_.lists, i.b);
      body_.set(value);
    }
    Path inside = path;
    if (address) {
      body_.get(*address).get(value).store(frame_.store_cell, 0);
      inside.known.values.clear();
    } else {
      set_cell_to(inside, i.a, value);
    }
    walk(inside, i.next, false);
    body_.get(result_).op(Plain::i32_eqz);
    open_if();
    body_.get(number).i32(1).op(Plain::i32_add).tee(number).i32(first + i.c).op(Plain::i32_lt_u).br_if(1);
    close_to(outside);
  }

  // --- Whole maps. ---

  static void check_pairs(const interpreter::Run& run) {
    if (run.left_cells.size() <= kMostPairs) return;
    throw Error(fmt::format("a map of {} cells is copied or compared as a whole; a WebAssembly module allows {}",
                            run.left_cells.size(), kMostPairs),
                "play it with the interpreter");
  }
  // The value of one side of a pair; `base` is its first cell.
  void side(Local base, bool constant, std::uint32_t offset) {
    body_.get(base);
    if (constant) {
      frame_.load(body_, frame_.lookups, offset);
    } else {
      frame_.scale(body_);
      body_.load(frame_.load_cell, frame_.cell_address(offset));
    }
  }
  void copy(Path& path, const interpreter::Run& run) {
    check_pairs(run);
    values_.settle(path.known, {});
    values_.operand(path.known, run.left);
    const Local left = local_of_top();
    values_.operand(path.known, run.right);
    const Local right = local_of_top();
    std::vector<Local> all;
    for (const std::uint32_t cell : run.right_cells) {
      side(right, run.right_constant, cell);
      all.push_back(local_of_top());
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      body_.get(left).i32(run.left_cells[k]).op(Plain::i32_add);
      frame_.scale(body_);
      set_at(path, local_of_top(), all[k], {});
    }
  }
  void same(Path& path, const interpreter::Run& run) {
    check_pairs(run);
    values_.settle(path.known, {});
    values_.operand(path.known, run.left);
    const Local left = local_of_top();
    values_.operand(path.known, run.right);
    const Local right = local_of_top();
    body_.i32(1);
    for (std::size_t k = 0; k < run.left_cells.size(); ++k) {
      side(left, run.left_constant, run.left_cells[k]);
      side(right, run.right_constant, run.right_cells[k]);
      body_.op(Plain::i32_eq).op(Plain::i32_and);
    }
  }

  // --- Visits. ---

  // Continues inside of a block if this is the first arrival.
  void visit(Path& path, const Instruction& i) {
    if (!frame_.program().visits[i.a].exact) values_.settle(path.known, {});
    if (i.k != 0) {
      body_.get_global(frame_.late).i32(1).op(Plain::i32_add).set_global(frame_.late);
      body_.get_global(frame_.late).i32(interpreter::kLateVisits).op(Plain::i32_lt_u);
      body_.begin_if(Type::i32).i32(1).begin_else();
      arrive(path, i.a);
      body_.end();
    } else {
      arrive(path, i.a);
    }
    open_if();
  }
  void arrive(const Path& before, std::uint32_t index) {
    Path path = before;  // locals of this branch are unknown behind it
    const interpreter::VisitSpec& spec = frame_.program().visits[index];
    const bool tags = spec.tags && tagged();
    if (tags) record_tags(path);
    if (const Frame::Stamps& stamps = frame_.visit_stamps[index]; stamps.count > 0) {
      const Local place = body_.add_local(Type::i32);
      if (tags) {
        body_.get(path.tags).op(Plain::i32_wrap);
      } else {
        body_.i32(0);
      }
      code(path, spec, Type::i32);
      body_.i32(2).op(Plain::i32_shl).tee(place).load(Load::i32, stamps.address).get_global(frame_.exploration);
      body_.op(Plain::i32_ne);
      body_.get(place).get_global(frame_.exploration).store(Store::i32, stamps.address);
      return;
    }
    if (tags) {
      body_.get(path.tags);
    } else {
      body_.i64(0);
    }
    if (spec.exact) {
      body_.i64(0);
      code(path, spec, Type::i64);
    }
    body_.get_global(frame_.exploration).op(Plain::i64_extend).i64(32).op(Plain::i64_shl);
    body_.i64(std::uint64_t{index} + kVisitKeys).op(Plain::i64_or);
    if (spec.exact) {
      body_.call(frame_.slot).op(Plain::drop).get_global(frame_.fresh);
    } else {
      body_.i32(frame_.visit_masks[index]).call(frame_.arrive);
    }
  }
  // Appends the values of a visit's cells to the number on the stack.
  void code(Path& path, const interpreter::VisitSpec& spec, Type type) {
    const bool wide = type == Type::i64;
    for (const interpreter::VisitSpec::Part& part : spec.parts) {
      if (wide) {
        body_.i64(part.range).op(Plain::i64_mul);
      } else {
        body_.i32(part.range).op(Plain::i32_mul);
      }
      values_.cell(path.known, part.cell);
      body_.i32(part.low).op(Plain::i32_sub);
      if (wide) body_.op(Plain::i64_extend);
      body_.op(wide ? Plain::i64_add : Plain::i32_add);
    }
  }

 public:
  // The start of the function, before its loop, if it has one.
  [[nodiscard]] bool turns() const { return turns_; }
  [[nodiscard]] const Body& start() const { return start_; }

 private:
  Frame& frame_;
  Plan& plan_;
  Addresses& addresses_;
  Plan::Unit unit_;
  Body body_;
  ValueCode values_;
  Body start_;
  Local result_ = 0;
  bool entered_ = false;
  int nesting_ = 0;
  std::vector<Closer> closers_;            // of all walks around the current place
  bool turns_ = false;                     // the function repeats itself
  std::map<std::uint32_t, Local> turned_;  // the cells that differ after a turn, with their values before the first
};

// The code that completes a move in the state itself.
Body code_behind(const Frame& frame, Addresses& addresses, Pc pc) {
  Body body;
  ValueCode values(frame, addresses, body, [](std::uint32_t, Local) {});  // every cell is written at once
  Known known;
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
        const Local value = body.add_local(Type::i32);
        values.value(known, mode_of(i.op), i);
        body.set(value).i32(0).get(value).store(frame.store_cell, frame.cell_address(i.k));
        known.values[i.k] = value;
      }
    }
  }
}

}  // namespace

Searches write_searches(Frame& frame) {
  Plan plan(frame);
  Addresses addresses(frame.tables);
  Searches searches;
  for (const interpreter::Start& start : frame.program().starts) {
    const auto of = [&](Pc entry, Kind kind) { return entry == kFail ? kNoFunction : plan.function(entry, kind); };
    searches.listing.push_back(of(start.entry, Kind::tagged));
    searches.finding.push_back(start.quiet == kFail ? searches.listing.back() : of(start.quiet, Kind::quiet));
  }
  while (const auto unit = plan.next()) {
    FunctionCode code(frame, plan, addresses, *unit);
    Body body = code.write();
    if (code.turns()) body.make_loop(code.start(), Type::i32);
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
