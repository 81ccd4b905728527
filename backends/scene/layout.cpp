// Arranges cells in the first arrangement that fits:
// * places that the author's text gives,
// * grids of two coordinates, bent into rings or sheared into hexagons if the steps of the game demand it,
// * grids of grids,
// * rows of pits and tracks of one coordinate,
// * heaps.
// A variable that fits none of them is no board.
#include "backends/scene/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <unordered_map>

#include "backends/scene/dimensions.hpp"
#include "backends/scene/pieces.hpp"
#include "backends/scene/steps.hpp"
#include "backends/scene/terms.hpp"
#include "core/support/letters.hpp"
#include "core/support/truth.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::size_t kFewest = 6;  // cells of a grid
constexpr std::size_t kMaxSide = 64;
constexpr std::size_t kMaxBoards = 8;  // of one variable
constexpr std::size_t kFolded = 16;    // a track of that many cells is drawn in two rows
constexpr int kMaxHeap = 30;
constexpr int kStack = 5;  // men that are drawn on one place

using Kind = Dimension::Kind;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, std::string_view(lower_case(word))) != list.end();
}

class Arranger {
 public:
  Arranger(const ir::Game& game, ir::VarId variable, bool heaps)
      : game_(game),
        name_(game.symbols.str(game.variable(variable).name)),
        heaps_(heaps),
        d_(read_dimensions(game, game.variable(variable).type)) {
    for (std::size_t i = 0; i < d_.all.size(); ++i) (d_.all[i].coordinate() ? coordinates_ : others_).push_back(i);
    std::size_t numbers = 0;
    std::size_t bits = 0;
    for (const SymbolId value : game.members(d_.value)) {
      const std::string word = written(game, value);
      const auto number = number_of(word);
      numbers += number ? 1U : 0U;
      if (number) largest_ = std::max(largest_, *number);
      bits += word == "0" || word == "1" ? 1U : 0U;
    }
    bools_ = game.members(d_.value).size() == 2 && bits == 2;
    numeric_ = !bools_ && 2 * numbers > game.members(d_.value).size();
  }

  std::vector<Layout> run() {
    if (d_.cells.empty()) return {};
    if (auto found = given_places()) return {*found};
    if (auto found = lines_between_dots()) return {*found};
    if (coordinates_.size() == 2) return grids();
    if (coordinates_.size() == 3 && bools_ && others_.empty()) return grids_of_numbers();
    if (coordinates_.size() == 4 && others_.empty() && d_.keys.size() == 2 && !bools_) return {grid_of_grids()};
    if (coordinates_.size() == 1) return tracks();
    if (coordinates_.empty() && heaps_ && numeric_ && d_.all.size() == 1 && d_.all[0].kind == Kind::other)
      return heaps();
    return {};
  }

 private:
  // --- Parts of all arrangements. ---
  [[nodiscard]] std::string key(const KeyCell& cell) const {
    std::vector<std::string> keys;
    for (const SymbolId symbol : cell.keys) keys.push_back(game_.symbols.str(symbol));
    return key_of(keys);
  }
  // As in moves: without the keys that only say whose board it is.
  [[nodiscard]] std::string name(const KeyCell& cell, std::size_t k) const { return written(game_, cell.keys[k]); }

  Layout start() const {
    Layout layout;
    layout.variable = layout.title = name_;
    return layout;
  }

  void add_labels(Layout& layout, const Dimension& across, const Dimension& up, bool upwards) const {
    const double highest = up.offset(up.values.size() - 1);
    for (std::size_t i = 0; i < across.values.size(); ++i) {
      layout.columns.push_back({across.offset(i), across.values[i]});
    }
    for (std::size_t i = 0; i < up.values.size(); ++i) {
      layout.rows.push_back({upwards ? highest - up.offset(i) : up.offset(i), up.values[i]});
    }
  }

