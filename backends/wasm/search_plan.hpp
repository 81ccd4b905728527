// The functions that search for moves and decide checks.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "backends/wasm/frame.hpp"
#include "backends/wasm/successors.hpp"

namespace rgtrans::wasm {

// What a function searches for: moves with their tags, moves without them, or the target of a check.
enum class SearchKind : std::uint8_t { tagged, quiet, check };

// The functions of a program.
class SearchPlan {
 public:
  explicit SearchPlan(ModuleFrame& frame)
      : frame_(frame), arrivals_(frame.program().code.size(), 0), distinct_(frame.program().code.size(), false) {
    const interpreter::MachineProgram& program = frame.program();
    std::vector<bool> met(program.code.size(), false);
    std::vector<interpreter::Pc> open;
    const auto reach = [&](interpreter::Pc pc) {
      ++arrivals_[pc];
      if (met[pc]) return;
      met[pc] = true;
      open.push_back(pc);
    };
    for (const interpreter::Start& start : program.starts) {
      for (const interpreter::Pc entry : {start.entry, start.quiet}) {
        if (entry != interpreter::kFail) reach(entry);
      }
    }
    for (const interpreter::Automat& check : program.checks) {
      if (check.entry != interpreter::kFail) reach(check.entry);
    }
    while (!open.empty()) {
      const interpreter::Pc pc = open.back();
      open.pop_back();
      for_each_successor(program, program.code[pc], reach);
    }
    behind_.push_back(interpreter::kFail);  // number 0 is no code
    for (const interpreter::Start& start : program.starts) {
      if (start.deduplicate && start.entry != interpreter::kFail) mark_distinct(start.entry);
    }
    repeat_tests();
  }

  // Whether the code at `pc` is a function because several places lead to it.
  [[nodiscard]] bool shared(interpreter::Pc pc) const {
    const interpreter::Op op = frame_.program().code[pc].op;
    return arrivals_[pc] > 1 && op != interpreter::Op::tail && op != interpreter::Op::move &&
           op != interpreter::Op::reached;
  }
  // Whether walks with equal tags may end in this code.
  [[nodiscard]] bool distinct(interpreter::Pc pc) const { return distinct_[pc]; }

  struct Unit {
    interpreter::Pc pc;
    SearchKind kind;
    Function function;
  };
  Function function(interpreter::Pc pc, SearchKind kind) {
    const auto [it, fresh] = functions_.try_emplace({pc, kind}, 0);
    if (fresh) {
      it->second = frame_.module.declare(kind == SearchKind::tagged ? frame_.search_type : frame_.check_type);
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
  std::uint32_t behind(interpreter::Pc pc) {
    const auto [it, fresh] = behind_numbers_.try_emplace(pc, static_cast<std::uint32_t>(behind_.size()));
    if (fresh) behind_.push_back(pc);
    return it->second;
  }
  [[nodiscard]] const std::vector<interpreter::Pc>& all_behind() const { return behind_; }

  // A check as a function, with an exploration of its own if it records visits.
  Function check(std::uint32_t index) {
    const interpreter::Pc entry = frame_.program().checks[index].entry;
    const auto [it, fresh] = checks_.try_emplace(index, 0);
    if (!fresh) return it->second;
    it->second = function(entry, SearchKind::check);
    if (!visits(entry)) return it->second;
    const Function inner = it->second;
    it->second = frame_.module.declare(frame_.check_type);
    Body body;
    const Local outer = body.add_local(WasmType::i32);
    body.get_global(frame_.exploration).set(outer);
    body.get_global(frame_.explorations).i32(1).op(Plain::i32_add).set_global(frame_.explorations);
    body.get_global(frame_.explorations).set_global(frame_.exploration);
    body.call(inner).get(outer).set_global(frame_.exploration);
    frame_.module.define(it->second, body);
    return it->second;
  }

 private:
  [[nodiscard]] bool visits(interpreter::Pc entry) const {
    std::set<interpreter::Pc> met{entry};
    std::vector<interpreter::Pc> open{entry};
    while (!open.empty()) {
      const interpreter::Instruction& here = frame_.program().code[open.back()];
      open.pop_back();
      if (here.op == interpreter::Op::visit) return true;
      for_each_successor(frame_.program(), here, [&](interpreter::Pc next) {
        if (met.insert(next).second) open.push_back(next);
      });
    }
    return false;
  }

  void mark_distinct(interpreter::Pc entry) {
    std::vector<interpreter::Pc> open;
    const auto reach = [&](interpreter::Pc pc) {
      if (distinct_[pc]) return;
      distinct_[pc] = true;
      open.push_back(pc);
    };
    reach(entry);
    while (!open.empty()) {
      const interpreter::Pc pc = open.back();
      open.pop_back();
      for_each_successor(frame_.program(), frame_.program().code[pc], reach);
    }
  }

  // Tests with one way out are repeated wherever they are reached, so that a failing test needs no call. The code
  // behind them is reached as often.
  void repeat_tests() {
    constexpr int kMostRepeated = 4;  // consecutive tests
    const std::vector<interpreter::Instruction>& code = frame_.program().code;
    const auto repeats = [&](interpreter::Pc pc) {
      return interpreter::is_test(code[pc].op) &&
             (code[pc].next == interpreter::kFail || code[pc].alt == interpreter::kFail);
    };
    const std::vector<std::uint32_t> before = arrivals_;
    for (interpreter::Pc pc = 1; pc < code.size(); ++pc) {
      if (before[pc] < 2 || !repeats(pc)) continue;
      interpreter::Pc here = pc;
      for (int i = 0; i < kMostRepeated && here != interpreter::kFail && repeats(here); ++i) {
        arrivals_[here] = 1;
        here = interpreter::passed(code[here]);
      }
      if (here != interpreter::kFail) arrivals_[here] += 2;
    }
  }

  ModuleFrame& frame_;
  std::vector<std::uint32_t> arrivals_;
  std::vector<bool> distinct_;  // by instruction
  std::map<std::pair<interpreter::Pc, SearchKind>, Function> functions_;
  std::vector<Unit> open_;
  std::map<interpreter::Pc, std::uint32_t> behind_numbers_;
  std::vector<interpreter::Pc> behind_;
  std::map<std::uint32_t, Function> checks_;
};

}  // namespace rgtrans::wasm
