// Refinements, in this order:
// * `tag; test` becomes `test; tag`, and `visit; test` becomes `test; visit`. A failing arrival need not be recorded,
//   because every arrival with the same key fails as well.
// * A move that is made but not shown needs its tags only to distinguish labelings and arrivals. If neither is
//   necessary, a copy of the code without tags is added.
// * Code that only sets one cell and tests is copied as dashes (dashes.hpp).
// * A chain of forks becomes a fan if enough branches set one common cell and then test. A fan pushes no choices for
//   branches that fail at once.
// * Forks look ahead, and members that are tested at once are marked.
// * Code that only sets cells and shows tags until the move is complete becomes a tail. A search for moves stops at the
//   tail, and the machine executes the tail only for the move that is made.
#include "backends/interpreter/refine.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "backends/interpreter/dashes.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::interpreter {

namespace {

constexpr std::size_t kMostQuietCode = 1U << 15U;  // instructions of a program that may be copied
constexpr int kMostDelays = 16;             // tests moved before one tag or visit; a cycle would provide them endlessly
constexpr std::ptrdiff_t kLeastAsking = 3;  // branches of a fan that set and test; forks are faster for fewer
constexpr std::size_t kMostWays = 1U << 12U;  // branches of a fan
constexpr std::uint32_t kManyMembers = 9;
constexpr int kMostTests = 16;  // consecutive tests of a member

class Refinement {
 public:
  explicit Refinement(MachineProgram& program) : program_(program) {}

  void run() {
    delay();
    if (program_.code.size() <= kMostQuietCode) make_quiet();
    make_dashes(program_);
    make_fans();
    join_steps(program_);
    look_ahead(program_);
    find_asked_members();
    make_tails();
    join_tags();
    make_puts();
  }

 private:
  Instruction& at(Pc pc) { return program_.code[pc]; }
  Pc emit(const Instruction& instruction) {
    program_.code.push_back(instruction);
    return static_cast<Pc>(program_.code.size() - 1);
  }
  // The instruction at `pc`, or the original one if a dash replaced it.
  Instruction& plain(Pc pc) { return at(pc).op == Op::dash ? at(at(pc).alt) : at(pc); }
  static bool is_tag(Op op) { return op == Op::tag || op == Op::tag_cell; }

  // --- Tests first. ---

  void delay() {
    const auto count = static_cast<Pc>(program_.code.size());
    most_code_ = 4 * std::size_t{count};
    for (Pc pc = 1; pc < count; ++pc) {
      Pc here = pc;
      for (int tests = 0; here != kFail && tests < kMostDelays; ++tests) here = delay_at(here);
    }
    while (!open_.empty()) {
      Pc here = open_.back();
      open_.pop_back();
      for (int tests = 0; here != kFail && tests < kMostDelays; ++tests) here = delay_at(here);
    }
  }
  // Moves a test before a tag or visit. Returns the new place of the tag or visit, or kFail if it need not move again.
  Pc delay_at(Pc here) {
    const Instruction first = at(here);
    if (!is_tag(first.op) && first.op != Op::visit) return kFail;
    const Instruction second = at(first.next);
    if (is_test(second.op) && second.alt == kFail) {
      Instruction later = first;
      later.next = second.next;
      const Pc place = emit(later);
      at(here) = second;
      at(here).next = place;
      return place;
    }
    if (first.op == Op::visit && is_jump(second.op)) at(here) = jump_before(first, second);
    if (first.op == Op::visit && is_test(second.op)) test_before(here, first, second);
    return kFail;
  }
  // A test with two successors: the visit is duplicated behind the test, once per successor.
  void test_before(Pc here, const Instruction& visit, Instruction test) {
    if (program_.code.size() > most_code_) return;
    const auto image = [&](Pc target) {
      if (target == kFail) return kFail;
      const auto [it, fresh] = delayed_.try_emplace({visit.a, target}, kFail);
      if (fresh) {
        Instruction copy = visit;
        copy.next = target;
        it->second = emit(copy);
        open_.push_back(it->second);
      }
      return it->second;
    };
    test.next = image(test.next);
    test.alt = image(test.alt);
    at(here) = test;
  }
  Instruction jump_before(const Instruction& visit, Instruction jump) {
    std::map<Pc, Pc> behind;
    return with_targets(jump, [&](Pc target) {
      const auto [it, fresh] = behind.try_emplace(target, kFail);
      if (fresh) {
        Instruction copy = visit;
        copy.next = target;
        it->second = emit(copy);
      }
      return it->second;
    });
  }
  // A copy of the jump with targets of its own.
  template <class F>
  Instruction with_targets(Instruction jump, F&& image) {
    std::vector<Pc> targets(program_.jumps.begin() + jump.next, program_.jumps.begin() + jump.next + jump.alt);
    for (Pc& target : targets) target = target == kFail ? kFail : image(target);
    const auto place = static_cast<std::uint32_t>(program_.jumps.size());
    program_.jumps.insert(program_.jumps.end(), targets.begin(), targets.end());
    jump.k += place - jump.next;
    jump.next = place;
    return jump;
  }

