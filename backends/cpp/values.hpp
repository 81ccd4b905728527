// What scalar variables can hold at each node and what the cells of maps can ever hold, from the initial state on. A
// map of one dimension has a set for each of its cells, so that `board[next[x]] == empty` excludes the x whose
// neighbour is the square outside of the board. Conditions keep the values that can pass them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::cpp {

class Model;
struct Step;

// An expression as a function of at most two scalar variables: a constant, table[x, y], or post[map[table[x, y]]].
struct Form {
  enum class Kind : std::uint8_t { constant, scalar, cell, other };
  Kind kind = Kind::other;
  ir::VarId variable, second;        // x and y; none for a constant
  std::uint32_t second_size = 1;     // of y's universe
  ir::VarId map;                     // of a cell
  std::vector<std::uint32_t> table;  // by code of x, then of y; of one element without x
  std::vector<std::uint32_t> post;   // by the cell's code; empty when the cell itself is meant
  std::vector<std::uint64_t> any;    // of `other`: all that it can be
};

enum class Answer : std::uint8_t { maybe, always, never };

class Values {
 public:
  explicit Values(Model& model);

  // Nothing is known: the game is too large.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] bool reached(std::uint32_t node) const { return reached_[node]; }
  [[nodiscard]] bool tracked(ir::VarId variable) const { return words_[variable.value] > 0; }
  [[nodiscard]] bool can_hold(std::uint32_t node, ir::VarId variable, std::uint32_t code) const {
    return (row(node)[offsets_[variable.value] + code / 64] >> (code % 64) & 1U) != 0;
  }
  // What each cell of a map can hold is known.
  [[nodiscard]] bool knows_cells(ir::VarId map) const { return !cells_[map.value].empty(); }
  [[nodiscard]] bool cell_can_hold(ir::VarId map, std::uint32_t cell, std::uint32_t code) const {
    return (cells_[map.value][cell * cell_words_[map.value] + code / 64] >> (code % 64) & 1U) != 0;
  }
  // The words of the sets of all cells, one cell after the other.
  [[nodiscard]] const std::vector<std::uint64_t>& cells(ir::VarId map) const { return cells_[map.value]; }
  [[nodiscard]] std::size_t cell_words(ir::VarId map) const { return cell_words_[map.value]; }
  // The bit set of all that a scalar variable or the cells of a map ever hold; empty when that is not known.
  [[nodiscard]] std::vector<std::uint64_t> ever(ir::VarId variable) const;
  // Whether the condition of a step holds, in the states that reach it.
  [[nodiscard]] Answer holds(const Step& step) const;
  // Whether it can hold when the variable has this value.
  [[nodiscard]] bool can_pass(const Step& step, ir::VarId variable, std::uint32_t code) const;
  [[nodiscard]] const Form& form(ir::ExprId expression, std::uint32_t universe) const;

  using Codes = std::vector<std::uint64_t>;  // bit sets of all scalar variables, or of one
  [[nodiscard]] Codes values_at(std::uint32_t node) const { return Codes(row(node), row(node) + width_); }
  // The codes of one variable.
  [[nodiscard]] std::vector<std::uint32_t> codes_of(const Codes& row, ir::VarId variable) const;
  void fix(Codes& row, ir::VarId variable, std::uint32_t code) const;
  // What a step that passes no tag makes of the values; false when it cannot be gone.
  bool pass(const Step& step, Codes& row) const;
  // A measure of the work done so far.
  [[nodiscard]] std::size_t effort() const { return effort_; }

 private:
  [[nodiscard]] Form make_form(ir::ExprId expression, std::uint32_t universe) const;
  void fill_cell_form(Form& form, ir::ExprId expression, ir::ExprId cell, std::uint32_t universe) const;
  void fill_scalar_form(Form& form, ir::ExprId expression, const std::vector<ir::VarId>& scalars,
                        std::uint32_t universe) const;
  [[nodiscard]] const std::uint64_t* row(std::uint32_t node) const { return rows_.data() + node * width_; }
  // Values of a variable with which a condition was tried. Those that pass do so for good, because cells come to hold
  // more and more; those that fail are tried again when cells have grown.
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

  void lay_out();
  void start();
  void run();
  bool transfer(const Step& step, Codes& row);
  bool filter(const Step& step, Codes& row) const;
  void write_cells(const Step& step, const Codes& row);
  void give_up(ir::VarId map);
  void grow_cell(ir::VarId map, std::uint32_t cell, const Codes& values);
  [[nodiscard]] bool grows_cell(ir::VarId map, std::uint32_t cell, const Codes& values) const;
  [[nodiscard]] bool guards_allow(const Step& step, const Codes& row, ir::VarId first, std::uint32_t x,
                                  ir::VarId second, std::uint32_t y) const;
  void join(std::uint32_t node, const Codes& row);
  void enqueue(std::uint32_t node);
  [[nodiscard]] Codes all_values(ir::VarId variable) const;
  // Adds what a form can be, with the values of the row, or with one value for one variable.
  void values_of(const Form& form, const std::uint64_t* row, ir::VarId fixed, std::uint32_t value, Codes& into) const;
  template <class F>
  void for_each_entry(const Form& form, const std::uint64_t* row, ir::VarId fixed, std::uint32_t value, F&& f) const;
  template <class F>
  void for_each_value(const std::uint64_t* row, ir::VarId variable, F&& f) const;

  template <class F>
  bool any_value(const std::uint64_t* row, ir::VarId variable, F&& f) const;

  Model& model_;
  bool usable_ = false;
  std::size_t width_ = 0;
  std::vector<std::size_t> offsets_, words_;  // by variable
  std::vector<std::uint64_t> rows_;           // by node
  std::vector<std::uint8_t> growths_;         // by node and variable
  std::vector<bool> reached_, starts_check_;
  std::vector<std::vector<std::uint64_t>> cells_;        // by variable
  std::vector<std::size_t> cell_words_;                  // by variable: of the set of one cell
  std::vector<std::vector<std::uint8_t>> cell_growths_;  // by variable and cell
  std::vector<std::size_t> map_growths_;                 // by variable: of all cells
  std::vector<bool> grew_;                               // by variable: some cell, since its readers were looked at
  std::vector<std::vector<std::uint32_t>> readers_;      // by variable: nodes
  // Nodes to look at again, by their place in reverse post-order.
  std::vector<std::uint32_t> order_;
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, std::uint32_t>>,
                      std::greater<>>
      work_;
  std::vector<bool> queued_;
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, Form> forms_;
  mutable std::vector<Test> tests_;                      // by edge
  mutable std::vector<std::pair<Codes, Codes>> images_;  // by edge: the last values read, and what came of them
  mutable std::size_t effort_ = 0;
};

}  // namespace rgtrans::cpp
