// The machine that executes a Program. It searches depth-first with an explicit stack of choices and a trail of
// changes, so that backtracking costs only the undone changes. Reachability checks use the same stacks above the
// pending entries. Reasoners compiled from tables embed this file, so it depends on the standard library only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/interpreter/labels.hpp"
#include "backends/interpreter/look_ahead.hpp"
#include "backends/interpreter/parts.hpp"
#include "backends/interpreter/program.hpp"
#include "backends/interpreter/trail.hpp"
#include "backends/interpreter/values_of_cells.hpp"
#include "backends/interpreter/visit_memory.hpp"
#include "backends/interpreter/visited.hpp"

namespace rgtrans::interpreter {

constexpr std::size_t kMaxMoves = 1U << 24U;  // limit for one state
constexpr std::size_t kMaxLog = 1U << 26U;    // assignments on one walk
constexpr std::size_t kMaxPendingChecks = 1000;

// The moves from one state: the changes of each, and on request its tags.
struct MoveList {
  struct Move {
    std::uint32_t first_change, end_change;
    std::uint32_t first_tag, end_tag;
    std::uint32_t start;  // the start of the next move
  };
  Stack<Move> moves;
  Stack<Change> changes;
  Stack<std::uint32_t> tags;
  std::vector<std::uint8_t> seen;  // by tag and player, if tags can be hidden
  void clear() {
    moves.cut(0);
    changes.cut(0);
    tags.cut(0);
    seen.clear();
  }
};

// The cells of `visible`, to record who sees which tag.
struct Visibility {
  std::vector<std::uint32_t> cells;  // by player
  std::uint32_t zero = 0xffffffffU;  // the code of the symbol 0
};

#define RGTRANS_SET(mode)                                             \
  case Op::set_##mode:                                                \
    write(s, i.k, value_of<interpreter::Mode::mode>(program_, s, i)); \
    pc = i.next;                                                      \
    continue;
// Steps outside of dashes: a failing step leaves its cell unchanged.
#define RGTRANS_STEP_OUTSIDE(op, mode, target)                                          \
  case Op::step_##op##_##mode: {                                                        \
    const std::uint32_t old = s[i.e];                                                   \
    const std::uint32_t v = program_.tables[i.a + old];                                 \
    s[i.e] = static_cast<Cell>(v);                                                      \
    const std::uint32_t found = value_from<interpreter::Mode::mode>(program_, s, v, i); \
    pc = target;                                                                        \
    if (pc == kFail) {                                                                  \
      s[i.e] = static_cast<Cell>(old);                                                  \
    } else {                                                                            \
      trail_.push(i.e, old, v);                                                         \
    }                                                                                   \
    continue;                                                                           \
  }

template <class Cell>
class Machine {
 public:
  // Node names serve messages only and may be missing.
  Machine(const MachineProgram& program, const std::vector<std::string>& node_names,
          const std::vector<std::uint32_t>& symbol_of_code, std::uint32_t player_cell)
      : program_(program),
        node_names_(node_names),
        symbol_of_code_(symbol_of_code),
        player_cell_(player_cell),
        visits_(program),
        ahead_(program),
        labels_(all_tags(program, symbol_of_code)),
        pending_(program.checks.size(), 0),
        returns_(program.starts.size(), 0) {}

  enum class Mode { check, first, follow, list, find };

  // Restricts later lists to the moves that `parts` selects; null: all moves.
  void want(MoveParts* parts) { parts_ = parts; }

  // Lists all moves from `start`. The state is unchanged afterwards.
  void list(Cell* state, std::uint32_t start, MoveList& out, bool with_tags, const Visibility* visibility = nullptr) {
    out_ = &out;
    with_tags_ = with_tags;
    visibility_ = visibility;
    search<Mode::list>(state, start);
  }

  // Finds the moves without listing their changes, for callers that make one of them. Returns their number.
  std::uint32_t find(Cell* state, std::uint32_t start) {
    out_ = nullptr;
    with_tags_ = false;
    visibility_ = nullptr;
    search<Mode::find>(state, start);
    return found();
  }
  [[nodiscard]] std::uint32_t found() const { return static_cast<std::uint32_t>(found_.size()); }
  // Makes move number `index` of the last search.
  void make(std::uint32_t index, Cell* state, std::uint32_t& start) {
    const Found move = found_[index];
    trail_.for_each(move.changes,
                    [&](std::uint32_t cell, std::uint32_t value) { state[cell] = static_cast<Cell>(value); });
    labels_.cut(0);
    run<Mode::first>(state, move.behind);
    start = reached_start_;
  }
  // Calls f(cell, value) for each change of a found move. Returns the start of the next move.
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

