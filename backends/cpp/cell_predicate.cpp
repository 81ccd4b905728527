// See cell_predicate.hpp.
#include "backends/cpp/cell_predicate.hpp"

#include <algorithm>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/facts.hpp"

namespace rgtrans::cpp {

bool assume(std::vector<AssumedCell>& all, const AssumedCell& one) {
  if (std::ranges::find(all, one) != all.end()) return true;
  if (all.size() == kEfforts.assumed) return false;
  all.push_back(one);
  return true;
}

namespace {

using ir::ExprKind;

// The values of the variable of a table's rows; one value without a variable.
const std::vector<SymbolId>& rows_of(NumberedGame& model, VarId outer) {
  static const std::vector<SymbolId> kOne(1);
  return outer.valid() ? model.universe(outer).symbols : kOne;
}

// Whether one of the comparisons holds; none where one of them is not known.
std::optional<bool> any_holds(NumberedGame& model, const Comparisons& steps, const Bindings& bindings) {
  bool result = false;
  for (const std::uint32_t s : steps) {
    const std::optional<bool> holds = model.holds(model.steps[s], bindings);
    if (!holds) return std::nullopt;
    result = result || *holds;
  }
  return result;
}

// board[x] == anything that does not depend on x.
std::optional<CellPredicate> compared_cell(NumberedGame& model, VarId variable, const Step& step) {
  const auto& e = model.game.expressions();
  for (const auto& [l, r] : {std::pair(step.lhs, step.rhs), std::pair(step.rhs, step.lhs)}) {
    const std::optional<RowOfCells> of = model.row_of(l);
    if (!of || of->index != model.game.variable_ref(variable) || model.reads(r, variable) || !model.in_vectors(of->map))
      continue;
    if (of->row.valid() && model.reads(of->row, variable)) continue;
    return CellPredicate{
        .kind = CellPredicate::Kind::expression, .board = e.map(l), .negated = step.negated, .expression = r};
  }
  return std::nullopt;
}

// A function of x and at most one other variable.
std::optional<CellPredicate> filter_of_values(NumberedGame& model, VarId variable, const Comparisons& steps) {
  Reads reads;
  for (const std::uint32_t s : steps) {
    reads.add(model, model.steps[s].lhs);
    reads.add(model, model.steps[s].rhs);
  }
  if (reads.maps || reads.scalars.size() > 2 || std::erase(reads.scalars, variable) == 0) return std::nullopt;
  const VarId outer = reads.scalars.empty() ? VarId() : reads.scalars[0];
  const Universe& u = model.universe(variable);
  const Bits all = Bits::full(u.size());
  if (all.words() * rows_of(model, outer).size() > kSizes.filter_table) return std::nullopt;
  return predicate_of_values(model, steps, all, outer, [&](std::uint32_t x) {
    return Bindings{{model.game.variable_ref(variable), u.symbols[x]}};
  });
}

// A function of board[x] and at most one other variable.
std::optional<CellPredicate> filter_of_cells(NumberedGame& model, VarId variable, const Comparisons& steps) {
  const auto& e = model.game.expressions();
  std::set<ExprId> cells;
  Reads reads;
  for (const std::uint32_t s : steps) {
    for (const ExprId side : {model.steps[s].lhs, model.steps[s].rhs}) {
      model.for_each_atom(side, [&](ExprId atom) {
        if (e.kind(atom) == ExprKind::variable || e.index(atom) != model.game.variable_ref(variable))
          reads.add(model, atom);
        else
          cells.insert(atom);
      });
    }
  }
  if (cells.size() != 1 || reads.maps || reads.scalars.size() > 1) return std::nullopt;
  const VarId outer = reads.scalars.empty() ? VarId() : reads.scalars[0];
  const VarId board = e.variable(e.root(*cells.begin()));
  if (outer == variable || model.variable_shape(board).keys.size() != 1 || !model.in_vectors(board))
    return std::nullopt;
  return predicate_of_kinds(model, steps, *cells.begin(), outer);
}

}  // namespace

std::optional<CellPredicate> predicate_of_kinds(NumberedGame& model, const Comparisons& steps, ExprId cell,
                                                VarId outer) {
  const auto& e = model.game.expressions();
  const Universe& kinds = model.universe(e.variable(e.root(cell)));
  if (kinds.size() > kMostKinds) return std::nullopt;
  CellPredicate result{.kind = CellPredicate::Kind::kinds, .board = e.map(cell)};
  Bindings bindings = {{cell, SymbolId()}};
  if (outer.valid()) bindings.emplace_back(result.expression = model.game.variable_ref(outer), SymbolId());
  for (const SymbolId value : rows_of(model, outer)) {
    bindings.back().second = value;
    const std::size_t row = result.table.size();
    result.table.resize(row + kind_lanes(kinds.size()), 0);
    for (std::uint32_t k = 0; k < kinds.size(); ++k) {
      bindings[0].second = kinds.symbols[k];
      const std::optional<bool> holds = any_holds(model, steps, bindings);
      if (!holds) return std::nullopt;
      if (*holds) result.table[row + k] = kAllOnes;
    }
  }
  return result;
}

std::optional<CellPredicate> predicate_of_values(NumberedGame& model, const Comparisons& steps, const Bits& values,
                                                 VarId outer,
                                                 const std::function<Bindings(std::uint32_t)>& bindings_of) {
  const std::vector<SymbolId>& rows = rows_of(model, outer);
  CellPredicate result{.kind = CellPredicate::Kind::table};
  if (outer.valid()) result.expression = model.game.variable_ref(outer);
  result.table.assign(rows.size() * values.words(), 0);
  for (const std::size_t x : values) {
    Bindings bindings = bindings_of(static_cast<std::uint32_t>(x));
    if (outer.valid()) bindings.emplace_back(result.expression, SymbolId());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (outer.valid()) bindings.back().second = rows[row];
      const std::optional<bool> holds = any_holds(model, steps, bindings);
      if (!holds) return std::nullopt;
      if (*holds) result.table[row * values.words() + x / 64] |= std::uint64_t{1} << (x % 64);
    }
  }
  return result;
}

std::optional<CellPredicate> find_filter(NumberedGame& model, VarId variable, const Comparisons& steps) {
  const auto compares = [&](std::uint32_t s) { return model.steps[s].kind == Deed::compare; };
  if (!std::ranges::all_of(steps, compares)) return std::nullopt;
  if (steps.size() == 1) {
    if (auto result = compared_cell(model, variable, model.steps[steps[0]])) return result;
  }
  if (auto result = filter_of_values(model, variable, steps)) return result;
  return filter_of_cells(model, variable, steps);
}

}  // namespace rgtrans::cpp
