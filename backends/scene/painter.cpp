// From the variables of a state to a scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/bounds.hpp"
#include "backends/scene/faces.hpp"
#include "backends/scene/layout.hpp"
#include "backends/scene/pieces.hpp"
#include "backends/scene/relations.hpp"
#include "backends/scene/scene.hpp"
#include "backends/scene/terms.hpp"
#include "core/support/sorted.hpp"
#include "core/support/support.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::size_t kMaxEntries = 16;  // of a map that is shown as text

const std::string& lookup(const std::unordered_map<std::string, std::string>& map, const std::string& key) {
  const auto it = map.find(key);
  return it == map.end() ? key : it->second;
}

}  // namespace

struct Painter::Variable {
  std::string name;
  ir::VarId id;                    // none for a relation
  std::vector<std::string> parts;  // of a relation: the variables that keep it
  std::vector<Layout> layouts;
  bool bits = false;                // its values are 0 and 1
  bool internal = false;            // the author never wrote it
  bool numbers = false;             // its numbers are all written alike: T(0), T(1)
  Faces faces = Faces::none;        // its values are dice or cards
  std::vector<std::string> words;   // that its boards can show
  std::vector<std::string> values;  // that its cells can have
  std::vector<std::string> keys;    // of a map with one key
  Values initial;
  std::set<std::string> drawn;  // keys of its cells that some layout draws
};

namespace {

// Whether one functor is before all numbers, so that nobody misses it: "left: 40" says what L(40) does.
bool numbers_alike(const ir::Game& game, std::span<const SymbolId> values) {
  std::set<std::string> functors;
  for (const SymbolId value : values) {
    const std::string word = written(game, value);
    if (number_of(word)) functors.insert(read_term(word).functor);
  }
  return functors.size() == 1;
}

std::map<std::string, const VariableView*> by_name(const std::vector<VariableView>& views) {
  std::map<std::string, const VariableView*> result;
  for (const VariableView& view : views) result[view.name] = &view;
  return result;
}

// A variable that is no map has one.
std::vector<VariableView::Cell> cells_of(const VariableView& view) {
  return view.cells.empty() ? std::vector<VariableView::Cell>{{{}, view.value}} : view.cells;
}

// The variables of the written game with the values that the optimized one has. A map may have become a variable for
// each cell or for each row, named by its keys. A variable without a counterpart is not alive.
// At the end of a play nothing matters any more, and what is there is shown.
std::vector<VariableView> carried_over(std::vector<VariableView> beginning, const Reasoner& state) {
  const std::vector<VariableView> optimized = state.variables();
  const std::map<std::string, const VariableView*> views = by_name(optimized);
  // The cell whose first keys are part of the variable's name.
  const auto find = [&](const std::string& name, std::span<const std::string> keys) -> const VariableView::Cell* {
    static thread_local VariableView::Cell scalar;
    std::string whole = name;
    for (std::size_t named = 0;; ++named) {
      if (const auto view = views.find(whole); view != views.end() && (view->second->alive || state.terminal())) {
        const std::span<const std::string> rest = keys.subspan(named);
        if (rest.empty() && view->second->cells.empty()) {
          scalar.value = view->second->value;
          return &scalar;
        }
        const auto cell = std::ranges::find_if(
            view->second->cells, [&](const VariableView::Cell& c) { return std::ranges::equal(c.keys, rest); });
        if (cell != view->second->cells.end()) return &*cell;
      }
      if (named == keys.size()) return nullptr;
      whole += "_" + keys[named];
    }
  };
  for (VariableView& view : beginning) {
    view.alive = false;
    const auto take = [&](std::string& value, std::span<const std::string> keys) {
      const VariableView::Cell* const cell = find(view.name, keys);
      if (cell == nullptr) return;
      value = cell->value;
      view.alive = true;
    };
    if (view.cells.empty()) take(view.value, {});
    for (VariableView::Cell& cell : view.cells) take(cell.value, cell.keys);
  }
  return beginning;
}

bool also_holds(const CellSpot::Source& source, const std::map<std::string, std::string>& values) {
  return std::ranges::all_of(source.also, [&](const CellSpot::Held& held) {
    const auto it = values.find(place_of(held.variable, held.key));
    return it != values.end() && it->second == held.value;
  });
}

bool has_piece(const CellSpot::Source& source, const std::map<std::string, std::string>& values) {
  const auto it = values.find(source.place());
  return it != values.end() && it->second == source.holds && also_holds(source, values);
}

}  // namespace

