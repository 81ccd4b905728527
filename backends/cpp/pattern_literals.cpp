// See pattern_literals.hpp.
#include "backends/cpp/pattern_literals.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

void bind(Bindings& bindings, ExprId expression, SymbolId symbol) {
  for (auto& [bound, value] : bindings) {
    if (bound != expression) continue;
    value = symbol;
    return;
  }
  bindings.emplace_back(expression, symbol);
  std::ranges::sort(bindings);
}

bool HandedPlaces::never_index(VarId handed) {
  const auto [it, fresh] = never_used_as_index_.try_emplace(handed, true);
  if (!fresh) return it->second;
  const auto finds = [&](const Step& step, VarId v) {
    if (step.kind == Deed::assign) return step.rhs != model_.game.variable_ref(v) && model_.reads(step.rhs, v);
    if (step.kind != Deed::compare) return false;
    bool cell = false;
    for (const ExprId side : {step.lhs, step.rhs})
      model_.for_each_atom(side, [&](ExprId atom) { cell = cell || (model_.is_cell(atom) && model_.reads(atom, v)); });
    return cell;
  };
  using Carried = std::pair<std::uint32_t, VarId>;  // to a node, in a variable
  std::set<Carried> reached;
  std::vector<Carried> open;
  const auto add = [&](std::uint32_t node, VarId v) {
    if (!check_.is_goal(node) && check_.contains(node) && reached.emplace(node, v).second) open.emplace_back(node, v);
  };
  add(check_.entries[0], handed);
  while (!open.empty() && it->second) {
    const auto [node, v] = open.back();
    open.pop_back();
    for (const Step& step : model_.steps_at(check_.at(node).out)) {
      const bool assigns = is_assignment(step) && facts_.assignment_live(check_, step);
      if ((assigns || !is_assignment(step)) && finds(step, v)) it->second = false;
      if (tells(step, v)) continue;
      if (!assigns || step.variable != v) add(step.to, v);
      if (assigns && step.kind == Deed::assign && step.rhs == model_.game.variable_ref(v)) add(step.to, step.variable);
    }
  }
  return it->second;
}

// Behind the comparison the variable is known where the only other one is.
bool HandedPlaces::tells(const Step& step, VarId v) const {
  if (step.kind != Deed::compare || !(model_.reads(step.lhs, v) || model_.reads(step.rhs, v))) return false;
  const ExprId x = model_.game.variable_ref(v);
  std::set<ExprId> others;
  for (const ExprId side : {step.lhs, step.rhs}) model_.for_each_atom(side, [&](ExprId atom) { others.insert(atom); });
  others.erase(x);
  if (others.size() != 1 || model_.game.expressions().kind(*others.begin()) != ExprKind::variable) return false;
  const auto symbols = [&](ExprId e) -> const std::vector<SymbolId>& {
    return model_.universes[model_.shape(model_.game.expressions().type(e)).leaf].symbols;
  };
  Bindings bindings = {{*others.begin(), SymbolId()}, {x, SymbolId()}};
  std::ranges::sort(bindings);
  return std::ranges::all_of(symbols(*others.begin()), [&](SymbolId other) {
    bind(bindings, *others.begin(), other);
    return std::ranges::count_if(symbols(x), [&](SymbolId value) {
             bind(bindings, x, value);
             return model_.holds(step, bindings).value_or(false);
           }) <= 1;
  });
}

std::uint32_t PatternLiterals::number(const PatternValue& value) {
  const auto it = std::ranges::find(found_.values, value);
  const auto index = static_cast<std::uint32_t>(it - found_.values.begin());
  if (it != found_.values.end()) return index;
  found_.values.push_back(value);
  if (value.place)
    known_.emplace_back();
  else
    learn(value.expression);
  return index;
}

