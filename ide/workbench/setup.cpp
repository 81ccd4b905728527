// Positions that a person sets up. A position becomes a game of its own: the game of the text with other initial
// values, whose begin leads to the node of the position. So it is played, analyzed, solved and published like any game.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "backends/interpreter/interpreter.hpp"
#include "core/support/text.hpp"
#include "ide/workbench/verbs.hpp"

namespace rgtrans::ide {

namespace {

using Place = std::pair<std::string, std::string>;  // a variable and a key, as in Blueprint::Source
using Values = std::map<Place, std::string>;

[[noreturn]] void misfit() {
  throw Error("the position does not fit this text", "restart the play, or set it up again");
}

Values values_of(const std::vector<VariableView>& views) {
  Values values;
  for (const VariableView& view : views) {
    if (view.cells.empty()) values[{view.name, ""}] = view.value;
    for (const VariableView::Cell& cell : view.cells) values[{view.name, scene::key_of(cell.keys)}] = cell.value;
  }
  return values;
}

// The value with another symbol behind these keys.
ir::ValueId changed(ir::Game& game, ir::ValueId value, std::span<const SymbolId> keys, SymbolId symbol) {
  if (keys.empty()) return game.values.symbol(symbol);
  std::vector<ir::Values::Entry> entries = {
      {keys[0], changed(game, game.values.at(value, keys[0]), keys.subspan(1), symbol)}};
  const auto others = game.values.exceptions(value);
  entries.insert(entries.end(), others.begin(), others.end());
  return game.values.map(game.values.default_of(value), entries);
}

void set_cell(ir::Game& game, const CellValue& cell) {
  const SymbolId name = game.symbols.find(cell.variable);
  const SymbolId value = game.symbols.find(cell.value);
  const ir::VarId id = name.valid() ? game.find_variable(name) : ir::VarId();
  if (!id.valid() || !value.valid() || game.built_in(id)) misfit();
  const ir::TypeId type = game.variable(id).type;
  const std::vector<ir::TypeId> domains = game.keys(type);
  std::vector<SymbolId> keys;
  if (!cell.key.empty()) {
    for (const std::string& key : split_list(cell.key, " ")) keys.push_back(game.symbols.find(key));
  }
  if (keys.size() != domains.size() || game.index_of(game.value_type(type), value) < 0) misfit();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].valid() || game.index_of(domains[i], keys[i]) < 0) misfit();
  }
  game.variable(id).initial = changed(game, game.variable(id).initial, keys, value);
}

ir::NodeId node_called(const ir::Game& game, const std::string& name) {
  const std::vector<std::string> names = game.node_names();
  for (const ir::NodeId node : game.graph.nodes()) {
    if (names[node.value] == name) return node;
  }
  misfit();
}

// The node where the next move begins, as the interpreter describes it.
std::string node_of(const Reasoner& reasoner) {
  constexpr std::string_view kMark = "position: ";
  for (const std::string& line : split_lines(reasoner.describe())) {
    if (line.starts_with(kMark)) return line.substr(kMark.size());
  }
  misfit();
}

// The drawn cells by their names.
class DrawnCells {
 public:
  using Source = scene::Blueprint::Source;
  using Effect = scene::Blueprint::Effect;

  explicit DrawnCells(const scene::Blueprint& blueprint) : blueprint_(blueprint) {
    std::map<Place, std::size_t> uses;
    for (std::size_t b = 0; b < blueprint.sources.size(); ++b) {
      for (std::size_t c = 0; c < blueprint.sources[b].size(); ++c) {
        cells_[blueprint.empty.boards[b].cells[c].name] = &blueprint.sources[b][c];
        for (const Source& source : blueprint.sources[b][c]) {
          ++uses[place_of(source)];
          places_.insert(place_of(source));
        }
      }
    }
    counted_ = std::ranges::any_of(uses, [](const auto& use) { return use.second > 1; });
  }