  // --- Code without tags. ---

  static bool is_step_with_jump(Op op) {
    return is_step(op) && ((static_cast<int>(op) - static_cast<int>(Op::step_test_constant)) & 1) != 0;
  }
  template <class F>
  void for_each_successor(const Instruction& instruction, F&& f) {
    if (!is_jump(instruction.op) && !is_step_with_jump(instruction.op)) {
      if (instruction.next != kFail) f(instruction.next);
      if (instruction.alt != kFail) f(instruction.alt);
      return;
    }
    for (std::uint32_t i = 0; i < instruction.alt; ++i) {
      const Pc target = program_.jumps[instruction.next + i];
      if (target != kFail) f(target);
    }
  }
  // All code reachable from the entry; empty if a visit on the way includes tags in its key.
  std::vector<Pc> reached_without_tags(Pc entry) {
    std::vector<bool> met(program_.code.size(), false);
    std::vector<Pc> out{entry};
    met[entry] = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Instruction instruction = at(out[i]);
      if (instruction.op == Op::visit && program_.visits[instruction.a].tags) return {};
      for_each_successor(instruction, [&](Pc next) {
        if (!met[next]) out.push_back(next);
        met[next] = true;
      });
    }
    return out;
  }
  void make_quiet() {
    const std::size_t count = program_.code.size();
    std::vector<Pc> copy_of(count, kFail);
    std::vector<Pc> copied;
    for (const Start& start : program_.starts) {
      if (start.deduplicate || start.entry == kFail) continue;
      for (const Pc pc : reached_without_tags(start.entry)) {
        if (is_tag(at(pc).op) || copy_of[pc] != kFail) continue;
        copy_of[pc] = emit(at(pc));
        copied.push_back(copy_of[pc]);
      }
    }
    const auto image = [&](Pc pc) {
      std::size_t tags = 0;
      for (; is_tag(at(pc).op); pc = at(pc).next)
        if (++tags > count) return kFail;  // a cycle of tags: no move comes of it
      return copy_of[pc];
    };
    for (const Pc pc : copied) {
      Instruction changed = at(pc);
      if (is_jump(changed.op)) {
        changed = with_targets(changed, image);
      } else {
        changed.next = image(changed.next);
        changed.alt = image(changed.alt);
      }
      at(pc) = changed;
    }
    for (Start& start : program_.starts) {
      if (!start.deduplicate && start.entry != kFail) start.quiet = image(start.entry);
    }
  }

  // --- Members that are tested at once, and members whose tested cells are contiguous. ---

