// See set_conditions.hpp.
#include "backends/cpp/set_conditions.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

SetConditions::Sides SetConditions::sides_of(const Step& step, const SetWay& way) const {
  Sides sides;
  const auto& e = model_.game.expressions();
  for (const ExprId side : {step.lhs, step.rhs}) {
    ir::visit_parts(e, side, [&](ExprId part) {
      const bool variable =
          e.kind(e.root(part)) == ExprKind::variable && model_.assigned[e.variable(e.root(part)).value];
      if (!variable) return true;
      if (e.kind(part) == ExprKind::access) {
        if (std::ranges::find(sides.cells, part) == sides.cells.end()) sides.cells.push_back(part);
      } else if (!way.values.contains(e.variable(part).value)) {
        if (std::ranges::find(sides.outers, e.variable(part)) == sides.outers.end())
          sides.outers.push_back(e.variable(part));
      }
      return e.kind(part) == ExprKind::cast;
    });
  }
  return sides;
}

Bindings SetConditions::bindings(std::uint32_t x, const SetWay& way) const {
  Bindings result;
  for (const auto& [v, codes] : way.values) {
    const Universe& u = model_.universe(VarId(v));
    result.emplace_back(model_.game.variable_ref(VarId(v)), u.symbols[codes[x]]);
  }
  return result;
}

std::optional<Codes> SetConditions::by_value(ExprId expression, std::uint32_t universe, const SetWay& way) const {
  bool known = true;
  model_.for_each_read(expression, [&](VarId v) { known = known && way.values.contains(v.value); });
  if (!known) return std::nullopt;
  Codes result(size_, 0);
  for (const std::size_t x : way.possible) {
    const Folded value = model_.fold(expression, bindings(static_cast<std::uint32_t>(x), way));
    if (!value.symbol.valid() || !model_.has(universe, value.symbol)) return std::nullopt;
    result[x] = model_.code(universe, value.symbol);
  }
  return result;
}

bool SetConditions::compare(const Step& step, const SetWay& way, SetCondition& condition) {
  condition.sure = Bits(size_);
  const Sides sides = sides_of(step, way);
  if (sides.cells.empty() && sides.outers.empty()) return compare_values(step, way, condition);
  if (sides.cells.empty()) return sides.outers.size() == 1 && compare_table(step, way, sides.outers[0], condition);
  const ExprId cell = sides.cells[0];
  const auto map = sides.cells.size() == 1 ? row_of(cell, way) : std::nullopt;
  const auto index = map ? by_value(model_.game.expressions().index(cell), model_.variable_shape(*map).keys.back(), way)
                         : std::nullopt;
  if (!index) return false;
  const Asked asked{step, way, cell, *map, *index};
  if (sides.outers.empty()) return compare_contents(asked, condition);
  if (compare_outer(asked, condition)) return true;
  condition.sure = Bits(size_);  // of values before the one that compare_outer() gave up at
  return sides.outers.size() == 1 && compare_kinds(asked, sides.outers[0], condition);
}

bool SetConditions::compare_values(const Step& step, const SetWay& way, SetCondition& condition) const {
  for (const std::size_t x : way.possible) {
    const std::optional<bool> result = model_.holds(step, bindings(static_cast<std::uint32_t>(x), way));
    if (!result) return false;
    if (*result) condition.sure.set(x);
  }
  return true;
}

// A set of x for each value of a variable that was set before.
bool SetConditions::compare_table(const Step& step, const SetWay& way, VarId outer, SetCondition& condition) {
  const Universe& u = model_.universe(outer);
  const std::size_t words = (size_ + 63) / 64;
  if (u.size() * words > kSizes.set_table) return false;
  auto source = predicate_of_values(model_, {step.number}, way.possible, outer,
                                    [&](std::uint32_t x) { return bindings(x, way); });
  if (!source) return false;
  condition.asked.push_back({source_number(std::move(*source)), 0, way.possible, {}});
  return true;
}

// The board that a cell belongs to, as an expression whose value is one row of cells that can be compared together.
std::optional<VarId> SetConditions::row_of(ExprId cell, const SetWay& way) const {
  const std::optional<RowOfCells> of = model_.row_of(cell);
  if (!of || way.clobbered.contains(of->map.value) || !model_.in_vectors(of->map)) return std::nullopt;
  if (!of->row.valid()) return of->map;
  // The row is the same for all x, there is one when the walks begin, and nothing was written to the map.
  bool same = model_.is_always_row(of->map, of->row);
  model_.for_each_read(of->row, [&](VarId v) { same = same && model_.scalar(v) && !way.changes(v); });
  for (const SetWay::Write& write : way.writes) same = same && write.map != of->map;
  return same ? std::optional(of->map) : std::nullopt;
}