  [[nodiscard]] bool drawn(const Place& place) const { return places_.contains(place); }

  // Moves the content of a cell to another one. Values of `followers` that name the first cell name the second one
  // then.
  void move(Values& values, const std::string& from, const std::string& to,
            const std::set<std::string>& followers) const {
    const auto& sources = at(from);
    const Effect* content = nullptr;
    std::string key;
    for (const Source& source : sources) {
      if (const Effect* effect = effect_of(source, values[place_of(source)])) {
        content = effect;
        key = source.key;
      }
    }
    if (content == nullptr) throw Error(fmt::format("there is nothing on {}", from));
    const Effect carried = *content;
    put(values, to, carried);
    if (from != to) clear(values, from);
    const std::string target = at(to).empty() ? "" : at(to).front().key;
    if (key.find(' ') != std::string::npos || target.find(' ') != std::string::npos) return;
    for (auto& [place, value] : values) {
      if (followers.contains(place.first) && !drawn(place) && value == key) value = target;
    }
  }

  void put(Values& values, const std::string& cell, const Effect& effect) const {
    clear(values, cell);
    for (const Source& source : at(cell)) {
      for (const auto& [value, other] : blueprint_.tables[source.table]) {
        if (other.piece != effect.piece || other.text != effect.text) continue;
        values[place_of(source)] = value;
        return;
      }
    }
    throw Error(fmt::format("that cannot stand on {}", cell));
  }

  void clear(Values& values, const std::string& cell) const {
    for (const Source& source : at(cell)) {
      std::string& value = values[place_of(source)];
      if (effect_of(source, value) == nullptr) continue;
      value = blank(source, values);
    }
  }

 private:
  static Place place_of(const Source& source) { return {source.variable, source.key}; }

  [[nodiscard]] const std::vector<Source>& at(const std::string& cell) const {
    if (counted_) throw Error("the men on this board are counted, so no single one can be set");
    const auto it = cells_.find(cell);
    if (it == cells_.end()) throw Error(fmt::format("there is no cell {}", cell));
    return *it->second;
  }

  [[nodiscard]] const Effect* effect_of(const Source& source, const std::string& value) const {
    const auto& table = blueprint_.tables[source.table];
    const auto it = table.find(value);
    return it == table.end() ? nullptr : &it->second;
  }

  // The most frequent value of the variable that shows nothing; 0 for a fact.
  [[nodiscard]] std::string blank(const Source& source, const Values& values) const {
    std::map<std::string, std::size_t> uses;
    for (auto it = values.lower_bound({source.variable, ""}); it != values.end() && it->first.first == source.variable;
         ++it) {
      if (effect_of(source, it->second) == nullptr) ++uses[it->second];
    }
    if (uses.empty()) throw Error("no cell of this board can be empty");
    return std::ranges::max_element(uses, {}, [](const auto& use) { return use.second; })->first;
  }

  const scene::Blueprint& blueprint_;
  std::map<std::string, const std::vector<Source>*> cells_;
  std::set<Place> places_;
  bool counted_ = false;
};

}  // namespace

ir::Game set_up(const ir::Game& written, const PositionSetup& setup) {
  ir::Game game = written;
  for (const CellValue& cell : setup.cells) set_cell(game, cell);
  const ir::NodeId target = node_called(game, setup.node);
  const ir::NodeId begin = game.begin();
  // Plays that come back to the begin of the text go to its own node.
  const ir::NodeId old = game.graph.add_node();
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (game.graph.source(edge) == begin) game.graph.set_source(edge, old);
    if (game.graph.target(edge) == begin) game.graph.set_target(edge, old);
  }
  ir::NodeId last = begin;
  const auto players = game.players();
  const std::vector<SymbolId> named(players.begin(), players.end());
  for (std::size_t i = 0; i < named.size() && i < setup.goals.size(); ++i) {
    const SymbolId goal = game.symbols.find(setup.goals[i]);
    if (!goal.valid() || std::ranges::find(game.scores(), goal) == game.scores().end()) misfit();
    const ir::NodeId next = game.graph.add_node();
    const ir::ExprId place = game.access(game.variable_ref(game.goals()), game.symbol(named[i]));
    game.graph.add_edge(last, next, ir::Assign{place, game.symbol(goal)});
    last = next;
  }
  const SymbolId mover = game.symbols.find(setup.player);
  const bool player = mover.valid() && (std::ranges::find(named, mover) != named.end() || mover == game.keeper() ||
                                        mover == game.random());
  if (!player) misfit();
  game.graph.add_edge(last, target == begin ? old : target,
                      ir::Assign{game.variable_ref(game.player()), game.symbol(mover)});
  return game;
}