  // --- Places of the author's text. ---
  std::optional<Layout> given_places() const {
    if (game_.words == nullptr || game_.words->places.empty() || d_.keys.size() != 1) return std::nullopt;
    const ir::Words& words = *game_.words;
    Layout layout = start();
    layout.shape = words.shape;
    std::unordered_map<SymbolId, std::size_t> index;
    std::map<double, std::string> columns, rows;
    for (const SymbolId symbol : game_.members(d_.keys[0])) {
      const auto place = words.places.find(symbol);
      if (place == words.places.end()) continue;
      index[symbol] = layout.spots.size();
      const std::string name = written(game_, symbol);
      layout.spots.push_back(
          {name, place->second.x, place->second.y, Cell::Line::none, {{key_of({game_.symbols.str(symbol)}), ""}}});
      const NameTerm term = read_term(name);
      if (term.functor.empty() && term.parts.size() == 2) {
        columns.try_emplace(place->second.x, term.parts[0]);
        rows.try_emplace(place->second.y, term.parts[1]);
      }
    }
    if (layout.spots.size() < 4 || 2 * layout.spots.size() < game_.members(d_.keys[0]).size()) return std::nullopt;
    for (const auto& [a, b] : words.lines) {
      if (index.contains(a) && index.contains(b)) layout.lines.emplace_back(index[a], index[b]);
    }
    if (words.shape == ir::CellShape::square) {
      for (const auto& [at, text] : columns) layout.columns.push_back({at, text});
    }
    if (words.shape != ir::CellShape::point) {
      for (const auto& [at, text] : rows) layout.rows.push_back({at, text});
    }
    return layout;
  }

  // --- Lines between dots: H(x,y) in n columns and m+1 rows, V(x,y) in n+1 columns and m rows. ---
  struct Strokes {
    std::vector<SymbolId> symbols;
    int low_x = INT_MAX, high_x = INT_MIN, low_y = INT_MAX, high_y = INT_MIN;
    [[nodiscard]] int wide() const { return high_x - low_x + 1; }
    [[nodiscard]] int high() const { return high_y - low_y + 1; }
    [[nodiscard]] bool full() const { return static_cast<int>(symbols.size()) == wide() * high(); }
  };

  std::optional<Layout> lines_between_dots() const {
    if (d_.keys.size() != 1) return std::nullopt;
    std::map<std::string, Strokes> classes;
    for (const SymbolId symbol : game_.members(d_.keys[0])) {
      const NameTerm term = read_term(written(game_, symbol));
      if (term.functor.empty() || term.parts.size() != 2 || !is_number(term.parts[0]) || !is_number(term.parts[1]))
        continue;
      Strokes& strokes = classes[term.functor];
      strokes.symbols.push_back(symbol);
      const int x = std::stoi(term.parts[0]);
      const int y = std::stoi(term.parts[1]);
      strokes.low_x = std::min(strokes.low_x, x);
      strokes.high_x = std::max(strokes.high_x, x);
      strokes.low_y = std::min(strokes.low_y, y);
      strokes.high_y = std::max(strokes.high_y, y);
    }
    if (classes.size() != 2 || !classes.begin()->second.full() || !classes.rbegin()->second.full()) return std::nullopt;
    const bool first = classes.begin()->second.wide() < classes.rbegin()->second.wide();
    const Strokes& along = first ? classes.begin()->second : classes.rbegin()->second;
    const Strokes& upright = first ? classes.rbegin()->second : classes.begin()->second;
    if (along.wide() + 1 != upright.wide() || along.high() != upright.high() + 1) return std::nullopt;
    Layout layout = start();
    layout.ground = Ground::dots;
    layout.wide = static_cast<std::size_t>(along.wide());
    layout.high = static_cast<std::size_t>(upright.high());
    add_strokes(layout, along, Cell::Line::along);
    add_strokes(layout, upright, Cell::Line::upright);
    for (int x = 0; x < along.wide(); ++x) layout.columns.push_back({x + 0.5, std::to_string(along.low_x + x)});
    for (int y = 0; y < along.high(); ++y) {
      layout.rows.push_back({static_cast<double>(along.high() - 1 - y), std::to_string(along.low_y + y)});
    }
    return layout;
  }

