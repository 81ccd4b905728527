#include "backends/interpreter/compiled.hpp"

#include <algorithm>
#include <map>

#include "backends/interpreter/compile.hpp"
#include "core/support/support.hpp"

namespace rgtrans::interpreter {

Compiled::Compiled(const ir::Game& source, const InterpreterOptions& given)
    : game(source), options(given), layout(game), program(compile(game, layout, {options, false})) {
  node_names = game.node_names();
  for (std::uint32_t code = 0; code < layout.code_count(); ++code) {
    symbol_of_code.push_back(layout.symbol(code).value);
  }
  player_cell = layout.variable(game.player()).offset;
  mover_of_code.assign(layout.code_count(), kNone);
  const auto block = [&](ir::VarId id, SymbolId player) {
    const VariableLayout& variable = layout.variable(id);
    const Level& level = variable.shape.levels.at(0);
    return variable.offset + level.block(layout.code(player), false) * level.stride;
  };
  for (SymbolId player : game.players()) {
    mover_of_code[layout.code(player)] = static_cast<std::uint32_t>(info.players.size());
    info.players.push_back(ir::written(game, player));
    goal_cells.push_back(block(game.goals(), player));
    visibility.cells.push_back(block(game.visible(), player));
  }
  mover_of_code[layout.code(game.keeper())] = static_cast<std::uint32_t>(info.keeper());
  mover_of_code[layout.code(game.random())] = static_cast<std::uint32_t>(info.random());
  if (const SymbolId zero = game.symbols.find("0"); zero.valid()) visibility.zero = layout.code(zero);
  info.hidden = hiding = ir::hides_moves(game);
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
  for (const ir::VarId id : game.living_variables()) {
    variable_of_cell.insert(variable_of_cell.end(), layout.variable(id).shape.size, id);
  }
  for (std::uint32_t cell = 0; cell < layout.cell_count(); ++cell) {
    if (!layout.is_trash(cell)) state_cells.push_back(cell);
  }
  for (const std::vector<std::uint32_t>& keys : key_cells) {
    std::vector<std::uint8_t>& live = matters.emplace_back(layout.cell_count(), 0);
    std::vector<bool>& variables = alive.emplace_back(game.variables().size(), false);
    for (const std::uint32_t cell : keys) {
      live[cell] = 1;
      variables[variable_of_cell[cell].value] = true;
    }
    std::vector<std::uint32_t>& dead = dead_places.emplace_back();
    for (std::uint32_t place = 0; place < state_cells.size(); ++place) {
      if (live[state_cells[place]] == 0) dead.push_back(place);
    }
  }
  find_state_maps();
}

void Compiled::find_state_maps() {
  for (const Renaming& renaming : options.symmetries) {
    StateMap map;
    for (std::uint32_t code = 0; code < layout.code_count(); ++code) {
      map.code.push_back(layout.code(renaming.symbol[layout.symbol(code).value]));
    }
    for (const Start& start : program.starts) {
      const std::uint32_t image = renaming.node[start.node].value;
      const auto found = std::ranges::find(program.starts, image, &Start::node);
      map.start.push_back(found == program.starts.end() ? kNone
                                                        : static_cast<std::uint32_t>(found - program.starts.begin()));
    }
    const auto missing = [&](std::uint32_t number) { return number >= kNone; };
    if (std::ranges::any_of(map.code, missing) || std::ranges::any_of(map.start, missing) ||
        !map_cells(renaming, map)) {
      symmetries.clear();
      return;
    }
    symmetries.push_back(std::move(map));
  }
}

// Returns false if some cell has no image.
bool Compiled::map_cells(const Renaming& renaming, StateMap& map) const {
  std::vector<std::uint32_t> place(layout.cell_count(), kNone);
  for (std::uint32_t i = 0; i < state_cells.size(); ++i) place[state_cells[i]] = i;
  for (const std::uint32_t cell : state_cells) {
    const ir::VarId variable = variable_of_cell[cell];
    const VariableLayout& from = layout.variable(variable);
    const VariableLayout& to = layout.variable(renaming.variable[variable.value]);
    if (from.shape.levels.size() != to.shape.levels.size()) return false;
    std::uint32_t image = to.offset;
    for (std::size_t l = 0; l < from.shape.levels.size(); ++l) {
      const Level& level = from.shape.levels[l];
      const Level& other = to.shape.levels[l];
      const std::uint32_t block = (cell - from.offset) / level.stride % level.blocks();
      if (level.keys.size() != other.keys.size() || level.has_default != other.has_default) return false;
      const std::uint32_t there = block < level.keys.size() ? other.block(map.code[level.keys[block]], false) : block;
      image += there * other.stride;
    }
    if (image >= place.size() || place[image] == kNone) return false;
    map.cell.push_back(place[image]);
  }
  return true;
}

}  // namespace rgtrans::interpreter

namespace rgtrans::interpreter {

double Compiled::goal_value(std::uint32_t code) const { return score_value(symbol_text(code)); }

const MachineProgram& Compiled::walks() const {
  std::call_once(walks_once_, [&] { walks_ = compile(game, layout, {options, true}); });
  return walks_;
}

namespace {

template <class Cell>
std::string text_of(const Compiled& compiled, const FlatShape& shape, std::size_t level, std::uint32_t at,
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

template std::string Compiled::value_text(ir::VarId, const std::vector<ByteCell>&) const;
template std::string Compiled::value_text(ir::VarId, const std::vector<std::uint16_t>&) const;
template std::string Compiled::value_text(ir::VarId, const std::vector<std::uint32_t>&) const;

}  // namespace rgtrans::interpreter
