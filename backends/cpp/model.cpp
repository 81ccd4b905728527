// Building the model: copy the automaton without casts and decided conditions, number tags, bound the values of
// variables.
#include "backends/cpp/model.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

// Symbols that the universe lacks have no code.
static Bits codes_of(const NumberedGame& model, analysis::SetId set, std::uint32_t universe) {
  Bits codes(model.universes[universe].size());
  for (const SymbolId symbol : model.held->sets().of(set)) {
    if (const std::uint32_t c = model.code(universe, symbol); c != kNone) codes.set(c);
  }
  return codes;
}

NumberedGame::NumberedGame(const ir::Game& source, bool follow_values) : game(source) {
  node_names = game.node_names();
  copy_steps();
  find_universes();
  held = std::make_unique<analysis::HeldValues>(game);
  for (std::size_t i = 0; i < game.variables().size(); ++i)
    variable_values.push_back(codes_of(*this, held->ever(VarId(i)), shapes_[i].leaf));
  find_extents();
  index_steps();
  // Where many ways meet, the squares that can be behind come one after the other. All of them would do where that
  // takes too long, but then the square outside of the board is among them.
  values = std::make_unique<PossibleValues>(*this, follow_values ? kEfforts.growths : 0);
  if (follow_values && !values->usable()) values = std::make_unique<PossibleValues>(*this, kEfforts.few_growths);
  drop_decided_steps();
  narrow_values();
  number_tags();
  name_variables();
}

void NumberedGame::copy_steps() {
  const std::size_t bound = game.graph.node_bound();
  out.resize(bound);
  in.resize(bound);
  node_names.resize(bound);
  assigned.assign(game.variables().size(), false);
  const std::vector<bool> artificial = ir::artificial_tags(game);
  for (const ir::EdgeId edge : game.graph.edges()) {
    Step step;
    step.edge = edge;
    step.from = game.graph.source(edge).value;
    step.to = game.graph.target(edge).value;
    const ir::Label label = game.graph.label(edge);
    std::visit(ir::Overloaded{
                   [](const ir::Empty&) {},
                   [&](const ir::Compare& l) {
                     step.kind = Deed::compare;
                     step.negated = l.negated;
                     step.lhs = game.strip_casts(l.lhs);
                     step.rhs = game.strip_casts(l.rhs);
                   },
                   [&](const ir::Assign& l) {
                     step.kind = Deed::assign;
                     step.ends_move = game.is_player_assignment(label);
                     step.lhs = game.strip_casts(l.lhs);
                     step.rhs = game.strip_casts(l.rhs);
                     step.variable = game.assigned_variable(l.lhs);
                   },
                   [&](const ir::AssignAny& l) {
                     step.kind = Deed::assign_any;
                     step.lhs = game.strip_casts(l.lhs);
                     step.type = game.resolve(l.type);
                     step.variable = game.assigned_variable(l.lhs);
                   },
                   [&](const ir::Reachability& l) {
                     step.kind = Deed::check;
                     step.negated = l.negated;
                     const auto [it, fresh] =
                         check_of.try_emplace({l.from.value, l.to.value}, static_cast<std::uint32_t>(checks.size()));
                     if (fresh) checks.push_back({l.from.value, l.to.value});
                     step.check = it->second;
                   },
                   [&](const ir::Tag& l) {
                     // An artificial tag is no part of a move.
                     step.mark = artificial[l.symbol.value];
                     if (step.mark) return;
                     step.kind = Deed::tag;
                     step.symbol = l.symbol;
                   },
                   [&](const ir::TagVariable& l) {
                     step.kind = Deed::tag_variable;
                     step.variable = l.variable;
                   },
               },
               label);
    if (is_assignment(step) && step.variable.valid()) {
      assigned[step.variable.value] = true;
    }
    steps.push_back(step);
  }
}

ArrayShape NumberedGame::shape(TypeId type) const {
  ArrayShape shape;
  for (const TypeId from : game.keys(type)) {
    shape.keys.push_back(from.valid() ? universe_of_type_[from.value] : 0);
    shape.sizes.push_back(from.valid() && from.value < extents_.size() ? extents_[from.value]
                                                                       : universes[shape.keys.back()].size());
  }
  if (const TypeId value = game.value_type(type); value.valid()) shape.leaf = universe_of_type_[value.value];
  return shape;
}