// What the walk can have written to the cell at last, if it has.
std::optional<Bits> SetConditions::written(VarId map, std::uint32_t cell, std::size_t x, const SetWay& way) {
  for (auto it = way.writes.rbegin(); it != way.writes.rend(); ++it) {
    if (it->map != map || it->cell[x] != cell) continue;
    Bits codes = it->possible;
    if (it->value) {
      codes.clear();
      codes.set((*it->value)[x]);
    }
    return codes;
  }
  return std::nullopt;
}

// What the cell can hold, or does where that is assumed.
Bits SetConditions::contents(const Asked& asked, std::uint32_t cell, const std::optional<Bits>& written) {
  if (written) return *written;
  const ArrayShape& shape = model_.variable_shape(asked.map);
  Bits result = contents_of(model_, asked.map, cell);
  const ExprId board = model_.game.expressions().map(asked.cell);
  if (!others_ || shape.keys != std::vector{*others_} || values_.test(cell) || result.count() == 1 ||
      model_.universes[*others_].size() > values_.count() + kEfforts.assumed ||
      model_.game.expressions().kind(board) != ExprKind::variable)
    return result;
  const std::uint32_t first = model_.initial_code(asked.map, cell);
  if (!assume(found_.assumed, {board, cell, model_.universes[shape.leaf].symbols[first]})) return result;
  result.clear();
  result.set(first);
  return result;
}

bool SetConditions::compare_contents(const Asked& asked, SetCondition& condition) {
  const auto& [step, way, cell, map, index] = asked;
  const ArrayShape& shape = model_.variable_shape(map);
  if (std::ranges::any_of(way.possible, [&](std::size_t x) { return asked.index[x] >= shape.sizes.back(); }))
    return false;
  const Universe& kinds = model_.universes[shape.leaf];
  const Bits keys = model_.keys_of(model_.game.expressions().map(cell));
  std::vector<Group> groups;
  for (const std::size_t x : way.possible) {
    Bindings with = bindings(static_cast<std::uint32_t>(x), way);
    with.emplace_back(cell, SymbolId());
    const std::optional<Bits> before = written(map, index[x], x, way);
    Bits yes(kinds.size());
    Bits no(kinds.size());
    for (const std::size_t k : contents(asked, index[x], before)) {
      with.back().second = kinds.symbols[k];
      const std::optional<bool> result = model_.holds(step, with);
      if (!result) return false;
      (*result ? yes : no).set(k);
    }
    if (yes.none()) continue;
    if (no.none()) {
      condition.sure.set(x);
      continue;
    }
    // The default of a map answers for keys that it lacks. No word of the board need contain the default.
    if (before || !keys.test(index[x])) return false;
    const auto fits = std::ranges::find_if(
        groups, [&](const Group& group) { return !group.yes.intersects(no) && !group.no.intersects(yes); });
    Group& group = fits != groups.end() ? *fits : groups.emplace_back(Group{yes, no, {}});
    group.yes |= yes;
    group.no |= no;
    add_shift(group, index[x], x);
  }
  return std::ranges::all_of(groups, [&](const Group& group) {
    const auto source = contents_source(model_.game.expressions().map(asked.cell), group);
    return source && ask(source_number(*source), group, asked.index, condition);
  });
}

bool SetConditions::ask(std::size_t source, const Group& group, const Codes& index, SetCondition& condition) {
  if (group.shifts.size() <= kCosts.shifts) {
    for (const auto& [delta, where] : group.shifts) condition.asked.push_back({source, delta, where, {}});
    return true;
  }
  Shifted gathered{source, 0, Bits(size_), Codes(gathered_cells(), 0)};
  for (const auto& [delta, where] : group.shifts) gathered.where |= where;
  for (const std::size_t x : gathered.where) {
    if (x >= gathered.cell.size() || (index[x] >= gathered.cell.size() && !for_single_value_)) return false;
    gathered.cell[x] = index[x];
  }
  condition.asked.push_back(std::move(gathered));
  return true;
}