  // Makes the first move found. Returns false if there is none.
  bool first(Cell* state, std::uint32_t& start) {
    visibility_ = nullptr;
    begin();
    if (!run<Mode::first>(state, program_.starts[start].entry)) return false;
    start = reached_start_;
    return true;
  }

  // Makes the move with these tags. Returns false if there is none.
  bool follow(Cell* state, std::uint32_t& start, const std::vector<std::uint32_t>& tags,
              const Visibility* visibility = nullptr) {
    visibility_ = visibility;
    wanted_ = &tags;
    begin();
    if (!run<Mode::follow>(state, program_.starts[start].entry)) return false;
    start = reached_start_;
    return true;
  }

  // The tags of the last move made by first() or follow().
  [[nodiscard]] std::size_t tag_count() const { return labels_.size(); }
  [[nodiscard]] std::uint32_t tag(std::size_t index) const { return labels_[index]; }
  // Whether a player saw that tag. Requires that follow() was called with a visibility.
  [[nodiscard]] bool seen(std::size_t index, std::size_t player) const {
    return seen_[index * visibility_->cells.size() + player] != 0;
  }

 private:
  struct Choice {
    Pc pc;             // address of the choosing instruction
    std::uint32_t at;  // size of the trail at the choice
    std::uint32_t tags;
    std::uint32_t index;  // any: the next member; fan: the next branch that does not fail
    std::uint32_t cell;   // any: the cell that it sets; fan, dash: the cell's value on the next branch
    Pc target;            // fan, dash: the successor on the next branch
  };

  struct Found {
    std::uint32_t changes;  // name of the changes on the trail
    Pc behind;              // deterministic code that completes the move
  };

  template <Mode kind>
  void search(Cell* state, std::uint32_t start) {
    const Start& from = program_.starts[start];
    deduplicate_ = from.deduplicate;
    const Pc entry = with_tags_ || from.quiet == kFail ? from.entry : from.quiet;
    // With `parts_`, the walk may return to branches: a restarted search would ask about the same moves again.
    for (bool returns = returns_[start] != 0 || parts_ != nullptr;; returns = true) {
      if (out_ != nullptr) out_->clear();
      begin(returns);
      run<kind>(state, entry);
      if (!came_back_) return;
      returns_[start] = 1;
    }
  }

  static std::vector<std::uint32_t> all_tags(const MachineProgram& program, std::vector<std::uint32_t> tags) {
    for (const Instruction& i : program.code) {
      if (i.op == Op::tag) tags.push_back(i.a);
      if (i.op != Op::tags && i.op != Op::tail) continue;
      for (std::uint32_t k = 0; k < i.c; ++k) {
        if ((program.lists[i.b + k] & kCellTag) == 0) tags.push_back(program.lists[i.b + k]);
      }
    }
    return tags;
  }

  void begin(bool returns = true) {
    choices_.cut(0);
    trail_.clear();
    found_.cut(0);
    labels_.begin(returns);
    came_back_ = false;
    std::fill(pending_.begin(), pending_.end(), false);
    nesting_ = 0;
    ahead_.begin();
  }

  [[gnu::always_inline]] void write(Cell* s, std::uint32_t cell, std::uint32_t value) {
    trail_.push(cell, s[cell], value);
    s[cell] = static_cast<Cell>(value);
  }

  [[gnu::always_inline]] void push_tag(std::uint32_t tag, const Cell* s) {
    labels_.push(tag);
    if (visibility_ != nullptr) record_visibility(s);
  }

  // Whether no wanted move begins with the tags of this walk.
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

