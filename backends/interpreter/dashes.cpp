#include "backends/interpreter/dashes.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace rgtrans::interpreter {

namespace {

constexpr std::size_t kMostDashCode = 1U << 15U;  // instructions in all copies
constexpr int kMostVisits = 16;                   // consecutive visits that a copy skips
constexpr int kMostForks = 8;                     // nested forks

class Dashes {
 public:
  explicit Dashes(MachineProgram& program) : program_(program), count_(static_cast<Pc>(program.code.size())) {}

  void run() {
    find_heads();
    for (Pc pc = 1; pc < count_; ++pc) {
      if (cells_[pc] == kNoCell || is_short(pc)) cells_[pc] = kNoCell;
    }
    for (Pc pc = 1; pc < count_; ++pc) {
      if (cells_[pc] == kNoCell) continue;
      program_.code.push_back(program_.code[pc]);
      program_.code[pc] = {.op = Op::dash, .alt = static_cast<Pc>(program_.code.size() - 1), .a = cells_[pc]};
    }
    program_.dashes = static_cast<Pc>(program_.code.size());
    for (Pc pc = 1; pc < count_; ++pc) {
      if (cells_[pc] != kNoCell) program_.code[pc].next = copy(pc, cells_[pc]);
    }
    for (Pc pc = program_.dashes; pc < program_.code.size(); ++pc) complete(pc);
    const std::vector<bool> turn = copies_that_turn();
    for (Pc pc = 1; pc < count_; ++pc) {
      if (cells_[pc] == kNoCell) continue;
      if (program_.code[pc].next < program_.dashes || !turn[program_.code[pc].next - program_.dashes]) {
        program_.code[pc] = program_.code[program_.code[pc].alt];
      } else if (forks(program_.code[pc].next)) {
        program_.code[pc].k = 1;
      }
    }
  }

 private:
  [[nodiscard]] const Instruction& plain(Pc pc) const {
    const Instruction& here = program_.code[pc];
    return here.op == Op::dash ? program_.code[here.alt] : here;
  }
  static bool asks(const Instruction& i) { return is_test(i.op) || is_jump(i.op) || i.op == Op::equal2; }
  // Whether the instruction can be part of a dash that sets the cell. A fork can if both its branches can.
  [[nodiscard]] bool fits(Pc pc, std::uint32_t cell, int depth = 0) const {
    const Instruction& i = plain(pc);
    if (i.op == Op::fork) {
      return depth < kMostForks && fits(behind_visits(i.next), cell, depth + 1) &&
             fits(behind_visits(i.alt), cell, depth + 1);
    }
    return asks(i) || (is_set(i.op) && i.k == cell);
  }

  // Skips late visits: they matter only for endless walks, and the limit on steps ends those within a dash.
  [[nodiscard]] Pc behind_visits(Pc pc) const {
    for (int i = 0; i < kMostVisits && plain(pc).op == Op::visit && plain(pc).k != 0; ++i) {
      pc = plain(pc).next;
    }
    return pc;
  }

  template <class F>
  void for_each_successor(const Instruction& i, F&& f) const {
    if (!is_jump(i.op)) {
      f(i.next);
      f(i.alt);
      return;
    }
    for (std::uint32_t k = 0; k < i.alt; ++k) f(program_.jumps[i.next + k]);
  }

  // A dash starts at a set instruction followed by a test, or at a test before such an instruction. It does not start
  // after `any`, which looks ahead for a passing member, nor at instructions that become part of a fan.
  void find_heads() {
    cells_.assign(count_, kNoCell);
    std::vector<bool> taken(count_, false);
    for (Pc pc = 1; pc < count_; ++pc) {
      const Instruction& i = program_.code[pc];
      if (i.op == Op::any || i.op == Op::any_at) taken[i.next] = true;
      if (is_test(i.op) && i.alt != kFail && program_.code[i.next].op == Op::fork) taken[pc] = true;
      if (is_set(i.op) && fits(behind_visits(i.next), i.k)) cells_[pc] = i.k;
    }
    std::vector<std::pair<Pc, std::uint32_t>> asking;
    for (Pc pc = 1; pc < count_; ++pc) {
      if (taken[pc] || !asks(program_.code[pc])) continue;
      std::uint32_t cell = kNoCell;
      for_each_successor(program_.code[pc], [&](Pc next) {
        if (cell == kNoCell) cell = cells_[behind_visits(next)];
      });
      if (cell != kNoCell) asking.emplace_back(pc, cell);
    }
    for (const auto& [pc, cell] : asking) cells_[pc] = cell;
  }