Painter::~Painter() = default;
Painter::Painter(Painter&&) noexcept = default;

Painter::Painter(const ir::Game& game) : Painter(game, make_interpreter(game)->variables()) {}

Painter::Painter(const ir::Game& game, const std::vector<VariableView>& beginning) {
  Diagnostics ignored(game.sources());
  hints_ = read_hints(game, ignored);
  for (const SymbolId player : game.players()) players_.push_back(written(game, player));
  std::set<std::string> drawn;
  for (const auto& [piece, traits] : hints_.looks) drawn.insert(piece);
  pieces_ = std::make_unique<Pieces>(players_, std::move(drawn));
  if (game.words != nullptr) {
    for (const auto& [symbol, text] : game.words->texts) texts_.emplace(game.symbols.str(symbol), text);
    for (const auto& [symbol, text] : game.words->pieces) piece_texts_.emplace(game.symbols.str(symbol), text);
  }
  piece_texts_.insert(texts_.begin(), texts_.end());
  coordinates_ = Coordinates(game, hints_);
  find_boards(game, beginning);
}

void Painter::find_boards(const ir::Game& game, const std::vector<VariableView>& beginning) {
  const Views view_of = by_name(beginning);
  for (std::size_t i = 0; i < game.variables().size(); ++i) {
    const ir::Variable& declared = game.variable(ir::VarId(i));
    const auto view = view_of.find(game.symbols.str(declared.name));
    if (!declared.alive || view == view_of.end()) continue;
    Variable& variable = variables_.emplace_back();
    variable.name = view->first;
    variable.id = ir::VarId(i);
    variable.internal = (game.words != nullptr && game.words->asides.contains(declared.name)) || left_out(variable);
    if (variable.internal) continue;
    const auto members = game.members(game.value_type(game.variable(variable.id).type));
    variable.bits = members.size() == 2 && std::ranges::all_of(members, [&](SymbolId s) {
                      return game.symbols.text(s) == "0" || game.symbols.text(s) == "1";
                    });
    for (const SymbolId member : members) variable.values.push_back(game.symbols.str(member));
    if (const auto keys = game.keys(declared.type); keys.size() == 1) {
      for (const SymbolId key : game.members(keys[0])) variable.keys.push_back(game.symbols.str(key));
    }
    variable.faces = faces_of(game, variable.id);
    variable.numbers = variable.faces == Faces::none && numbers_alike(game, members);
    variable.initial = values_of(variable, view_of);
    if (game.is_arrow(game.resolve(declared.type))) variable.layouts = find_layouts(game, variable.id, false);
  }
  if (game.words != nullptr)
    for (const ir::Words::Relation& relation : game.words->relations) join_parts(game, relation, view_of);
  choose_boards(game);
  for (Variable& variable : variables_) {
    if (!variable.layouts.empty()) add_pieces(game, variable);
    for (const Layout& layout : variable.layouts)
      for (const CellSpot& spot : layout.spots)
        for (const CellSpot::Source& source : spot.sources) {
          find(source.variable.empty() ? variable.name : source.variable)->drawn.insert(source.key);
          for (const CellSpot::Held& held : source.also) find(held.variable)->drawn.insert(held.key);
        }
  }
  for (Variable& variable : variables_) {
    for (Layout& layout : variable.layouts) {
      coordinates_.name(layout);
      for (CellSpot& spot : layout.spots) {
        for (const std::string& name : {spot.name, spot.label}) {
          if (const auto it = hints_.cells.find(name); it != hints_.cells.end()) spot.fill = it->second;
        }
      }
    }
  }
  pieces_->finish(hints_);
  choose_grounds();
  turn_to_first_player();
}

