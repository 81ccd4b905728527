#include "backends/claims/plain_state.hpp"

#include <algorithm>
#include <utility>

#include "core/support/sorted.hpp"

namespace rgtrans::claims {

using ir::ExprId;
using ir::ExprKind;
using ir::TypeId;
using ir::VarId;

namespace {

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 26U;

}  // namespace

PlainState::PlainState(const ir::Game& game) : game_(game) {
  variables_.resize(game.variables().size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const ir::Variable& variable = game.variable(VarId(i));
    if (!variable.alive) continue;
    const Form& form = form_of(variable.type);
    const std::size_t first = initial_.cells.size();
    variables_[i] = {static_cast<std::uint32_t>(first), &form};
    if (first + form.size > kMostCells) throw Error("the state has too many cells to assert proofs");
    flatten(variable.initial, form, 0, initial_.cells);
    variable_of_.resize(initial_.cells.size(), VarId(i));
    for (std::uint32_t cell = 0; cell < form.size; ++cell) {
      bool own = true;
      for (const Arrow& arrow : form.arrows)
        own = own && cell / arrow.stride % (arrow.keys.size() + 1) < arrow.keys.size();
      has_key_.push_back(own);
    }
  }
  initial_.marks.assign(initial_.cells.size(), 0);
  constant_places_.assign(game.constants().size(), {kNone, nullptr});
  codes_.resize(game.expressions().size());
  coded_.assign(game.expressions().size(), false);
  reset();
}

void PlainState::reset() { set_content(initial_); }

void PlainState::set_content(Content content) {
  content_ = std::move(content);
  changes_.clear();
  hash_ = {};
  for (std::uint32_t cell = 0; cell < content_.cells.size(); ++cell)
    hash_.toggle(content_key(cell, content_.cells[cell]));
}

void PlainState::back_to(std::size_t time) {
  while (changes_.size() > time) {
    const Change& change = changes_.back();
    std::uint32_t& cell = content_.cells[change.cell];
    if (cell != change.value) {
      hash_.toggle(content_key(change.cell, cell));
      hash_.toggle(content_key(change.cell, change.value));
      cell = change.value;
    }
    content_.marks[change.cell] = change.mark;
    changes_.pop_back();
  }
}

PlainState::Content PlainState::content_at(std::size_t time) const {
  Content content = content_;
  for (std::size_t i = changes_.size(); i-- > time;) {
    content.cells[changes_[i].cell] = changes_[i].value;
    content.marks[changes_[i].cell] = changes_[i].mark;
  }
  return content;
}

std::vector<std::uint32_t> PlainState::different_since(std::size_t time) const {
  std::vector<std::pair<std::uint32_t, std::size_t>> first;  // cell, and its first change
  for (std::size_t i = time; i < changes_.size(); ++i) first.emplace_back(changes_[i].cell, i);
  std::ranges::sort(first);
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto [cell, change] = first[i];
    if (i > 0 && first[i - 1].first == cell) continue;
    if (changes_[change].value != content_.cells[cell]) cells.push_back(cell);
  }
  return cells;
}

std::pair<std::uint32_t, std::uint32_t> PlainState::cells_of(VarId variable) const {
  const auto& [first, form] = variables_[variable.value];
  return {first, form == nullptr ? first : first + form->size};
}