  // Whether the dash ends with its first test.
  [[nodiscard]] bool is_short(Pc pc) const {
    bool ends = true;
    const Pc ask = is_set(program_.code[pc].op) ? behind_visits(program_.code[pc].next) : pc;
    if (!asks(program_.code[ask])) return false;
    for_each_successor(program_.code[ask], [&](Pc next) {
      const Pc there = behind_visits(next);
      ends = ends && (there == kFail || !fits(there, cells_[pc]));
    });
    return ends;
  }

  // The successor of an instruction in a dash: a copy if it fits, otherwise the original code.
  Pc copy(Pc pc, std::uint32_t cell) {
    const Pc there = behind_visits(pc);
    if (there == kFail || !fits(there, cell)) return pc;
    const auto [it, fresh] = copies_.try_emplace({there, cell}, static_cast<Pc>(program_.code.size()));
    if (fresh && copies_.size() > kMostDashCode) {
      copies_.erase(it);
      return pc;
    }
    if (fresh) {
      program_.code.push_back(plain(there));
      cell_of_copy_.push_back(cell);
    }
    return it->second;
  }
  void complete(Pc pc) {
    const std::uint32_t cell = cell_of_copy_[pc - program_.dashes];
    Instruction changed = program_.code[pc];
    if (changed.op == Op::fork) changed.a = changed.alt;
    if (is_jump(changed.op)) {
      const auto place = static_cast<std::uint32_t>(program_.jumps.size());
      for (std::uint32_t k = 0; k < changed.alt; ++k) {
        program_.jumps.push_back(copy(program_.jumps[changed.next + k], cell));
      }
      changed.k += place - changed.next;
      changed.next = place;
    } else {
      changed.next = copy(changed.next, cell);
      changed.alt = copy(changed.alt, cell);
    }
    program_.code[pc] = changed;
  }

  // By copy: whether it leads to a cycle of copies.
  [[nodiscard]] std::vector<bool> copies_that_turn() const {
    const std::size_t count = program_.code.size() - program_.dashes;
    std::vector<std::vector<std::uint32_t>> before(count);
    std::vector<std::size_t> open(count, 0);  // successors that may lead to a cycle
    for (std::uint32_t i = 0; i < count; ++i) {
      for_each_successor(program_.code[program_.dashes + i], [&](Pc next) {
        if (next < program_.dashes) return;
        before[next - program_.dashes].push_back(i);
        ++open[i];
      });
    }
    std::vector<std::uint32_t> ends;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (open[i] == 0) ends.push_back(i);
    }
    std::vector<bool> turn(count, true);
    while (!ends.empty()) {
      const std::uint32_t end = ends.back();
      ends.pop_back();
      turn[end] = false;
      for (const std::uint32_t i : before[end]) {
        if (--open[i] == 0) ends.push_back(i);
      }
    }
    return turn;
  }

  // Whether a fork is reachable within the copies.
  [[nodiscard]] bool forks(Pc pc) const {
    std::set<Pc> met{pc};
    std::vector<Pc> open{pc};
    bool found = false;
    while (!open.empty() && !found) {
      const Instruction& i = program_.code[open.back()];
      open.pop_back();
      found = i.op == Op::fork;
      for_each_successor(i, [&](Pc next) {
        if (next >= program_.dashes && met.insert(next).second) open.push_back(next);
      });
    }
    return found;
  }
  MachineProgram& program_;
  const Pc count_;                    // number of original instructions
  std::vector<std::uint32_t> cells_;  // by instruction at which a dash starts
  std::map<std::pair<Pc, std::uint32_t>, Pc> copies_;
  std::vector<std::uint32_t> cell_of_copy_;
};

}  // namespace

void make_dashes(MachineProgram& program) { Dashes(program).run(); }

void look_ahead(MachineProgram& program) {
  for (Pc pc = 1; pc < program.dashes; ++pc) {
    Instruction& fork = program.code[pc];
    if (fork.op != Op::fork) continue;
    const Instruction& there = program.code[fork.alt];
    const Instruction& later = there.op == Op::visit && there.k != 0 ? program.code[there.next] : there;
    if (is_step(later.op)) {
      fork.op = Op::ahead;
      fork.a = later.e;
    } else if (later.op == Op::dash && later.k == 0) {
      fork.op = Op::ahead;
      fork.a = later.a;
    }
  }
}

void join_steps(MachineProgram& program) {
  for (Pc pc = 1; pc < program.code.size(); ++pc) {
    const Instruction& set = program.code[pc];
    const bool in_dash = pc >= program.dashes;
    if (set.op != Op::set_table || set.a != set.k || (in_dash && set.next < program.dashes)) continue;
    Instruction step = program.code[set.next];
    if (step.a != set.k || !(in_dash ? steps_to(step.op) : steps_outside(step.op))) continue;
    step.op = step_of(step.op);
    step.a = set.b;
    if (!in_dash) step.e = set.k;
    program.code[pc] = step;
  }
}

}  // namespace rgtrans::interpreter
