// The grammar of the sections over token classes (see tokens.hpp). Each byte of the input is one token.
#pragma once

#include <tao/pegtl.hpp>

#include "frontends/rbg/text/tokens.hpp"

namespace rgtrans::rbg::syntax {

namespace p = tao::pegtl;

template <char... kinds>
struct one : p::one<kinds...> {};

struct comma : p::one<','> {};
struct round_end : p::one<')'> {};
struct square_end : p::one<']'> {};
struct curly_end : p::one<'}'> {};
struct the_end : p::eof {};

// --- players, variables, pieces ---
struct declared_name : p::one<token::kIdentifier> {};
struct bound : p::one<token::kNumber> {};
struct bound_begin : p::one<'('> {};
struct bounded : p::seq<declared_name, p::must<bound_begin, bound, round_end>> {};
struct more_bounded : p::if_must<comma, p::sor<p::eof, bounded>> {};
struct players_section : p::must<bounded, p::star<more_bounded>, the_end> {};
struct variables_section : p::must<p::opt<bounded, p::star<more_bounded>>, the_end> {};
struct piece_name : p::one<token::kIdentifier> {};
struct more_pieces : p::if_must<comma, p::sor<p::eof, piece_name>> {};
struct pieces_section : p::must<piece_name, p::star<more_pieces>, the_end> {};

// --- board ---
struct vertex_name : p::one<token::kIdentifier> {};
struct vertex_piece : p::one<token::kIdentifier> {};
struct edge_label : p::one<token::kIdentifier> {};
struct edge_target : p::one<token::kIdentifier> {};
struct colon : p::one<':'> {};
struct square_begin : p::one<'['> {};
struct curly_begin : p::one<'{'> {};
struct edge : p::seq<edge_label, p::must<colon, edge_target>> {};
struct edges : p::opt<edge, p::star<p::if_must<comma, edge>>> {};
struct vertex : p::seq<vertex_name, p::must<square_begin, vertex_piece, square_end, curly_begin, edges, curly_end>> {};
struct graph : p::plus<vertex> {};

struct label_argument : p::one<token::kIdentifier> {};
struct round_begin : p::one<'('> {};
struct cell_piece : p::one<token::kIdentifier> {};
struct cell : p::opt<cell_piece> {};
struct cell_end : p::success {};
struct line_begin : p::one<'['> {};
struct line_end : p::one<']'> {};
struct line : p::if_must<line_begin, cell, cell_end, p::star<p::if_must<comma, cell, cell_end>>, line_end> {};
struct lines : p::plus<line> {};
struct layer_begin : p::one<'['> {};
struct layer_end : p::one<']'> {};
struct layer : p::if_must<layer_begin, lines, layer_end> {};
struct layers : p::plus<layer> {};
struct labels4 : p::rep<4, p::must<label_argument, comma>> {};
struct labels6 : p::rep<6, p::must<label_argument, comma>> {};
struct rectangle : p::if_must<p::one<token::kRectangle>, round_begin, labels4, lines, round_end> {};
struct hexagon : p::if_must<p::one<token::kHexagon>, round_begin, labels6, lines, round_end> {};
struct cuboid : p::if_must<p::one<token::kCuboid>, round_begin, labels6, layers, round_end> {};
struct board : p::sor<rectangle, hexagon, cuboid, graph> {};
struct board_section : p::must<board, the_end> {};

// --- arithmetic ---
struct arith;
struct arith_number : p::one<token::kNumber> {};
struct arith_name : p::one<token::kIdentifier> {};
struct factor
    : p::sor<p::seq<p::opt<p::one<'+'>>, arith_number>, arith_name, p::if_must<p::one<'('>, arith, round_end>> {};
struct multiply : p::if_must<p::one<'*'>, factor> {};
struct divide : p::if_must<p::one<'/'>, factor> {};
struct term : p::seq<factor, p::star<p::sor<multiply, divide>>> {};
struct add : p::if_must<p::one<'+'>, term> {};
struct subtract : p::if_must<p::one<'-'>, term> {};
struct arith : p::seq<term, p::star<p::sor<add, subtract>>> {};

// --- rules ---
struct sum;
struct label_item : p::one<token::kIdentifier> {};
struct switch_player : p::one<token::kIdentifier> {};
struct player_switch : p::if_must<p::one<token::kSwitch>, switch_player> {};
struct keeper_switch : p::one<token::kKeeperSwitch> {};
struct noop : p::one<'.'> {};
struct group : p::if_must<p::one<'('>, sum, round_end> {};
struct star_suffix : p::one<'*'> {};
struct exponent : p::one<token::kNumber> {};
struct power_suffix : p::if_must<p::one<'^'>, exponent> {};
struct walkable : p::seq<p::sor<label_item, player_switch, keeper_switch, noop, group>,
                         p::star<p::sor<star_suffix, power_suffix>>> {};

struct set_open : p::success {};
struct on_piece : p::one<token::kIdentifier> {};
struct on_pieces : p::seq<on_piece, p::star<p::if_must<comma, on_piece>>> {};
struct on : p::if_must<p::one<'{'>, set_open, p::opt<on_pieces>, curly_end> {};
struct off_piece : p::one<token::kIdentifier> {};
struct off : p::if_must<p::one<'['>, set_open, off_piece, p::star<p::if_must<comma, off_piece>>, square_end> {};
struct assigned : p::one<token::kIdentifier> {};
struct assign_equals : p::one<'='> {};
struct assign : p::seq<assigned, p::must<assign_equals, arith>> {};
struct assignment
    : p::if_must<p::one<token::kAssignment>, set_open, assign, p::star<p::if_must<comma, assign>>, square_end> {};
struct relation : p::one<token::kEqual, token::kNotEqual, '<', token::kLessOrEqual, '>', token::kGreaterOrEqual> {};
struct comparison : p::if_must<p::one<token::kComparison>, arith, relation, arith, curly_end> {};
struct positive_pattern : p::if_must<p::one<token::kPositive>, sum, curly_end> {};
struct negative_pattern : p::if_must<p::one<token::kNegative>, sum, curly_end> {};
struct no_suffix : p::not_at<p::one<'*', '^'>> {};
struct fixed : p::seq<p::sor<on, off, assignment, comparison, positive_pattern, negative_pattern>, p::must<no_suffix>> {
};

struct item : p::sor<walkable, fixed> {};
struct list_open : p::success {};
struct sequence : p::seq<list_open, p::plus<item>> {};
struct sum : p::seq<list_open, sequence, p::star<p::if_must<p::one<'+'>, sequence>>> {};
struct rules_section : p::must<sum, the_end> {};

// The message if one of these rules fails to match.
template <class>
inline constexpr const char* section_expected = "something else";
#define RGTRANS_EXPECTED(rule, text) \
  template <>                        \
  inline constexpr const char* section_expected<rule> = text
RGTRANS_EXPECTED(comma, "','");
RGTRANS_EXPECTED(round_end, "')'");
RGTRANS_EXPECTED(square_end, "']'");
RGTRANS_EXPECTED(curly_end, "'}'");
RGTRANS_EXPECTED(the_end, "the end of the section");
RGTRANS_EXPECTED(bound_begin, "'(' and the bound of the value");
RGTRANS_EXPECTED(bound, "a number, the bound of the value");
RGTRANS_EXPECTED(bounded, "a name with its bound, as in score(100)");
using bounded_or_end = p::sor<p::eof, bounded>;
RGTRANS_EXPECTED(bounded_or_end, "a name with its bound, as in score(100)");
using piece_or_end = p::sor<p::eof, piece_name>;
RGTRANS_EXPECTED(piece_or_end, "a piece name");
RGTRANS_EXPECTED(piece_name, "a piece name");
RGTRANS_EXPECTED(vertex_piece, "the piece of the vertex");
RGTRANS_EXPECTED(square_begin, "'[' and the piece of the vertex");
RGTRANS_EXPECTED(curly_begin, "'{' and the edges of the vertex");
RGTRANS_EXPECTED(colon, "':' and the target of the edge");
RGTRANS_EXPECTED(edge_target, "the name of a vertex");
RGTRANS_EXPECTED(edge, "an edge, as in up: a1");
RGTRANS_EXPECTED(round_begin, "'('");
RGTRANS_EXPECTED(label_argument, "a name for a direction");
RGTRANS_EXPECTED(lines, "a row of cells, as in [e, e, e]");
RGTRANS_EXPECTED(layers, "a layer of rows, as in [[e, e] [e, e]]");
RGTRANS_EXPECTED(line_end, "',' or ']' in the row");
RGTRANS_EXPECTED(layer_end, "a row of cells or ']'");
RGTRANS_EXPECTED(board, "rectangle, hexagon, cuboid or a vertex such as a1[empty]{up: a2}");
RGTRANS_EXPECTED(factor, "a number, variable, player, piece or '('");
RGTRANS_EXPECTED(term, "a number, variable, player, piece or '('");
RGTRANS_EXPECTED(arith, "an arithmetic expression");
RGTRANS_EXPECTED(switch_player, "a player's name after '->'");
RGTRANS_EXPECTED(exponent, "a number after '^'");
RGTRANS_EXPECTED(on_piece, "a piece");
RGTRANS_EXPECTED(off_piece, "a piece to put on the cursor's vertex");
RGTRANS_EXPECTED(assign, "an assignment such as v = 1");
RGTRANS_EXPECTED(assign_equals, "'='");
RGTRANS_EXPECTED(relation, "one of == != < <= > >=");
RGTRANS_EXPECTED(no_suffix, "no '*' or '^' after braces or square brackets");
RGTRANS_EXPECTED(sequence, "an action");
RGTRANS_EXPECTED(sum, "an action");
#undef RGTRANS_EXPECTED

}  // namespace rgtrans::rbg::syntax