// A relation that several variables store is drawn once, in the place of the first of them.
void Painter::join_parts(const ir::Game& game, const ir::Words::Relation& relation, const Views& initial) {
  Variable whole;
  whole.name = game.symbols.str(relation.name);
  whole.bits = true;
  for (const ir::Words::Relation::Part& part : relation.parts) {
    for (const SymbolId name : part.variables) {
      whole.parts.push_back(game.symbols.str(name));
      const Variable* variable = find(whole.parts.back());
      if (variable == nullptr || variable->internal) return;
    }
  }
  whole.layouts = find_layouts(game, relation);
  if (whole.layouts.empty()) return;
  whole.initial = values_of(whole, initial);
  for (const std::string& part : whole.parts) find(part)->layouts.clear();
  variables_.insert(variables_.begin() + (find(whole.parts.front()) - variables_.data()), std::move(whole));
}

// Rows of numbers and heaps are drawn where there is no board.
void Painter::choose_boards(const ir::Game& game) {
  const auto is_board = [](const Variable& variable) { return std::ranges::any_of(variable.layouts, &Layout::board); };
  const bool boards = std::ranges::any_of(variables_, is_board);
  for (Variable& variable : variables_) {
    if (variable.internal) continue;
    if (boards) {
      std::erase_if(variable.layouts, [](const Layout& layout) { return !layout.board; });
    } else if (variable.layouts.empty() && game.is_arrow(game.resolve(game.variable(variable.id).type))) {
      variable.layouts = find_layouts(game, variable.id, true);
    }
  }
}

void Painter::add_pieces(const ir::Game& game, Variable& variable) {
  std::vector<std::string> values, first;
  std::set<std::string> places, outside;
  bool merged = false;
  bool counts = false;
  for (const Layout& layout : variable.layouts) {
    for (const CellSpot& spot : layout.spots) {
      for (const CellSpot::Source& source : spot.sources) {
        merged = merged || !source.piece.empty();
        counts = counts || source.owner;
        const auto at = variable.initial.find(source.place());
        places.insert(source.place());
        if (!source.piece.empty()) {
          values.push_back(source.piece);
          if (has_piece(source, variable.initial)) first.push_back(source.piece);
        } else if (at != variable.initial.end()) {
          first.push_back(lookup(piece_texts_, at->second));
        }
      }
    }
  }
  if (counts) values = players_;
  if (!merged && !counts)
    for (const SymbolId s : game.members(game.value_type(game.variable(variable.id).type)))
      values.push_back(lookup(piece_texts_, game.symbols.str(s)));
  for (const auto& [place, value] : variable.initial) {
    if (!places.contains(place)) outside.insert(lookup(piece_texts_, value));
  }
  sort_unique(values);
  pieces_->add(values, first, merged, outside);
  variable.words = std::move(values);
}

Painter::Variable* Painter::find(std::string_view name) {
  const auto it =
      std::ranges::find_if(variables_, [&](const Variable& v) { return v.parts.empty() && v.name == name; });
  return it == variables_.end() ? nullptr : &*it;
}

bool Painter::left_out(const Variable& variable) const {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, variable.name) != names.end();
  };
  return among(hints_.hidden) || (!hints_.shown.empty() && !among(hints_.shown));
}

namespace {

// As in go, stones are placed on the crossings of large boards with a middle.
bool has_crossings(const Layout& layout) {
  const Bounds b = bounds(layout.spots);
  const auto wide = std::lround(b.high_x - b.low_x) + 1;
  const auto high = std::lround(b.high_y - b.low_y) + 1;
  return static_cast<std::size_t>(wide * high) == layout.spots.size() && wide >= 9 && wide % 2 == 1 && high % 2 == 1;
}

}  // namespace

void Painter::choose_grounds() {
  for (Variable& variable : variables_) {
    const Ground found = pieces_->ground_for(variable.words);
    for (Layout& layout : variable.layouts) {
      if (layout.shape != ir::CellShape::square || layout.ground != Ground::plain) continue;
      if (found != Ground::crossings || has_crossings(layout)) layout.ground = found;
    }
  }
}

