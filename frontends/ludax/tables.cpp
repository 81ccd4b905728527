#include "frontends/ludax/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludax/limits.hpp"

namespace rgtrans::ludax {

Tables::Tables(const Board& board, ir::Game& game) : DefinedOnce(game), board_(board), game_(game) {
  nowhere_ = game.symbols.intern("none");
  empty_ = game.symbols.intern("e");
  cells_ = numbers({0, static_cast<std::int64_t>(board.size()) - 1});
  places_.push_back(nowhere_);
  places_.insert(places_.end(), cells_.begin(), cells_.end());
  players_ = {game.symbols.intern("P1"), game.symbols.intern("P2")};
  declare_play({players_[0], players_[1]}, {DefinedOnce::number(50), DefinedOnce::number(0), DefinedOnce::number(100)});
  cell_type_ = type("Cell", cells_);
  place_type_ = type("Place", places_);
  piece_type_ = type("Piece", {empty_, players_[0], players_[1]});
  bool_type_ = booleans();
}

// --- Types. ---

ir::TypeId Tables::number_type(Interval range) {
  if (range.size() > limits::table.value()) throw TableTooLarge();
  return DefinedOnce::number_type(range);
}

ir::TypeId Tables::cells_type(const Cells& cells) {
  if (std::ranges::all_of(cells, [](bool cell) { return cell; })) return cell_type_;
  const auto [it, fresh] = cell_sets_.try_emplace(cells);
  if (fresh) {
    std::vector<SymbolId> members;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i]) members.push_back(cells_[i]);
    }
    it->second = type(fmt::format("Area_{}", cell_sets_.size()), members);
  }
  return it->second;
}

ir::TypeId Tables::directions_type(Directions directions) {
  std::vector<SymbolId> members;
  std::string name = "Direction";
  for (Direction d : list_of(directions)) {
    const std::string_view text = kDirectionNames[static_cast<std::size_t>(d)];
    if (directions != board_.directions()) name += fmt::format("_{}", text);
    members.push_back(game_.symbols.intern(text));
  }
  return type(name, members);
}

// --- Variables. ---

ir::ExprId Tables::variable(const std::string& name, ir::TypeId type, ir::ValueId initial) {
  const auto [it, fresh] = variables_.try_emplace(name);
  if (fresh) it->second = game_.variable_ref(game_.define_variable(fresh_name(name), type, initial));
  return it->second;
}
ir::ExprId Tables::place_variable(const std::string& name) {
  return variable(name, place_type_, game_.values.symbol(nowhere_));
}
ir::ExprId Tables::cell_variable(const std::string& name) {
  return variable(name, cell_type_, game_.values.symbol(cells_.front()));
}
ir::ExprId Tables::direction_variable() {
  const ir::TypeId all = directions_type(board_.directions());
  return variable("direction", all, game_.values.symbol(game_.members(all).front()));
}
ir::ExprId Tables::flag(const std::string& name) { return variable(name, bool_type_, number_value(0)); }
ir::ExprId Tables::number_variable(const std::string& name, Interval range, std::int64_t initial) {
  // Numbers with different ranges are different variables.
  const ir::TypeId type = number_type(range);
  const auto [it, fresh] = variables_.try_emplace(fmt::format("{} {}", name, type.value));
  if (fresh) it->second = game_.variable_ref(game_.define_variable(fresh_name(name), type, number_value(initial)));
  return it->second;
}
ir::ExprId Tables::step_variable(std::size_t steps) {
  return number_variable("step", {0, static_cast<std::int64_t>(steps) - 1}, 0);
}
ir::ExprId Tables::is_open(const Cells& bases, ir::ExprId place) {
  std::vector<ir::Values::Entry> entries;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (bases[i]) entries.push_back({cells_[i], number_value(1)});
  }
  const ir::ExprId open =
      variable("open", game_.types.arrow(place_type_, bool_type_), game_.values.map(number_value(0), entries));
  return game_.access(open, place);
}
ir::ExprId Tables::board(const std::string& name, const std::vector<std::optional<Player>>& start) {
  std::vector<ir::Values::Entry> pieces;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (start[i]) pieces.push_back({cells_[i], game_.values.symbol(players_[static_cast<std::size_t>(*start[i])])});
  }
  // The place "nowhere" has no piece.
  return variable(name, game_.types.arrow(place_type_, piece_type_),
                  game_.values.map(game_.values.symbol(empty_), pieces));
}

// --- Constant maps. ---

