// Expressions and conditions of the game as code of C++, in a scope. For example, `board[x] == white` is
// `s.board[x] == Piece::white` where x is a local of the function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cpp/cell_predicate.hpp"
#include "backends/cpp/scope.hpp"

namespace rgtrans::cpp {

class ExpressionWriter {
 public:
  ExpressionWriter(Shared& shared, Scope& scope)
      : shared_(shared), model_(shared.model), facts_(shared.facts), scope_(scope) {}

  // A name that no variable of the game and no other local of this function has.
  std::string fresh(std::string_view base);
  std::string variable(VarId v);
  // The name of a variable that is no part of the state.
  [[nodiscard]] std::string scratch_name(std::uint32_t v) const;
  std::string value(ExprId expression, std::uint32_t universe);
  std::string place(ExprId lhs);
  // Whether the step writes to a cell that the map has; empty where it always does. A write elsewhere changes nothing.
  std::string hits(const Step& step);
  // What the place holds behind the step, which writes the value there.
  std::string written(const Step& step, const std::string& place, const std::string& value);
  Code condition(const Step& step);
  // Whether a set of codes has this one.
  std::string member(const Bits& set, const std::string& x);
  // The 64 cells of a row in each of so many words that hold the value.
  WordCode equal_cells(ExprId row, const std::string& value, std::size_t words);
  // A predicate on cells: the set of those for which it holds, a word of this set, and the answer for one cell.
  std::string cells_where(const CellPredicate& predicate, std::size_t words);
  WordCode word_where(const CellPredicate& predicate, std::size_t words);
  std::string holds(const CellPredicate& predicate, const std::string& cell);
  // Whether all these cells hold what is assumed.
  std::string hold(const std::vector<AssumedCell>& assumed);
  std::string region_size(ExprId expression) const;
  // The statement that writes a value to a cell of the map.
  std::string write_cell(VarId map, const std::string& place, const std::string& value) const;
  // The statement of an assignment between maps, where the names of both are known.
  std::string copy_map(const Step& step, std::string_view target, std::string_view source);
  std::string decode(std::uint32_t universe, std::string_view tag);
  std::string encode(std::uint32_t universe, std::string_view code);

  // Whether the check holds.
  Code check_call(std::uint32_t check);

 private:
  [[nodiscard]] unsigned bits_of_row(ExprId row) const;
  // The name of the planes that have so many words of a row; empty where there are none.
  [[nodiscard]] std::string planes_of_row(ExprId row, std::size_t words) const;
  [[nodiscard]] std::uint32_t leaf_of(ExprId board) const { return model_.variable_shape(root_of(board)).leaf; }
  [[nodiscard]] VarId root_of(ExprId board) const {
    return model_.game.expressions().variable(model_.game.expressions().root(board));
  }
  std::string cells_equal(ExprId row, const std::string& value, std::size_t words);
  std::string table_row(const CellPredicate& predicate);
  std::string composed(ExprId expression, std::uint32_t universe);
  std::string from_blocks(ExprId expression);
  [[nodiscard]] std::string_view name_of_root(ExprId expression) const;
  std::string loop_over_keys(std::vector<TypeId> maps, std::string& index);
  std::string compare_maps(const Step& step);

  Shared& shared_;
  NumberedGame& model_;
  GameFacts& facts_;
  Scope& scope_;
};

// Whether bit x of a table of words is set.
std::string bit_of_words(const std::string& words, const std::string& x);

}  // namespace rgtrans::cpp