// Where the first player's pieces start on the far side, the board is turned round; and where a hint says so, once
// more.
void Painter::turn_to_first_player() {
  for (Variable& variable : variables_) {
    for (Layout& layout : variable.layouts) {
      double sum[2] = {0, 0};
      double count[2] = {0, 0};
      for (const CellSpot& spot : layout.spots) {
        for (const CellSpot::Source& source : spot.sources) {
          const auto at = variable.initial.find(source.place());
          if (at == variable.initial.end() || source.owner) continue;
          const bool there = source.piece.empty() || has_piece(source, variable.initial);
          const PieceLook* piece =
              pieces_->find(source.piece.empty() ? lookup(piece_texts_, at->second) : source.piece);
          if (!there || piece == nullptr || !piece->owner || *piece->owner > 1) continue;
          sum[*piece->owner] += spot.y;
          ++count[*piece->owner];
        }
      }
      const bool far = count[0] > 0 && count[1] > 0 && sum[0] / count[0] <= sum[1] / count[1] - 0.5;
      if (far != hints_.flipped) turn(layout.spots, layout.columns, layout.rows);
    }
  }
}

std::string verdict(const Reasoner& state) {
  const GameInfo& info = state.info();
  const std::size_t players = info.players.size();
  std::vector<double> goals;
  for (std::size_t p = 0; p < players; ++p) {
    const std::optional<double> goal = score_number(state.goal(p));
    if (!goal) return "";
    goals.push_back(*goal);
  }
  if (players == 0) return "";
  const double best = *std::ranges::max_element(goals);
  if (players == 1) return fmt::format("{} gets {}.", info.players[0], state.goal(0));
  if (std::ranges::count(goals, best) == static_cast<std::ptrdiff_t>(players)) return "It is a draw.";
  std::vector<std::string> winners;
  for (std::size_t p = 0; p < players; ++p) {
    if (goals[p] == best) winners.push_back(info.players[p]);
  }
  return winners.size() == 1 ? fmt::format("{} wins.", winners[0])
                             : fmt::format("{} share the first place.", fmt::join(winners, " and "));
}

// The players, the mover and the outcome.
Scene Painter::at_the_table(const Reasoner& state) const {
  Scene scene;
  scene.players = players_;
  add_colours(scene);
  if (state.terminal()) {
    for (std::size_t p = 0; p < players_.size(); ++p) scene.outcome.push_back(state.goal(p));
  } else {
    scene.mover = state.mover_name();
  }
  return scene;
}

Scene Painter::scene(const Reasoner& state, const std::vector<VariableView>& beginning) const {
  Scene scene = at_the_table(state);
  const std::vector<VariableView> variables = carried_over(beginning, state);
  draw(scene, variables, false);
  // A game without a board is shown by its variables.
  if (scene.boards.empty() && scene.facts.empty()) draw(scene, variables, true);
  return scene;
}

Scene Painter::scene(Witness& witness, std::optional<std::size_t> viewer) const {
  Scene scene = at_the_table(witness.state());
  const auto variables = viewer ? witness.variables(*viewer) : witness.variables();
  if (!variables) {
    scene.facts.push_back({"", fmt::format("too many positions are possible for {} to draw one", players_[*viewer])});
    return scene;
  }
  draw(scene, *variables, true);
  return scene;
}

void Painter::draw(Scene& scene, const std::vector<VariableView>& variables, bool facts) const {
  const Views views = by_name(variables);
  // A hint that names a variable shows it.
  const auto wanted = [&](const std::string& name) {
    const auto view = views.find(name);
    return view != views.end() && (view->second->alive || std::ranges::find(hints_.shown, name) != hints_.shown.end());
  };
  for (const Variable& variable : variables_) {
    const bool whole = !variable.parts.empty();
    if (variable.internal || (whole ? std::ranges::none_of(variable.parts, wanted) : !wanted(variable.name))) continue;
    if (!variable.layouts.empty()) {
      const Values values = values_of(variable, views);
      for (const Layout& layout : variable.layouts) add_board(scene, layout, values);
    }
    if (!whole && (facts || variable.faces != Faces::none)) add_facts(scene, variable, *views.at(variable.name));
  }
  if (scene.boards.size() == 1) scene.boards[0].title.clear();
}

