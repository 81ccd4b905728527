// Writes one function of a search: all ways from an instruction of the interpreter's program.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backends/wasm/search_plan.hpp"
#include "backends/wasm/value_code.hpp"

namespace rgtrans::wasm {

// Use: create it, call write() once, and put the loop around the body if the function turns.
class FunctionCode {
 public:
  FunctionCode(ModuleFrame& frame, SearchPlan& plan, Addresses& addresses, const SearchPlan::Unit& unit)
      : frame_(frame),
        plan_(plan),
        addresses_(addresses),
        unit_(unit),
        body_(unit.kind == SearchKind::tagged ? 1 : 0),
        values_(frame, addresses, body_, [this](std::uint32_t cell, Local old) {
          closers_.push_back({Closer::Kind::cell, cell, old});
        }) {}

  Body write();

 private:
  struct Path {
    KnownCells known;
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

  [[nodiscard]] const interpreter::Instruction& at(interpreter::Pc pc) const { return frame_.program().code[pc]; }
  [[nodiscard]] bool tagged() const { return unit_.kind == SearchKind::tagged; }

  void store_cell(std::uint32_t cell, Local value) {
    body_.i32(0).get(value).store(frame_.store_cell, frame_.cell_address(cell));
  }
  void restore(const Closer& closer);
  void close_to(std::size_t size);
  void open_if() {
    body_.begin_if();
    closers_.push_back({Closer::Kind::end});
  }

  // --- Recording. ---

  void record_tags(Path& path);
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

  void call(Path& path, interpreter::Pc pc);
  // Runs code that reads the state.
  template <class Run>
  void exposed(Path& path, Run&& run) {
    for (auto& [cell, old] : path.known.unwritten) old = values_.write(path.known, cell, old);
    run();
    for (const auto& [cell, old] : path.known.unwritten) store_cell(cell, *old);
  }

  // Counts a move.
  void add_move(Path& path, interpreter::Pc pc, interpreter::Pc behind, const interpreter::Instruction* tail);
  void listed_tag(Path& path, std::uint32_t tag);

  // --- Writes. ---

  // The value is on the stack.
  void set_cell(Path& path, std::uint32_t cell);
  void set_cell_to(Path& path, std::uint32_t cell, Local value);
  // Writes to a cell of the span.
  void set_at(Path& path, Local address, Local value, const CellSpan& span);
  Local local_of_top();

  // --- Walks. ---

  // Whether nothing but restored cells and ends of blocks follows in this function.
  [[nodiscard]] bool can_turn() const {
    return std::ranges::none_of(closers_, [](const Closer& c) { return c.kind == Closer::Kind::address; });
  }
  void turn(Path& path);

  // Writes everything behind `pc`. `last`: nothing else is tried in this function afterwards.
  void walk(Path path, interpreter::Pc pc, bool last);
  [[nodiscard]] bool too_large(interpreter::Pc pc) const;

  // Writes one instruction and returns the next one, or interpreter::kFail if everything is written.
  interpreter::Pc step(Path& path, interpreter::Pc pc, bool last);

  void equals(std::uint32_t k);

  // Tries one way. If the search ends there, the code that follows is skipped.
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
  interpreter::Pc branch(Path& path, interpreter::Pc yes, interpreter::Pc no, bool last);

  // The value is on the stack.
  void jump(Path& path, const interpreter::Instruction& i, bool last);

  void walk_way(Path path, const interpreter::Instruction& fan, const interpreter::Instruction& set,
                const interpreter::Instruction& ask, bool last);

  void each_member(Path path, const interpreter::Instruction& i);

  // --- Whole maps. ---

  static void check_pairs(const interpreter::Run& run);
  // The value of one side of a pair; `base` is its first cell.
  void side(Local base, bool constant, std::uint32_t offset);
  // The two operands of a run, in locals.
  std::pair<Local, Local> sides(Path& path, const interpreter::Run& run);
  void copy(Path& path, const interpreter::Run& run);
  void same(Path& path, const interpreter::Run& run);

  // --- Visits. ---

  // Continues inside of a block if this is the first arrival.
  void visit(Path& path, const interpreter::Instruction& i);
  void arrive(const Path& before, std::uint32_t index);
  // Appends the values of a visit's cells to the number on the stack.
  void code(Path& path, const interpreter::VisitSpec& spec, WasmType type);

 public:
  // The start of the function, before its loop, if it has one.
  [[nodiscard]] bool turns() const { return turns_; }
  [[nodiscard]] const Body& start() const { return start_; }

 private:
  ModuleFrame& frame_;
  SearchPlan& plan_;
  Addresses& addresses_;
  SearchPlan::Unit unit_;
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

}  // namespace rgtrans::wasm
