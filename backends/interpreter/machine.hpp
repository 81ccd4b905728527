// The machine that runs a Program: depth-first with an explicit stack of choices and a log of old values, so that
// going back costs what was changed. Reachability checks run on the same stacks above what is pending.
// Reasoners that are compiled from tables carry this text, so it stands on the standard library alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "backends/interpreter/labels.hpp"
#include "backends/interpreter/parts.hpp"
#include "backends/interpreter/program.hpp"
#include "backends/interpreter/trail.hpp"
#include "backends/interpreter/visited.hpp"

namespace rgtrans::interpreter {

constexpr std::size_t kMaxMoves = 1U << 24U;  // of one state
constexpr std::size_t kMaxLog = 1U << 26U;    // assignments on one walk
constexpr std::size_t kMaxPendingChecks = 1000;
constexpr std::uint32_t kMostDashSteps = 1024;
// In one exploration: behind them visits are made again, which dashes leave out, so that a ring that leads through
// several dashes ends, too.
constexpr std::uint32_t kMostDashes = 4 * kLateVisits;

// The moves found from one state: what each changes, and its tags if asked for.
struct MoveList {
  struct Move {
    std::uint32_t first_change, end_change;
    std::uint32_t first_tag, end_tag;
    std::uint32_t start;  // where the next move starts
  };
  Stack<Move> moves;
  Stack<Change> changes;
  Stack<std::uint32_t> tags;
  std::vector<std::uint8_t> seen;  // per tag and player, when tags can be hidden
  void clear() {
    moves.cut(0);
    changes.cut(0);
    tags.cut(0);
    seen.clear();
  }
};

// Where `visible` lies, for recording who sees which tag.
struct Visibility {
  std::vector<std::uint32_t> cells;  // by player
  std::uint32_t zero = 0xffffffffU;  // the code of the symbol 0
};

#define RGTRANS_TEST(mode)                                           \
  case Op::test_##mode:                                              \
    pc = get<interpreter::Mode::mode>(s, i) == i.k ? i.next : i.alt; \
    continue;
#define RGTRANS_JUMP(mode)                                         \
  case Op::jump_##mode:                                            \
    pc = program_.jumps[i.k + get<interpreter::Mode::mode>(s, i)]; \
    continue;
#define RGTRANS_SET(mode)                              \
  case Op::set_##mode:                                 \
    write(s, i.k, get<interpreter::Mode::mode>(s, i)); \
    pc = i.next;                                       \
    continue;
#define RGTRANS_STEP(mode)                                                     \
  case Op::step_test_##mode:                                                   \
    do {                                                                       \
      v = tables[i.a + v];                                                     \
      s[cell] = static_cast<Cell>(v);                                          \
      to = get_from<interpreter::Mode::mode>(s, v, i) == i.k ? i.next : i.alt; \
    } while (to == pc && ++steps < kMostDashSteps);                            \
    pc = to;                                                                   \
    continue;                                                                  \
  case Op::step_jump_##mode:                                                   \
    do {                                                                       \
      v = tables[i.a + v];                                                     \
      s[cell] = static_cast<Cell>(v);                                          \
      to = jumps[i.k + get_from<interpreter::Mode::mode>(s, v, i)];            \
    } while (to == pc && ++steps < kMostDashSteps);                            \
    pc = to;                                                                   \
    continue;
// Outside of dashes: what fails sets nothing.
#define RGTRANS_STEP_OUTSIDE(op, mode, target)                              \
  case Op::step_##op##_##mode: {                                            \
    const std::uint32_t old = s[i.e];                                       \
    const std::uint32_t v = program_.tables[i.a + old];                     \
    s[i.e] = static_cast<Cell>(v);                                          \
    const std::uint32_t found = get_from<interpreter::Mode::mode>(s, v, i); \
    pc = target;                                                            \
    if (pc == kFail) {                                                      \
      s[i.e] = static_cast<Cell>(old);                                      \
    } else {                                                                \
      trail_.push(i.e, old, v);                                                    \
    }                                                                       \
    continue;                                                               \
  }
#define RGTRANS_DASH_SET(mode)              \
  case Op::set_##mode:                      \
    v = get<interpreter::Mode::mode>(s, i); \
    s[cell] = static_cast<Cell>(v);         \
    pc = i.next;                            \
    continue;

template <class Cell>
class Machine {
 public:
  // The names of nodes are for messages and may be missing.
  Machine(const MachineProgram& program, const std::vector<std::string>& node_names,
          const std::vector<std::uint32_t>& symbol_of_code, std::uint32_t player_cell)
      : program_(program), node_names_(node_names), symbol_of_code_(symbol_of_code), player_cell_(player_cell), labels_(largest_tag(program, symbol_of_code)) {
    stamps_.assign(program.stamps, 0);
    sets_.resize(program.visits.size());
    arrivals_.resize(program.visits.size());
    pending_.assign(program.checks.size(), false);
    returns_.assign(program.starts.size(), 0);
  }

  enum class Mode { check, first, follow, list, find };

  // Lists from now on have only moves that this wants; null: all.
  void want(MoveParts* parts) { parts_ = parts; }

  // All moves from `start`; the state is unchanged afterwards.
  void list(Cell* state, std::uint32_t start, MoveList& out, bool with_tags, const Visibility* visibility = nullptr) {
    out_ = &out;
    with_tags_ = with_tags;
    visibility_ = visibility;
    search<Mode::list>(state, start);
  }

