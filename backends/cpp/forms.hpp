// Expressions as tables of the variables that they read, and what the cells of maps can hold.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::cpp {

class NumberedGame;

// What each cell of a map of one dimension can ever hold: a bit set for each cell.
struct CellSets {
  std::vector<std::uint64_t> sets;    // one cell after the other; none where that is not known
  std::size_t words = 0;              // of one cell
  std::vector<std::uint8_t> growths;  // by cell
  std::size_t grown = 0;              // how often cells have grown
  bool grew = false;                  // some cell, since its readers were looked at

  [[nodiscard]] bool known() const { return !sets.empty(); }
  [[nodiscard]] std::size_t count() const { return sets.size() / words; }
  [[nodiscard]] bool can_hold(std::uint32_t cell, std::uint32_t code) const {
    return (sets[cell * words + code / 64] >> (code % 64) & 1U) != 0;
  }
  // The cell would get more by these values.
  [[nodiscard]] bool grows(std::uint32_t cell, const std::vector<std::uint64_t>& values) const {
    std::uint64_t more = 0;
    for (std::size_t w = 0; w < words; ++w) more |= values[w] & ~sets[cell * words + w];
    return more != 0;
  }
};

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

class FormTable {
 public:
  FormTable(NumberedGame& model, const std::vector<CellSets>& cells) : model_(model), cells_(cells) {}
  const Form& form(ir::ExprId expression, std::uint32_t universe);

 private:
  [[nodiscard]] Form make_form(ir::ExprId expression, std::uint32_t universe);
  void fill_cell_form(Form& form, ir::ExprId expression, ir::ExprId cell, std::uint32_t universe);
  void fill_scalar_form(Form& form, ir::ExprId expression, const std::vector<ir::VarId>& scalars,
                        std::uint32_t universe);

  NumberedGame& model_;
  const std::vector<CellSets>& cells_;  // by variable
  std::map<std::pair<std::uint32_t, std::uint32_t>, Form> forms_;
};

}  // namespace rgtrans::cpp
