// Selects the planes of a game. Maps that are boards have the layout that `play` draws; other maps are laid out by
// rows. Scalars of one kind that a translator made from a board ("cell_1_2") become a board again. A cell with few
// values has one plane per value; a cell with many values has one plane in which the value's number is the position.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "backends/cpp/cpp.hpp"
#include "backends/env/env.hpp"
#include "backends/scene/scene.hpp"
#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"
#include "core/support/support.hpp"

namespace rgtrans::env {

namespace {

constexpr std::size_t kFewValues = 32;  // largest number of values of a scalar with one plane per value
constexpr std::size_t kMostCells = 10'000;
constexpr std::size_t kLeastGroup = 4;  // scalars that form a board
constexpr std::size_t kSparse = 5;      // positions per cell; sparser layouts are rejected

struct Cell {
  std::string variable;
  std::vector<std::string> keys;
  std::size_t row = 0, column = 0;
};

// Cells that share their planes.
struct Field {
  std::string name;
  std::vector<Cell> cells;
  std::size_t rows = 1, columns = 1;
  std::vector<std::string> values;
};

std::vector<double> distinct(std::vector<double> numbers) {
  constexpr double kSame = 1e-3;
  std::ranges::sort(numbers);
  std::vector<double> result;
  for (const double n : numbers) {
    if (result.empty() || n - result.back() > kSame) result.push_back(n);
  }
  return result;
}

std::size_t position(const std::vector<double>& sorted, double n) {
  constexpr double kSlack = 5e-4;
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, n - kSlack) - sorted.begin());
}

// Rows and columns of cells in a plane. Hexagons are sheared so that their rows are aligned.
void lay_out(const std::vector<scene::CellSpot>& spots, bool hexagons, Field& field) {
  std::vector<double> ys;
  for (const scene::CellSpot& spot : spots) ys.push_back(spot.y);
  const std::vector<double> rows = distinct(ys);
  std::vector<double> best;
  double shear = 0;
  for (const double slant : {0.0, 0.5, -0.5}) {
    if (slant != 0 && !hexagons) break;
    std::vector<double> xs;
    for (const scene::CellSpot& spot : spots)
      xs.push_back(spot.x - slant * static_cast<double>(position(rows, spot.y)));
    const std::vector<double> columns = distinct(xs);
    if (!best.empty() && columns.size() >= best.size()) continue;
    best = columns;
    shear = slant;
  }
  field.rows = rows.size();
  field.columns = best.size();
  for (std::size_t i = 0; i < spots.size(); ++i) {
    Cell& cell = field.cells[i];
    cell.row = position(rows, spots[i].y);
    cell.column = position(best, spots[i].x - shear * static_cast<double>(cell.row));
  }
}

// The cells of a map that plays may change, and those that they may read.
class UsedCells {
 public:
  UsedCells(const ir::Game& game, const analysis::Flow& flow, ir::VarId map)
      : game_(game), map_(map), sets_(game, flow) {
    for (const ir::EdgeId edge : game.graph.edges()) {
      const ir::NodeId source = game.graph.source(edge);
      if (!flow.reached(source) || !sets_.possible(source)) continue;
      const ir::Label& label = game.graph.label(edge);
      const ir::ExprId left = ir::left_side(label);
      ir::for_each_expression(label, [&](ir::ExprId expression) {
        if (expression != left) return read(expression, source);
        if (game.assigned_variable(left) == map) add(changed_, left, source);
        ir::for_each_index(game.expressions(), left, [&](ir::ExprId index) { read(index, source); });
      });
    }
  }

  [[nodiscard]] bool varies(const std::vector<std::string>& keys) const {
    return includes(changed_, keys) && includes(read_, keys);
  }

 private:
  // By key, from the first one: the symbols that it can be. Missing keys can be any.
  using Cells = std::vector<std::set<std::string>>;

  static bool includes(const std::vector<Cells>& all, const std::vector<std::string>& keys) {
    return std::ranges::any_of(all, [&](const Cells& cells) {
      for (std::size_t k = 0; k < cells.size(); ++k) {
        if (cells[k].count(keys[k]) == 0) return false;
      }
      return true;
    });
  }

  void add(std::vector<Cells>& to, ir::ExprId access, ir::NodeId node) {
    Cells cells;
    for (const ir::ExprId index : ir::indices_of(game_.expressions(), access)) {
      auto& symbols = cells.emplace_back();
      for (const SymbolId symbol : sets_.sets().of(sets_.values(index, node)))
        symbols.insert(game_.symbols.str(symbol));
    }
    to.push_back(std::move(cells));
  }
  void read(ir::ExprId expression, ir::NodeId node) {
    const ir::Expressions& e = game_.expressions();
    const ir::ExprId root = e.root(expression);
    if (e.kind(root) == ir::ExprKind::variable && e.variable(root) == map_) add(read_, expression, node);
    ir::for_each_index(e, expression, [&](ir::ExprId index) { read(index, node); });
  }

