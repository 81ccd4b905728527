// The RG declarations for boards, places and numbers of Ludax, created on first use. Cells and numbers are symbols
// named by their digits, so the text of a move is the number of its cell.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/ludax/logic.hpp"

namespace rgtrans::ludax {

// Thrown when a table for arithmetic would be too large.
struct TableTooLarge {};

class Tables : private ir::DefinedOnce {
 public:
  Tables(const Board& board, ir::Game& game);

  // --- Symbols. ---
  [[nodiscard]] ir::ExprId cell(CellNumber cell) const { return game_.symbol(cells_[cell]); }
  [[nodiscard]] ir::ExprId nowhere() const { return game_.symbol(nowhere_); }
  [[nodiscard]] ir::ExprId empty() const { return game_.symbol(empty_); }
  [[nodiscard]] ir::ExprId player(Player player) const {
    return game_.symbol(players_[static_cast<std::size_t>(player)]);
  }
  ir::ExprId number(std::int64_t value) { return game_.symbol(DefinedOnce::number(value)); }
  ir::ExprId word(std::string_view text) { return game_.symbol(game_.symbols.intern(text)); }

  // --- Variables. ---
  ir::ExprId variable(const std::string& name, ir::TypeId type, ir::ValueId initial);
  [[nodiscard]] ir::VarId variable_id(ir::ExprId variable) const { return game_.expressions().variable(variable); }
  ir::ExprId place_variable(const std::string& name);  // a cell or nowhere; initially nowhere
  ir::ExprId cell_variable(const std::string& name);
  ir::ExprId direction_variable();
  ir::ExprId flag(const std::string& name);  // initially 0
  ir::ExprId number_variable(const std::string& name, Interval range, std::int64_t initial);
  ir::ExprId step_variable(std::size_t steps);
  // Whether a cell is the next one in its column; initially the bases are. Undefined for nowhere.
  ir::ExprId is_open(const Cells& bases, ir::ExprId place);
  ir::ExprId board(const std::string& name, const std::vector<std::optional<Player>>& start);
  using DefinedOnce::mover;
  [[nodiscard]] ir::ExprId goal(Player player) const { return game_.access(goals(), this->player(player)); }

  // --- Types. ---
  [[nodiscard]] ir::TypeId cell_type() const { return cell_type_; }
  ir::TypeId cells_type(const Cells& cells);
  ir::TypeId directions_type(Directions directions);

  // --- Constant maps. Places may be nowhere. --- The place one step further, or nowhere.
  ir::ExprId step(Direction direction, ir::ExprId from);
  ir::ExprId step(ir::ExprId direction, ir::ExprId from);
  // The next cell on the only line of a length through a cell; the first cell follows the last. May be nowhere.
  ir::ExprId ring(Direction axis, std::int64_t length, ir::ExprId from);
  // The next cell in the order of a set, or nowhere.
  ir::ExprId next_cell(const Cells& cells, ir::ExprId from);
  // 1 for the cells of a set.
  ir::ExprId contains(const Cells& cells, ir::ExprId place);
  // 1 if the second place is related to the first. The last row belongs to nowhere.
  ir::ExprId related(const std::vector<Cells>& rows, ir::ExprId first, ir::ExprId second);
  // f(n), clamped to a range.
  ir::ExprId mapped(const std::string& name, Interval from, Interval to,
                    const std::function<std::int64_t(std::int64_t)>& f, ir::ExprId n);
  // f(a, b), clamped to a range.
  ir::ExprId mapped(const std::string& name, Interval first, Interval second, Interval to,
                    const std::function<std::int64_t(std::int64_t, std::int64_t)>& f, ir::ExprId a, ir::ExprId b);

 private:
  [[nodiscard]] ir::ValueId number_value(std::int64_t value) { return game_.values.symbol(DefinedOnce::number(value)); }
  ir::TypeId number_type(Interval range);
  ir::ExprId constant(const std::string& stem, ir::TypeId type, ir::ValueId value) {
    return game_.constant_ref(DefinedOnce::constant(stem, type, value));
  }
  ir::ValueId place_value(CellNumber cell) { return game_.values.symbol(cell == kNone ? nowhere_ : cells_[cell]); }
  ir::ValueId set_value(const Cells& cells);

  const Board& board_;
  ir::Game& game_;
  std::vector<SymbolId> cells_, places_;  // places: nowhere, followed by the cells
  std::array<SymbolId, 2> players_;
  SymbolId nowhere_, empty_;
  ir::TypeId cell_type_, place_type_, piece_type_, bool_type_;
  ir::ExprId steps_;
  std::map<std::string, ir::ExprId> variables_;
  std::map<Cells, ir::TypeId> cell_sets_;
};

}  // namespace rgtrans::ludax