const PlainState::Form& PlainState::form_of(TypeId type) {
  const auto [it, fresh] = forms_.try_emplace(game_.resolve(type));
  Form& form = it->second;
  if (!fresh) return form;
  for (const TypeId key : game_.keys(type)) {
    Arrow& arrow = form.arrows.emplace_back();
    for (const SymbolId member : game_.members(key)) arrow.keys.push_back(member.value);
    const auto [positions, first] = positions_.try_emplace(key);
    arrow.positions = &positions->second;
    if (!first || arrow.keys.empty()) continue;
    const auto [least, most] = std::ranges::minmax(arrow.keys);
    positions->second.least = least;
    positions->second.list.assign(most - least + 1, -1);
    for (std::size_t i = 0; i < arrow.keys.size(); ++i)
      positions->second.list[arrow.keys[i] - least] = static_cast<std::int32_t>(i);
  }
  std::uint64_t size = 1;
  for (auto arrow = form.arrows.rbegin(); arrow != form.arrows.rend(); ++arrow) {
    arrow->stride = static_cast<std::uint32_t>(size);
    size *= arrow->keys.size() + 1;
    if (size > kMostCells) throw Error("a map has too many cells to assert proofs");
  }
  form.size = static_cast<std::uint32_t>(size);
  return form;
}

void PlainState::flatten(ir::ValueId value, const Form& form, std::size_t arrow,
                         std::vector<std::uint32_t>& out) const {
  if (arrow == form.arrows.size()) {
    out.push_back(game_.values.as_symbol(value).value);
    return;
  }
  for (const std::uint32_t key : form.arrows[arrow].keys)
    flatten(game_.values.at(value, SymbolId(key)), form, arrow + 1, out);
  flatten(game_.values.default_of(value), form, arrow + 1, out);
}

const PlainState::Code& PlainState::code_of(ExprId expression) {
  Code& code = codes_[expression.value];
  if (coded_[expression.value]) return code;
  coded_[expression.value] = true;
  const ir::Expressions& e = game_.expressions();
  const ExprId root = e.root(expression);
  switch (e.kind(root)) {
    case ExprKind::symbol:
      code.symbol = e.symbol(root).value;
      return code;
    case ExprKind::constant: {
      const ir::Constant& constant = game_.constant(e.constant(root));
      auto& [first, form] = constant_places_[e.constant(root).value];
      if (form == nullptr) {
        form = &form_of(constant.type);
        first = static_cast<std::uint32_t>(constants_.size());
        flatten(constant.value, *form, 0, constants_);
      }
      code.constant = true;
      code.first = first;
      code.form = form;
      break;
    }
    default:
      code.first = variables_[e.variable(root).value].first;
      code.form = variables_[e.variable(root).value].second;
      if (code.form == nullptr) throw Error("a claim reads a variable that the game does not have");
      break;
  }
  code.indices = ir::indices_of(e, expression);
  return code;
}

PlainState::Found PlainState::find(ExprId expression, std::uint32_t& seen) {
  const Code& code = code_of(expression);
  Found found{code.first, code.constant, code.form, 0, false};
  for (const ExprId index : code.indices) {
    const std::uint32_t key = value(index, seen);
    const Arrow& arrow = code.form->arrows[found.arrow++];
    const std::int32_t at = arrow.position(key);
    found.outside = found.outside || at < 0;
    found.first +=
        arrow.stride * (at < 0 ? static_cast<std::uint32_t>(arrow.keys.size()) : static_cast<std::uint32_t>(at));
  }
  return found;
}

std::uint32_t PlainState::read(const Found& found, std::uint32_t offset, std::uint32_t& seen) const {
  if (found.constant) return constants_[offset];
  if (content_.marks[offset] != 0) seen = content_.marks[offset];
  return content_.cells[offset];
}

std::uint32_t PlainState::value(ExprId expression, std::uint32_t& seen) {
  const Code& code = code_of(expression);
  if (code.symbol != kNone) {
    for (const auto& [name, symbol] : names_)
      if (name.value == code.symbol) return symbol.value;
    return code.symbol;
  }
  const Found found = find(expression, seen);
  return read(found, found.first, seen);
}