  void add_strokes(Layout& layout, const Strokes& strokes, Cell::Line line) const {
    const bool along = line == Cell::Line::along;
    for (const SymbolId symbol : strokes.symbols) {
      const std::string name = written(game_, symbol);
      const NameTerm term = read_term(name);
      const double x = std::stoi(term.parts[0]) - strokes.low_x + (along ? 0.5 : 0);
      const double y = std::stoi(term.parts[1]) - strokes.low_y + (along ? 0 : 0.5);
      layout.spots.push_back(
          {name, x, static_cast<double>(layout.high) - y, line, {{key_of({game_.symbols.str(symbol)}), ""}}});
    }
  }

  // --- Grids. ---
  struct Place {
    int x, y;
  };

  // How the steps of the game go over the two coordinates of a key.
  struct Geometry {
    bool upwards = true;              // the second coordinate grows upwards
    int shear = 0;                    // of hexagons: rows move by half a cell, to the right or left
    std::optional<std::size_t> ring;  // the coordinate that runs round
    int corners = 0;                  // which of its places are corners: the even or the odd ones
    std::vector<std::pair<SymbolId, SymbolId>> links;
  };

  // The direction that the places in the author's text give, whatever the names of the steps are.
  Truth told_upwards(const std::unordered_map<SymbolId, Place>& places) const {
    if (game_.words == nullptr) return Truth::unknown;
    std::optional<std::pair<int, double>> first;
    for (const auto& [symbol, place] : places) {
      const auto told = game_.words->places.find(symbol);
      if (told == game_.words->places.end()) return Truth::unknown;
      if (!first) first = {place.y, told->second.y};
      if (place.y != first->first) return truth_of((place.y > first->first) == (told->second.y < first->second));
    }
    return Truth::unknown;
  }

  Geometry geometry() const {
    Geometry found;
    const std::size_t k = d_.all[coordinates_[0]].key;
    if (d_.all[coordinates_[1]].key != k) return found;
    std::unordered_map<SymbolId, Place> places;
    std::vector<SymbolId> symbols;
    for (const KeyCell& cell : d_.cells) {
      const auto [it, fresh] = places.try_emplace(
          cell.keys[k], Place{static_cast<int>(cell.at[coordinates_[0]]), static_cast<int>(cell.at[coordinates_[1]])});
      if (fresh) symbols.push_back(cell.keys[k]);
    }
    std::set<std::pair<int, int>> moves;
    const std::vector<Neighbours> steps = find_steps(game_, symbols);
    for (const Neighbours& step : steps) {
      std::set<std::pair<int, int>> here;
      for (const auto& [a, b] : step.pairs) here.insert({places[b].x - places[a].x, places[b].y - places[a].y});
      if (here.size() != 1) continue;
      const auto [dx, dy] = *here.begin();
      if (std::abs(dx) > 1 || std::abs(dy) > 1) continue;
      moves.insert({dx, dy});
      if (dx == 0 && is_one_of(step.name, {"n", "north", "u", "up"})) found.upwards = dy > 0;
      if (dx == 0 && is_one_of(step.name, {"s", "south", "d", "down"})) found.upwards = dy < 0;
    }
    if (const Truth told = told_upwards(places); told != Truth::unknown) found.upwards = told == Truth::yes;
    const bool straight =
        moves.contains({0, 1}) && moves.contains({0, -1}) && moves.contains({1, 0}) && moves.contains({-1, 0});
    const bool rising = moves.contains({1, 1}) && moves.contains({-1, -1});
    const bool falling = moves.contains({1, -1}) && moves.contains({-1, 1});
    if (straight && rising != falling) found.shear = (falling ? 1 : -1) * (found.upwards ? -1 : 1);
    find_rings(found, steps, places);
    return found;
  }

