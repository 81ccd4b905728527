#include "backends/interpreter/compiled.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "backends/interpreter/compile.hpp"

namespace rgtrans::interpreter {

Compiled::Compiled(const ir::Game& source, const InterpreterOptions& given)
    : game(source), options(given), layout(game), program(compile(game, layout, {options, false})) {
  node_names = game.node_names();
  for (std::uint32_t code = 0; code < layout.code_count(); ++code) {
    symbol_of_code.push_back(layout.symbol(code).value);
  }
  player_cell = layout.variable(game.player()).offset;
  mover_of_code.assign(layout.code_count(), kNobody);
  const auto block = [&](ir::VarId id, SymbolId player) {
    const VariableLayout& variable = layout.variable(id);
    const Level& level = variable.shape.levels.at(0);
    return variable.offset + level.block(layout.code(player), false) * level.stride;
  };
  for (SymbolId player : game.players()) {
    mover_of_code[layout.code(player)] = static_cast<std::uint32_t>(info.players.size());
    info.players.push_back(game.symbols.str(player));
    goal_cells.push_back(block(game.goals(), player));
    visibility.cells.push_back(block(game.visible(), player));
  }
  mover_of_code[layout.code(game.keeper())] = static_cast<std::uint32_t>(info.keeper());
  mover_of_code[layout.code(game.random())] = static_cast<std::uint32_t>(info.random());
  if (const SymbolId zero = game.symbols.find("0"); zero.valid()) visibility.zero = layout.code(zero);
  info.hidden = hiding = can_hide(game);
  std::vector<double> goals;
  for (std::uint32_t code : layout.variable(game.goals()).codes) goals.push_back(goal_value(code));
  info.least_goal = std::ranges::min(goals);
  info.most_goal = std::ranges::max(goals);
  for (const Start& start : program.starts) final_start.push_back(start.node == game.end().value);
  for (std::size_t i = 0; i < program.starts.size(); ++i) {
    std::vector<std::uint32_t> cells = final_start[i] ? goal_cells : program.live_cells[i];
    if (!final_start[i]) cells.push_back(player_cell);
    key_cells.push_back(std::move(cells));
  }
  for (std::size_t i = 0; i < game.variables().size(); ++i) {
    if (!game.variable(ir::VarId(i)).alive) continue;
    variable_of_cell.insert(variable_of_cell.end(), layout.variable(ir::VarId(i)).shape.size, ir::VarId(i));
  }
  for (std::uint32_t cell = 0; cell < layout.cell_count(); ++cell) {
    if (!layout.is_trash(cell)) state_cells.push_back(cell);
  }
}

}  // namespace rgtrans::interpreter

namespace rgtrans {

bool can_hide(const ir::Game& game) {
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (const auto* assign = std::get_if<ir::Assign>(&game.graph.label(edge))) {
      if (game.assigned_variable(assign->lhs) == game.visible()) return true;
    } else if (const auto* any = std::get_if<ir::AssignAny>(&game.graph.label(edge))) {
      if (game.assigned_variable(any->lhs) == game.visible()) return true;
    }
  }
  const SymbolId zero = game.symbols.find("0");
  const ir::ValueId initial = game.variable(game.visible()).initial;
  return zero.valid() && std::ranges::any_of(game.players(), [&](SymbolId player) {
           const ir::ValueId shown = game.values.at(initial, player);
           return game.values.is_symbol(shown) && game.values.as_symbol(shown) == zero;
         });
}

}  // namespace rgtrans

namespace rgtrans::interpreter {

double Compiled::goal_value(std::uint32_t code) const {
  const std::string text = symbol_text(code);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() ? value : 0;
}

const Program& Compiled::walks() const {
  std::call_once(walks_once_, [&] { walks_ = compile(game, layout, {options, true}); });
  return walks_;
}

namespace {

template <class Cell>
std::string text_of(const Compiled& compiled, const Shape& shape, std::size_t level, std::uint32_t at,
                    const std::vector<Cell>& state) {
  if (level == shape.levels.size()) return compiled.symbol_text(state[at]);
  const Level& here = shape.levels[level];
  std::vector<std::string> parts;
  std::map<std::string, std::size_t> uses;
  for (std::uint32_t i = 0; i < here.keys.size(); ++i) {
    parts.push_back(text_of(compiled, shape, level + 1, at + i * here.stride, state));
    ++uses[parts.back()];
  }
  std::string common = parts.front();
  if (here.has_default) {
    common =
        text_of(compiled, shape, level + 1, at + static_cast<std::uint32_t>(here.keys.size()) * here.stride, state);
  } else {
    for (const std::string& part : parts) {
      if (uses[part] > uses[common]) common = part;
    }
  }
  std::string out = "{ :" + common;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != common) out += ", " + compiled.symbol_text(here.keys[i]) + ": " + parts[i];
  }
  return out + " }";
}

}  // namespace

template <class Cell>
std::string Compiled::value_text(ir::VarId id, const std::vector<Cell>& state) const {
  return text_of(*this, layout.variable(id).shape, 0, layout.variable(id).offset, state);
}

template std::string Compiled::value_text(ir::VarId, const std::vector<std::uint8_t>&) const;
template std::string Compiled::value_text(ir::VarId, const std::vector<std::uint16_t>&) const;
template std::string Compiled::value_text(ir::VarId, const std::vector<std::uint32_t>&) const;

}  // namespace rgtrans::interpreter
