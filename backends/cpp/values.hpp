// What scalar variables can hold at each node and what the cells of maps can ever hold, from the initial state on. A
// map of one dimension has a set for each of its cells, so that `board[next[x]] == empty` excludes the x whose
// neighbour is the square outside of the board. Conditions keep the values that can pass them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backends/cpp/forms.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cpp {

struct Step;

class PossibleValues {
 public:
  // What has grown so often, a variable's values at a node or those of a cell, takes all values at once.
  PossibleValues(NumberedGame& model, std::uint8_t most_growths);

  // Nothing is known: the game is too large.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] bool reached(std::uint32_t node) const { return reached_[node]; }
  [[nodiscard]] bool tracked(ir::VarId variable) const { return slots_[variable.value].words > 0; }
  [[nodiscard]] bool can_hold(std::uint32_t node, ir::VarId variable, std::uint32_t code) const {
    return (slots_[variable.value].get(row(node), code / 64) >> (code % 64) & 1U) != 0;
  }
  // The same; also true where nothing is known of that.
  [[nodiscard]] bool may_hold(std::uint32_t node, ir::VarId variable, std::uint32_t code) const {
    return !usable_ || !tracked(variable) || !reached(node) || can_hold(node, variable, code);
  }
  // What each cell of a map can hold.
  [[nodiscard]] const CellSets& cells(ir::VarId map) const { return cells_[map.value]; }
  // The bit set of all that a scalar variable or the cells of a map ever hold; empty when that is not known.
  [[nodiscard]] std::vector<std::uint64_t> ever(ir::VarId variable) const;
  // Whether the condition of a step holds, in the states that reach it.
  [[nodiscard]] Truth holds(const Step& step) const;
  // Whether it can hold when the variable has this value.
  [[nodiscard]] bool can_pass(const Step& step, ir::VarId variable, std::uint32_t code) const;
  [[nodiscard]] const Form& form(ir::ExprId expression, std::uint32_t universe) const {
    return forms_.form(expression, universe);
  }

  // The bit set of one variable, or, as a row, those of all scalar variables in their slots.
  using Codes = std::vector<std::uint64_t>;
  [[nodiscard]] Codes values_at(std::uint32_t node) const { return Codes(row(node), row(node) + width_); }
  // What an expression can be at a node that is reached.
  [[nodiscard]] Codes values_at(std::uint32_t node, ir::ExprId expression, std::uint32_t universe) const;
  // The codes of one variable.
  [[nodiscard]] std::vector<std::uint32_t> codes_of(const Codes& row, ir::VarId variable) const;
  void fix(Codes& row, ir::VarId variable, std::uint32_t code) const;
  // What a step that passes no tag makes of the values; false when it cannot be taken.
  bool pass(const Step& step, Codes& row) const;
  // A measure of the work done so far.
  [[nodiscard]] std::size_t effort() const { return effort_; }

 private:
  [[nodiscard]] const std::uint64_t* row(std::uint32_t node) const { return rows_.data() + node * width_; }
  // The values of a variable with which a condition was tried. Those that pass do so for good, because cells come
  // to hold more and more; those that fail are tried again when cells have grown.
  struct Tried {
    Codes passing, failing;
    std::size_t growths = 0;
  };
  // A condition, prepared.
  struct Test {
    bool ready = false;
    bool known = false;  // nothing can be said about it otherwise
    const Form *left = nullptr, *right = nullptr;
    std::vector<ir::VarId> variables;
    std::size_t words = 0;
    // Cells with these contents, or these values of the variables, make both sides equal.
    bool by_cell = false, by_value = false;
    std::vector<std::uint64_t> contents;
    std::uint32_t code = 0;
    std::array<Tried, 2> tried;  // as it is and negated
  };
  [[nodiscard]] Test& test(const Step& step) const;
  [[nodiscard]] bool passes_quickly(const Test& test, bool negated, std::uint32_t at) const;
  bool filter_one(Test& test, bool negated, Codes& row) const;
  bool filter_two(const Test& test, bool negated, Codes& row) const;

