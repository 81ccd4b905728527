// Conditions on the value of a variable, decided for 64 values at once.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

WordCode FilterWriter::word(VarId variable, const std::vector<std::uint32_t>& steps) {
  if (!shared_.techniques.use(Technique::loops)) return {};
  const auto compares = [&](std::uint32_t s) { return model_.steps[s].kind == Deed::compare; };
  if (!std::all_of(steps.begin(), steps.end(), compares)) return {};
  const auto& e = model_.game.expressions();
  const ExprId x = model_.game.variable_ref(variable);
  // board[x] == anything that does not depend on x
  if (steps.size() == 1) {
    const Step& step = model_.steps[steps[0]];
    for (const auto& [l, r] : {std::pair(step.lhs, step.rhs), std::pair(step.rhs, step.lhs)}) {
      const std::optional<RowOfCells> of = model_.row_of(l);
      if (!of || of->index != x || model_.reads(r, variable) || !model_.in_vectors(of->map)) continue;
      if (of->row.valid() && model_.reads(of->row, variable)) continue;
      const std::string value = expressions_.value(r, model_.variable_shape(of->map).leaf);
      WordCode cells = expressions_.equal_cells(e.map(l), value);
      return step.negated ? WordCode("~") += cells : cells;
    }
  }
  if (WordCode word = of_constants(variable, steps); !word.empty()) return word;
  return of_cells(variable, steps);
}

// A function of x and at most one other variable: a table of bit sets.
WordCode FilterWriter::of_constants(VarId variable, const std::vector<std::uint32_t>& steps) {
  Reads reads;
  for (const std::uint32_t s : steps) {
    reads.add(model_, model_.steps[s].lhs);
    reads.add(model_, model_.steps[s].rhs);
  }
  const auto it = std::find(reads.scalars.begin(), reads.scalars.end(), variable);
  if (reads.maps || it == reads.scalars.end() || reads.scalars.size() > 2) return {};
  reads.scalars.erase(it);
  const Universe& u = model_.universes[model_.variable_shape(variable).leaf];
  const std::size_t words = (u.size() + 63) / 64;
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& others =
      reads.scalars.empty() ? kOne : model_.universes[model_.variable_shape(reads.scalars[0]).leaf].symbols;
  if (words * others.size() > kSizes.filter_table) return {};
  std::vector<std::uint64_t> bits;
  Bindings bindings = {{model_.game.variable_ref(variable), SymbolId()}};
  if (!reads.scalars.empty()) bindings.emplace_back(model_.game.variable_ref(reads.scalars[0]), SymbolId());
  for (const SymbolId other : others) {
    if (bindings.size() > 1) bindings[1].second = other;
    std::vector<std::uint64_t> row(words, 0);
    for (std::uint32_t c = 0; c < u.size(); ++c) {
      bindings[0].second = u.symbols[c];
      for (const std::uint32_t s : steps) {
        const std::optional<bool> holds = model_.holds(model_.steps[s], bindings);
        if (!holds) return {};
        if (*holds) row[c / 64] |= std::uint64_t{1} << (c % 64);
      }
    }
    bits.insert(bits.end(), row.begin(), row.end());
  }
  std::string index;
  std::vector<std::size_t> dimensions;
  if (!reads.scalars.empty()) {
    index = fmt::format("[{}]", expressions_.variable(reads.scalars[0]));
    dimensions.push_back(others.size());
  }
  dimensions.push_back(words);
  return {shared_.number_table(bits, dimensions, "std::uint64_t", "where") + index + "[", "]"};
}

// A function of board[x] and at most one other variable, with few kinds of cells: one byte shuffle.
WordCode FilterWriter::of_cells(VarId variable, const std::vector<std::uint32_t>& steps) {
  const auto& e = model_.game.expressions();
  const ExprId x = model_.game.variable_ref(variable);
  ExprId cell;
  Reads reads;
  bool bad = false;
  for (const std::uint32_t s : steps) {
    for (const ExprId side : {model_.steps[s].lhs, model_.steps[s].rhs}) {
      model_.for_each_atom(side, [&](ExprId atom) {
        if (e.kind(atom) == ExprKind::variable || e.index(atom) != x) return reads.add(model_, atom);
        bad = bad || (cell.valid() && cell != atom);
        cell = atom;
      });
    }
  }
  if (bad || !cell.valid() || reads.maps || reads.scalars.size() > 1) return {};
  if (!reads.scalars.empty() && reads.scalars[0] == variable) return {};
  const VarId board = e.variable(e.root(cell));
  const ArrayShape& shape = model_.variable_shape(board);
  if (shape.keys.size() != 1 || !model_.in_vectors(board)) return {};
  const Universe& kinds = model_.universes[shape.leaf];
  if (kinds.size() > kMostKinds) return {};
  const std::size_t lanes_of_row = kind_lanes(kinds.size());
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& others =
      reads.scalars.empty() ? kOne : model_.universes[model_.variable_shape(reads.scalars[0]).leaf].symbols;
  std::vector<std::uint64_t> lanes;
  Bindings bindings = {{cell, SymbolId()}};
  if (!reads.scalars.empty()) bindings.emplace_back(model_.game.variable_ref(reads.scalars[0]), SymbolId());
  for (const SymbolId other : others) {
    if (bindings.size() > 1) bindings[1].second = other;
    for (std::uint32_t k = 0; k < lanes_of_row; ++k) {
      std::uint64_t lane = 0;
      if (k < kinds.size()) {
        bindings[0].second = kinds.symbols[k];
        for (const std::uint32_t s : steps) {
          const std::optional<bool> holds = model_.holds(model_.steps[s], bindings);
          if (!holds) return {};
          if (*holds) lane = 255;
        }
      }
      lanes.push_back(lane);
    }
  }
  std::vector<std::size_t> dimensions = {lanes_of_row};
  std::string index;
  if (!reads.scalars.empty()) {
    dimensions.insert(dimensions.begin(), others.size());
    index = fmt::format("[{}]", expressions_.variable(reads.scalars[0]));
  }
  return {fmt::format("match_cells(s.{}, {}{}, ", model_.identifiers[board.value],
                      shared_.number_table(lanes, dimensions, "std::uint8_t", "kinds"), index),
          ")"};
}

}  // namespace rgtrans::cpp