  // Marks an `any` whose next instructions LookAhead::passing_member can evaluate.
  void find_asked(Instruction& any) {
    const bool in_dash = at(any.next).op == Op::dash;
    const Instruction& first = in_dash ? at(at(any.next).next) : at(any.next);
    if (is_test(first.op) && first.op != Op::test_routine && fails_for_some(first, any.c)) {
      any.e = in_dash ? kAsksThere : kAsks;
      any.alt = passed(first);
      for (int tests = 0; tests < kMostTests && any.e != kAsksThere && asks_alone(at(any.alt)); ++tests) {
        any.e = kAsksMore;
        any.alt = passed(at(any.alt));
      }
    } else if (first.op == Op::jump_indirect) {
      any.e = kAsksThere;
    } else if (first.op == Op::set_table2 && any.op == Op::any && first.k != any.a) {
      const Instruction& test = at(first.next);
      if (test.a == first.k && test.op == Op::test_indirect && test.alt == kFail) any.e = kAsksThere;
    }
  }
  static bool asks_alone(const Instruction& i) { return is_test(i.op) && (i.next == kFail || i.alt == kFail); }
  // Whether look-ahead is useful: most members fail the test. A test for inequality rejects few members, so it needs
  // many members or a check that ends with the first passing one.
  bool fails_for_some(const Instruction& test, std::uint32_t members) {
    return test.alt == kFail || (test.next == kFail && (members >= kManyMembers || at(test.alt).op == Op::reached));
  }
  void find_asked_members() {
    for (Instruction& any : program_.code) {
      if (any.op != Op::any && any.op != Op::any_at) continue;
      const Instruction& test = at(any.next);
      find_asked(any);
      if (any.op == Op::any_at || test.op != Op::test_indirect || test.alt != kFail || test.a != any.a) continue;
      const auto address = [&](std::uint32_t i) { return program_.tables[test.b + program_.lists[any.b + i]]; };
      const std::uint32_t first = address(0);
      bool row = any.a < first || any.a >= first + any.c;
      for (std::uint32_t i = 1; i < any.c && row; ++i) row = address(i) == first + i;
      if (row && test.k < 256) any.k = first + 1;  // other values do not fit a byte: test members one by one
    }
  }

  // --- Tails. ---

  void make_tails() {
    const std::vector<bool> listed = reached_by(true), kept = reached_by(false);
    tails_.assign(program_.code.size(), kFail);
    std::vector<std::pair<Pc, Instruction>> tails;
    for (Pc pc = 1; pc < program_.dashes; ++pc) {
      if (!listed[pc] || kept[pc]) continue;
      std::vector<std::uint32_t> tags;
      if (!find_tail(pc, tags)) continue;
      const auto place = static_cast<std::uint32_t>(program_.lists.size());
      program_.lists.insert(program_.lists.end(), tags.begin(), tags.end());
      tails.emplace_back(
          pc, Instruction{
                  .op = Op::tail, .next = copy_of_tail(pc), .b = place, .c = static_cast<std::uint32_t>(tags.size())});
    }
    for (const auto& [pc, tail] : tails) at(pc) = tail;
  }
  // The code reachable from starts with this value of `listed`.
  std::vector<bool> reached_by(bool listed) {
    std::vector<Pc> entries;
    for (const Start& start : program_.starts) {
      for (const Pc entry : {start.entry, start.quiet}) {
        if (start.listed == listed && entry != kFail) entries.push_back(entry);
      }
    }
    return reached_from(program_.code.size(), entries, [&](Pc pc, auto&& reach) {
      if (at(pc).op == Op::fan) {
        for (std::uint32_t i = 0; i < 2 * at(pc).c; ++i) for_each_successor(at(at(pc).b + i), reach);
      } else {
        for_each_successor(at(pc), reach);
      }
    });
  }
  // The cells that a tail has written so far.
  class Written {
   public:
    // The last write to the cell if its value is known at the start of the tail, else null.
    [[nodiscard]] const Instruction* set_last(std::uint32_t cell) const {
      const auto last = set_.find(cell);
      return last == set_.end() ? nullptr : last->second;
    }
    [[nodiscard]] bool has(std::uint32_t cell) const {
      return set_.contains(cell) ||
             std::ranges::any_of(rows_, [&](const Instruction* at) { return cell - at->k < at->c; });
    }
    void set(const Instruction& i) {
      const bool first = set_.empty() && rows_.empty();
      const bool known = first || (reads_named_cells(i.op) && !has(i.a) && !has(i.e));
      set_[i.k] = known ? &i : nullptr;
    }
    void set_at(const Instruction& i) {
      rows_.push_back(&i);
      for (auto& [cell, last] : set_) {
        if (cell - i.k < i.c) last = nullptr;
      }
    }

   private:
    static bool reads_named_cells(Op op) {
      return op == Op::set_constant || op == Op::set_cell || op == Op::set_table || op == Op::set_table2;
    }
    std::map<std::uint32_t, const Instruction*> set_;  // by cell
    std::vector<const Instruction*> rows_;             // writes whose cell depends on the state
  };

