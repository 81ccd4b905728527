#include "frontends/ludax/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludax/limits.hpp"

namespace rgtrans::ludax {

namespace {

std::string number_name(std::int64_t value) {
  return value < 0 ? fmt::format("minus_{}", -value) : std::to_string(value);
}
std::int64_t count(Interval range) { return range.high - range.low + 1; }

}  // namespace

Tables::Tables(const Board& board, ir::Game& game) : board_(board), game_(game) {
  nowhere_ = game.symbols.intern("none");
  empty_ = game.symbols.intern("e");
  places_.push_back(nowhere_);
  for (CellNumber cell = 0; cell < board.size(); ++cell) {
    cells_.push_back(number_symbol(cell));
    places_.push_back(cells_.back());
  }
  players_ = {game.symbols.intern("P1"), game.symbols.intern("P2")};
  const ir::TypeId player = type("Player", {players_[0], players_[1]});
  const ir::TypeId score = type("Score", {number_symbol(50), number_symbol(0), number_symbol(100)});
  cell_type_ = type("Cell", cells_);
  place_type_ = type("Place", places_);
  piece_type_ = type("Piece", {empty_, players_[0], players_[1]});
  bool_type_ = type("Bool", {number_symbol(0), number_symbol(1)});
  // The built-in variables, declared here because edges refer to them.
  const SymbolId goals = game.symbols.intern("Goals");
  game.define_type(goals, game.types.arrow(player, score));
  const ir::ValueId draw = game.values.map(game.values.symbol(number_symbol(50)), {});
  goals_ = game.variable_ref(game.define_variable(game.symbols.intern("goals"), game.types.alias(goals), draw));
  const ir::TypeId everybody = type("PlayerOrSystem", {players_[0], players_[1], game.keeper(), game.random()});
  mover_ = game.variable_ref(
      game.define_variable(game.symbols.intern("player"), everybody, game.values.symbol(game.keeper())));
}

// --- Symbols and types. ---

SymbolId Tables::number_symbol(std::int64_t value) { return game_.symbols.intern(number_name(value)); }

ir::TypeId Tables::type(const std::string& name, const std::vector<SymbolId>& members) {
  const auto [it, fresh] = types_.try_emplace(name);
  if (fresh) {
    const SymbolId id = game_.symbols.intern(name);
    game_.define_type(id, game_.types.set(members));
    it->second = game_.types.alias(id);
  }
  return it->second;
}

ir::TypeId Tables::number_type(Interval range) {
  if (const auto it = types_.find(fmt::format("From_{}_to_{}", number_name(range.low), number_name(range.high)));
      it != types_.end()) {
    return it->second;
  }
  if (count(range) > static_cast<std::int64_t>(limits::table.value())) throw TableTooLarge();
  std::vector<SymbolId> members;
  for (std::int64_t n = range.low; n <= range.high; ++n) members.push_back(number_symbol(n));
  return type(fmt::format("From_{}_to_{}", number_name(range.low), number_name(range.high)), members);
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
  if (fresh) it->second = game_.variable_ref(game_.define_variable(game_.symbols.intern(name), type, initial));
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
ir::ExprId Tables::flag(const std::string& name) {
  return variable(name, bool_type_, game_.values.symbol(number_symbol(0)));
}
ir::ExprId Tables::number_variable(const std::string& name, Interval range, std::int64_t initial) {
  // Numbers of different ranges are different variables.
  const ir::TypeId type = number_type(range);
  const std::string key = fmt::format("{} {}", name, type.value);
  const auto known = variables_.find(key);
  if (known != variables_.end()) return known->second;
  const int same = ++names_[name];
  const ir::ExprId made =
      variable(same == 1 ? name : fmt::format("{}_{}", name, same), type, game_.values.symbol(number_symbol(initial)));
  return variables_[key] = made;
}
ir::ExprId Tables::step_variable(std::size_t steps) {
  return number_variable("step", {0, static_cast<std::int64_t>(steps) - 1}, 0);
}
ir::ExprId Tables::is_open(const Cells& bases, ir::ExprId place) {
  std::vector<ir::Values::Entry> entries;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (bases[i]) entries.push_back({cells_[i], game_.values.symbol(number_symbol(1))});
  }
  const ir::ExprId open = variable("open", game_.types.arrow(place_type_, bool_type_),
                                   game_.values.map(game_.values.symbol(number_symbol(0)), entries));
  return game_.access(open, place);
}
ir::ExprId Tables::board(const std::string& name, const std::vector<std::optional<Player>>& start) {
  std::vector<ir::Values::Entry> pieces;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (start[i]) pieces.push_back({cells_[i], game_.values.symbol(players_[static_cast<std::size_t>(*start[i])])});
  }
  // Nowhere there is no piece.
  return variable(name, game_.types.arrow(place_type_, piece_type_),
                  game_.values.map(game_.values.symbol(empty_), pieces));
}

