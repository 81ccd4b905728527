// See forms.hpp.
#include "backends/cpp/forms.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/model.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

const Form& FormTable::form(ExprId expression, std::uint32_t universe) {
  const auto [it, fresh] = forms_.try_emplace({expression.value, universe});
  if (fresh) it->second = make_form(expression, universe);
  return it->second;
}

Form FormTable::make_form(ExprId expression, std::uint32_t universe) {
  Form form;
  const auto& e = model_.game.expressions();
  const Folded folded = model_.fold(expression);
  if (folded.symbol.valid()) {
    form.kind = Form::Kind::constant;
    form.table = {model_.code(universe, folded.symbol)};
    return form;
  }
  form.any = model_.possible(expression, universe).to_words();
  if (folded.map.valid()) return form;
  // What the value depends on: variables, and cells of changing maps.
  std::vector<VarId> scalars;
  ExprId cell;
  bool bad = false;
  model_.for_each_atom(expression, [&](ExprId atom) {
    if (e.kind(atom) == ExprKind::access) {
      bad = bad || (cell.valid() && cell != atom);
      cell = atom;
      return;
    }
    const VarId v = e.variable(atom);
    bad = bad || !model_.scalar(v);
    if (std::ranges::find(scalars, v) == scalars.end()) scalars.push_back(v);
  });
  if (bad || (!scalars.empty() && cell.valid())) return form;
  if (cell.valid())
    fill_cell_form(form, expression, cell, universe);
  else
    fill_scalar_form(form, expression, scalars, universe);
  return form;
}

void FormTable::fill_cell_form(Form& form, ExprId expression, ExprId cell, std::uint32_t universe) {
  const auto& e = model_.game.expressions();
  const VarId map = e.variable(e.root(cell));
  if (!cells_[map.value].known()) return;
  const ArrayShape& shape = model_.variable_shape(map);
  const Form& index = this->form(e.index(cell), shape.keys[0]);
  if (index.kind != Form::Kind::constant && index.kind != Form::Kind::scalar) return;
  if (cell != expression) {
    Bindings bindings = {{cell, SymbolId()}};
    for (const SymbolId symbol : model_.universes[shape.leaf].symbols) {
      bindings[0].second = symbol;
      const Folded result = model_.fold(expression, bindings);
      if (!result.symbol.valid()) return;
      form.post.push_back(model_.code(universe, result.symbol));
    }
  }
  const std::vector<std::uint32_t> post = std::move(form.post);
  const std::vector<std::uint64_t> any = std::move(form.any);
  form = index;
  form.any = any;
  form.kind = Form::Kind::cell;
  form.map = map;
  form.post = post;
}

void FormTable::fill_scalar_form(Form& form, ExprId expression, const std::vector<VarId>& scalars,
                                 std::uint32_t universe) {
  if (scalars.empty() || scalars.size() > 2) return;
  const auto universe_of = [&](VarId v) -> const Universe& { return model_.universe(v); };
  Bindings bindings;
  for (const VarId v : scalars) bindings.emplace_back(model_.game.variable_ref(v), SymbolId());
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& seconds = scalars.size() > 1 ? universe_of(scalars[1]).symbols : kOne;
  if (universe_of(scalars[0]).size() * seconds.size() > kSizes.form_table) return;
  const auto held = [&](std::size_t of, std::size_t code) {
    return of >= scalars.size() || model_.variable_values[scalars[of].value].test(code);
  };
  for (std::size_t x = 0; x < universe_of(scalars[0]).size(); ++x) {
    bindings[0].second = universe_of(scalars[0]).symbols[x];
    for (std::size_t y = 0; y < seconds.size(); ++y) {
      if (!held(0, x) || !held(1, y)) {
        form.table.push_back(0);  // never looked up
        continue;
      }
      if (scalars.size() > 1) bindings[1].second = seconds[y];
      const Folded result = model_.fold(expression, bindings);
      if (!result.symbol.valid()) {
        form.table.clear();
        return;
      }
      form.table.push_back(model_.code(universe, result.symbol));
    }
  }
  form.kind = Form::Kind::scalar;
  form.variable = scalars[0];
  if (scalars.size() > 1) {
    form.second = scalars[1];
    form.second_size = static_cast<std::uint32_t>(seconds.size());
  }
}

}  // namespace rgtrans::cpp
