#include "backends/scene/relations.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/support/text.hpp"

namespace rgtrans::scene {

namespace {

// The cells of a part's variables with the values that represent the tuple; none if the part never contains it.
std::vector<CellSpot::Held> cells_of(const ir::Game& game, const ir::Words::Relation::Part& part,
                                     std::span<const SymbolId> tuple) {
  std::vector<CellSpot::Held> cells;
  for (std::size_t v = 0; v < part.variables.size(); ++v) {
    const ir::VarId variable = game.find_variable(part.variables[v]);
    if (!variable.valid()) return {};
    const ir::TypeId type = game.variable(variable).type;
    const std::vector<ir::TypeId> keys = game.keys(type);
    const ir::TypeId held = game.value_type(type);
    std::vector<std::string> words(keys.size());
    std::string value = "1";
    for (std::size_t c = 0; c < tuple.size(); ++c) {
      const ir::Words::Relation::Column& column = part.columns[c];
      const auto key = static_cast<std::size_t>(column.key);
      if (column.constant.valid() && column.constant != tuple[c]) return {};
      if (column.key >= 0) {
        if (key >= keys.size() || game.index_of(keys[key], tuple[c]) < 0) return {};
        words[key] = game.symbols.str(tuple[c]);
      } else if (column.variable == static_cast<int>(v)) {
        if (game.index_of(held, tuple[c]) < 0) return {};
        value = game.symbols.str(tuple[c]);
      }
    }
    cells.push_back({game.symbols.str(part.variables[v]), key_of(words), std::move(value)});
  }
  return cells;
}

std::optional<CellSpot::Source> kept(const ir::Game& game, const ir::Words::Relation& relation,
                                     std::span<const SymbolId> tuple, const std::string& piece) {
  for (const ir::Words::Relation::Part& part : relation.parts) {
    const std::vector<CellSpot::Held> cells = cells_of(game, part, tuple);
    if (cells.empty()) continue;
    CellSpot::Source source{cells[0].key, piece};
    source.variable = cells[0].variable;
    source.holds = cells[0].value;
    source.also.assign(cells.begin() + 1, cells.end());
    return source;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Layout> find_layouts(const ir::Game& game, const ir::Words::Relation& relation) {
  ir::Game whole = game;
  const SymbolId no = whole.symbols.intern("0");
  const SymbolId yes = whole.symbols.intern("1");
  ir::TypeId type = whole.types.set(std::vector<SymbolId>{no, yes});
  ir::ValueId initial = whole.values.symbol(no);
  for (auto column = relation.columns.rbegin(); column != relation.columns.rend(); ++column) {
    type = whole.types.arrow(whole.types.set(*column), type);
    initial = whole.values.map(initial, {});
  }
  std::vector<Layout> layouts = find_layouts(whole, whole.define_variable(relation.name, type, initial), false);
  for (Layout& layout : layouts) {
    if (!layout.board) return {};
    for (CellSpot& spot : layout.spots) {
      std::vector<CellSpot::Source> sources;
      for (const CellSpot::Source& source : spot.sources) {
        std::vector<SymbolId> tuple;
        for (const std::string& word : split_list(source.key, " ")) tuple.push_back(whole.symbols.intern(word));
        if (auto found = kept(game, relation, tuple, source.piece)) sources.push_back(std::move(*found));
      }
      spot.sources = std::move(sources);
    }
  }
  return layouts;
}

}  // namespace rgtrans::scene
