// Parts of a walk: tags, moves, writes, whole maps and visits.
#include <fmt/format.h>

#include "backends/wasm/function_code.hpp"

namespace rgtrans::wasm {

using interpreter::Instruction;
using interpreter::kFail;
using interpreter::Mode;
using interpreter::Op;
using interpreter::Pc;

namespace {

constexpr std::size_t kMostPairs = 1U << 12U;  // cells of a map that is copied or compared

}  // namespace

// --- Recording. ---

void FunctionCode::record_tags(Path& path) {
  if (path.pending_tags.empty()) return;
  const Local tags = body_.add_local(WasmType::i64);
  body_.get(path.tags);
  for (const Local tag : path.pending_tags) add_tag([&] { body_.get(tag); });
  body_.set(tags);
  path.tags = tags;
  path.pending_tags.clear();
}

void FunctionCode::call(Path& path, Pc pc) {
  if (tagged()) {
    record_tags(path);
    body_.get(path.tags);
  }
  exposed(path, [&] { body_.call(plan_.function(pc, unit_.kind)).set(result_); });
}

void FunctionCode::add_move(Path& path, Pc pc, Pc behind, const Instruction* tail) {
  Local tags = 0;
  if (tagged()) {
    record_tags(path);
    tags = body_.add_local(WasmType::i64);
    body_.get(path.tags);
    for (std::uint32_t k = 0; tail != nullptr && k < tail->c; ++k) {
      add_tag([&] { listed_tag(path, frame_.program().lists[tail->b + k]); });
    }
    body_.set(tags);
  }
  const bool distinct = tagged() && plan_.distinct(pc);
  if (distinct) {
    if (const ModuleFrame::Stamps& stamps = frame_.label_stamps; stamps.count > 0) {
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

void FunctionCode::listed_tag(Path& path, std::uint32_t tag) {
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

void FunctionCode::set_cell(Path& path, std::uint32_t cell) {
  const Local value = body_.add_local(WasmType::i32);
  body_.set(value);
  set_cell_to(path, cell, value);
}

void FunctionCode::set_cell_to(Path& path, std::uint32_t cell, Local value) {
  const auto old = path.known.values.find(cell);
  // The memory of a cell that is not unwritten holds its known value.
  path.known.unwritten.try_emplace(cell, old == path.known.values.end() ? std::nullopt : std::optional(old->second));
  path.known.values[cell] = value;
}

void FunctionCode::set_at(Path& path, Local address, Local value, const CellSpan& span) {
  values_.settle(path.known, span);
  const Local old = body_.add_local(WasmType::i32);
  body_.get(address).load(frame_.load_cell, 0).set(old);
  body_.get(address).get(value).store(frame_.store_cell, 0);
  closers_.push_back({Closer::Kind::address, address, old});
  std::erase_if(path.known.values,
                [&](const auto& known) { return known.first >= span.first && known.first <= span.last; });
}

Local FunctionCode::local_of_top() {
  const Local local = body_.add_local(WasmType::i32);
  body_.set(local);
  return local;
}

// --- Whole maps. ---

void FunctionCode::check_pairs(const interpreter::Run& run) {
  if (run.left_cells.size() <= kMostPairs) return;
  throw Error(fmt::format("a map of {} cells is copied or compared as a whole; a WebAssembly module allows {}",
                          run.left_cells.size(), kMostPairs),
              "play it with the interpreter");
}

void FunctionCode::side(Local base, bool constant, std::uint32_t offset) {
  body_.get(base);
  if (constant) {
    frame_.load(body_, frame_.lookups, offset);
  } else {
    frame_.scale(body_);
    body_.load(frame_.load_cell, frame_.cell_address(offset));
  }
}

std::pair<Local, Local> FunctionCode::sides(Path& path, const interpreter::Run& run) {
  check_pairs(run);
  values_.settle(path.known, {});
  values_.operand(path.known, run.left);
  const Local left = local_of_top();
  values_.operand(path.known, run.right);
  const Local right = local_of_top();
  return {left, right};
}

void FunctionCode::copy(Path& path, const interpreter::Run& run) {
  const auto [left, right] = sides(path, run);
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

void FunctionCode::same(Path& path, const interpreter::Run& run) {
  const auto [left, right] = sides(path, run);
  body_.i32(1);
  for (std::size_t k = 0; k < run.left_cells.size(); ++k) {
    side(left, run.left_constant, run.left_cells[k]);
    side(right, run.right_constant, run.right_cells[k]);
    body_.op(Plain::i32_eq).op(Plain::i32_and);
  }
}

// --- Visits. ---

void FunctionCode::visit(Path& path, const Instruction& i) {
  if (!frame_.program().visits[i.a].exact) values_.settle(path.known, {});
  if (i.k != 0) {
    body_.get_global(frame_.late).i32(1).op(Plain::i32_add).set_global(frame_.late);
    body_.get_global(frame_.late).i32(interpreter::kLateVisits).op(Plain::i32_lt_u);
    body_.begin_if(WasmType::i32).i32(1).begin_else();
    arrive(path, i.a);
    body_.end();
  } else {
    arrive(path, i.a);
  }
  open_if();
}

void FunctionCode::arrive(const Path& before, std::uint32_t index) {
  Path path = before;  // locals of this branch are unknown behind it
  const interpreter::VisitSpec& spec = frame_.program().visits[index];
  const bool tags = spec.tags && tagged();
  if (tags) record_tags(path);
  if (const ModuleFrame::Stamps& stamps = frame_.visit_stamps[index]; stamps.count > 0) {
    const Local place = body_.add_local(WasmType::i32);
    if (tags) {
      body_.get(path.tags).op(Plain::i32_wrap);
    } else {
      body_.i32(0);
    }
    code(path, spec, WasmType::i32);
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
    code(path, spec, WasmType::i64);
  }
  body_.get_global(frame_.exploration).op(Plain::i64_extend).i64(32).op(Plain::i64_shl);
  body_.i64(std::uint64_t{index} + kVisitKeys).op(Plain::i64_or);
  if (spec.exact) {
    body_.call(frame_.slot).op(Plain::drop).get_global(frame_.fresh);
  } else {
    body_.i32(frame_.visit_masks[index]).call(frame_.arrive);
  }
}

void FunctionCode::code(Path& path, const interpreter::VisitSpec& spec, WasmType type) {
  const bool wide = type == WasmType::i64;
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

}  // namespace rgtrans::wasm
