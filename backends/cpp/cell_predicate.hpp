// A predicate on the cells of a board: "holds an empty square", "holds a piece of the mover". A condition on
// `board[up[x]]` becomes such a predicate and a place for each x.
//
// One predicate has three forms in code (predicate_code.cpp): the set of all cells for which it holds, a word of 64 of
// these, and the answer for one cell. Loops take words, walks of sets take sets, guesses take one cell.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "backends/cpp/model.hpp"

namespace rgtrans::cpp {

// Code is for the case that a cell holds what it held at first, such as the square outside of a board.
struct AssumedCell {
  ExprId row;  // of the board, of which it is a cell
  std::uint32_t cell = 0;
  SymbolId holds;
  bool operator==(const AssumedCell&) const = default;
};

// Adds it if it is new. False if there are too many.
bool assume(std::vector<AssumedCell>& all, const AssumedCell& one);

struct CellPredicate {
  // contents: the cell holds one of `codes`. expression: it holds the value of an expression. kinds: a table of
  // contents decides, with a row for each value of a variable. table: the cell is a value of x itself, and a table of
  // sets decides, with such rows. pairs: the contents belong to those of another cell (pairs.hpp).
  enum class Kind : std::uint8_t { contents, expression, kinds, table, pairs };
  Kind kind = Kind::contents;
  ExprId board{};                      // a map of one dimension, or a row of one of two
  std::vector<std::uint32_t> codes{};  // sorted, by contents
  bool negated = false;
  ExprId expression{};                 // compared with the cell, or the variable of the table's rows; none: one row
  std::vector<std::uint64_t> table{};  // rows of sets, or of bytes, one for each content
  ExprId other{};                      // of pairs: the board with the other cells, each so far away
  std::int64_t apart = 0;
  auto operator<=>(const CellPredicate&) const = default;

  // Of contents: whether it holds for a cell with this content.
  [[nodiscard]] bool holds(std::uint32_t code) const { return std::ranges::binary_search(codes, code) != negated; }
};

// Contents that byte shuffles tell apart, and how many bytes they take.
constexpr std::size_t kMostKinds = 64;
constexpr std::size_t kind_lanes(std::size_t kinds) { return kinds <= 16 ? 16 : kinds <= 32 ? 32 : 64; }
constexpr std::uint64_t kAllOnes = 255;  // of a content that a byte shuffle finds

// Comparisons, one of which must hold.
using Comparisons = std::vector<std::uint32_t>;

// A byte for each content of a cell, in a row for each value of `outer` (kNone: one row): whether a comparison holds.
// None where more than that decides.
std::optional<CellPredicate> predicate_of_kinds(NumberedGame& model, const Comparisons& steps, ExprId cell,
                                                VarId outer);
// A bit for each of the values, whose bindings are given, in such rows.
std::optional<CellPredicate> predicate_of_values(NumberedGame& model, const Comparisons& steps, const Bits& values,
                                                 VarId outer,
                                                 const std::function<Bindings(std::uint32_t)>& bindings_of);
// The values of a variable with which one of the comparisons holds: a predicate on `board[variable]` or on the values
// themselves. None where it takes more.
std::optional<CellPredicate> find_filter(NumberedGame& model, VarId variable, const Comparisons& steps);

}  // namespace rgtrans::cpp