void Painter::add_colours(Scene& scene) const {
  scene.colours.assign(players_.size(), "");
  for (std::size_t p = 0; p < players_.size(); ++p) {
    for (const std::string& name : {players_[p], lookup(texts_, players_[p])}) {
      if (const auto it = hints_.colours.find(name); it != hints_.colours.end()) scene.colours[p] = it->second;
    }
  }
}

namespace {

// Fields of a variable may belong between the dots of another one.
BoardPicture* board_with_dots(Scene& scene, const Layout& layout) {
  if (layout.shape != ir::CellShape::square || layout.ground != Ground::plain || layout.wide == 0) return nullptr;
  const auto fits = [&](const BoardPicture& board) {
    if (board.ground != Ground::dots) return false;
    const auto along = std::ranges::count(board.cells, Cell::Line::along, &Cell::line);
    const auto upright = std::ranges::count(board.cells, Cell::Line::upright, &Cell::line);
    return static_cast<std::size_t>(along) == layout.wide * (layout.high + 1) &&
           static_cast<std::size_t>(upright) == (layout.wide + 1) * layout.high;
  };
  const auto it = std::ranges::find_if(scene.boards, fits);
  return it == scene.boards.end() ? nullptr : &*it;
}

BoardPicture board_of(const Layout& layout) {
  return {.title = layout.title,
          .of = layout.of,
          .ground = layout.ground,
          .shape = layout.shape,
          .cells = {},
          .lines = layout.lines,
          .columns = layout.columns,
          .rows = layout.rows};
}

Cell cell_of(const CellSpot& spot, bool between_dots) {
  const double shift = between_dots ? 0.5 : 0;
  Cell cell;
  cell.name = spot.name;
  cell.label = spot.label;
  cell.second = spot.second;
  cell.fill = spot.fill;
  cell.x = spot.x + shift;
  cell.y = spot.y + shift;
  cell.line = spot.line;
  return cell;
}

std::size_t piece_index(Scene& scene, const PieceLook& piece) {
  const auto it = std::ranges::find(scene.pieces, piece.word, &PieceLook::word);
  if (it != scene.pieces.end()) return static_cast<std::size_t>(it - scene.pieces.begin());
  scene.pieces.push_back(piece);
  return scene.pieces.size() - 1;
}

}  // namespace

// Draws the contribution of one source to its cell.
void Painter::add_source(Scene& scene, Cell& cell, const Layout& layout, const CellSpot::Source& source,
                         const std::string& value) const {
  const auto put = [&](const PieceLook& piece) { cell.piece = piece_index(scene, piece); };
  if (value.starts_with(kUnknown)) {
    cell.unknown = !cell.piece;
    return;
  }
  const std::string& word = lookup(piece_texts_, value);
  const auto number = number_of(word);
  if (source.least > 0) {
    if (!number || *number < source.least) return;
    const PieceLook* piece = source.owner ? pieces_->find(players_[*source.owner]) : nullptr;
    if (piece != nullptr) {
      put(*piece);
    } else {
      put({.word = "", .kind = "", .glyph = "●", .letter = "o"});
    }
    if (source.last && *number > source.least) cell.text = std::to_string(*number);
  } else if (!source.piece.empty()) {
    if (value != source.holds || pieces_->blank(source.piece)) return;
    const PieceLook* piece = pieces_->find(source.piece);
    if (piece != nullptr) {
      put(*piece);
    } else if (number_of(source.piece)) {
      cell.text = std::to_string(*number_of(source.piece));
    }
  } else if (const PieceLook* drawn = number ? pieces_->find(word) : nullptr; drawn != nullptr && drawn->traits) {
    put(*drawn);
  } else if (number) {
    if (*number != 0 || layout.shape == ir::CellShape::point) cell.text = std::to_string(*number);
  } else if (!pieces_->blank(word)) {
    if (const PieceLook* piece = pieces_->find(word)) put(*piece);
  }
  if (cell.piece || !cell.text.empty()) cell.unknown = false;
}

Painter::Values Painter::values_of(const Variable& variable, const Views& views) {
  Values values;
  const auto add = [&](const std::string& name, const std::string& prefix) {
    if (const auto view = views.find(name); view != views.end())
      for (const VariableView::Cell& cell : cells_of(*view->second))
        values[place_of(prefix, key_of(cell.keys))] = cell.value;
  };
  if (variable.parts.empty()) add(variable.name, "");
  for (const std::string& part : variable.parts) add(part, part);
  return values;
}