  void image(const Step& step, const Form& form, const Codes& row, Codes& into) const;

  // Where a row has the set of a variable: small ones share a word.
  struct Slot {
    std::size_t first = 0;   // word
    std::size_t words = 0;   // none for what is no scalar
    unsigned shift = 0;      // in a shared word
    std::uint64_t mask = 0;  // of the bits of one word, before the shift
    [[nodiscard]] std::uint64_t get(const std::uint64_t* row, std::size_t word) const {
      return row[first + word] >> shift & mask;
    }
    void put(std::uint64_t* row, std::size_t word, std::uint64_t bits) const {
      row[first + word] = (row[first + word] & ~(mask << shift)) | bits << shift;
    }
    void put(Codes& row, const Codes& set) const {
      for (std::size_t w = 0; w < words; ++w) put(row.data(), w, set[w]);
    }
  };
  [[nodiscard]] const Slot& slot(ir::VarId variable) const { return slots_[variable.value]; }

  void lay_out();
  void add_slot(std::uint32_t variable, std::uint32_t codes);
  void start();
  void run();
  void leave(const Step& step, Codes& row);
  bool filter(const Step& step, Codes& row) const;
  void write_cells(const Step& step, const Codes& row);
  void grow_cell(ir::VarId map, std::uint32_t cell, const Codes& values);
  [[nodiscard]] bool guards_allow(const Step& step, const Codes& row, ir::VarId first, std::uint32_t x,
                                  ir::VarId second, std::uint32_t y);
  void depend(std::uint32_t node, const Step& condition);
  void join(std::uint32_t node, const std::uint64_t* row);
  [[nodiscard]] Codes all_values(ir::VarId variable) const;
  // Adds what a form can be, with the values of the row, or with one value for one variable.
  void values_of(const Form& form, const std::uint64_t* row, ir::VarId fixed, std::uint32_t value, Codes& into) const;
  template <class F>
  void for_each_entry(const Form& form, const std::uint64_t* row, ir::VarId fixed, std::uint32_t value, F&& f) const;
  template <class F>
  void for_each_value(const std::uint64_t* row, ir::VarId variable, F&& f) const {
    any_value(row, variable, [&](std::uint32_t code) {
      f(code);
      return false;
    });
  }
  template <class F>
  bool any_value(const std::uint64_t* row, ir::VarId variable, F&& f) const {
    const Slot& slot = this->slot(variable);
    for (std::size_t w = 0; w < slot.words; ++w) {
      for (std::uint64_t bits = slot.get(row, w); bits != 0; bits &= bits - 1) {
        ++effort_;
        if (f(static_cast<std::uint32_t>(64 * w + static_cast<unsigned>(__builtin_ctzll(bits))))) return true;
      }
    }
    return false;
  }

  NumberedGame& model_;
  std::uint8_t most_growths_;
  bool usable_ = false;
  std::size_t width_ = 0;
  unsigned used_bits_ = 64;                 // of the last word, while slots are laid out
  std::vector<Slot> slots_;                 // by variable
  std::vector<std::uint32_t> tracked_;      // variables
  std::vector<std::size_t> first_in_word_;  // place in tracked_
  std::vector<std::uint64_t> rows_;         // by node
  std::vector<std::uint8_t> growths_;       // by node and place in tracked_
  std::vector<bool> reached_, starts_check_;
  std::vector<CellSets> cells_;                      // by variable
  std::vector<std::vector<std::uint32_t>> readers_;  // by variable: nodes
  // While values are found.
  const analysis::Flow* flow_ = nullptr;
  analysis::Worklist* work_ = nullptr;
  mutable FormTable forms_;
  mutable std::vector<Test> tests_;                      // by edge
  mutable std::vector<std::pair<Codes, Codes>> images_;  // by edge: the last values read, and what came of them
  mutable Codes ever_;                                   // the union of all rows, once it is asked for
  mutable std::size_t effort_ = 0;
};

}  // namespace rgtrans::cpp