  // A ring: some direction leads from the last place to the first one, on every circle.
  void find_rings(Geometry& found, const std::vector<Neighbours>& steps,
                  std::unordered_map<SymbolId, Place>& places) const {
    for (std::size_t ring = 0; ring < 2; ++ring) {
      const int n = static_cast<int>(d_.all[coordinates_[ring]].values.size());
      const auto circles = d_.all[coordinates_[1 - ring]].values.size();
      if (n < 4 || circles > 8) continue;
      std::set<int> closed;
      std::array<std::size_t, 2> inward = {0, 0};
      std::vector<std::pair<SymbolId, SymbolId>> links;
      for (const Neighbours& step : steps) {
        std::vector<int> wraps;
        bool neighbours = true;
        for (const auto& [a, b] : step.pairs) {
          const int along = ring == 0 ? places[b].x - places[a].x : places[b].y - places[a].y;
          const int across = ring == 0 ? places[b].y - places[a].y : places[b].x - places[a].x;
          const bool next = across == 0 && (std::abs(along) == 1 || std::abs(along) == n - 1);
          neighbours = neighbours && (next || (along == 0 && std::abs(across) == 1));
          if (across == 0 && std::abs(along) == n - 1) wraps.push_back(ring == 0 ? places[a].y : places[a].x);
          if (along == 0) ++inward[static_cast<std::size_t>((ring == 0 ? places[a].x : places[a].y) % 2)];
        }
        if (!neighbours) continue;
        closed.insert(wraps.begin(), wraps.end());
        links.insert(links.end(), step.pairs.begin(), step.pairs.end());
      }
      if (closed.size() != circles) continue;
      found.ring = ring;
      found.corners = inward[0] > inward[1] ? 1 : 0;
      found.links = std::move(links);
      return;
    }
  }