void Painter::add_board(Scene& scene, const Layout& layout, const Values& values) const {
  BoardPicture* const dots = board_with_dots(scene, layout);
  BoardPicture own = board_of(layout);
  own.edges = hints_.edges;
  BoardPicture& board = dots != nullptr ? *dots : own;
  for (const CellSpot& spot : layout.spots) {
    Cell& cell = board.cells.emplace_back(cell_of(spot, dots != nullptr));
    for (const CellSpot::Source& source : spot.sources) {
      const auto it = values.find(source.place());
      if (it != values.end() && also_holds(source, values)) {
        add_source(scene, cell, layout, source, it->second);
      }
    }
    // Of a heap only what lies there, or its empty place.
    if (!cell.piece && !cell.unknown && !spot.sources.empty() && spot.sources[0].least > 1) board.cells.pop_back();
  }
  if (dots == nullptr) scene.boards.push_back(std::move(own));
}

Blueprint Painter::blueprint() const {
  Blueprint blueprint;
  blueprint.empty.players = players_;
  add_colours(blueprint.empty);
  for (const Variable& variable : variables_) {
    if (variable.internal) continue;
    if (variable.layouts.empty() && variable.drawn.empty()) {
      Blueprint::Other& other = blueprint.others.emplace_back(
          Blueprint::Other{variable.name, variable.bits, variable.numbers, !hints_.shown.empty(), {}});
      if (variable.faces != Faces::none) other.pictures["?"] = svg({Face{false, "?"}});
      // Of a set its members, of anything else its values.
      const std::vector<std::string>& shown = variable.bits ? variable.keys : variable.values;
      for (const std::string& value : shown) {
        for (const Face& face : faces(variable, value)) other.pictures.try_emplace(face.text, svg({face}));
      }
    }
    std::map<std::tuple<std::size_t, std::string, std::string, std::optional<std::size_t>, int, bool>, std::size_t>
        tables;
    for (std::size_t l = 0; l < variable.layouts.size(); ++l) {
      const Layout& layout = variable.layouts[l];
      BoardPicture* const dots = board_with_dots(blueprint.empty, layout);
      if (dots == nullptr) {
        blueprint.empty.boards.push_back(board_of(layout));
        blueprint.empty.boards.back().edges = hints_.edges;
        blueprint.sources.emplace_back();
      }
      const std::size_t b = dots == nullptr ? blueprint.sources.size() - 1
                                            : static_cast<std::size_t>(dots - blueprint.empty.boards.data());
      BoardPicture& board = blueprint.empty.boards[b];
      auto& sources = blueprint.sources[b];
      for (const CellSpot& spot : layout.spots) {
        board.cells.push_back(cell_of(spot, dots != nullptr));
        auto& list = sources.emplace_back();
        for (const CellSpot::Source& source : spot.sources) {
          const bool own = source.variable.empty();
          const auto [it, fresh] = tables.try_emplace(
              {l, source.piece, source.holds, source.owner, source.least, source.last}, blueprint.tables.size());
          if (fresh)
            blueprint.tables.push_back(
                table(blueprint.empty, layout, source, own ? variable.values : std::vector<std::string>{source.holds}));
          list.push_back({own ? variable.name : source.variable, source.key, it->second, source.also});
        }
        // A pit, whatever number it will show.
        const bool counts = !list.empty() && std::ranges::any_of(blueprint.tables[list.front().table],
                                                                 [](const auto& e) { return !e.second.piece; });
        if (counts && layout.shape == ir::CellShape::point && layout.lines.empty()) board.cells.back().text = " ";
      }
    }
  }
  if (blueprint.empty.boards.size() == 1) blueprint.empty.boards[0].title.clear();
  return blueprint;
}

Blueprint::Table Painter::table(Scene& scene, const Layout& layout, const CellSpot::Source& source,
                                const std::vector<std::string>& values) const {
  Blueprint::Table table;
  for (const std::string& value : values) {
    Cell cell;
    add_source(scene, cell, layout, source, value);
    if (cell.piece || !cell.text.empty()) table[value] = {cell.piece, cell.text};
  }
  return table;
}