void SetConditions::add_shift(Group& group, std::uint32_t cell, std::size_t x) {
  const auto delta = static_cast<std::int64_t>(cell) - static_cast<std::int64_t>(x);
  group.shifts.try_emplace(delta, size_).first->second.set(x);
  found_.words = std::max<std::size_t>(found_.words, cell / 64 + 1);
}

std::optional<CellPredicate> SetConditions::contents_source(ExprId board, const Group& group) const {
  CellPredicate source{.board = board};
  const Bits& yes = group.yes;
  const Bits& no = group.no;
  const bool many = model_.universes[*model_.universe_of(board)].size() > kMostKinds;
  const auto list = [&](const Bits& codes) {
    for (const std::size_t k : codes) source.codes.push_back(static_cast<std::uint32_t>(k));
  };
  if (yes.count() > 1 && (no.count() == 1 || (many && no.count() < yes.count()))) {
    source.negated = true;
    list(no);
  } else {
    list(yes);
  }
  const bool row = model_.game.expressions().kind(board) != ExprKind::variable;
  if (source.codes.size() > kCosts.compared_contents && (row || many)) return std::nullopt;
  return source;
}

// Compares board[f(x)] with a value that no step of the way changes.
bool SetConditions::compare_outer(const Asked& asked, SetCondition& condition) {
  const auto& [step, way, cell, map, index] = asked;
  const ExprId other = step.lhs == cell ? step.rhs : step.lhs;
  bool outer = step.lhs == cell || step.rhs == cell;
  model_.for_each_read(other, [&](VarId v) { outer = outer && !asked.way.changes(v); });
  if (!outer) return false;
  const Bits possible = model_.possible(other, model_.variable_shape(map).leaf);
  Group group;
  for (const std::size_t x : way.possible) {
    if (written(map, index[x], x, way)) return false;
    if (possible.intersects(contents(asked, index[x], {})))
      add_shift(group, index[x], x);
    else if (step.negated)
      condition.sure.set(x);
  }
  if (group.shifts.empty()) return true;
  const ExprId board = model_.game.expressions().map(cell);
  return ask(
      source_number(
          {.kind = CellPredicate::Kind::expression, .board = board, .negated = step.negated, .expression = other}),
      group, index, condition);
}

// A function of board[f(x)] and of such a value, for example `owner[board[up[x]]] == opponent[me]`.
bool SetConditions::compare_kinds(const Asked& asked, VarId outer, SetCondition& condition) {
  const auto& [step, way, cell, map, index] = asked;
  const auto& e = model_.game.expressions();
  if (e.kind(e.map(cell)) != ExprKind::variable) return false;
  const Universe& kinds = model_.universe(map);
  const Universe& others = model_.universe(outer);
  const std::size_t lanes = kind_lanes(kinds.size());
  if (kinds.size() > kMostKinds || others.size() * lanes > kSizes.set_table) return false;
  auto source = predicate_of_kinds(model_, {step.number}, cell, outer);
  if (!source) return false;
  Bits ever(kinds.size());
  Bits always = Bits::full(kinds.size());
  for (std::size_t i = 0; i < source->table.size(); ++i) {
    if (i % lanes >= kinds.size()) continue;
    if (source->table[i] != 0)
      ever.set(i % lanes);
    else
      always.reset(i % lanes);
  }
  Group group;
  for (const std::size_t x : way.possible) {
    const std::optional<Bits> before = written(map, index[x], x, way);
    const Bits held = contents(asked, index[x], before);
    if (!held.intersects(ever)) continue;
    if (always.contains(held)) {
      condition.sure.set(x);
      continue;
    }
    if (before) return false;
    add_shift(group, index[x], x);
  }
  return group.shifts.empty() || ask(source_number(std::move(*source)), group, index, condition);
}

std::size_t SetConditions::source_number(CellPredicate source) {
  const auto it = std::ranges::find(found_.sources, source);
  if (it != found_.sources.end()) return static_cast<std::size_t>(it - found_.sources.begin());
  found_.sources.push_back(std::move(source));
  return found_.sources.size() - 1;
}

// How many cells a permutation tells of.
std::size_t SetConditions::gathered_cells() const {
  if (for_single_value_) return size_;
  return found_.words > 1 ? kSizes.gathered_cells : kSizes.gathered_cells / 2;
}

}  // namespace rgtrans::cpp
