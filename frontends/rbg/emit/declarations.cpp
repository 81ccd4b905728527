#include "frontends/rbg/emit/declarations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/support/sorted.hpp"

namespace rgtrans::rbg {

namespace {

using ir::TypeId;
using ir::ValueId;

class Declarer {
 public:
  Declarer(const Description& description, const Uses& uses, const Arithmetic& arithmetic, Vocabulary& vocabulary,
           ir::Game& game)
      : d_(description), uses_(uses), arithmetic_(arithmetic), v_(vocabulary), g_(game) {}

  BoardDeclarations run() {
    declare_play();
    declare_types();
    const TypeId cursor = uses_.null_cursor ? made_.null_vertex : made_.vertex;
    made_.cursor_variable = g_.define_variable(v_.fresh_name("cursor"), cursor, g_.values.symbol(v_.vertices.front()));
    made_.cursor = g_.variable_ref(made_.cursor_variable);
    declare_board();
    if (uses_.most_choices > 0) {
      const Interval range{0, static_cast<std::int64_t>(uses_.most_choices) - 1};
      made_.choice = g_.variable_ref(
          g_.define_variable(v_.fresh_name("choice"), v_.number_type(range), g_.values.symbol(v_.number(0))));
    }
    declare_variables();
    return std::move(made_);
  }

 private:
  // Declares the players and the scores that a player can reach.
  void declare_play() {
    std::vector<std::int64_t> values = {0};
    std::int64_t highest = 0;
    bool all = false;
    for (std::uint32_t p = 0; p < d_.players.size(); ++p) {
      all = all || uses_.read[p] != 0 || !arithmetic_.only_constants(p);
      const auto& list = arithmetic_.constants(p);
      values.insert(values.end(), list.begin(), list.end());
      highest = std::max(highest, arithmetic_.largest(p));
    }
    if (all) {
      values.resize(static_cast<std::size_t>(highest) + 1);
      std::iota(values.begin(), values.end(), 0);
    }
    sort_unique(values);
    std::vector<SymbolId> symbols;
    for (std::int64_t value : values) symbols.push_back(v_.number(value));
    v_.declare_play(v_.players, symbols);
    made_.player = v_.mover();
  }

  void declare_types() {
    made_.vertex = v_.type("Coord", v_.vertices);
    made_.null_vertex = made_.vertex;
    if (uses_.null_cursor || uses_.null_board) made_.null_vertex = v_.type("CoordOrNull", with_null(v_.vertices));
    made_.piece = v_.type("Piece", v_.pieces);
    made_.null_piece = made_.piece;
    made_.board_pieces = v_.pieces;
    if (uses_.null_board) {
      made_.board_pieces.push_back(v_.null);
      made_.null_piece = v_.type("PieceOrNull", made_.board_pieces);
    }
  }
  std::vector<SymbolId> with_null(std::vector<SymbolId> list) const {
    list.push_back(v_.null);
    return list;
  }

  void declare_board() {
    std::vector<ValueId> values;
    for (const Vertex& vertex : d_.board) values.push_back(g_.values.symbol(v_.pieces[vertex.piece]));
    std::vector<SymbolId> keys = v_.vertices;
    TypeId type = g_.types.arrow(made_.vertex, made_.piece);
    if (uses_.null_board) {
      keys.push_back(v_.null);
      values.push_back(g_.values.symbol(v_.null));
      type = g_.types.arrow(made_.null_vertex, made_.null_piece);
    }
    made_.board = g_.variable_ref(g_.define_variable(v_.fresh_name("board"), type, v_.map(keys, values)));
  }

  void declare_variables() {
    made_.variables.resize(d_.variable_count());
    for (std::uint32_t i = 0; i < d_.variable_count(); ++i) {
      if (i < d_.players.size()) {
        made_.variables[i] = g_.access(v_.goals(), g_.symbol(v_.players[i]));
        continue;
      }
      if (uses_.read[i] == 0 && uses_.written[i] == 0) continue;
      const Declared& variable = d_.variable(i);
      const ir::VarId id =
          g_.define_variable(v_.fresh_name(d_.symbols.text(variable.name)), v_.number_type({0, arithmetic_.largest(i)}),
                             g_.values.symbol(v_.number(0)), variable.where);
      made_.variables[i] = g_.variable_ref(id);
    }
  }

  const Description& d_;
  const Uses& uses_;
  const Arithmetic& arithmetic_;
  Vocabulary& v_;
  ir::Game& g_;
  BoardDeclarations made_;
};

}  // namespace

BoardDeclarations declare(const Description& description, const Uses& uses, const Arithmetic& arithmetic,
                          Vocabulary& vocabulary, ir::Game& game) {
  return Declarer(description, uses, arithmetic, vocabulary, game).run();
}

}  // namespace rgtrans::rbg