template <class F>
void PlainState::pair_up(const Found& left, const Found& right, std::size_t depth, std::uint32_t l, std::uint32_t r,
                         bool inside, const F& f) const {
  if (left.arrow + depth == left.form->arrows.size()) {
    f(l, r, inside);
    return;
  }
  const Arrow& mine = left.form->arrows[left.arrow + depth];
  const Arrow& theirs = right.form->arrows[right.arrow + depth];
  for (std::uint32_t i = 0; i <= mine.keys.size(); ++i) {
    const bool own = i < mine.keys.size();
    const std::int32_t at = own ? theirs.position(mine.keys[i]) : -1;
    const auto other = at < 0 ? static_cast<std::uint32_t>(theirs.keys.size()) : static_cast<std::uint32_t>(at);
    pair_up(left, right, depth + 1, l + i * mine.stride, r + other * theirs.stride, inside && own, f);
  }
}

bool PlainState::holds(const ir::Compare& compare, std::uint32_t& seen) {
  const bool map = game_.is_arrow(game_.expressions().type(compare.lhs));
  if (!map) return (value(compare.lhs, seen) == value(compare.rhs, seen)) != compare.negated;
  const Found left = find(compare.lhs, seen);
  const Found right = find(compare.rhs, seen);
  bool same = true;
  const auto compare_cells = [&](const Found& a, const Found& b) {
    pair_up(a, b, 0, a.first, b.first, true, [&](std::uint32_t x, std::uint32_t y, bool inside) {
      same = same && (!inside || read(a, x, seen) == read(b, y, seen));
    });
  };
  compare_cells(left, right);
  compare_cells(right, left);
  return same != compare.negated;
}

std::optional<PlainState::Target> PlainState::target(ExprId lhs, std::uint32_t& seen) {
  const Found found = find(lhs, seen);
  if (found.outside) return std::nullopt;
  std::uint32_t count = 1;
  for (std::size_t i = found.arrow; i < found.form->arrows.size(); ++i)
    count *= static_cast<std::uint32_t>(found.form->arrows[i].keys.size() + 1);
  return Target{found.first, count};
}

void PlainState::write(std::uint32_t cell, std::uint32_t value, std::uint32_t mark) {
  std::uint32_t& old = content_.cells[cell];
  changes_.push_back({cell, old, content_.marks[cell]});
  content_.marks[cell] = mark;
  if (old == value) return;
  hash_.toggle(content_key(cell, old));
  hash_.toggle(content_key(cell, value));
  old = value;
}

void PlainState::set_mark(std::uint32_t cell, std::uint32_t mark) { write(cell, content_.cells[cell], mark); }

void PlainState::assign(const ir::Assign& assign) {
  std::uint32_t seen = 0;
  const Found to = find(assign.lhs, seen);
  written_ = target(assign.lhs, seen);
  if (!is_map(to)) {
    std::uint32_t mark = 0;
    const std::uint32_t now = value(assign.rhs, mark);
    if (written_) write(to.first, now, std::max(mark, seen));
  } else {
    const Found from = find(assign.rhs, seen);
    std::vector<Change> now;
    pair_up(to, from, 0, to.first, from.first, true, [&](std::uint32_t l, std::uint32_t r, bool) {
      std::uint32_t mark = seen;
      const std::uint32_t content = read(from, r, mark);
      now.push_back({l, content, mark});
    });
    if (written_)
      for (const Change& change : now) write(change.cell, change.value, change.mark);
  }
  spread_ = seen != 0;
  if (!spread_) return;
  // The written cell depends on a value that nothing may read, so nothing may read any cell of the map.
  const auto [first, last] = cells_of(game_.assigned_variable(assign.lhs));
  for (std::uint32_t cell = first; cell < last; ++cell) set_mark(cell, seen);
}

void PlainState::choose(ExprId lhs, SymbolId member) {
  std::uint32_t seen = 0;
  written_ = target(lhs, seen);
  if (written_) write(written_->first, member.value, 0);
  spread_ = seen != 0;
  if (!spread_) return;
  const auto [first, last] = cells_of(game_.assigned_variable(lhs));
  for (std::uint32_t cell = first; cell < last; ++cell) set_mark(cell, seen);
}

}  // namespace rgtrans::claims