// --- Constant maps. ---

ir::ExprId Tables::constant(const std::string& stem, ir::TypeId type, ir::ValueId value) {
  const auto [it, fresh] = constants_.try_emplace({type.value, value.value});
  if (fresh) {
    const int number = ++names_[stem];
    const std::string name = number == 1 ? stem : fmt::format("{}_{}", stem, number);
    it->second = game_.constant_ref(game_.define_constant(game_.symbols.intern(name), type, value));
  }
  return it->second;
}

ir::ValueId Tables::map(const std::vector<SymbolId>& keys, const std::vector<ir::ValueId>& values) {
  std::map<std::uint32_t, std::size_t> frequency;
  ir::ValueId most = values.front();
  for (ir::ValueId value : values) {
    if (++frequency[value.value] > frequency[most.value]) most = value;
  }
  std::vector<ir::Values::Entry> entries;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (values[i] != most) entries.push_back({keys[i], values[i]});
  }
  return game_.values.map(most, entries);
}

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
  std::vector<ir::ValueId> values = {game_.values.symbol(number_symbol(0))};
  for (bool cell : cells) values.push_back(game_.values.symbol(number_symbol(cell ? 1 : 0)));
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
  std::vector<SymbolId> keys;
  std::vector<ir::ValueId> values;
  for (std::int64_t key = from.low; key <= from.high; ++key) {
    keys.push_back(number_symbol(key));
    values.push_back(game_.values.symbol(number_symbol(std::clamp(f(key), to.low, to.high))));
  }
  return game_.access(constant(name, type, map(keys, values)), n);
}

ir::ExprId Tables::mapped(const std::string& name, Interval first, Interval second, Interval to,
                          const std::function<std::int64_t(std::int64_t, std::int64_t)>& f, ir::ExprId a,
                          ir::ExprId b) {
  const std::int64_t size = count(first) * count(second);  // both are sizes of types that exist
  if (size > static_cast<std::int64_t>(limits::table.value())) throw TableTooLarge();
  const ir::TypeId type =
      game_.types.arrow(number_type(first), game_.types.arrow(number_type(second), number_type(to)));
  std::vector<SymbolId> keys, inner_keys;
  for (std::int64_t key = first.low; key <= first.high; ++key) keys.push_back(number_symbol(key));
  for (std::int64_t key = second.low; key <= second.high; ++key) inner_keys.push_back(number_symbol(key));
  std::vector<ir::ValueId> rows;
  for (std::int64_t x = first.low; x <= first.high; ++x) {
    std::vector<ir::ValueId> values;
    for (std::int64_t y = second.low; y <= second.high; ++y) {
      values.push_back(game_.values.symbol(number_symbol(std::clamp(f(x, y), to.low, to.high))));
    }
    rows.push_back(map(inner_keys, values));
  }
  return game_.access(game_.access(constant(name, type, map(keys, rows)), a), b);
}

}  // namespace rgtrans::ludax