  const ir::Game& game_;
  const ir::VarId map_;
  analysis::ValueSets sets_;
  std::vector<Cells> changed_, read_;
};

// Whether two cells have one position in the plane.
bool overlap(const Field& field) {
  std::set<std::pair<std::size_t, std::size_t>> taken;
  return !std::ranges::all_of(field.cells,
                              [&](const Cell& cell) { return taken.emplace(cell.row, cell.column).second; });
}

class Planner {
 public:
  Planner(const ir::Game& game, const BatchOptions& options)
      : game_(simpler(game)), options_(options), flow_(game_), live_(game_, flow_) {}

  Observation run() {
    find_starts();
    find_fields();
    for (const Field& field : fields_) {
      height_ = std::max(height_, field.rows);
      width_ = std::max(width_, field.columns);
    }
    for (Field& field : fields_) add_field(field);
    for (const ir::VarId scalar : scalars_) add_scalar(scalar);
    add_movers();
    result_.shape = {result_.planes.size(), height_, width_};
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string name(ir::VarId v) const { return game_.symbols.str(game_.variable(v).name); }

  // Simplifies the game to find variables that are read without effect, such as a counter that stops before its final
  // value, or a position from which every position is reachable.
  static ir::Game simpler(ir::Game game) {
    passes::OptimizeOptions options;
    options.passes = {"close-cycles"};
    passes::optimize(game, options);
    return cpp::without_decided_steps(std::move(game));
  }

  // Finds the nodes where moves of players begin.
  void find_starts() {
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const ir::NodeId target = game_.graph.target(edge);
      const ir::Label& label = game_.graph.label(edge);
      if (!flow_.main(game_.graph.source(edge)) || !game_.is_player_assignment(label)) continue;
      const auto* assign = std::get_if<ir::Assign>(&label);
      const std::optional<SymbolId> who =
          assign != nullptr ? game_.constant_symbol(game_.expressions().uncast(assign->rhs)) : std::nullopt;
      if (flow_.reached(target) && who != game_.keeper() && who != game_.random()) {
        starts_.insert(target);
      }
    }
  }

  // Whether the variable is live at the start of some player's move.
  [[nodiscard]] bool shown(ir::VarId v) const {
    if (game_.built_in(v)) return false;
    return std::ranges::any_of(starts_, [&](ir::NodeId node) { return live_.live(v, node); });
  }

  [[nodiscard]] std::vector<std::string> texts(std::span<const SymbolId> symbols) const {
    std::vector<std::string> result;
    for (const SymbolId symbol : symbols) result.push_back(game_.symbols.str(symbol));
    return result;
  }

  void find_fields() {
    std::map<std::pair<std::string, std::uint32_t>, std::vector<std::pair<ir::VarId, std::vector<int>>>> groups;
    for (const ir::VarId v : game_.living_variables()) {
      if (!shown(v)) continue;
      if (game_.is_arrow(game_.variable(v).type)) {
        add_map(v);
        continue;
      }
      const auto [stem, numbers] = read_name(name(v));
      const std::uint32_t type = game_.resolve(game_.variable(v).type).value;
      if (numbers.empty() || numbers.size() > 2) {
        scalars_.push_back(v);
      } else {
        groups[{fmt::format("{}/{}", stem, numbers.size()), type}].emplace_back(v, numbers);
      }
    }
    for (const auto& [key, members] : groups) {
      if (members.size() >= kLeastGroup && add_group(key.first.substr(0, key.first.find('/')), members)) continue;
      for (const auto& member : members) scalars_.push_back(member.first);
    }
    std::ranges::sort(scalars_, {}, [](ir::VarId v) { return v.value; });
  }

  // Splits names: "cell_1_2_red" becomes "cell_red" at 1, 2.
  static std::pair<std::string, std::vector<int>> read_name(const std::string& name) {
    std::string stem;
    std::vector<int> numbers;
    for (std::size_t at = 0; at <= name.size();) {
      const std::size_t end = std::min(name.find('_', at), name.size());
      const std::string part = name.substr(at, end - at);
      at = end + 1;
      if (!part.empty() && part.size() <= 4 && part.find_first_not_of("0123456789") == std::string::npos) {
        numbers.push_back(std::stoi(part));
      } else {
        stem += (stem.empty() ? "" : "_") + part;
      }
    }
    return {stem, numbers};
  }