  // The same for who makes a move and does not show it: how many there are.
  std::uint32_t find(Cell* state, std::uint32_t start) {
    out_ = nullptr;
    with_tags_ = false;
    visibility_ = nullptr;
    search<Mode::find>(state, start);
    return found();
  }
  [[nodiscard]] std::uint32_t found() const { return static_cast<std::uint32_t>(found_.size()); }
  // Of the moves that were found last: makes one.
  void make(std::uint32_t index, Cell* state, std::uint32_t& start) {
    const Found move = found_[index];
    trail_.for_each(move.changes, [&](std::uint32_t cell, std::uint32_t value) {
      state[cell] = static_cast<Cell>(value);
    });
    labels_.cut(0);
    run<Mode::first>(state, move.behind);
    start = reached_start_;
  }
  // f(cell, value) for what it changes; where the next move starts.
  template <class F>
  std::uint32_t changes(std::uint32_t index, Cell* state, F&& f) {
    const Found move = found_[index];
    const Cell player = state[player_cell_];
    trail_.for_each(move.changes, [&](std::uint32_t cell, std::uint32_t value) { write(state, cell, value); });
    labels_.cut(0);
    run<Mode::first>(state, move.behind);
    for (std::size_t i = 0; i < trail_.size(); ++i) f(trail_[i].cell, std::uint32_t{state[trail_[i].cell]});
    f(player_cell_, std::uint32_t{state[player_cell_]});
    trail_.undo(state, 0);
    state[player_cell_] = player;
    return reached_start_;
  }

  // Makes the first move there is; false when there is none.
  bool first(Cell* state, std::uint32_t& start) {
    visibility_ = nullptr;
    begin();
    if (!run<Mode::first>(state, program_.starts[start].entry)) return false;
    start = reached_start_;
    return true;
  }

  // Makes the move with these tags; false when there is none.
  bool follow(Cell* state, std::uint32_t& start, const std::vector<std::uint32_t>& tags,
              const Visibility* visibility = nullptr) {
    visibility_ = visibility;
    wanted_ = &tags;
    begin();
    if (!run<Mode::follow>(state, program_.starts[start].entry)) return false;
    start = reached_start_;
    return true;
  }

  // Of the last move that was made by first() or follow().
  [[nodiscard]] std::size_t tag_count() const { return labels_.size(); }
  [[nodiscard]] std::uint32_t tag(std::size_t index) const { return labels_[index]; }
  // Whether a player saw that tag, where follow() was told how to find that out.
  [[nodiscard]] bool seen(std::size_t index, std::size_t player) const {
    return seen_[index * visibility_->cells.size() + player] != 0;
  }

 private:
  struct Choice {
    Pc pc;              // of the instruction that chose
    std::uint32_t at;   // the size of the trail when it chose
    std::uint32_t tags;
    std::uint32_t index;  // any: the next member; fan: the next way that goes on
    std::uint32_t cell;   // any: that it sets; fan, dash: what that way sets it to
    Pc target;            // fan, dash: where that way goes on
  };

  struct Found {
    std::uint32_t changes;  // their name on the trail
    Pc behind;              // where its walk is completed in one way
  };

  template <Mode kind>
  void search(Cell* state, std::uint32_t start) {
    const Start& from = program_.starts[start];
    deduplicate_ = from.deduplicate;
    const Pc entry = with_tags_ || from.quiet == kFail ? from.entry : from.quiet;
    // Who wants only some moves has been asked about those that were found before.
    for (bool returns = returns_[start] != 0 || parts_ != nullptr;; returns = true) {
      if (out_ != nullptr) out_->clear();
      begin(returns);
      run<kind>(state, entry);
      if (!came_back_) return;
      returns_[start] = 1;
    }
  }

  static std::uint32_t largest_tag(const MachineProgram& program, const std::vector<std::uint32_t>& symbol_of_code) {
    std::uint32_t largest = 0;
    for (const std::uint32_t tag : symbol_of_code) largest = std::max(largest, tag);
    for (const Instruction& i : program.code) {
      if (i.op == Op::tag) largest = std::max(largest, i.a);
    }
    return largest;
  }

  void begin(bool returns = true) {
    choices_.cut(0);
    trail_.clear();
    found_.cut(0);
    labels_.begin(returns);
    came_back_ = false;
    std::fill(pending_.begin(), pending_.end(), false);
    nesting_ = 0;
    plain_ = false;
    dashes_ = 0;
  }

