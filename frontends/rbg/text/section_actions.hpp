// The actions of the section grammar: they pass matched tokens to the builders of names, board and rules. Names are
// resolved and checked while the sections are read, in the order players, pieces, variables, board, rules.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tao/pegtl.hpp>

#include "core/support/actions.hpp"
#include "frontends/rbg/text/board_builder.hpp"
#include "frontends/rbg/text/grammar.hpp"
#include "frontends/rbg/text/names.hpp"
#include "frontends/rbg/text/rules_builder.hpp"

namespace rgtrans::rbg::syntax {

// The current section; the same grammar rule declares different kinds of names in different sections.
enum class Section : std::uint8_t { players, pieces, variables, board, rules };

struct State {
  Section section;
  std::span<const Token> tokens;
  const char* kinds;  // the grammar's input: one byte per token
  Description& description;
  DeclaredNames& names;
  BoardBuilder& board;
  RulesBuilder& rules;

  [[nodiscard]] const Token& first(std::string_view text) const {
    return tokens[static_cast<std::size_t>(text.data() - kinds)];
  }
  // The place of all matched tokens, or of the first one if they come from different expansions.
  [[nodiscard]] Range place(std::string_view text) const {
    const Token& begin = first(text);
    const Token& end = first(text.substr(text.size() - 1));
    if (begin.origin != end.origin || end.where.end < begin.where.begin) return begin.where;
    return join(begin.where, end.where);
  }
};

// --- Players, pieces, variables. ---
inline void act(On<declared_name>, std::string_view text, State& s) {
  s.names.declare(s.section == Section::players ? NameKind::player : NameKind::variable, s.first(text));
}
inline void act(On<bound>, std::string_view text, State& s) {
  auto& list = s.section == Section::players ? s.description.players : s.description.variables;
  list.back().bound = number_of(s.first(text), s.description.symbols);
}
inline void act(On<piece_name>, std::string_view text, State& s) { s.names.declare(NameKind::piece, s.first(text)); }

// --- Board. ---
inline void act(On<vertex_name>, std::string_view text, State& s) { s.board.add_vertex(s.first(text)); }
inline void act(On<vertex_piece>, std::string_view text, State& s) { s.board.set_vertex_piece(s.first(text)); }
inline void act(On<edge_label>, std::string_view text, State& s) { s.board.begin_edge(s.first(text)); }
inline void act(On<edge_target>, std::string_view text, State& s) { s.board.end_edge(s.first(text)); }
inline void act(On<graph>, State& s) { s.board.finish_graph(); }
inline void act(On<label_argument>, std::string_view text, State& s) { s.board.add_direction(s.first(text)); }
inline void act(On<layer_begin>, std::string_view text, State& s) { s.board.begin_layer(s.first(text)); }
inline void act(On<line_begin>, std::string_view text, State& s) { s.board.begin_row(s.first(text)); }
inline void act(On<cell_piece>, std::string_view text, State& s) { s.board.set_cell(s.first(text)); }
inline void act(On<cell_end>, State& s) { s.board.end_cell(); }
inline void act(On<line_end>, State& s) { s.board.end_row(); }
inline void act(On<rectangle>, std::string_view text, State& s) { s.board.finish_shape(s.first(text), make_rectangle); }
inline void act(On<hexagon>, std::string_view text, State& s) { s.board.finish_shape(s.first(text), make_hexagon); }
inline void act(On<cuboid>, std::string_view text, State& s) { s.board.finish_shape(s.first(text), make_cuboid); }

// --- Arithmetic. ---
inline void act(On<arith_number>, std::string_view text, State& s) { s.rules.number(s.first(text)); }
inline void act(On<arith_name>, std::string_view text, State& s) { s.rules.operand(s.first(text)); }
inline void act(On<multiply>, State& s) { s.rules.combine(Arith::multiply); }
inline void act(On<divide>, State& s) { s.rules.combine(Arith::divide); }
inline void act(On<add>, State& s) { s.rules.combine(Arith::add); }
inline void act(On<subtract>, State& s) { s.rules.combine(Arith::subtract); }

// --- Rules. ---
inline void act(On<label_item>, std::string_view text, State& s) { s.rules.shift(s.first(text)); }
inline void act(On<switch_player>, std::string_view text, State& s) { s.rules.to_player(s.first(text)); }
inline void act(On<keeper_switch>, std::string_view text, State& s) { s.rules.to_keeper(s.first(text).where); }
inline void act(On<noop>, std::string_view text, State& s) { s.rules.noop(s.first(text).where); }
inline void act(On<list_open>, State& s) { s.rules.begin_list(); }
inline void act(On<sequence>, std::string_view text, State& s) { s.rules.end_list(Kind::concat, s.place(text)); }
inline void act(On<sum>, std::string_view text, State& s) { s.rules.end_list(Kind::sum, s.place(text)); }
inline void act(On<star_suffix>, std::string_view text, State& s) { s.rules.star(s.first(text).where); }
inline void act(On<exponent>, std::string_view text, State& s) { s.rules.repeat(s.first(text)); }
inline void act(On<set_open>, State& s) { s.rules.begin_set(); }
inline void act(On<on_piece>, std::string_view text, State& s) { s.rules.on_piece(s.first(text)); }
inline void act(On<on>, std::string_view text, State& s) { s.rules.on(s.place(text)); }
inline void act(On<off_piece>, std::string_view text, State& s) { s.rules.off_piece(s.first(text)); }
inline void act(On<off>, std::string_view text, State& s) { s.rules.off(s.place(text)); }
inline void act(On<assigned>, std::string_view text, State& s) { s.rules.assigned(s.first(text)); }
inline void act(On<assign>, std::string_view text, State& s) { s.rules.assign(s.place(text)); }
inline void act(On<assignment>, std::string_view text, State& s) { s.rules.assignment(s.place(text)); }
inline void act(On<relation>, std::string_view text, State& s) {
  constexpr std::string_view kinds = "EN<L>G";  // in the order of Relation
  s.rules.relation(static_cast<Comparison>(kinds.find(s.first(text).kind)));
}
inline void act(On<comparison>, std::string_view text, State& s) { s.rules.compare(s.place(text)); }
inline void act(On<positive_pattern>, std::string_view text, State& s) { s.rules.pattern(false, s.place(text)); }
inline void act(On<negative_pattern>, std::string_view text, State& s) { s.rules.pattern(true, s.place(text)); }

}  // namespace rgtrans::rbg::syntax
