#include "backends/wasm/function_code.hpp"

namespace rgtrans::wasm {

using interpreter::Instruction;
using interpreter::kFail;
using interpreter::Mode;
using interpreter::Op;
using interpreter::Pc;

namespace {

constexpr std::size_t kLargeBody = 1U << 14U;  // bytes, from which the rest is another function
constexpr int kDeepWalk = 40;
constexpr std::uint32_t kDeepBlocks = 200;

}  // namespace

Body FunctionCode::write() {
  result_ = body_.add_kept_local(WasmType::i32);
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

void FunctionCode::restore(const Closer& closer) {
  if (closer.kind == Closer::Kind::end || closer.kind == Closer::Kind::other_end) {
    body_.end();
  } else if (closer.kind == Closer::Kind::cell) {
    store_cell(closer.place, closer.old);
  } else {
    body_.get(closer.place).get(closer.old).store(frame_.store_cell, 0);
  }
}

void FunctionCode::close_to(std::size_t size) {
  while (closers_.size() > size) {
    restore(closers_.back());
    closers_.pop_back();
  }
}

// --- Walks. ---

void FunctionCode::turn(Path& path) {
  if (tagged()) record_tags(path);
  const auto change = [&](std::uint32_t cell) {
    if (!turned_.contains(cell)) turned_[cell] = body_.add_kept_local(WasmType::i32);
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

void FunctionCode::walk(Path path, Pc pc, bool last) {
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

bool FunctionCode::too_large(Pc pc) const {
  const Op op = at(pc).op;
  if (op == Op::tail || op == Op::move || op == Op::reached) return false;
  return body_.size() > kLargeBody || nesting_ > kDeepWalk || body_.depth() > kDeepBlocks;
}

Pc FunctionCode::step(Path& path, Pc pc, bool last) {
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

void FunctionCode::equals(std::uint32_t k) {
  if (k == 0) {
    body_.op(Plain::i32_eqz);
  } else {
    body_.i32(k).op(Plain::i32_eq);
  }
}

Pc FunctionCode::branch(Path& path, Pc yes, Pc no, bool last) {
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

void FunctionCode::jump(Path& path, const Instruction& i, bool last) {
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

void FunctionCode::walk_way(Path path, const Instruction& fan, const Instruction& set, const Instruction& ask,
                            bool last) {
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

void FunctionCode::each_member(Path path, const Instruction& i) {
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
    const Local old = body_.add_local(WasmType::i32);
    body_.get(*address).load(frame_.load_cell, 0).set(old);
    closers_.push_back({Closer::Kind::address, *address, old});
  }
  const Local value = body_.add_local(WasmType::i32);
  const Local number = row ? value : body_.add_local(WasmType::i32);
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

}  // namespace rgtrans::wasm