ir::ExprId Tables::step(Direction direction, ir::ExprId from) {
  return step(word(kDirectionNames[static_cast<std::size_t>(direction)]), from);
}

ir::ExprId Tables::step(ir::ExprId direction, ir::ExprId from) {
  if (steps_.valid()) return game_.access(game_.access(steps_, direction), from);
  std::vector<SymbolId> names;
  std::vector<ir::ValueId> maps;
  for (Direction d : list_of(board_.directions())) {
    std::vector<ir::ValueId> values = {place_value(kNone)};
    for (CellNumber cell = 0; cell < board_.size(); ++cell) values.push_back(place_value(board_.step(cell, d)));
    names.push_back(game_.symbols.intern(kDirectionNames[static_cast<std::size_t>(d)]));
    maps.push_back(map(places_, values));
  }
  const ir::TypeId type =
      game_.types.arrow(directions_type(board_.directions()), game_.types.arrow(place_type_, place_type_));
  steps_ = constant("next", type, map(names, maps));
  return game_.access(game_.access(steps_, direction), from);
}

ir::ExprId Tables::ring(Direction axis, std::int64_t length, ir::ExprId from) {
  std::vector<ir::ValueId> values(places_.size(), place_value(kNone));
  for (const std::vector<CellNumber>& line : board_.lines(axis, static_cast<int>(length))) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      values[line[i] + 1] = place_value(line[(i + 1) % line.size()]);
    }
  }
  const std::string name = fmt::format("around_{}", kDirectionNames[static_cast<std::size_t>(axis)]);
  return game_.access(constant(name, game_.types.arrow(place_type_, place_type_), map(places_, values)), from);
}

ir::ExprId Tables::next_cell(const Cells& cells, ir::ExprId from) {
  std::vector<ir::ValueId> values(places_.size(), place_value(kNone));
  CellNumber next = kNone;
  for (CellNumber cell = board_.size(); cell-- > 0;) {
    values[cell + 1] = place_value(next);
    if (cells[cell]) next = cell;
  }
  return game_.access(constant("following", game_.types.arrow(place_type_, place_type_), map(places_, values)), from);
}

ir::ValueId Tables::set_value(const Cells& cells) {
  std::vector<ir::ValueId> values = {number_value(0)};
  for (bool cell : cells) values.push_back(number_value(cell ? 1 : 0));
  return map(places_, values);
}

ir::ExprId Tables::contains(const Cells& cells, ir::ExprId place) {
  return game_.access(constant("area", game_.types.arrow(place_type_, bool_type_), set_value(cells)), place);
}

ir::ExprId Tables::related(const std::vector<Cells>& rows, ir::ExprId first, ir::ExprId second) {
  std::vector<ir::ValueId> values = {set_value(rows.back())};
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) values.push_back(set_value(rows[i]));
  const ir::TypeId type = game_.types.arrow(place_type_, game_.types.arrow(place_type_, bool_type_));
  return game_.access(game_.access(constant("related", type, map(places_, values)), first), second);
}

ir::ExprId Tables::mapped(const std::string& name, Interval from, Interval to,
                          const std::function<std::int64_t(std::int64_t)>& f, ir::ExprId n) {
  const ir::TypeId type = game_.types.arrow(number_type(from), number_type(to));
  std::vector<ir::ValueId> values;
  for (std::int64_t key = from.low; key <= from.high; ++key) {
    values.push_back(number_value(std::clamp(f(key), to.low, to.high)));
  }
  return game_.access(constant(name, type, map(numbers(from), values)), n);
}

ir::ExprId Tables::mapped(const std::string& name, Interval first, Interval second, Interval to,
                          const std::function<std::int64_t(std::int64_t, std::int64_t)>& f, ir::ExprId a,
                          ir::ExprId b) {
  if (std::uint64_t{first.size()} * second.size() > limits::table.value())
    throw TableTooLarge();  // the product does not overflow: both are sizes of existing types
  const ir::TypeId type =
      game_.types.arrow(number_type(first), game_.types.arrow(number_type(second), number_type(to)));
  const std::vector<SymbolId> inner_keys = numbers(second);
  std::vector<ir::ValueId> rows;
  for (std::int64_t x = first.low; x <= first.high; ++x) {
    std::vector<ir::ValueId> values;
    for (std::int64_t y = second.low; y <= second.high; ++y) {
      values.push_back(number_value(std::clamp(f(x, y), to.low, to.high)));
    }
    rows.push_back(map(inner_keys, values));
  }
  return game_.access(game_.access(constant(name, type, map(numbers(first), rows)), a), b);
}

}  // namespace rgtrans::ludax