  // Whether the code from `pc` to the end of the move has no tests and no choices. Collects the tags that it shows.
  bool find_tail(Pc pc, std::vector<std::uint32_t>& tags) {
    constexpr int kMost = 64;
    Written written;
    for (int i = 0; i < kMost; ++i, pc = at(pc).next) {
      const Instruction& here = at(pc);
      if (here.op == Op::move) return true;
      if (here.op == Op::tag) {
        if ((here.a & (kMark | kCellTag)) != 0) return false;
        tags.push_back(here.a);
      } else if (here.op == Op::tag_cell) {
        if (here.a >= kCellTag) return false;
        if (const Instruction* const set = written.set_last(here.a)) {
          tags.push_back(value_tag(*set));
        } else if (!written.has(here.a)) {
          tags.push_back(here.a | kCellTag);
        } else {
          return false;
        }
      } else if (is_set(here.op)) {
        written.set(here);
      } else if (here.op == Op::set_at) {
        written.set_at(here);
      } else {
        return false;
      }
    }
    return false;
  }
  std::uint32_t value_tag(const Instruction& set) {
    const auto mode = static_cast<Mode>(static_cast<int>(set.op) - static_cast<int>(Op::set_constant));
    const Operand value = {.mode = mode, .w = set.w, .a = set.a, .b = set.b, .c = set.c, .e = set.e};
    program_.operands.push_back(value);
    return kValueTag | static_cast<std::uint32_t>(program_.operands.size() - 1);
  }
  Pc copy_of_tail(Pc pc) {
    if (tails_[pc] == kFail) {
      Instruction copy = at(pc);
      if (copy.op != Op::move) copy.next = copy_of_tail(copy.next);
      tails_[pc] = emit(copy);
    }
    return tails_[pc];
  }

  // --- Shorter instructions for frequent code. ---

  void join_tags() {
    constexpr int kMost = 16;
    std::vector<std::pair<Pc, Instruction>> joined;
    for (Pc pc = 1; pc < program_.code.size(); ++pc) {
      std::vector<std::uint32_t> tags;
      Pc end = pc;
      for (int i = 0; i < kMost && is_tag(at(end).op) && at(end).a < kCellTag; ++i, end = at(end).next) {
        tags.push_back(at(end).op == Op::tag ? at(end).a : at(end).a | kCellTag);
      }
      if (tags.size() < 2) continue;
      joined.emplace_back(pc, Instruction{.op = Op::tags,
                                          .next = end,
                                          .b = static_cast<std::uint32_t>(program_.lists.size()),
                                          .c = static_cast<std::uint32_t>(tags.size())});
      program_.lists.insert(program_.lists.end(), tags.begin(), tags.end());
    }
    for (const auto& [pc, tags] : joined) at(pc) = tags;
  }
  void make_puts() {
    for (Instruction& set : program_.code) {
      if (set.op != Op::set_at) continue;
      const Operand& place = program_.operands[set.a];
      const Operand& value = program_.operands[set.b];
      if (place.mode != Mode::table || value.mode != Mode::constant) continue;
      set = {.op = Op::put, .next = set.next, .a = place.a, .b = place.b, .k = value.a};
    }
  }

  // --- Fans. ---

  struct Way {
    Instruction set, test;
  };

  // Whether the instruction is `test; fork` where a failing test and the fork's second branch have the same successor.
  bool guarded(const Instruction& i) {
    return is_test(i.op) && i.alt != kFail && askable(i) && at(i.next).op == Op::fork && at(i.next).alt == i.alt;
  }
  // Whether LookAhead::asked supports the instruction.
  static bool askable(const Instruction& i) {
    switch (i.op) {
#define RGTRANS_ASKED_TEST(mode) case Op::test_##mode:
#define RGTRANS_ASKED_JUMP(mode) case Op::jump_##mode:
      RGTRANS_FOR_EACH_ASKED_TEST(RGTRANS_ASKED_TEST)
      RGTRANS_FOR_EACH_ASKED_JUMP(RGTRANS_ASKED_JUMP)
#undef RGTRANS_ASKED_TEST
#undef RGTRANS_ASKED_JUMP
      return true;
      default:
        return false;
    }
  }
  // Whether LookAhead::set_value supports the instruction.
  static bool settable(Op op) {
    return op == Op::set_constant || op == Op::set_table || op == Op::set_table2 || op == Op::set_table2_of_indirect;
  }
  static bool asks_at_once(const Instruction& i) { return askable(i) && (is_jump(i.op) || i.alt == kFail); }