  std::uint32_t next_epoch() {
    if (++epoch_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0U);
      for (KeySet& set : sets_) set.forget();
      std::fill(arrivals_.begin(), arrivals_.end(), Arrivals{});
      epoch_ = 1;
    }
    return epoch_;
  }

  // Of an instruction or an operand.
  template <interpreter::Mode mode, class From>
  [[gnu::always_inline]] std::uint32_t get(const Cell* s, const From& i) const {
    using M = interpreter::Mode;
    if constexpr (mode == M::constant) return i.a;
    if constexpr (mode == M::routine) return routine(s, i.a);
    if constexpr (mode != M::constant && mode != M::routine) return get_from<mode>(s, s[i.a], i);
  }
  // The same when the first cell holds this.
  template <interpreter::Mode mode, class From>
  [[gnu::always_inline]] std::uint32_t get_from(const Cell* s, std::uint32_t v, const From& i) const {
    using M = interpreter::Mode;
    const std::uint32_t* t = program_.tables.data();
    if constexpr (mode == M::cell) return v;
    if constexpr (mode == M::table) return t[i.b + v];
    if constexpr (mode == M::indirect) return s[t[i.b + v]];
    if constexpr (mode == M::table_of_indirect) return t[i.c + s[t[i.b + v]]];
    if constexpr (mode == M::table2) return t[i.c + v * i.w + s[i.e]];
    if constexpr (mode == M::indirect2) return s[t[i.b + v * i.w + s[i.e]]];
    if constexpr (mode == M::table_of_indirect2) return t[i.c + s[t[i.b + v * i.w + s[i.e]]]];
    if constexpr (mode == M::table2_of_indirect) return t[i.c + std::uint32_t{s[t[i.b + v]]} * i.w + s[i.e]];
    if constexpr (mode == M::deep) return s[t[i.c + std::uint32_t{s[t[i.b + v]]} * i.w + s[i.e]]];
    return 0;
  }

  std::uint32_t get(const Cell* s, const Operand& i) const {
    switch (i.mode) {
#define RGTRANS_GET(mode)       \
  case interpreter::Mode::mode: \
    return get<interpreter::Mode::mode>(s, i);
      RGTRANS_FOR_EACH_MODE(RGTRANS_GET)
#undef RGTRANS_GET
    }
    return 0;
  }

  [[gnu::noinline]] std::uint32_t routine(const Cell* s, std::uint32_t at) const {
    std::uint32_t stack[kMaxRoutineStack + 1];
    std::size_t top = 0;
    for (const Micro* micro = &program_.routines[at];; ++micro) {
      switch (micro->op) {
        case Micro::Op::push:
          stack[top++] = micro->k;
          break;
        case Micro::Op::cell:
          stack[top++] = s[micro->k];
          break;
        case Micro::Op::load:
          stack[top - 1] = s[stack[top - 1]];
          break;
        case Micro::Op::load_table:
          stack[top - 1] = s[program_.tables[micro->k + stack[top - 1]]];
          break;
        case Micro::Op::table:
          stack[top - 1] = program_.tables[micro->k + stack[top - 1]];
          break;
        case Micro::Op::add:
          stack[top - 2] += stack[top - 1];
          --top;
          break;
        case Micro::Op::done:
          return stack[0];
      }
    }
  }

  // The same for what is usual, at once.
  [[gnu::always_inline]] std::uint32_t usual(const Cell* s, const Operand& i) const {
    using M = interpreter::Mode;
    if (i.mode == M::constant) return i.a;
    if (i.mode == M::table) return get<M::table>(s, i);
    if (i.mode == M::cell) return s[i.a];
    return get(s, i);
  }

  [[gnu::always_inline]] void write(Cell* s, std::uint32_t cell, std::uint32_t value) {
    trail_.push(cell, s[cell], value);
    s[cell] = static_cast<Cell>(value);
  }

  // The cells of interest that differ from the start of the exploration, each with its value: as telling as all cells,
  // and usually few.
  void list_changes(const Cell* s, const VisitSpec& spec, std::uint32_t base) {
    words_.clear();
    marks_.resize(spec.member.size());
    ++mark_;
    for (std::size_t i = base; i < trail_.size(); ++i) {
      const std::uint32_t cell = trail_[i].cell;
      if (!spec.member[cell] || marks_[cell] == mark_) continue;
      marks_[cell] = mark_;  // the first of several entries for a cell has its value at the start
      if (s[cell] != trail_[i].old) words_.push_back(std::uint64_t{cell} << 32U | s[cell]);
    }
  }

  // All parts of the key, several in a word.
  void pack(const Cell* s, const VisitSpec& spec) {
    constexpr std::size_t kCells = sizeof(std::uint64_t) / sizeof(Cell);
    const std::size_t count = spec.parts.size();
    words_.resize((count + kCells - 1) / kCells);
    for (std::size_t i = 0; i < count; i += kCells) {
      std::uint64_t word = 0;
      for (std::size_t k = i; k < std::min(count, i + kCells); ++k) {
        word = word << (8 * sizeof(Cell)) | s[spec.parts[k].cell];
      }
      words_[i / kCells] = word;
    }
  }

  // True as long as a late visit does not ask.
  [[gnu::always_inline]] bool early(const Instruction& visit, std::uint32_t epoch) {
    if (visit.k == 0) return false;
    Arrivals& arrivals = arrivals_[visit.a];
    if (arrivals.epoch != epoch) arrivals = {epoch, 0};
    return ++arrivals.count < kLateVisits;
  }
  // True at the first arrival.
  bool arrive(const Cell* s, std::uint32_t index, std::uint32_t epoch, std::uint32_t base) {
    const VisitSpec& spec = program_.visits[index];
    if (spec.exact) {
      std::uint64_t code = 0;
      for (const VisitSpec::Part& part : spec.parts) code = code * part.range + (s[part.cell] - part.low);
      if (spec.small) {
        std::uint32_t& stamp = stamps_[spec.direct + code];
        if (stamp == epoch) return false;
        stamp = epoch;
        return true;
      }
      return sets_[index].insert(epoch, spec.tags ? labels_.prefix() : 0, code);
    }
    if (spec.member.empty()) {
      pack(s, spec);
    } else {
      list_changes(s, spec, base);
      return sets_[index].insert_any_order(epoch, spec.tags ? labels_.prefix() : 0, words_, [s](std::uint64_t word) {
        return s[word >> 32U] == static_cast<Cell>(word);
      });
    }
    return sets_[index].insert(epoch, spec.tags ? labels_.prefix() : 0, words_.data(), words_.size());
  }

  [[gnu::always_inline]] void push_tag(std::uint32_t tag, const Cell* s) {
    labels_.push(tag);
    if (visibility_ != nullptr) record_visibility(s);
  }

  // No move that is wanted shows the tags of this walk.
  [[nodiscard]] bool in_vain() const { return parts_ != nullptr && parts_->in_vain(labels_.size(), shown()); }
  [[nodiscard]] auto shown() const {
    return [this](std::size_t i) { return labels_[i]; };
  }

  [[gnu::noinline]] void record_visibility(const Cell* s) {
    const std::size_t players = visibility_->cells.size();
    seen_.resize(labels_.size() * players);
    for (std::size_t i = 0; i < players; ++i) {
      seen_[(labels_.size() - 1) * players + i] = s[visibility_->cells[i]] != visibility_->zero ? 1 : 0;
    }
  }

  // No walk with these tags was met before.
  [[gnu::always_inline]] bool new_labeling() {
    const LabelTree::Found found = labels_.add();
    if (found == LabelTree::Found::unknown) {
      came_back_ = true;
      choices_.cut(0);
    }
    return found == LabelTree::Found::fresh;
  }
  static void check_moves(std::size_t count) {
    if (count < kMaxMoves) return;
    give_up("a state has more than " + std::to_string(kMaxMoves) + " moves, the interpreter's limit");
  }

  [[gnu::noinline]] void add_move(const Cell* s, const Instruction& i) {
    if (deduplicate_ && !new_labeling()) return;
    if (parts_ != nullptr && !parts_->take(labels_.size(), shown())) return;
    check_moves(out_->moves.size());
    write_move(s, get(s, program_.operands[i.a]), i.b);
  }

  // A move that goes on like this to its end was found.
  [[gnu::always_inline]] void find_move(Pc behind) {
    if (deduplicate_ && !new_labeling()) return;
    check_moves(found_.size());
    found_.push({trail_.keep(), behind});
  }
  [[gnu::always_inline]] void push_tags(const Cell* s, const Instruction& tail) {
    const std::uint32_t* const tags = program_.lists.data() + tail.b;
    for (std::uint32_t k = 0; k < tail.c; ++k) {
      labels_.push((tags[k] & kCellTag) != 0 ? symbol_of_code_[s[tags[k] - kCellTag]] : tags[k]);
    }
  }
  [[gnu::always_inline]] void find_tail(const Cell* s, const Instruction& tail) {
    if (deduplicate_) push_tags(s, tail);
    find_move(tail.next);
  }
  // The same for each member from `index` on.
  [[gnu::noinline]] void find_tails(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                                    const Instruction& tail) {
    const std::uint32_t old = s[cell];
    const std::uint32_t tags = labels_.size();
    while ((index = member(s, chooser, cell, index)) < chooser.c && !came_back_) {
      if (deduplicate_) push_tags(s, tail);
      if (!deduplicate_ || new_labeling()) {
        check_moves(found_.size());
        found_.push({trail_.keep_with(cell, s[cell]), tail.next});
      }
      labels_.cut(tags);
      if (++index == chooser.c) break;
    }
    s[cell] = static_cast<Cell>(old);
  }

  [[gnu::noinline]] void write_move(const Cell* s, std::uint32_t player, std::uint32_t start) {
    MoveList::Move move;
    move.start = start;
    move.first_change = static_cast<std::uint32_t>(out_->changes.size());
    for (std::size_t i = 0; i < trail_.size(); ++i) out_->changes.push({trail_[i].cell, s[trail_[i].cell]});
    out_->changes.push({player_cell_, player});
    move.end_change = static_cast<std::uint32_t>(out_->changes.size());
    move.first_tag = move.end_tag = static_cast<std::uint32_t>(out_->tags.size());
    if (with_tags_) {
      for (std::size_t k = 0; k < labels_.size(); ++k) out_->tags.push(labels_[k]);
      move.end_tag = static_cast<std::uint32_t>(out_->tags.size());
      if (visibility_ != nullptr) {
        const auto count = static_cast<std::ptrdiff_t>(labels_.size() * visibility_->cells.size());
        out_->seen.insert(out_->seen.end(), seen_.begin(), seen_.begin() + count);
      }
    }
    out_->moves.push(move);
  }

  void copy(Cell* s, const Run& run) {
    const std::uint32_t left = get(s, program_.operands[run.left]);
    const std::uint32_t right = get(s, program_.operands[run.right]);
    key_.clear();
    for (std::uint32_t cell : run.right_cells) {
      key_.push_back(run.right_constant ? program_.tables[right + cell] : s[right + cell]);
    }
    for (std::size_t i = 0; i < key_.size(); ++i) write(s, left + run.left_cells[i], key_[i]);
  }

  bool same(const Cell* s, const Run& run) const {
    const std::uint32_t left = get(s, program_.operands[run.left]);
    const std::uint32_t right = get(s, program_.operands[run.right]);
    for (std::size_t i = 0; i < run.left_cells.size(); ++i) {
      const std::uint32_t x =
          run.left_constant ? program_.tables[left + run.left_cells[i]] : s[left + run.left_cells[i]];
      const std::uint32_t y =
          run.right_constant ? program_.tables[right + run.right_cells[i]] : s[right + run.right_cells[i]];
      if (x != y) return false;
    }
    return true;
  }

  // Back to the last choice, and what comes next there.
  [[gnu::always_inline]] Pc go_back(Cell* s) {
    Choice& choice = choices_.top();
    trail_.undo(s, choice.at);
    labels_.cut(choice.tags);
    const Instruction& chooser = program_.code[choice.pc];
    if (chooser.op == Op::fork) {
      choices_.pop();
      return chooser.alt;
    }
    if (chooser.op == Op::dash || chooser.op == Op::ahead) {
      const Pc target = choice.target;
      write(s, chooser.a, choice.cell);
      choices_.pop();
      return target;
    }
    if (chooser.op == Op::fan) {
      if (choice.index + 1 < chooser.c) return next_of_fan(s, chooser, choice);
      const Pc target = choice.target;
      if (chooser.a != kNoCell) {
        trail_.change(choice.cell);
        s[chooser.a] = static_cast<Cell>(choice.cell);
      }
      choices_.pop();
      return target;
    }
    return next_member(s, chooser, choice);
  }

  // --- any: the member is often asked about at once, so the next one that passes is looked for. ---

  template <interpreter::Mode mode>
  std::uint32_t passing(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                        const Instruction& test) const {
    const std::uint32_t* const list = program_.lists.data() + chooser.b;
    for (; index < chooser.c; ++index) {
      s[cell] = static_cast<Cell>(list[index]);
      if (get<mode>(s, test) == test.k) break;
    }
    return index;
  }
  // The first member from `index` on with which the instruction behind does not fail, in the cell; their number when
  // there is none.
  [[gnu::noinline]] std::uint32_t passing_member(Cell* s, const Instruction& chooser, std::uint32_t cell,
                                                 std::uint32_t index) const {
    using M = interpreter::Mode;
    const std::uint32_t* const list = program_.lists.data() + chooser.b;
    const Instruction& test = program_.code[chooser.next];
    switch (test.op) {
      case Op::test_indirect:
        return passing<M::indirect>(s, chooser, cell, index, test);
      case Op::test_table_of_indirect:
        return passing<M::table_of_indirect>(s, chooser, cell, index, test);
      case Op::test_table2_of_indirect:
        return passing<M::table2_of_indirect>(s, chooser, cell, index, test);
      case Op::test_indirect2:
        return passing<M::indirect2>(s, chooser, cell, index, test);
      case Op::set_table2:
        return not_rejected(s, chooser, cell, index, test);
      case Op::dash:
        return not_rejected(s, chooser, cell, index, program_.code[test.next]);
      default:  // jump_indirect
        for (; index < chooser.c; ++index) {
          s[cell] = static_cast<Cell>(list[index]);
          if (program_.jumps[test.k + get<M::indirect>(s, test)] != kFail) break;
        }
        return index;
    }
  }
  // What is set depends on the member, and the test behind on what is set.
  std::uint32_t not_rejected(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                             const Instruction& set) const {
    const std::uint32_t* const list = program_.lists.data() + chooser.b;
    const std::uint32_t* const t = program_.tables.data();
    const Instruction& test = program_.code[set.next];
    for (; index < chooser.c; ++index) {
      s[cell] = static_cast<Cell>(list[index]);
      const std::uint32_t value = get<interpreter::Mode::table2>(s, set);
      const std::uint32_t address = t[test.b + value];
      const std::uint32_t found = address == set.k ? value : s[address];
      if (found == test.k) break;
    }
    return index;
  }
  // The cells that the test asks about lie one behind the other.
  std::uint32_t found_member(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                             const Instruction& test) const {
    const Cell* const first = s + (chooser.k - 1);
    std::uint32_t at = chooser.c;
    if constexpr (sizeof(Cell) == 1) {
      const void* const found = std::memchr(first + index, static_cast<int>(test.k), chooser.c - index);
      if (found != nullptr) at = static_cast<std::uint32_t>(static_cast<const Cell*>(found) - first);
    } else {
      const Cell* const end = first + chooser.c;
      at = static_cast<std::uint32_t>(std::find(first + index, end, static_cast<Cell>(test.k)) - first);
    }
    if (at == chooser.c) return chooser.c;
    s[cell] = static_cast<Cell>(program_.lists[chooser.b + at]);
    return at;
  }
  [[gnu::always_inline]] std::uint32_t member(Cell* s, const Instruction& chooser, std::uint32_t cell,
                                              std::uint32_t index) const {
    if (chooser.k != 0) {
      if (s[chooser.k - 1 + index] != program_.code[chooser.next].k) {
        return found_member(s, chooser, cell, index, program_.code[chooser.next]);
      }
    } else if (chooser.e != 0) {
      return passing_member(s, chooser, cell, index);
    }
    s[cell] = static_cast<Cell>(program_.lists[chooser.b + index]);
    return index;
  }
  // Where it goes on with a member that passes: what has been asked is not asked again.
  [[nodiscard]] [[gnu::always_inline]] Pc behind_member(const Instruction& chooser) const {
    return chooser.e == kAsksAlone ? program_.code[chooser.next].next : chooser.next;
  }
  [[gnu::always_inline]] Pc next_member(Cell* s, const Instruction& chooser, Choice& choice) {
    const std::uint32_t cell = choice.cell;
    const std::uint32_t index = member(s, chooser, cell, choice.index);
    choice.index = index + 1;
    if (index + 1 >= chooser.c) choices_.pop();
    if (index >= chooser.c) return kFail;
    trail_.change(s[cell]);
    return behind_member(chooser);
  }

  // --- dash: see dashes.hpp. ---

  // Where it comes out; kFail with the cell changed or not. What is put aside on the way is in `aside_`.
  [[gnu::noinline]] Pc dash(Cell* s, const Instruction& from) {
    aside_.cut(0);
    if (plain_ || ++dashes_ > kMostDashes) return from.alt;
    const std::uint32_t cell = from.a;
    std::uint32_t v = s[cell];
    const std::uint32_t old = v;
    const Instruction* const code = program_.code.data();
    const std::uint32_t* const tables = program_.tables.data();
    const Pc* const jumps = program_.jumps.data();
    const Pc dashes = program_.dashes;
    Pc pc = from.next;
    Pc to = kFail;
    for (std::uint32_t steps = 0;; ++steps) {
      if (pc < dashes) {
        if (pc != kFail || aside_.empty()) return pc;
        v = aside_.top().value;
        s[cell] = static_cast<Cell>(v);
        pc = aside_.top().in_dash;
        aside_.pop();
        continue;
      }
      if (steps >= kMostDashSteps) {
        plain_ = true;
        s[cell] = static_cast<Cell>(old);
        aside_.cut(0);
        return from.alt;
      }
      const Instruction& i = code[pc];
      switch (i.op) {
        RGTRANS_FOR_EACH_MODE(RGTRANS_TEST)
        RGTRANS_FOR_EACH_MODE(RGTRANS_DASH_SET)
        RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP)
        RGTRANS_FOR_EACH_MODE(RGTRANS_STEP)
        case Op::fork:
          aside_.push({v, i.alt, i.a});
          pc = i.next;
          continue;
        case Op::equal2:
          pc = usual(s, program_.operands[i.a]) == usual(s, program_.operands[i.b]) ? i.next : i.alt;
          continue;
        default:
          __builtin_unreachable();  // a dash has nothing else
      }
    }
  }

  // Where a step or a dash comes out, which has changed the cell.
  [[gnu::always_inline]] Pc look_ahead(Cell* s, const Instruction& i) {
    using M = interpreter::Mode;
    if (i.op == Op::dash) return dash(s, i);
    const std::uint32_t v = program_.tables[i.a + s[i.e]];
    s[i.e] = static_cast<Cell>(v);
    switch (i.op) {
      case Op::step_test_indirect:
        return get_from<M::indirect>(s, v, i) == i.k ? i.next : i.alt;
      case Op::step_test_table_of_indirect:
        return get_from<M::table_of_indirect>(s, v, i) == i.k ? i.next : i.alt;
      case Op::step_test_cell:
        return get_from<M::cell>(s, v, i) == i.k ? i.next : i.alt;
      case Op::step_test_table:
        return get_from<M::table>(s, v, i) == i.k ? i.next : i.alt;
      default:
        return program_.jumps[i.k + get_from<M::indirect>(s, v, i)];
    }
  }

  // --- fan: each way sets the same cell and asks something, before anything is put aside. ---

  struct Way {
    std::uint32_t index;  // the number of ways when there is none
    std::uint32_t value;  // of the cell that the fan sets
    Pc target;
  };
  // The first way from `index` on that goes on, when the cell of the fan holds `old` before.
  [[gnu::always_inline]] Way find_way(Cell* s, const Instruction& fan, std::uint32_t index, std::uint32_t old) {
    const std::uint32_t* const t = program_.tables.data();
    const Instruction* way = program_.code.data() + fan.b + 2 * std::size_t{index};
    for (; index < fan.c; ++index, way += 2) {
      std::uint32_t value = old;
      Pc target = kFail;
      if (way->op == Op::lead) {
        value = t[way->b + old];
        target = asked_of(s, fan.a, value, way[1]);
      } else if (way->op == Op::dash) {
        s[fan.a] = static_cast<Cell>(old);
        target = dash(s, *way);
        value = s[fan.a];
      } else {
        if (fan.a != kNoCell) s[fan.a] = static_cast<Cell>(old);
        if (way->op != Op::fail) {
          value = set_value(s, *way);
          s[fan.a] = static_cast<Cell>(value);
        }
        target = asked(s, way[1]);
      }
      if (target != kFail) {
        if (const Instruction& there = program_.code[target];
            there.op == Op::dash && there.a == fan.a && there.k == 0) {
          s[fan.a] = static_cast<Cell>(value);
          target = dash(s, there);
          value = s[fan.a];
        }
      }
      if (target != kFail) return {index, value, target};
    }
    return {index, old, kFail};
  }
  [[gnu::always_inline]] std::uint32_t set_value(const Cell* s, const Instruction& set) const {
    using M = interpreter::Mode;
    if (set.op == Op::set_table) return get<M::table>(s, set);
    if (set.op == Op::set_table2) return get<M::table2>(s, set);
    if (set.op == Op::set_table2_of_indirect) return get<M::table2_of_indirect>(s, set);
    return get<M::constant>(s, set);
  }
  // The test asks about a cell whose address depends on another one, which would hold `value`.
  [[gnu::always_inline]] Pc asked_of(const Cell* s, std::uint32_t cell, std::uint32_t value,
                                     const Instruction& test) const {
    const std::uint32_t* const t = program_.tables.data();
    const std::uint32_t address = t[test.b + value];
    std::uint32_t found = address == cell ? value : s[address];
    if (test.op == Op::test_table_of_indirect) found = t[test.c + found];
    if (test.op == Op::test_table2_of_indirect) found = t[test.c + found * test.w + s[test.e]];
    return found == test.k ? test.next : kFail;
  }
  [[gnu::always_inline]] Pc asked(const Cell* s, const Instruction& test) const {
    using M = interpreter::Mode;
    switch (test.op) {
      case Op::test_indirect:
        return get<M::indirect>(s, test) == test.k ? test.next : kFail;
      case Op::test_table_of_indirect:
        return get<M::table_of_indirect>(s, test) == test.k ? test.next : kFail;
      case Op::test_table2_of_indirect:
        return get<M::table2_of_indirect>(s, test) == test.k ? test.next : kFail;
      case Op::test_indirect2:
        return get<M::indirect2>(s, test) == test.k ? test.next : kFail;
      case Op::test_cell:
        return get<M::cell>(s, test) == test.k ? test.next : kFail;
      case Op::test_table:
        return get<M::table>(s, test) == test.k ? test.next : kFail;
      case Op::jump_indirect:
        return program_.jumps[test.k + get<M::indirect>(s, test)];
      case Op::jump_table2_of_indirect:
        return program_.jumps[test.k + get<M::table2_of_indirect>(s, test)];
      default:
        return test.next;
    }
  }
  // Of the ways that go on the first one is taken and the second one put aside.
  [[gnu::noinline]] Pc enter_fan(Cell* s, Pc pc) {
    const Instruction& fan = program_.code[pc];
    const std::uint32_t old = fan.a == kNoCell ? 0 : s[fan.a];
    const Way first = find_way(s, fan, 0, old);
    if (first.target == kFail) {
      if (fan.a != kNoCell) s[fan.a] = static_cast<Cell>(old);
      return kFail;
    }
    if (fan.a != kNoCell) trail_.push(fan.a, old, first.value);
    const Way second = find_way(s, fan, first.index + 1, old);
    if (second.target != kFail) {
      choices_.push({pc, trail_.size(), labels_.size(), second.index, second.value, second.target});
    }
    if (fan.a != kNoCell) s[fan.a] = static_cast<Cell>(first.value);
    return first.target;
  }
  [[gnu::noinline]] Pc next_of_fan(Cell* s, const Instruction& fan, Choice& choice) {
    const Pc target = choice.target;
    const std::uint32_t value = choice.cell;
    const std::uint32_t old = fan.a == kNoCell ? 0 : std::uint32_t{trail_[choice.at - 1].old};
    const Way next = find_way(s, fan, choice.index + 1, old);
    choice.index = next.index;
    choice.cell = next.value;
    choice.target = next.target;
    if (next.target == kFail) choices_.pop();
    if (fan.a != kNoCell) {
      trail_.change(value);
      s[fan.a] = static_cast<Cell>(value);
    }
    return target;
  }

  [[gnu::noinline]] bool check(Cell* s, std::uint32_t index) {
    const Automat& automat = program_.checks[index];
    if (pending_[index]) {
      give_up("the reachability check from " + name(automat.from) + " to " + name(automat.to) +
                  " is recursive: it is met again while it is evaluated",
              "a walk of the check may not pass an edge with the same check");
    }
    if (++nesting_ > kMaxPendingChecks) {
      give_up("more than " + std::to_string(kMaxPendingChecks) + " reachability checks are pending at " +
              name(automat.from));
    }
    pending_[index] = true;
    const bool found = run<Mode::check>(s, automat.entry);
    pending_[index] = false;
    --nesting_;
    return found;
  }

  [[nodiscard]] std::string name(std::uint32_t node) const {
    return node < node_names_.size() ? node_names_[node] : std::to_string(node);
  }

  template <Mode kind>
  bool run(Cell* s, Pc pc);

  struct Aside {  // a way of a dash
    std::uint32_t value;
    Pc in_dash, outside;
  };

  struct Arrivals {
    std::uint32_t epoch = 0;
    std::uint32_t count = 0;
  };

  const MachineProgram& program_;
  const std::vector<std::string>& node_names_;
  const std::vector<std::uint32_t>& symbol_of_code_;
  std::uint32_t player_cell_;
  Labels labels_;
  Stack<Choice> choices_;
  Trail<Cell> trail_;
  Stack<Aside> aside_;
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> key_;
  std::vector<std::uint64_t> words_;  // of the key of a visit
  std::vector<std::uint64_t> marks_;  // by cell: the last list of changes that has it
  std::uint64_t mark_ = 0;
  std::vector<std::uint32_t> stamps_;
  std::vector<KeySet> sets_;
  std::vector<Arrivals> arrivals_;
  std::vector<std::uint8_t> returns_;  // by start: the search comes back to branches of the tree of labelings
  bool came_back_ = false;             // so did this one
  std::uint32_t epoch_ = 0;
  bool plain_ = false;        // a dash of this exploration got long: no more of them
  std::uint32_t dashes_ = 0;  // of this exploration
  std::vector<std::uint8_t> pending_;
  std::size_t nesting_ = 0;
  MoveList* out_ = nullptr;  // null: only found_
  Stack<Found> found_;
  MoveParts* parts_ = nullptr;
  const Visibility* visibility_ = nullptr;
  const std::vector<std::uint32_t>* wanted_ = nullptr;  // tags, when following
  bool with_tags_ = false;
  bool deduplicate_ = true;
  std::uint32_t reached_start_ = 0;
};