  // Returns false if two names have the same numbers: "a_1_b" and "a_b_1".
  bool add_group(const std::string& stem, const std::vector<std::pair<ir::VarId, std::vector<int>>>& members) {
    Field field;
    field.name = stem;
    field.values = texts(game_.members(game_.variable(members.front().first).type));
    std::vector<scene::CellSpot> spots;
    for (const auto& [v, numbers] : members) {
      field.cells.push_back({name(v), {}});
      spots.push_back({"", static_cast<double>(numbers.front()), numbers.size() > 1 ? double(numbers[1]) : 0, {}, {}});
    }
    lay_out(spots, false, field);
    if (overlap(field)) return false;
    fields_.push_back(std::move(field));
    return true;
  }

  void add_map(ir::VarId v) {
    Field field;
    field.name = name(v);
    const ir::TypeId type = game_.variable(v).type;
    std::vector<std::vector<std::string>> keys = {{}};
    for (const ir::TypeId from : game_.keys(type)) {
      std::vector<std::vector<std::string>> longer;
      for (const auto& key : keys) {
        for (const SymbolId symbol : game_.members(from)) {
          longer.push_back(key);
          longer.back().push_back(game_.symbols.str(symbol));
        }
      }
      keys = std::move(longer);
      if (keys.size() > kMostCells) return;
    }
    field.values = texts(game_.members(game_.value_type(type)));
    for (const auto& key : keys) field.cells.push_back({field.name, key});
    if (!lay_as_drawn(v, field)) {
      field.columns = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(std::sqrt(double(keys.size())))));
      field.rows = (keys.size() + field.columns - 1) / field.columns;
      for (std::size_t i = 0; i < field.cells.size(); ++i) {
        field.cells[i].row = i / field.columns;
        field.cells[i].column = i % field.columns;
      }
    }
    fields_.push_back(std::move(field));
  }

  // Cells that are not drawn are shown in rows of their own, but for those that no play changes and reads, such as
  // "out".
  bool lay_as_drawn(ir::VarId v, Field& field) const {
    const std::vector<scene::Layout> layouts = scene::find_layouts(game_, v, false);
    if (layouts.size() != 1) return false;
    std::map<std::string, std::size_t> cell_of;
    for (std::size_t i = 0; i < field.cells.size(); ++i) cell_of.emplace(scene::key_of(field.cells[i].keys), i);
    std::vector<scene::CellSpot> spots;
    Field drawn = field;
    drawn.cells.clear();
    for (const scene::CellSpot& spot : layouts.front().spots) {
      if (spot.sources.size() != 1 || !spot.sources.front().piece.empty() || spot.sources.front().least != 0)
        return false;
      const auto it = cell_of.find(spot.sources.front().key);
      if (it == cell_of.end()) return false;
      drawn.cells.push_back(field.cells[it->second]);
      spots.push_back(spot);
    }
    if (spots.empty()) return false;
    lay_out(spots, layouts.front().shape == ir::CellShape::hexagon, drawn);
    if (drawn.rows * drawn.columns > kSparse * spots.size() || overlap(drawn)) return false;
    add_others(v, field, drawn);
    field = std::move(drawn);
    return true;
  }

  void add_others(ir::VarId v, const Field& all, Field& drawn) const {
    std::set<std::vector<std::string>> known;
    for (const Cell& cell : drawn.cells) known.insert(cell.keys);
    if (known.size() == all.cells.size()) return;
    const UsedCells used(game_, flow_, v);
    std::size_t others = 0;
    for (Cell cell : all.cells) {
      if (known.count(cell.keys) != 0 || !used.varies(cell.keys)) continue;
      cell.row = drawn.rows + others / drawn.columns;
      cell.column = others % drawn.columns;
      ++others;
      drawn.cells.push_back(std::move(cell));
    }
    drawn.rows += (others + drawn.columns - 1) / drawn.columns;
  }

  // --- Planes. ---

  // The owner of a value and the rest of its name; none if the name does not reveal an owner.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::string>> owner(const std::string& value) const {
    std::optional<std::pair<std::size_t, std::string>> found;
    for (std::size_t p = 0; p < game_.players().size(); ++p) {
      const std::string player = game_.symbols.str(game_.players()[p]);
      const std::size_t at = value.find(player);
      if (at == std::string::npos) continue;
      if (found) return std::nullopt;
      found.emplace(p, value.substr(0, at) + "*" + value.substr(at + player.size()));
    }
    if (found) return found;
    // Recognises "w" and "wn" as values of white.
    for (std::size_t p = 0; p < game_.players().size(); ++p) {
      const std::string player = game_.symbols.str(game_.players()[p]);
      if (value.empty() || player.empty() || value[0] != player[0] || value.size() > 2) continue;
      if (found) return std::nullopt;
      found.emplace(p, "*" + value.substr(1));
    }
    return found;
  }

  // By view and value: the value whose plane shows it. The viewer's values use the planes of the first player, the next
  // player's values those of the second player, and so on.
  [[nodiscard]] std::optional<std::vector<std::size_t>> turned(const std::vector<std::string>& values) const {
    const std::size_t players = game_.players().size();
    if (!options_.relative || players < 2) return std::nullopt;
    std::map<std::pair<std::size_t, std::string>, std::size_t> of;
    std::map<std::string, std::size_t> kinds;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (const auto whose = owner(values[i])) {
        if (!of.emplace(*whose, i).second) return std::nullopt;
        ++kinds[whose->second];
      }
    }
    if (kinds.empty() || std::ranges::any_of(kinds, [&](const auto& kind) { return kind.second != players; })) {
      return std::nullopt;
    }
    std::vector<std::size_t> result;
    for (std::size_t view = 0; view < players; ++view) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto whose = owner(values[i]);
        result.push_back(whose ? of.at({(whose->first + players - view) % players, whose->second}) : i);
      }
    }
    return result;
  }

  void add_field(const Field& field) {
    const std::size_t first = result_.planes.size();
    const auto turn = turned(field.values);
    for (const std::string& value : field.values)
      result_.planes.push_back(plane_name(field.name, value, turn.has_value()));
    std::vector<std::int32_t> planes;
    for (std::size_t i = 0; i < (turn ? turn->size() : field.values.size()); ++i) {
      planes.push_back(static_cast<std::int32_t>(first + (turn ? (*turn)[i] : i)));
    }
    for (const Cell& cell : field.cells) {
      Observation::Source source;
      source.variable = cell.variable;
      source.keys = cell.keys;
      source.values = field.values;
      source.planes = planes;
      source.views = turn ? game_.players().size() : 1;
      source.place = cell.row * width_ + cell.column;
      result_.sources.push_back(std::move(source));
    }
  }

  [[nodiscard]] std::string plane_name(const std::string& name, const std::string& value, bool turned) const {
    const auto whose = turned ? owner(value) : std::nullopt;
    if (!whose) return name + "=" + value;
    const std::string who = whose->first == 0             ? "me"
                            : game_.players().size() == 2 ? "you"
                                                          : fmt::format("next{}", whose->first);
    std::string text = whose->second;
    text.replace(text.find('*'), 1, who);
    return name + "=" + text;
  }

  void add_scalar(ir::VarId v) {
    Observation::Source source;
    source.variable = name(v);
    source.values = texts(game_.members(game_.variable(v).type));
    const std::size_t first = result_.planes.size();
    if (source.values.size() > kFewValues) {
      // Uses enough planes to give every value a position.
      const std::size_t each = height_ * width_;
      source.packed = true;
      for (std::size_t i = 0; i < source.values.size(); i += each) {
        result_.planes.push_back(fmt::format("{}@{}", source.variable, i));
      }
      source.planes.assign(source.values.size(), static_cast<std::int32_t>(first));
    } else {
      const auto turn = turned(source.values);
      source.everywhere = true;
      source.views = turn ? game_.players().size() : 1;
      for (const std::string& value : source.values) {
        result_.planes.push_back(plane_name(source.variable, value, turn.has_value()));
      }
      for (std::size_t i = 0; i < (turn ? turn->size() : source.values.size()); ++i) {
        source.planes.push_back(static_cast<std::int32_t>(first + (turn ? (*turn)[i] : i)));
      }
    }
    result_.sources.push_back(std::move(source));
  }

  // The mover's plane is absolute even in relative views, because the first player of a game differs from the second.
  void add_movers() {
    Observation::Source source;  // without a variable
    source.everywhere = true;
    for (const SymbolId player : game_.players()) {
      source.planes.push_back(static_cast<std::int32_t>(result_.planes.size()));
      source.values.push_back(game_.symbols.str(player));
      result_.planes.push_back("player=" + source.values.back());
    }
    result_.sources.push_back(std::move(source));
  }

  const ir::Game game_;
  const BatchOptions& options_;
  const analysis::Flow flow_;
  const analysis::Liveness live_;
  std::set<ir::NodeId> starts_;
  std::vector<Field> fields_;
  std::vector<ir::VarId> scalars_;
  std::size_t height_ = 1, width_ = 1;
  Observation result_;
};

// Observations of seen moves: one row per move, the latest first.
Observation of_moves(const ir::Game& game, const BatchOptions& options, std::size_t tags, std::size_t most_parts) {
  Observation result;
  result.form = Observation::Form::moves;
  for (const SymbolId player : game.players()) result.planes.push_back("mover=" + game.symbols.str(player));
  result.planes.emplace_back("mover=keeper");
  result.planes.emplace_back("mover=random");
  result.shape = {options.history, game.players().size() + 2 + most_parts * tags};
  return result;
}

}  // namespace

std::size_t Observation::size() const {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  return size;
}

Observation observe(const ir::Game& game, const BatchOptions& options, std::size_t tags, std::size_t most_parts) {
  return ir::hides_moves(game) ? of_moves(game, options, tags, most_parts) : Planner(game, options).run();
}

}  // namespace rgtrans::env