bool PatternLiterals::add(std::vector<PatternLiteral>& literals, const PatternLiteral& literal) {
  if (found_.values[literal.value].place) {
    for (const PatternLiteral& other : literals)
      if (other.cell == literal.cell && other.value == literal.value) return other.negated == literal.negated;
    literals.insert(std::upper_bound(literals.begin(), literals.end(), literal), literal);
    return true;
  }
  const Bits& mine = known_[literal.value].can_be;
  if (literal.cell >= kPatternCells && assume(literal)) return literal.negated;
  const Bits cell = contents_of(model_, found_.board, literal.cell);
  const bool never = !mine.intersects(cell);
  const bool always = mine.count() == 1 && mine == cell;
  if (literal.negated ? always : never) return false;
  if (literal.negated ? never : always) return true;
  for (const PatternLiteral& other : literals) {
    if (other.cell != literal.cell) continue;
    if (other.value == literal.value) return other.negated == literal.negated;
    if (found_.values[other.value].place || other.negated || !apart(literal.value, other.value)) continue;
    return literal.negated;
  }
  if (!literal.negated) {
    std::erase_if(literals, [&](const PatternLiteral& other) {
      return other.cell == literal.cell && other.negated && !found_.values[other.value].place &&
             apart(literal.value, other.value);
    });
  }
  literals.insert(std::upper_bound(literals.begin(), literals.end(), literal), literal);
  return true;
}

bool PatternLiterals::starts_with(ExprId parameter, std::uint32_t code) const {
  const auto& e = model_.game.expressions();
  return e.kind(parameter) != ExprKind::variable ||
         model_.values->may_hold(check_.entries[0], e.variable(parameter), code);
}

void PatternLiterals::learn(ExprId value) {
  const std::uint32_t universe = model_.variable_shape(found_.board).leaf;
  Known known = {model_.possible(value, universe), VarId(), {}};
  bool one = true;
  model_.for_each_read(value, [&](VarId v) {
    one = one && model_.scalar(v) && (!known.variable.valid() || known.variable == v);
    known.variable = v;
  });
  if (known.variable.valid() && one) {
    const ExprId x = model_.game.variable_ref(known.variable);
    const std::uint32_t keys = model_.variable_shape(known.variable).leaf;
    const Bits codes = model_.possible(x, keys);
    Bits can_be(model_.universes[universe].size());
    for (const std::size_t c : codes) {
      if (!starts_with(x, static_cast<std::uint32_t>(c))) continue;
      const Folded folded = model_.fold(value, {{x, model_.universes[keys].symbols[c]}});
      one = one && folded.symbol.valid() && model_.has(universe, folded.symbol);
      if (!one) break;
      known.by_code.emplace(static_cast<std::uint32_t>(c), folded.symbol);
      can_be.set(model_.code(universe, folded.symbol));
    }
    if (one) known.can_be &= can_be;
  }
  if (!one) known.variable = VarId();
  known_.push_back(std::move(known));
}

// Never equal, in the same row.
bool PatternLiterals::apart(std::uint32_t a, std::uint32_t b) const {
  if (found_.values[a].row != found_.values[b].row) return false;
  if (!known_[a].can_be.intersects(known_[b].can_be)) return true;
  if (!known_[a].variable.valid() || known_[a].variable != known_[b].variable) return false;
  return std::all_of(known_[a].by_code.begin(), known_[a].by_code.end(),
                     [&](const auto& entry) { return known_[b].by_code.at(entry.first) != entry.second; });
}

// Takes it that the cell holds what it held at first, when that is none of the values.
bool PatternLiterals::assume(const PatternLiteral& literal) {
  const ArrayShape& shape = model_.variable_shape(found_.board);
  const auto& e = model_.game.expressions();
  const auto& values = model_.game.values;
  const ExprId row = found_.values[literal.value].row;
  std::vector<ValueId> rows = {model_.game.variable(found_.board).initial};
  if (e.kind(row) == ExprKind::access) {
    const ValueId all = std::exchange(rows, {})[0];
    for (const std::size_t c : model_.possible(e.index(row), shape.keys[0]))
      rows.push_back(values.at(all, model_.universes[shape.keys[0]].symbols[c]));
  }
  const SymbolId key = model_.universes[shape.keys.back()].symbols[literal.cell];
  const auto held = [&](ValueId first) { return values.as_symbol(values.at(first, key)); };
  const SymbolId holds = held(rows[0]);
  if (std::ranges::any_of(rows, [&](ValueId first) { return held(first) != holds; })) return false;
  if (known_[literal.value].can_be.test(model_.code(shape.leaf, holds))) return false;
  return cpp::assume(found_.assumed, {row, literal.cell, holds});
}

}  // namespace rgtrans::cpp