  void make_fans() {
    const Pc count = program_.dashes;  // copies in dashes stay unchanged
    const std::vector<bool> heads = find_heads();
    std::vector<std::pair<Pc, Instruction>> fans;
    for (Pc pc = 1; pc < count; ++pc) {
      if (!heads[pc]) continue;
      std::uint32_t cell = kNoCell;
      const std::vector<Way> ways = ways_from(pc, cell);
      const auto asking = std::ranges::count_if(ways, [](const Way& way) { return way.set.op != Op::fail; });
      if (asking < kLeastAsking || ways.size() > kMostWays) continue;
      const Instruction fan = {.op = Op::fan,
                               .a = cell,
                               .b = static_cast<std::uint32_t>(program_.code.size()),
                               .c = static_cast<std::uint32_t>(ways.size())};
      for (const Way& way : ways) {
        emit(way.set);
        emit(way.test);
      }
      fans.emplace_back(pc, fan);
    }
    for (const auto& [pc, fan] : fans) at(pc) = fan;
  }
  // The heads of chains: forks and guarded tests with an arrival from outside the chain.
  std::vector<bool> find_heads() {
    std::vector<std::uint32_t> from_outside(program_.code.size(), 0);
    const auto arrive = [&](Pc pc) { ++from_outside[pc]; };
    for (const Instruction& instruction : program_.code) {
      if (instruction.op == Op::fork) {
        arrive(instruction.next);
      } else if (!guarded(instruction)) {
        for_each_successor(instruction, arrive);
      }
    }
    for (const Start& start : program_.starts) {
      arrive(start.entry);
      arrive(start.quiet);
    }
    for (const Automat& check : program_.checks) arrive(check.entry);
    std::vector<bool> heads(program_.code.size(), false);
    for (Pc pc = 1; pc < program_.code.size(); ++pc) {
      heads[pc] = from_outside[pc] > 0 && (at(pc).op == Op::fork || guarded(at(pc)));
    }
    return heads;
  }
  // All branches of a chain, and the cell that they set.
  std::vector<Way> ways_from(Pc pc, std::uint32_t& cell) {
    std::vector<Way> ways;
    while (ways.size() <= kMostWays) {
      const Instruction here = at(pc);
      if (here.op == Op::fork) {
        ways.push_back(way_at(here.next, cell));
        pc = here.alt;
      } else if (guarded(here)) {
        Way way;
        way.test = here;
        way.test.next = at(here.next).next;
        way.test.alt = kFail;
        ways.push_back(way);
        pc = here.alt;
      } else {
        ways.push_back(way_at(pc, cell));
        break;
      }
    }
    return ways;
  }
  Way way_at(Pc pc, std::uint32_t& cell) {
    Way way;
    const Instruction& first = plain(pc);
    if (asks_at_once(at(pc))) {
      way.test = first;
    } else if (settable(first.op) && (cell == kNoCell || cell == first.k) && asks_at_once(plain(first.next))) {
      cell = first.k;
      way.set = first;
      way.test = plain(first.next);
      if (sets_fan_by_table(way)) way.set.op = Op::fan_table_set;
    } else if (at(pc).op == Op::dash && at(pc).k == 0 && (cell == kNoCell || cell == at(pc).a)) {
      cell = at(pc).a;
      way.set = at(pc);
    } else {
      way.test.next = pc;
    }
    return way;
  }

  // Whether the new value is a function of the old one, and the test reads a cell whose address depends on it.
  static bool sets_fan_by_table(const Way& way) {
    const Instruction& test = way.test;
    if (way.set.op != Op::set_table || way.set.a != way.set.k || test.a != way.set.k) return false;
    return test.op == Op::test_indirect || test.op == Op::test_table_of_indirect ||
           (test.op == Op::test_table2_of_indirect && test.e != way.set.k);
  }

  MachineProgram& program_;
  std::size_t most_code_ = 0;                           // limit on code size for duplicating visits
  std::map<std::pair<std::uint32_t, Pc>, Pc> delayed_;  // by visit specification and successor: the copy of the visit
  std::vector<Pc> open_;
  std::vector<Pc> tails_;  // by start of a tail: its copy
};

}  // namespace

void refine(MachineProgram& program) { Refinement(program).run(); }

}  // namespace rgtrans::interpreter
