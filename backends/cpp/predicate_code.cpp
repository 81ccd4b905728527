// The three forms of a predicate on cells (cell_predicate.hpp) as code: a set, a word of a set, and one cell.
#include <fmt/format.h>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/expressions.hpp"

namespace rgtrans::cpp {

using PredicateKind = CellPredicate::Kind;

// A bit of a table of words.
std::string bit_of_words(const std::string& words, const std::string& x) {
  return fmt::format("({0}[{1} / 64] >> ({1} % 64) & 1u) != 0", words, x);
}

// The row of the predicate's table for the variable that was set before.
std::string ExpressionWriter::table_row(const CellPredicate& predicate) {
  const bool words = predicate.kind == PredicateKind::table;
  const char* const type = words ? "std::uint64_t" : "std::uint8_t";
  const char* const name = words ? "where" : "kinds";
  const auto& e = model_.game.expressions();
  const std::size_t size = predicate.table.size();
  if (!predicate.expression.valid()) return shared_.number_table(predicate.table, {size}, type, name);
  const VarId outer = e.variable(predicate.expression);
  const std::size_t rows = model_.universe(outer).size();
  return shared_.number_table(predicate.table, {rows, size / rows}, type, name) + "[" + variable(outer) + "]";
}

std::string ExpressionWriter::cells_where(const CellPredicate& predicate, std::size_t words) {
  if (predicate.kind == PredicateKind::table) return fmt::format("cells_of<{}>({})", words, table_row(predicate));
  const std::uint32_t leaf = leaf_of(predicate.board);
  const std::string board = value(predicate.board, leaf);
  if (predicate.kind == PredicateKind::kinds)
    return fmt::format("cells_matching<{}>({}, {})", words, board, table_row(predicate));
  if (predicate.kind == PredicateKind::pairs) {
    const std::string partners = shared_.number_list(predicate.table, "std::uint8_t", "partners");
    return fmt::format("cells_paired<{}, {}>({}, {}, {})", words, predicate.apart, board,
                       value(predicate.other, leaf_of(predicate.other)), partners);
  }
  const std::uint32_t kinds = model_.universes[leaf].size();
  std::string text;
  if (predicate.kind == PredicateKind::expression) {
    text = cells_equal(predicate.board, value(predicate.expression, leaf), words);
  } else if (predicate.codes.size() > kCosts.compared_kinds && kinds <= kMostKinds &&
             planes_of_row(predicate.board, words).empty() &&
             model_.game.expressions().kind(predicate.board) == ir::ExprKind::variable) {
    std::vector<std::uint64_t> lanes(kind_lanes(kinds), 0);
    for (const std::uint32_t code : predicate.codes) lanes[code] = kAllOnes;
    text = fmt::format("cells_matching<{}>({}, {})", words, board, shared_.number_list(lanes, "std::uint8_t", "kinds"));
  } else {
    for (const std::uint32_t code : predicate.codes)
      text += (text.empty() ? "" : " | ") + cells_equal(predicate.board, shared_.enumerator(leaf, code), words);
  }
  return predicate.negated ? "~(" + text + ")" : text;
}

WordCode ExpressionWriter::word_where(const CellPredicate& predicate, std::size_t words) {
  if (predicate.kind == PredicateKind::table) return {table_row(predicate) + "[", "]"};
  const std::uint32_t leaf = leaf_of(predicate.board);
  if (predicate.kind == PredicateKind::kinds)
    return {fmt::format("match_cells({}, {}, ", value(predicate.board, leaf), table_row(predicate)), ")"};
  WordCode cells = equal_cells(predicate.board, value(predicate.expression, leaf), words);
  return predicate.negated ? WordCode("~") += cells : cells;
}

std::string ExpressionWriter::holds(const CellPredicate& predicate, const std::string& cell) {
  if (predicate.kind == PredicateKind::table) return bit_of_words(table_row(predicate), cell);
  const std::uint32_t leaf = leaf_of(predicate.board);
  const std::string content = fmt::format("{}[{}]", value(predicate.board, leaf), cell);
  if (predicate.kind == PredicateKind::kinds) return fmt::format("{}[{}] != 0", table_row(predicate), content);
  const char* const compared = predicate.negated ? "!=" : "==";
  if (predicate.kind == PredicateKind::expression)
    return fmt::format("{} {} {}", content, compared, value(predicate.expression, leaf));
  std::string text;
  for (const std::uint32_t code : predicate.codes) {
    if (!text.empty()) text += predicate.negated ? " && " : " || ";
    text += fmt::format("{} {} {}", content, compared, shared_.enumerator(leaf, code));
  }
  return predicate.codes.size() > 1 ? "(" + text + ")" : text;
}

}  // namespace rgtrans::cpp
