// The data that all engines of one game share: the description, the layout, the program and several tables.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/layout.hpp"
#include "backends/interpreter/machine.hpp"
#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

class Compiled {
 public:
  Compiled(const ir::Game& game, const InterpreterOptions& options);

  const ir::Game game;
  const InterpreterOptions options;
  const StateLayout layout;
  const MachineProgram program;
  GameInfo info;
  std::vector<std::string> node_names;
  std::vector<std::uint32_t> symbol_of_code;
  std::uint32_t player_cell = 0;
  std::vector<std::uint32_t> goal_cells;                // by player
  std::vector<std::uint32_t> mover_of_code;             // index of the mover, or kNone
  std::vector<bool> final_start;                        // by start: it is the node `end`
  std::vector<std::vector<std::uint32_t>> key_cells;    // by start: cells that can affect the rest of a play
  std::vector<std::vector<std::uint8_t>> matters;       // by start and cell: it is in key_cells
  std::vector<std::vector<bool>> alive;                 // by start and variable: one of its cells is in key_cells
  std::vector<std::uint32_t> state_cells;               // all except the trash
  std::vector<std::vector<std::uint32_t>> dead_places;  // by start: positions in state_cells that are not in key_cells
  std::vector<ir::VarId> variable_of_cell;
  bool hiding = false;  // some player may not see some tag
  Visibility visibility;
  // A given symmetry as a map on states. If one symmetry does not fit the stored values, `symmetries` is empty.
  struct StateMap {
    std::vector<std::uint32_t> start;  // by start: image
    std::vector<std::uint32_t> cell;   // by position in state_cells: position of the image
    std::vector<std::uint32_t> code;   // by code: image
  };
  std::vector<StateMap> symmetries;

  // The number that a goal symbol denotes; 0 if it is not a number.
  [[nodiscard]] double goal_value(std::uint32_t code) const;
  [[nodiscard]] std::string symbol_text(std::uint32_t code) const { return game.symbols.str(layout.symbol(code)); }
  // The value of a variable in a state, as RG text.
  template <class Cell>
  [[nodiscard]] std::string value_text(ir::VarId id, const std::vector<Cell>& state) const;
  // Calls f(cell of a state, its keys) for each cell of a map variable that has keys, and once for a scalar.
  template <class F>
  void each_cell(ir::VarId id, F&& f) const {
    const VariableLayout& variable = layout.variable(id);
    const std::vector<Level>& levels = variable.shape.levels;
    for (std::uint32_t cell = 0; cell < variable.shape.size; ++cell) {
      std::vector<std::string> keys;
      for (const Level& level : levels) {
        const std::uint32_t block = cell / level.stride % level.blocks();
        if (block < level.keys.size()) keys.push_back(symbol_text(level.keys[block]));
      }
      if (keys.size() == levels.size()) f(variable.offset + cell, std::move(keys));  // other cells are defaults
    }
  }
  // The program that keeps all walks, compiled on first use.
  const MachineProgram& walks() const;

 private:
  void find_state_maps();
  [[nodiscard]] bool map_cells(const Renaming& renaming, StateMap& map) const;

  mutable std::once_flag walks_once_;
  mutable MachineProgram walks_;
};

}  // namespace rgtrans::interpreter