template <class Cell>
template <typename Machine<Cell>::Mode kind>
bool Machine<Cell>::run(Cell* s, Pc pc) {
  const std::size_t base = choices_.size();
  const std::uint32_t start = trail_.size();
  const std::uint32_t epoch = next_epoch();
  const Instruction* const code = program_.code.data();
  for (;;) {
    if (pc == kFail) {
      if (choices_.size() == base) {
        trail_.undo(s, start);
        return false;
      }
      pc = go_back(s);
      continue;
    }
    const Instruction& i = code[pc];
    switch (i.op) {
      case Op::fail:
        pc = kFail;
        continue;
      case Op::fork:
        choices_.push({pc, trail_.size(), labels_.size(), 0, 0, kFail});
        pc = i.next;
        continue;
      case Op::ahead: {
        const std::uint32_t old = s[i.a];
        const Instruction& there = code[i.alt];
        const Pc later = there.op != Op::visit ? look_ahead(s, there)
                         : early(there, epoch) ? look_ahead(s, code[there.next])
                                               : i.alt;
        if (later != kFail) {
          choices_.push({pc, trail_.size(), labels_.size(), 0,
                         s[i.a], later});
        }
        s[i.a] = static_cast<Cell>(old);
        pc = i.next;
        continue;
      }
      case Op::fan:
        pc = enter_fan(s, pc);
        continue;
      case Op::lead:
        pc = kFail;  // stands in fans alone
        continue;
      case Op::dash: {
        const std::uint32_t old = s[i.a];
        pc = dash(s, i);
        if (pc == kFail) {
          s[i.a] = static_cast<Cell>(old);
          continue;
        }
        for (std::size_t k = 0; k < aside_.size(); ++k) {
          choices_.push({static_cast<Pc>(&i - code), trail_.size(),
                         labels_.size(), 0, aside_[k].value, aside_[k].outside});
        }
        trail_.push(i.a, old, s[i.a]);
        continue;
      }
      case Op::visit:
        if (early(i, epoch)) {
          pc = i.next;
          continue;
        }
        if (!arrive(s, i.a, epoch, start)) {
          pc = kFail;
          continue;
        }
        if (trail_.size() > kMaxLog) {
          give_up("a walk makes more than " + std::to_string(kMaxLog) + " assignments, the interpreter's limit");
        }
        pc = i.next;
        continue;
      case Op::any:
      case Op::any_at: {
        const std::uint32_t cell = i.op == Op::any ? i.a : get(s, program_.operands[i.a]);
        if constexpr (kind == Mode::find) {
          if (const Instruction& then = code[behind_member(i)]; then.op == Op::tail) {
            find_tails(s, i, cell, 0, then);
            pc = kFail;
            continue;
          }
        }
        const std::uint32_t old = s[cell];
        const std::uint32_t index = member(s, i, cell, 0);
        if (index == i.c) {
          s[cell] = static_cast<Cell>(old);
          pc = kFail;
          continue;
        }
        trail_.push(cell, old, s[cell]);
        if (index + 1 < i.c) choices_.push({pc, trail_.size(), labels_.size(), index + 1, cell, kFail});
        pc = behind_member(i);
        continue;
      }
      case Op::tag:
      case Op::tag_cell: {
        const std::uint32_t tag = i.op == Op::tag ? i.a : symbol_of_code_[s[i.a]];
        if constexpr (kind == Mode::follow) {
          if (labels_.size() >= wanted_->size() || (*wanted_)[labels_.size()] != tag) {
            pc = kFail;
            continue;
          }
        }
        push_tag(tag, s);
        pc = i.next;
        if constexpr (kind == Mode::find) {
          if (code[pc].op == Op::move) {
            find_move(pc);
            pc = kFail;
          }
        }
        if constexpr (kind == Mode::list) {
          if (const Instruction& then = code[pc]; then.op == Op::move) {
            add_move(s, then);
            pc = kFail;
          } else if (in_vain()) {
            pc = kFail;
          }
        }
        continue;
      }
      case Op::check:
        pc = check(s, i.a) ? i.next : i.alt;
        continue;
      case Op::tail:
        if constexpr (kind == Mode::find) {
          find_tail(s, i);
          pc = kFail;
        } else {
          pc = i.next;
        }
        continue;
      case Op::move:
        if constexpr (kind == Mode::find) {
          find_move(pc);
          pc = kFail;
          continue;
        } else if constexpr (kind == Mode::list) {
          add_move(s, i);
          pc = kFail;
          continue;
        } else {
          if constexpr (kind == Mode::follow) {
            if (labels_.size() != wanted_->size()) {
              pc = kFail;
              continue;
            }
          }
          s[player_cell_] = static_cast<Cell>(usual(s, program_.operands[i.a]));
          reached_start_ = i.b;
          return true;
        }
      case Op::reached:
        trail_.undo(s, start);
        choices_.cut(base);
        return true;
      case Op::set_at: {
        const std::uint32_t cell = usual(s, program_.operands[i.a]);
        write(s, cell, usual(s, program_.operands[i.b]));
        pc = i.next;
        continue;
      }
      case Op::copy:
        copy(s, program_.runs[i.a]);
        pc = i.next;
        continue;
      case Op::same:
        pc = same(s, program_.runs[i.a]) ? i.next : i.alt;
        continue;
      case Op::equal2:
        pc = usual(s, program_.operands[i.a]) == usual(s, program_.operands[i.b]) ? i.next : i.alt;
        continue;
        RGTRANS_FOR_EACH_MODE(RGTRANS_TEST)
        RGTRANS_FOR_EACH_MODE(RGTRANS_SET)
        RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP)
        RGTRANS_STEP_OUTSIDE(test, cell, found == i.k ? i.next : i.alt)
        RGTRANS_STEP_OUTSIDE(test, table, found == i.k ? i.next : i.alt)
        RGTRANS_STEP_OUTSIDE(test, indirect, found == i.k ? i.next : i.alt)
        RGTRANS_STEP_OUTSIDE(test, table_of_indirect, found == i.k ? i.next : i.alt)
        RGTRANS_STEP_OUTSIDE(jump, indirect, program_.jumps[i.k + found])
      default:
        __builtin_unreachable();  // stands in dashes alone
    }
  }
}

#undef RGTRANS_TEST
#undef RGTRANS_SET
#undef RGTRANS_DASH_SET
#undef RGTRANS_STEP
#undef RGTRANS_STEP_OUTSIDE
#undef RGTRANS_JUMP

}  // namespace rgtrans::interpreter