// In the author's words. Of an unknown value what all possible ones have in common: D(jack,?).
std::string Painter::told(const Variable& variable, const std::string& value) const {
  if (!value.starts_with(kUnknown)) return lookup(variable.layouts.empty() ? texts_ : piece_texts_, value);
  std::optional<NameTerm> common;
  for (std::size_t at = value.find(' '); at != std::string::npos;) {
    const std::size_t end = value.find(' ', at + 1);
    const NameTerm term =
        read_term(lookup(texts_, value.substr(at + 1, end == std::string::npos ? end : end - at - 1)));
    if (!common) common = term;
    if (term.functor.empty() || term.functor != common->functor || term.parts.size() != common->parts.size()) {
      return std::string(kUnknown);
    }
    for (std::size_t i = 0; i < term.parts.size(); ++i) {
      if (term.parts[i] != common->parts[i]) common->parts[i] = kUnknown;
    }
    at = end;
  }
  return common ? fmt::format("{}({})", common->functor, fmt::join(common->parts, ",")) : std::string(kUnknown);
}

// Numbers without their functor, and F(?) as one that is not known.
std::string Painter::shown(const Variable& variable, const std::string& word) {
  if (!variable.numbers) return word;
  if (word.ends_with(fmt::format("({})", kUnknown))) return std::string(kUnknown);
  const auto number = number_of(word);
  return number ? std::to_string(*number) : word;
}

std::vector<Face> Painter::faces(const Variable& variable, const std::string& value) const {
  const std::string& word = lookup(texts_, value);
  const PieceLook* piece = pieces_->find(word);
  if (piece != nullptr && piece->traits) return {Face{false, word, *piece}};
  return variable.faces == Faces::none ? std::vector<Face>()
                                       : faces_in(lookup(texts_, value), variable.faces == Faces::dice);
}

// Scalars, maps that are no boards, and cells of boards that have no place there.
void Painter::add_facts(Scene& scene, const Variable& variable, const VariableView& view) const {
  if (view.cells.empty()) {
    if (variable.drawn.contains("")) return;
    if (!variable.bits) {
      const std::string word = told(variable, view.value);
      scene.facts.push_back({variable.name, coordinates_.in(shown(variable, word)), faces(variable, word)});
    } else if (view.value != "0") {
      scene.facts.push_back({variable.name, view.value == "1" ? "yes" : std::string(kUnknown)});
    }
    return;
  }
  const std::set<std::string>& drawn = variable.drawn;
  std::vector<std::string> entries;
  std::vector<Face> held;  // pieces of which something is true
  for (const VariableView::Cell& cell : view.cells) {
    const std::string key = key_of(cell.keys);
    if (drawn.contains(key)) continue;
    std::string keys;
    for (const std::string& k : cell.keys) keys += (keys.empty() ? "" : " ") + coordinates_.in(lookup(texts_, k));
    const std::string word = coordinates_.in(shown(variable, told(variable, cell.value)));
    if (variable.bits) {
      if (cell.value != "0") entries.push_back(cell.value == "1" ? keys : keys + "?");
      if (cell.value == "1" && cell.keys.size() == 1) {
        for (Face& face : faces(variable, cell.keys[0])) held.push_back(std::move(face));
      }
      continue;
    }
    const auto initial = variable.initial.find(key);
    const bool moved = initial == variable.initial.end() || initial->second != cell.value;
    if (!drawn.empty() && (number_of(word) ? *number_of(word) == 0 : !moved)) continue;
    if (drawn.empty() && view.cells.size() > kMaxEntries && !moved) continue;
    entries.push_back(fmt::format("{} {}", keys, word));
  }
  if (entries.empty()) return;
  const std::size_t more = entries.size() > kMaxEntries ? entries.size() - kMaxEntries : 0;
  entries.resize(entries.size() - more);
  scene.facts.push_back(
      {variable.name, fmt::format("{}{}", fmt::join(entries, ", "), more > 0 ? fmt::format(", and {} more", more) : ""),
       std::move(held)});
}

}  // namespace rgtrans::scene