  // Whether the labeling of this walk is new. Ends the search if it must restart.
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
    write_move(s, value_of(program_, s, program_.operands[i.a]), i.b);
  }

  // Records a move whose remaining code is deterministic.
  [[gnu::always_inline]] void find_move(Pc behind) {
    if (deduplicate_ && !new_labeling()) return;
    check_moves(found_.size());
    found_.push({trail_.keep(), behind});
  }
  [[gnu::always_inline]] std::uint32_t listed_tag(const Cell* s, std::uint32_t tag) const {
    if ((tag & kCellTag) == 0) return tag;
    if ((tag & kMark) == 0) return symbol_of_code_[s[tag - kCellTag]];
    return symbol_of_code_[usual_value(program_, s, program_.operands[tag - kValueTag])];
  }
  [[gnu::always_inline]] void push_tags(const Cell* s, const Instruction& i) {
    const std::uint32_t* const tags = program_.lists.data() + i.b;
    for (std::uint32_t k = 0; k < i.c; ++k) labels_.push(listed_tag(s, tags[k]));
  }
  // Whether `tag` is the next tag of the move to follow.
  [[gnu::always_inline]] bool follows(std::uint32_t tag) const {
    return labels_.size() < wanted_->size() && (*wanted_)[labels_.size()] == tag;
  }
  // Returns false if the tags belong to another move than the one to follow, or to no wanted move.
  template <Mode kind>
  bool show_tags(const Cell* s, const Instruction& i) {
    const std::uint32_t* const tags = program_.lists.data() + i.b;
    for (std::uint32_t k = 0; k < i.c; ++k) {
      const std::uint32_t tag = listed_tag(s, tags[k]);
      if constexpr (kind == Mode::follow) {
        if (!follows(tag)) return false;
      }
      push_tag(tag, s);
    }
    return kind != Mode::list || !in_vain();
  }
  [[gnu::always_inline]] void find_tail(const Cell* s, const Instruction& tail) {
    if (deduplicate_) push_tags(s, tail);
    find_move(tail.next);
  }
  // Records the tail and returns the other branch, or kFail if the search must restart.
  [[gnu::always_inline]] Pc find_tail_and_go_on(const Cell* s, const Instruction& tail, Pc other) {
    const std::uint32_t tags = labels_.size();
    find_tail(s, tail);
    labels_.cut(tags);
    return came_back_ ? kFail : other;
  }
  // Records the tail for each member from `index` on.
  [[gnu::noinline]] void find_tails(Cell* s, const Instruction& chooser, std::uint32_t cell, std::uint32_t index,
                                    const Instruction& tail) {
    const std::uint32_t old = s[cell];
    const std::uint32_t tags = labels_.size();
    while ((index = ahead_.member(s, chooser, cell, index)) < chooser.c && !came_back_) {
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
    const std::uint32_t left = value_of(program_, s, program_.operands[run.left]);
    const std::uint32_t right = value_of(program_, s, program_.operands[run.right]);
    key_.clear();
    for (std::uint32_t cell : run.right_cells) {
      key_.push_back(run.right_constant ? program_.tables[right + cell] : s[right + cell]);
    }
    for (std::size_t i = 0; i < key_.size(); ++i) write(s, left + run.left_cells[i], key_[i]);
  }

  bool same(const Cell* s, const Run& run) const {
    const std::uint32_t left = value_of(program_, s, program_.operands[run.left]);
    const std::uint32_t right = value_of(program_, s, program_.operands[run.right]);
    for (std::size_t i = 0; i < run.left_cells.size(); ++i) {
      const std::uint32_t x =
          run.left_constant ? program_.tables[left + run.left_cells[i]] : s[left + run.left_cells[i]];
      const std::uint32_t y =
          run.right_constant ? program_.tables[right + run.right_cells[i]] : s[right + run.right_cells[i]];
      if (x != y) return false;
    }
    return true;
  }

  // Backtracks to the last choice and returns its next branch.
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

  [[gnu::always_inline]] Pc next_member(Cell* s, const Instruction& chooser, Choice& choice) {
    const std::uint32_t cell = choice.cell;
    const std::uint32_t index = ahead_.member(s, chooser, cell, choice.index);
    choice.index = index + 1;
    if (index + 1 >= chooser.c) choices_.pop();
    if (index >= chooser.c) return kFail;
    trail_.change(s[cell]);
    return ahead_.behind_member(chooser);
  }

  // Takes the first branch that does not fail and pushes the second one as a choice.
  [[gnu::noinline]] Pc enter_fan(Cell* s, Pc pc) {
    const Instruction& fan = program_.code[pc];
    const std::uint32_t old = fan.a == kNoCell ? 0 : s[fan.a];
    const typename LookAhead<Cell>::Way first = ahead_.find_way(s, fan, 0, old);
    if (first.target == kFail) {
      if (fan.a != kNoCell) s[fan.a] = static_cast<Cell>(old);
      return kFail;
    }
    if (fan.a != kNoCell) trail_.push(fan.a, old, first.value);
    const typename LookAhead<Cell>::Way second = ahead_.find_way(s, fan, first.index + 1, old);
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
    const typename LookAhead<Cell>::Way next = ahead_.find_way(s, fan, choice.index + 1, old);
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

  // Whether some member passes.
  [[nodiscard]] bool finds_member(Cell* s, const Instruction& any, std::uint32_t cell) const {
    const std::uint32_t old = s[cell];
    const bool found = ahead_.member(s, any, cell, 0) < any.c;
    s[cell] = static_cast<Cell>(old);
    return found;
  }
  // Whether the check succeeds as soon as some member passes.
  [[nodiscard]] bool only_asks(const Instruction& any) const {
    return alt_is_behind_tests(any) && program_.code[any.alt].op == Op::reached;
  }

  // Fast path: the first tests, or a member behind them, decide many checks without an exploration.
  [[gnu::noinline]] bool check(Cell* s, std::uint32_t index) {
    const Pc pc = ahead_.behind_tests(s, program_.checks[index].entry);
    const Instruction& first = program_.code[pc];
    if (first.op == Op::fail) return false;
    if (first.op == Op::reached) return true;
    if (first.op == Op::any && only_asks(first)) return finds_member(s, first, first.a);
    return explore_check(s, index, pc);
  }
  bool explore_check(Cell* s, std::uint32_t index, Pc pc) {
    if (pending_[index] != 0) met_again(program_.checks[index]);
    if (++nesting_ > kMaxPendingChecks) too_many_checks(program_.checks[index]);
    pending_[index] = 1;
    const std::size_t low = trail_.low();
    const bool found = run<Mode::check>(s, pc);
    trail_.set_low(low);
    pending_[index] = 0;
    --nesting_;
    return found;
  }
  [[noreturn, gnu::noinline]] void met_again(const Automat& automat) const {
    give_up("the reachability check from " + name(automat.from) + " to " + name(automat.to) +
                " is recursive: it is met again while it is evaluated",
            "a walk of the check may not pass an edge with the same check");
  }
  [[noreturn, gnu::noinline]] void too_many_checks(const Automat& automat) const {
    give_up("more than " + std::to_string(kMaxPendingChecks) + " reachability checks are pending at " +
            name(automat.from));
  }

  [[nodiscard]] std::string name(std::uint32_t node) const {
    return node < node_names_.size() ? node_names_[node] : std::to_string(node);
  }

  template <Mode kind>
  bool run(Cell* s, Pc pc);

  const MachineProgram& program_;
  const std::vector<std::string>& node_names_;
  const std::vector<std::uint32_t>& symbol_of_code_;
  std::uint32_t player_cell_;
  VisitMemory<Cell> visits_;
  LookAhead<Cell> ahead_;
  Labels labels_;
  Stack<Choice> choices_;
  Trail<Cell> trail_;
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> key_;
  std::vector<std::uint8_t> pending_;  // by check
  std::vector<std::uint8_t> returns_;  // by start: its searches return to branches of the tree of labelings
  bool came_back_ = false;             // this search has returned to a branch
  std::size_t nesting_ = 0;
  MoveList* out_ = nullptr;  // null: record in found_ only
  Stack<Found> found_;
  MoveParts* parts_ = nullptr;
  const Visibility* visibility_ = nullptr;
  const std::vector<std::uint32_t>* wanted_ = nullptr;  // tags of the move to follow
  bool with_tags_ = false;
  bool deduplicate_ = true;
  std::uint32_t reached_start_ = 0;
};

template <class Cell>
template <typename Machine<Cell>::Mode kind>
bool Machine<Cell>::run(Cell* s, Pc pc) {
  const std::size_t base = choices_.size();
  const std::uint32_t start = trail_.size();
  const std::uint32_t epoch = visits_.next_epoch();
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
        if constexpr (kind == Mode::find) {
          if (const Instruction& then = code[i.next]; then.op == Op::tail) {
            pc = find_tail_and_go_on(s, then, i.alt);
            continue;
          }
        }
        choices_.push({pc, trail_.size(), labels_.size(), 0, 0, kFail});
        pc = i.next;
        continue;
      case Op::ahead: {
        if constexpr (kind == Mode::find) {
          if (const Instruction& then = code[i.next]; then.op == Op::tail) {
            pc = find_tail_and_go_on(s, then, i.alt);
            continue;
          }
        }
        const std::uint32_t old = s[i.a];
        const Instruction& there = code[i.alt];
        const Pc later = there.op != Op::visit         ? ahead_.look_ahead(s, there)
                         : visits_.early(there, epoch) ? ahead_.look_ahead(s, code[there.next])
                                                       : i.alt;
        if (later != kFail) {
          choices_.push({pc, trail_.size(), labels_.size(), 0, s[i.a], later});
        }
        s[i.a] = static_cast<Cell>(old);
        pc = i.next;
        continue;
      }
      case Op::fan:
        pc = enter_fan(s, pc);
        continue;
      case Op::fan_table_set:
        pc = kFail;  // occurs in fans only
        continue;
      case Op::dash: {
        const std::uint32_t old = s[i.a];
        pc = ahead_.dash(s, i);
        if (pc == kFail) {
          s[i.a] = static_cast<Cell>(old);
          continue;
        }
        for (std::size_t k = 0; k < ahead_.aside().size(); ++k) {
          choices_.push({static_cast<Pc>(&i - code), trail_.size(), labels_.size(), 0, ahead_.aside()[k].value,
                         ahead_.aside()[k].outside});
        }
        trail_.push(i.a, old, s[i.a]);
        continue;
      }
      case Op::visit:
        if (visits_.early(i, epoch)) {
          pc = i.next;
          continue;
        }
        if (!visits_.arrive(s, i.a, epoch, trail_, start, nesting_, labels_)) {
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
        const std::uint32_t cell = i.op == Op::any ? i.a : value_of(program_, s, program_.operands[i.a]);
        if constexpr (kind == Mode::find) {
          if (const Instruction& then = code[ahead_.behind_member(i)]; then.op == Op::tail) {
            find_tails(s, i, cell, 0, then);
            pc = kFail;
            continue;
          }
        }
        if constexpr (kind == Mode::check) {
          if (only_asks(i)) {
            pc = finds_member(s, i, cell) ? i.alt : kFail;
            continue;
          }
        }
        const std::uint32_t old = s[cell];
        const std::uint32_t index = ahead_.member(s, i, cell, 0);
        if (index == i.c) {
          s[cell] = static_cast<Cell>(old);
          pc = kFail;
          continue;
        }
        trail_.push(cell, old, s[cell]);
        if (index + 1 < i.c) choices_.push({pc, trail_.size(), labels_.size(), index + 1, cell, kFail});
        pc = ahead_.behind_member(i);
        continue;
      }
      case Op::tag:
      case Op::tag_cell: {
        const std::uint32_t tag = i.op == Op::tag ? i.a : symbol_of_code_[s[i.a]];
        if constexpr (kind == Mode::follow) {
          if (!follows(tag)) {
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
      case Op::tags:
        if constexpr (kind == Mode::find) {
          push_tags(s, i);
          pc = i.next;
        } else {
          pc = show_tags<kind>(s, i) ? i.next : kFail;
        }
        continue;
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
          s[player_cell_] = static_cast<Cell>(usual_value(program_, s, program_.operands[i.a]));
          reached_start_ = i.b;
          return true;
        }
      case Op::reached:
        trail_.undo(s, start);
        choices_.cut(base);
        return true;
      case Op::set_at: {
        const std::uint32_t cell = usual_value(program_, s, program_.operands[i.a]);
        write(s, cell, usual_value(program_, s, program_.operands[i.b]));
        pc = i.next;
        continue;
      }
      case Op::put:
        write(s, value_of<interpreter::Mode::table>(program_, s, i), i.k);
        pc = i.next;
        continue;
      case Op::copy:
        copy(s, program_.runs[i.a]);
        pc = i.next;
        continue;
      case Op::same:
        pc = same(s, program_.runs[i.a]) ? i.next : i.alt;
        continue;
      case Op::equal2:
        pc = equal_operands(program_, s, i) ? i.next : i.alt;
        continue;
        RGTRANS_FOR_EACH_MODE(RGTRANS_TEST)
        RGTRANS_FOR_EACH_MODE(RGTRANS_SET)
        RGTRANS_FOR_EACH_MODE(RGTRANS_JUMP)
        RGTRANS_FOR_EACH_STEP_OUTSIDE(RGTRANS_STEP_OUTSIDE)
      default:
        __builtin_unreachable();  // occurs in dashes only
    }
  }
}

#undef RGTRANS_TEST
#undef RGTRANS_SET
#undef RGTRANS_STEP_OUTSIDE
#undef RGTRANS_FOR_EACH_STEP_OUTSIDE
#undef RGTRANS_JUMP

}  // namespace rgtrans::interpreter