std::optional<std::uint32_t> NumberedGame::universe_of(ExprId expression) const {
  const auto& e = game.expressions();
  if (e.kind(expression) == ExprKind::symbol) return std::nullopt;
  return shape(e.type(expression)).leaf;
}

std::uint32_t NumberedGame::code(std::uint32_t universe, SymbolId symbol) const {
  const auto it = universes[universe].codes.find(symbol.value);
  return it == universes[universe].codes.end() ? kNone : it->second;
}

std::uint32_t NumberedGame::initial_code(VarId board, std::size_t cell) const {
  const ArrayShape& shape = variable_shape(board);
  const ValueId value = game.values.at(game.variable(board).initial, universes[shape.keys[0]].symbols[cell]);
  return code(shape.leaf, game.values.as_symbol(value));
}

Bits contents_of(const NumberedGame& model, VarId map, std::size_t cell) {
  Bits result = model.variable_values[map.value];
  const CellSets& cells = model.values->cells(map);
  for (std::size_t w = 0; model.values->usable() && cells.known() && w < cells.words; ++w)
    result.word(w) &= cells.sets[cell * cells.words + w];
  return result;
}

std::vector<std::uint32_t> NumberedGame::member_codes(TypeId type) const {
  type = game.resolve(type);
  std::vector<std::uint32_t> codes;
  for (const SymbolId member : game.types.members(type)) codes.push_back(code(universe_of_type_[type.value], member));
  std::ranges::sort(codes);
  return codes;
}

Bits NumberedGame::members(TypeId type) const {
  Bits result(universes[universe_of_type_[game.resolve(type).value]].size());
  for (const std::uint32_t c : member_codes(type)) result.set(c);
  return result;
}

Folded NumberedGame::fold(ExprId expression, const Bindings& bindings) const {
  const auto& e = game.expressions();
  return ir::fold(game, expression, [&](ExprId part) -> Folded {
    for (const auto& [bound, symbol] : bindings) {
      if (bound == part) return {symbol, {}};
    }
    if (e.kind(part) != ExprKind::variable || assigned[e.variable(part).value]) return {};
    return ir::folded(game, game.variable(e.variable(part)).initial);
  });
}

bool NumberedGame::is_cell(ExprId expression) const {
  const auto& e = game.expressions();
  if (e.kind(expression) != ExprKind::access) return false;
  const ExprId root = e.root(expression);
  return e.kind(root) == ExprKind::variable && assigned[e.variable(root).value] &&
         game.types.kind(game.resolve(e.type(expression))) == ir::TypeKind::set;
}

std::optional<RowOfCells> NumberedGame::row_of(ExprId cell) const {
  if (!is_cell(cell)) return std::nullopt;
  const auto& e = game.expressions();
  const VarId map = e.variable(e.root(cell));
  switch (variable_shape(map).keys.size()) {
    case 1:
      return RowOfCells{map, {}, e.index(cell)};
    case 2:
      return RowOfCells{map, e.index(e.map(cell)), e.index(cell)};
    default:
      return std::nullopt;
  }
}

bool NumberedGame::in_vectors(VarId map) const {
  const ArrayShape& shape = variable_shape(map);
  return !shape.scalar() && shape.keys.size() <= 2 && universes[shape.leaf].size() <= 256 &&
         shape.sizes.back() >= kCosts.row_least;
}

std::uint32_t NumberedGame::padded_size(VarId variable) const {
  const ArrayShape& shape = variable_shape(variable);
  const std::uint32_t size = shape.sizes[0];
  if (!in_vectors(variable)) return size;
  const std::uint32_t row = shape.sizes.back();
  const std::uint32_t unit = row <= 64 ? 16 : 64;
  const std::uint32_t padded = (row + unit - 1) / unit * unit;
  // Behind the last row of two dimensions, too, whole vectors can be read.
  return shape.keys.size() == 1 ? padded : size + (padded - 1) / row;
}

bool NumberedGame::is_always_row(VarId map, ExprId index) const {
  const ArrayShape& shape = variable_shape(map);
  return std::ranges::all_of(possible(index, shape.keys[0]), [&](std::size_t c) { return c < shape.sizes[0]; });
}

bool NumberedGame::reads(ExprId expression, VarId variable) const {
  return assigned[variable.value] && ir::reads(game, expression, variable);
}