ArrangeReply arrange(Bench& bench, const ArrangeRequest& request, const Stop& /*stop*/) {
  const GamePointer game = game_of(bench.document);
  if (game->hides()) throw Error("positions of games that hide moves cannot be set up");
  const auto reasoner = make_interpreter(game->written());
  follow(*reasoner, game->moves_of(request.path));
  if (reasoner->terminal()) throw Error("the play is over");
  const std::vector<VariableView> variables = reasoner->variables();
  const Values before = values_of(variables);
  Values values = before;
  for (const CellValue& cell : request.cells) {
    const auto it = values.find({cell.variable, cell.key});
    if (it == values.end()) misfit();
    it->second = cell.value;
  }
  const scene::Blueprint blueprint = game->painter().blueprint();
  const DrawnCells cells(blueprint);
  if (request.piece && request.to) {
    if (*request.piece >= blueprint.empty.pieces.size()) misfit();
    cells.put(values, *request.to, {*request.piece, ""});
  } else if (request.from && request.to) {
    // Variables that the rest of the play reads.
    std::set<std::string> followers;
    for (const VariableView& view : variables) {
      if (view.alive) followers.insert(view.name);
    }
    cells.move(values, *request.from, *request.to, followers);
  } else if (request.from) {
    cells.clear(values, *request.from);
  }
  ArrangeReply reply;
  const Values standard = values_of(make_interpreter(game->base())->variables());
  for (const auto& [place, value] : values) {
    const CellValue cell{place.first, place.second, value};
    if (before.at(place) != value) {
      reply.cells.push_back(cell);
      if (!cells.drawn(place)) reply.followed.push_back(place.first);
    }
    const auto it = standard.find(place);
    if (it == standard.end() || it->second != value) reply.setup.cells.push_back(cell);
  }
  reply.setup.node = node_of(*reasoner);
  reply.setup.player = game->written().symbols.str(game->written().keeper());
  const GameInfo& info = reasoner->info();
  if (reasoner->mover() < info.players.size())
    reply.setup.player = game->written().symbols.str(game->written().players()[reasoner->mover()]);
  if (reasoner->mover() == info.random()) reply.setup.player = game->written().symbols.str(game->written().random());
  for (std::size_t i = 0; i < info.players.size(); ++i) reply.setup.goals.push_back(reasoner->goal(i));
  const ir::Game arranged = set_up(game->base(), reply.setup);
  scene::Witness witness(arranged);
  witness.settle();
  scene::Scene shown = game->painter().scene(witness);
  shown.facts.clear();
  shown.mover.clear();
  shown.outcome.clear();
  if (!shown.boards.empty()) reply.svg = scene::svg(shown, request.flip);
  const scene::Sheet sheet = scene::sheet(blueprint);
  for (std::size_t i = 0; i < sheet.pieces.size(); ++i) {
    reply.palette.push_back(
        {blueprint.empty.pieces[i].word,
         fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"48\" viewBox=\"-24 -24 48 "
                     "48\">{}</svg>",
                     sheet.pieces[i])});
  }
  return reply;
}

}  // namespace rgtrans::ide
