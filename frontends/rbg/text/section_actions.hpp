// The actions of the section grammar: what is matched goes to the names, the board and the rules. Names are resolved
// and checked while the sections are read, in the order players, pieces, variables, board, rules.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tao/pegtl.hpp>

#include "frontends/rbg/text/board_builder.hpp"
#include "frontends/rbg/text/grammar.hpp"
#include "frontends/rbg/text/names.hpp"
#include "frontends/rbg/text/rules_builder.hpp"

namespace rgtrans::rbg::syntax {

// What is read at the moment; the same grammar rule declares different things.
enum class Section : std::uint8_t { players, pieces, variables, board, rules };

struct State {
  Section section;
  std::span<const Token> tokens;
  const char* kinds;  // the input of the grammar, one byte for each token
  Description& description;
  DeclaredNames& names;
  BoardBuilder& board;
  RulesBuilder& rules;

  template <class Input>
  const Token& first(const Input& in) const {
    return tokens[static_cast<std::size_t>(in.begin() - kinds)];
  }
  // The place of everything matched, as far as it was written in one piece.
  template <class Input>
  Range place(const Input& in) const {
    const Token& begin = first(in);
    const Token& end = tokens[static_cast<std::size_t>(in.end() - kinds) - 1];
    if (begin.origin != end.origin || end.where.end < begin.where.begin) return begin.where;
    return join(begin.where, end.where);
  }
};

template <class Rule>
struct Action : p::nothing<Rule> {};

// RGTRANS_ON(rule) { what is done with `in`, the match, and the state `s` }
#define RGTRANS_ON(rule)                          \
  template <>                                     \
  struct Action<rule> {                           \
    template <class Input>                        \
    static void apply(const Input& in, State& s); \
  };                                              \
  template <class Input>                          \
  void Action<rule>::apply(const Input& in, State& s)
// The same without `in`.
#define RGTRANS_AFTER(rule)       \
  template <>                     \
  struct Action<rule> {           \
    static void apply0(State& s); \
  };                              \
  inline void Action<rule>::apply0(State& s)

// --- Players, pieces, variables. ---
RGTRANS_ON(declared_name) {
  s.names.declare(s.section == Section::players ? NameKind::player : NameKind::variable, s.first(in));
}
RGTRANS_ON(bound) {
  auto& list = s.section == Section::players ? s.description.players : s.description.variables;
  list.back().bound = number_of(s.first(in), s.description.symbols);
}
RGTRANS_ON(piece_name) { s.names.declare(NameKind::piece, s.first(in)); }

// --- Board. ---
RGTRANS_ON(vertex_name) { s.board.add_vertex(s.first(in)); }
RGTRANS_ON(vertex_piece) { s.board.set_vertex_piece(s.first(in)); }
RGTRANS_ON(edge_label) { s.board.begin_edge(s.first(in)); }
RGTRANS_ON(edge_target) { s.board.end_edge(s.first(in)); }
RGTRANS_AFTER(graph) { s.board.finish_graph(); }
RGTRANS_ON(label_argument) { s.board.add_direction(s.first(in)); }
RGTRANS_ON(layer_begin) { s.board.begin_layer(s.first(in)); }
RGTRANS_ON(line_begin) { s.board.begin_row(s.first(in)); }
RGTRANS_ON(cell_piece) { s.board.set_cell(s.first(in)); }
RGTRANS_AFTER(cell_end) { s.board.end_cell(); }
RGTRANS_AFTER(line_end) { s.board.end_row(); }
RGTRANS_ON(rectangle) { s.board.finish_shape(s.first(in), make_rectangle); }
RGTRANS_ON(hexagon) { s.board.finish_shape(s.first(in), make_hexagon); }
RGTRANS_ON(cuboid) { s.board.finish_shape(s.first(in), make_cuboid); }

// --- Arithmetic. ---
RGTRANS_ON(arith_number) { s.rules.number(s.first(in)); }
RGTRANS_ON(arith_name) { s.rules.operand(s.first(in)); }
RGTRANS_AFTER(multiply) { s.rules.combine(Arith::multiply); }
RGTRANS_AFTER(divide) { s.rules.combine(Arith::divide); }
RGTRANS_AFTER(add) { s.rules.combine(Arith::add); }
RGTRANS_AFTER(subtract) { s.rules.combine(Arith::subtract); }

// --- Rules. ---
RGTRANS_ON(label_item) { s.rules.shift(s.first(in)); }
RGTRANS_ON(switch_player) { s.rules.to_player(s.first(in)); }
RGTRANS_ON(keeper_switch) { s.rules.to_keeper(s.first(in).where); }
RGTRANS_ON(noop) { s.rules.noop(s.first(in).where); }
RGTRANS_AFTER(list_open) { s.rules.begin_list(); }
RGTRANS_ON(sequence) { s.rules.end_list(Kind::concat, s.place(in)); }
RGTRANS_ON(sum) { s.rules.end_list(Kind::sum, s.place(in)); }
RGTRANS_ON(star_suffix) { s.rules.star(s.first(in).where); }
RGTRANS_ON(exponent) { s.rules.repeat(s.first(in)); }
RGTRANS_AFTER(set_open) { s.rules.begin_set(); }
RGTRANS_ON(on_piece) { s.rules.on_piece(s.first(in)); }
RGTRANS_ON(on) { s.rules.on(s.place(in)); }
RGTRANS_ON(off_piece) { s.rules.off_piece(s.first(in)); }
RGTRANS_ON(off) { s.rules.off(s.place(in)); }
RGTRANS_ON(assigned) { s.rules.assigned(s.first(in)); }
RGTRANS_ON(assign) { s.rules.assign(s.place(in)); }
RGTRANS_ON(assignment) { s.rules.assignment(s.place(in)); }
RGTRANS_ON(relation) {
  constexpr std::string_view kinds = "EN<L>G";  // in the order of Relation
  s.rules.relation(static_cast<Comparison>(kinds.find(s.first(in).kind)));
}
RGTRANS_ON(comparison) { s.rules.compare(s.place(in)); }
RGTRANS_ON(positive_pattern) { s.rules.pattern(false, s.place(in)); }
RGTRANS_ON(negative_pattern) { s.rules.pattern(true, s.place(in)); }
#undef RGTRANS_ON
#undef RGTRANS_AFTER

}  // namespace rgtrans::rbg::syntax