Bits NumberedGame::possible(ExprId expression, std::uint32_t universe) const {
  const auto& e = game.expressions();
  if (const Folded folded = fold(expression); folded.symbol.valid())
    return codes_of(*this, held->sets().one(folded.symbol), universe);
  const ExprId root = e.root(expression);
  if (e.kind(root) == ExprKind::variable && assigned[e.variable(root).value]) {
    const VarId variable = e.variable(root);
    return shapes_[variable.value].leaf == universe ? variable_values[variable.value]
                                                    : Bits::full(universes[universe].size());
  }
  return codes_of(*this, held->values(expression), universe);
}

Bits NumberedGame::possible_at(std::uint32_t node, ExprId expression, std::uint32_t universe) const {
  Bits result = possible(expression, universe);
  if (!values->usable() || !values->reached(node)) return result;
  const PossibleValues::Codes here = values->values_at(node, expression, universe);
  for (std::size_t w = 0; w < result.words(); ++w) result.word(w) &= w < here.size() ? here[w] : 0;
  return result;
}

Bits NumberedGame::keys_of(ExprId map) const {
  return members(game.types.from(game.resolve(game.expressions().type(map))));
}

bool NumberedGame::has_key(std::uint32_t node, ExprId access) const {
  const auto& e = game.expressions();
  const std::uint32_t universe = shape(e.type(e.map(access))).keys.at(0);
  return keys_of(e.map(access)).contains(possible_at(node, e.index(access), universe));
}

// Conditions between constants disappear: true ones become empty steps, false ones are dropped with their step.
void NumberedGame::drop_decided_steps() {
  std::vector<Step> kept;
  for (Step& step : steps) {
    if (step.kind == Deed::compare) {
      if (const std::optional<bool> always = holds(step, {})) {
        if (!*always) continue;
        step.kind = Deed::nothing;
      } else if (const Truth holds = values->holds(step); holds != Truth::unknown) {
        if (holds == Truth::no) continue;
        step.kind = Deed::nothing;
      } else if (const auto universe = universe_of(step);
                 universe && shape(game.expressions().type(step.lhs)).scalar()) {
        const Bits left = possible(step.lhs, *universe);
        const Bits right = possible(step.rhs, *universe);
        if (!left.intersects(right)) {
          if (!step.negated) continue;
          step.kind = Deed::nothing;
        }
      }
    }
    if (step.kind == Deed::nothing && step.from == step.to) continue;
    kept.push_back(step);
  }
  steps = std::move(kept);
  index_steps();
}

void NumberedGame::index_steps() {
  for (auto* lists : {&out, &in}) {
    for (std::vector<std::uint32_t>& list : *lists) list.clear();
  }
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    steps[i].number = i;
    out[steps[i].from].push_back(i);
    in[steps[i].to].push_back(i);
  }
}

// What is known by node and cell also bounds what a variable can ever hold.
void NumberedGame::narrow_values() {
  if (!values->usable()) return;
  for (std::uint32_t v = 0; v < variable_values.size(); ++v) {
    if (const std::vector<std::uint64_t> ever = values->ever(VarId(v)); !ever.empty()) {
      Bits& values_of = variable_values[v];
      for (std::size_t w = 0; w < values_of.words(); ++w) values_of.word(w) &= w < ever.size() ? ever[w] : 0;
      std::vector<SymbolId> symbols;
      for (const std::size_t c : values_of) symbols.push_back(universes[shapes_[v].leaf].symbols[c]);
      held->narrow(VarId(v), std::move(symbols));
    }
  }
}

// Numbers from 1. A universe whose symbols are shown gets consecutive numbers where they are still free.
void NumberedGame::number_tags() {
  tags.assign(1, SymbolId());
  const auto number = [&](SymbolId symbol) {
    const auto [it, fresh] = tag_of.try_emplace(symbol.value, static_cast<std::uint32_t>(tags.size()));
    if (fresh) tags.push_back(symbol);
    return it->second;
  };
  for (const Step& step : steps) {
    if (step.kind != Deed::tag_variable) continue;
    Universe& universe = universes[shapes_[step.variable.value].leaf];
    if (!universe.tags.empty()) continue;
    for (const SymbolId symbol : universe.symbols) universe.tags.push_back(number(symbol));
  }
  for (const Step& step : steps) {
    if (step.kind == Deed::tag) number(step.symbol);
  }
}

}  // namespace rgtrans::cpp