  // The place in ring number `circle`, the outermost being 0: on nested squares if there are eight, else on circles.
  static std::pair<double, double> on_ring(std::size_t place, std::size_t places, std::size_t circle,
                                           std::size_t circles, int corners) {
    const double radius = static_cast<double>(circles - circle);
    if (places == 8) {
      static constexpr std::array<std::array<int, 2>, 8> kSquare = {
          {{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}};
      const auto& at = kSquare[(place + static_cast<std::size_t>(corners)) % 8];
      return {radius * at[0], radius * at[1]};
    }
    const double angle = 2 * std::numbers::pi * static_cast<double>(place) / static_cast<double>(places);
    return {radius * std::sin(angle), -radius * std::cos(angle)};
  }

  void place_spots(Layout& layout, const std::vector<std::pair<const KeyCell*, CellSpot::Source>>& cells,
                   const Geometry& geometry) const {
    const Dimension& across = d_.all[coordinates_[0]];
    const Dimension& up = d_.all[coordinates_[1]];
    const double highest = up.offset(up.values.size() - 1);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> index;
    for (const auto& [cell, source] : cells) {
      const std::size_t x = cell->at[coordinates_[0]];
      const std::size_t y = cell->at[coordinates_[1]];
      const auto [it, fresh] = index.try_emplace({x, y}, layout.spots.size());
      if (fresh) {
        CellSpot& spot = layout.spots.emplace_back();
        spot.name = across.key == up.key ? name(*cell, across.key) : across.values[x] + " " + up.values[y];
        spot.x = across.offset(x);
        spot.y = geometry.upwards ? highest - up.offset(y) : up.offset(y);
        if (geometry.shear != 0) spot.x += geometry.shear * spot.y / 2;
        if (geometry.ring) {
          const std::size_t place = geometry.ring == 0 ? x : y;
          const std::size_t circle = geometry.ring == 0 ? y : x;
          std::tie(spot.x, spot.y) = on_ring(place, (geometry.ring == 0 ? across : up).values.size(), circle,
                                             (geometry.ring == 0 ? up : across).values.size(), geometry.corners);
        }
      }
      layout.spots[it->second].sources.push_back(source);
    }
    if (geometry.ring) {
      layout.shape = ir::CellShape::point;
      std::unordered_map<SymbolId, std::size_t> spot_of;
      for (const auto& [cell, source] : cells) {
        spot_of[cell->keys[across.key]] = index[{cell->at[coordinates_[0]], cell->at[coordinates_[1]]}];
      }
      for (const auto& [a, b] : geometry.links) layout.lines.emplace_back(spot_of[a], spot_of[b]);
    } else {
      add_labels(layout, across, up, geometry.upwards);
      if (layout.spots.size() == across.values.size() * up.values.size()) {
        layout.wide = across.values.size();
        layout.high = up.values.size();
      }
      if (geometry.shear != 0) {
        layout.shape = ir::CellShape::hexagon;
        layout.columns.clear();
      }
    }
  }

  // One board for all values of the other dimensions; but where those name the piece that a Bool is about, one in all.
  std::vector<Layout> grids() const {
    const Dimension& across = d_.all[coordinates_[0]];
    const Dimension& up = d_.all[coordinates_[1]];
    if (across.offset(across.values.size() - 1) > kMaxSide || up.offset(up.values.size() - 1) > kMaxSide) return {};
    const Geometry found = geometry();
    std::map<std::string, std::vector<std::pair<const KeyCell*, CellSpot::Source>>> boards;
    const bool merged = bools_ && !others_.empty();
    const auto piece_of = [&](const std::string& rest) { return merged ? rest : bools_ ? name_ : std::string(); };
    for (const KeyCell& cell : d_.cells) {
      std::string rest;
      for (const std::size_t d : others_) rest += (rest.empty() ? "" : " ") + d_.all[d].values[cell.at[d]];
      boards[merged ? "" : rest].emplace_back(&cell, CellSpot::Source{key(cell), piece_of(rest)});
    }
    if (boards.size() > kMaxBoards || d_.cells.size() < kFewest) return {};
    // In the order of the domain, not of the alphabet.
    std::vector<Layout> layouts;
    std::set<std::string> done;
    for (const KeyCell& cell : d_.cells) {
      std::string rest;
      for (const std::size_t d : others_) rest += (rest.empty() ? "" : " ") + d_.all[d].values[cell.at[d]];
      if (merged) rest.clear();
      if (!done.insert(rest).second) continue;
      Layout& layout = layouts.emplace_back(start());
      layout.of = rest;
      if (!rest.empty()) layout.title += " of " + rest;
      place_spots(layout, boards[rest], found);
    }
    return layouts;
  }

  // Facts such as (cell 3 4 7). The third coordinate is the content of the cell, or one that is too long for the side
  // of a board, as in (chain 71 3 4).
  std::vector<Layout> grids_of_numbers() {
    const auto too_long = [&](std::size_t i) { return d_.all[i].values.size() > kMaxSide; };
    const auto longest = std::ranges::find_if(coordinates_, too_long);
    const auto content = longest != coordinates_.end() ? longest : coordinates_.end() - 1;
    const std::size_t piece = *content;
    coordinates_.erase(content);
    if (std::ranges::any_of(coordinates_, too_long)) return {};
    Layout layout = start();
    std::vector<std::pair<const KeyCell*, CellSpot::Source>> cells;
    for (const KeyCell& cell : d_.cells) {
      cells.emplace_back(&cell, CellSpot::Source{key(cell), d_.all[piece].values[cell.at[piece]]});
    }
    place_spots(layout, cells, {});
    return {layout};
  }

  Layout grid_of_grids() const {
    constexpr double kGap = 0.5;
    Layout layout = start();
    const auto dimension = [&](std::size_t i) -> const Dimension& { return d_.all[coordinates_[i]]; };
    const double width = dimension(2).offset(dimension(2).values.size() - 1) + 1 + kGap;
    const double height = dimension(3).offset(dimension(3).values.size() - 1) + 1 + kGap;
    const double highest = dimension(1).offset(dimension(1).values.size() - 1) * height + height - 1 - kGap;
    for (const KeyCell& cell : d_.cells) {
      const auto at = [&](std::size_t i) { return dimension(i).offset(cell.at[coordinates_[i]]); };
      layout.spots.push_back({name(cell, 0) + " " + name(cell, 1),
                              at(0) * width + at(2),
                              highest - at(1) * height - at(3),
                              Cell::Line::none,
                              {{key(cell), ""}}});
    }
    for (std::size_t big = 0; big < dimension(0).values.size(); ++big) {
      for (std::size_t i = 0; i < dimension(2).values.size(); ++i) {
        layout.columns.push_back({dimension(0).offset(big) * width + dimension(2).offset(i), dimension(2).values[i]});
      }
    }
    for (std::size_t big = 0; big < dimension(1).values.size(); ++big) {
      for (std::size_t i = 0; i < dimension(3).values.size(); ++i) {
        layout.rows.push_back(
            {highest - dimension(1).offset(big) * height - dimension(3).offset(i), dimension(3).values[i]});
      }
    }
    return layout;
  }

  // --- One coordinate. ---
  std::vector<Layout> tracks() const {
    const Dimension& along = d_.all[coordinates_[0]];
    if (others_.size() > 1 || along.values.size() < 3 || along.offset(along.values.size() - 1) > kMaxSide) return {};
    if (bools_) return {};
    if (!others_.empty() && !numeric_) return {};
    if (others_.empty() && numeric_ && along.values.size() < 6) return heaps_ ? heaps() : std::vector<Layout>();
    Layout layout = start();
    layout.board = !numeric_ || !others_.empty();
    layout.shape = numeric_ ? ir::CellShape::point : ir::CellShape::square;
    const bool counts = !others_.empty() && d_.all[others_[0]].key != along.key &&
                        d_.all[others_[0]].kind == Kind::player && along.values.size() >= kFolded;
    if (counts) {
      count_men(layout, along);
    } else {
      rows_of_pits(layout, along);
    }
    return {layout};
  }

  // Rows of pits, the first one at the bottom; where the way leads from the end of one to the start of the other, it
  // goes round.
  void rows_of_pits(Layout& layout, const Dimension& along) const {
    const std::size_t rows = others_.empty() ? 1 : d_.all[others_[0]].values.size();
    const bool round = rows == 2 && goes_round(along);
    const double last = along.offset(along.values.size() - 1);
    for (const KeyCell& cell : d_.cells) {
      const std::size_t row = others_.empty() ? 0 : cell.at[others_[0]];
      double x = along.offset(cell.at[coordinates_[0]]);
      double y = static_cast<double>(rows - 1 - row);
      if (round && row == 1) x = last - x;
      if (rows == 1 && folds(along)) fold(along, cell.at[coordinates_[0]], x, y);
      layout.spots.push_back({written(game_, cell.keys[along.key]), x, y, Cell::Line::none, {{key(cell), ""}}});
    }
    if (!others_.empty()) {
      for (std::size_t row = 0; row < rows; ++row) {
        layout.rows.push_back({static_cast<double>(rows - 1 - row), d_.all[others_[0]].values[row]});
      }
    }
    if (rows == 1 && folds(along)) return;
    for (std::size_t i = 0; i < along.values.size(); ++i) layout.columns.push_back({along.offset(i), along.values[i]});
  }

  [[nodiscard]] bool goes_round(const Dimension& along) const {
    if (d_.keys.size() != 1) return false;
    std::unordered_map<SymbolId, const KeyCell*> cell_of;
    std::vector<SymbolId> symbols;
    for (const KeyCell& cell : d_.cells) {
      cell_of[cell.keys[0]] = &cell;
      symbols.push_back(cell.keys[0]);
    }
    for (const Neighbours& step : find_steps(game_, symbols)) {
      std::size_t turns = 0;
      for (const auto& [a, b] : step.pairs) {
        const KeyCell& from = *cell_of[a];
        const KeyCell& to = *cell_of[b];
        turns += from.at[others_[0]] != to.at[others_[0]] && from.at[coordinates_[0]] + 1 == along.values.size() &&
                         to.at[coordinates_[0]] == 0
                     ? 1U
                     : 0U;
      }
      if (turns == 2) return true;
    }
    return false;
  }

  [[nodiscard]] static bool folds(const Dimension& along) {
    return along.values.size() >= kFolded && along.values.size() % 2 == 0;
  }
  // The first half below, from right to left; the second one above it.
  static void fold(const Dimension& along, std::size_t place, double& x, double& y) {
    const std::size_t half = along.values.size() / 2;
    x = static_cast<double>(place < half ? half - 1 - place : place - half);
    y = place < half ? 1 : 0;
    if (half % 2 == 0 && x >= static_cast<double>(half) / 2) x += 0.5;
  }

  // Men of two players on one track. Each may count it from the own end: then some map of the game turns it round.
  void count_men(Layout& layout, const Dimension& along) const {
    std::map<SymbolId, SymbolId> mirror;
    std::vector<SymbolId> symbols;
    for (const KeyCell& cell : d_.cells) symbols.push_back(cell.keys[along.key]);
    for (const Neighbours& step : find_steps(game_, symbols)) {
      std::map<SymbolId, SymbolId> map(step.pairs.begin(), step.pairs.end());
      const bool turns = map.size() == along.values.size() && std::ranges::all_of(map, [&](const auto& e) {
                           return map.contains(e.second) && map[e.second] == e.first;
                         });
      if (turns && map.at(symbols.front()) == symbols[along.values.size() - 1]) mirror = std::move(map);
    }
    std::map<SymbolId, std::size_t> spot_of;
    for (std::size_t owner = 0; owner < d_.all[others_[0]].values.size(); ++owner) {
      for (const KeyCell& cell : d_.cells) {
        if (cell.at[others_[0]] != owner) continue;
        SymbolId at = cell.keys[along.key];
        if (owner == 0) {
          spot_of[at] = layout.spots.size();
          for (int man = 1; man <= kStack; ++man) {
            double x = along.offset(cell.at[coordinates_[0]]);
            double y = 0;
            if (folds(along)) fold(along, cell.at[coordinates_[0]], x, y);
            y = y > 0 ? 2 * kStack - man + 1 : man - 1;
            layout.spots.push_back({written(game_, at), x, y, Cell::Line::none, {}});
          }
        }
        if (owner == 1 && mirror.contains(at)) at = mirror[at];
        for (int man = 1; man <= kStack; ++man) {
          if (owner == 1 && at != cell.keys[along.key])
            layout.spots[spot_of[at] + static_cast<std::size_t>(man) - 1].second = written(game_, cell.keys[along.key]);
          layout.spots[spot_of[at] + static_cast<std::size_t>(man) - 1].sources.push_back(
              {key(cell), "", owner, man, man == kStack});
        }
      }
    }
    if (!folds(along)) return;
    layout.ground = Ground::triangles;
    const std::size_t half = along.values.size() / 2;
    layout.rows.push_back({0, along.values[half] + "-" + along.values.back()});
    layout.rows.push_back({2.0 * kStack, along.values[half - 1] + "-" + along.values[0]});
  }

  // --- Heaps. ---
  std::vector<Layout> heaps() const {
    if (largest_ > kMaxHeap || d_.cells.size() > 12) return {};
    Layout layout = start();
    layout.board = false;
    layout.shape = ir::CellShape::point;
    for (std::size_t row = 0; row < d_.cells.size(); ++row) {
      const KeyCell& cell = d_.cells[row];
      for (int i = 1; i <= largest_; ++i) {
        layout.spots.push_back(
            {name(cell, 0), i - 1.0, static_cast<double>(row), Cell::Line::none, {{key(cell), "", {}, i}}});
      }
      layout.rows.push_back({static_cast<double>(row), name(cell, 0)});
    }
    return {layout};
  }

  const ir::Game& game_;
  std::string name_;
  bool heaps_;
  Dimensions d_;
  std::vector<std::size_t> coordinates_, others_;
  bool numeric_ = false;
  bool bools_ = false;
  int largest_ = 0;
};

}  // namespace

std::string key_of(const std::vector<std::string>& keys) { return fmt::format("{}", fmt::join(keys, " ")); }

std::string place_of(const std::string& variable, const std::string& key) {
  return variable.empty() ? key : fmt::format("{} {}", variable, key);
}

std::vector<Layout> find_layouts(const ir::Game& game, ir::VarId variable, bool heaps) {
  return Arranger(game, variable, heaps).run();
}

}  // namespace rgtrans::scene
