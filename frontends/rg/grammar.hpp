// The grammar of RG text (PEGTL). Optional trivia precede every token but never follow it, so that a missing semicolon
// is reported after the last token. If a `must` fails, the text for its rule in messages.hpp is reported, and parsing
// continues after the item.
#pragma once

#include <tao/pegtl.hpp>

#include "frontends/rg/names.hpp"

namespace rgtrans::rg::grammar {

namespace peg = tao::pegtl;

// --- Trivia ---
struct white : peg::plus<peg::one<' ', '\t', '\r', '\n'>> {};
struct comment : peg::seq<peg::two<'/'>, peg::until<peg::at<peg::sor<peg::one<'\r', '\n'>, peg::eof>>>> {};
struct sep : peg::star<peg::sor<white, comment>> {};

// --- Names --- A custom rule, because names use Unicode character classes; all other rules are composed.
struct identifier {
  using rule_t = identifier;
  using subs_t = peg::empty_list;

  template <typename Input>
  static bool match(Input& in) {
    const std::size_t length = name_length(in.current(), in.end());
    if (length == 0) return false;
    in.bump(length);
    return true;
  }
};
struct boundary : peg::not_at<identifier> {};
template <char... Cs>
struct word : peg::seq<peg::string<Cs...>, boundary> {};

struct word_const : word<'c', 'o', 'n', 's', 't'> {};
struct word_type : word<'t', 'y', 'p', 'e'> {};
struct word_var : word<'v', 'a', 'r'> {};
struct keyword : peg::sor<word_const, word_type, word_var> {};
struct plain_name : peg::seq<peg::not_at<keyword>, identifier> {};
// A name that is recorded.
struct name : plain_name {};

// --- Tokens ---
struct comma : peg::one<','> {};
struct colon : peg::one<':'> {};
struct equals : peg::one<'='> {};
struct open_brace : peg::one<'{'> {};
struct close_brace : peg::one<'}'> {};
struct open_bracket : peg::one<'['> {};
struct close_bracket : peg::one<']'> {};
struct open_round : peg::one<'('> {};
struct close_round : peg::one<')'> {};
struct arrow : peg::string<'-', '>'> {};
struct star_in_rounds : peg::seq<open_round, sep, peg::one<'*'>, sep, close_round> {};

// Matches a rule one level deeper. A custom rule, because it counts in the state (see actions.hpp).
template <typename Rule>
struct nested {
  using rule_t = nested;
  using subs_t = peg::type_list<Rule>;

  template <peg::apply_mode A, peg::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input, typename State>
  static bool match(Input& in, State& state) {
    const auto level = state.enter(in.current());
    return Control<Rule>::template match<A, M, Action, Control>(in, state);
  }
};

// --- Types ---
struct set_member : name {};
struct next_member : set_member {};
struct set_end : close_brace {};
struct set_open : open_brace {};
struct set_body : peg::seq<peg::must<sep, set_member>, peg::star<sep, comma, peg::must<sep, next_member>>,
                           peg::must<sep, set_end>> {};
struct set_type : peg::seq<set_open, set_body> {};
struct type_name : name {};
struct type_begin : peg::success {};
struct base_type : peg::sor<type_name, set_type> {};
struct arrow_target : base_type {};
struct type : peg::seq<type_begin, base_type, peg::star<sep, arrow, peg::must<sep, arrow_target>>> {};

// --- Values ---
struct value;
struct map_value : peg::seq<peg::must<sep, value>> {};
struct entry_key : plain_name {};
struct entry_colon : colon {};
struct default_colon : colon {};
struct entry : peg::seq<peg::sor<peg::seq<entry_key, peg::must<sep, entry_colon>>, default_colon>, map_value> {};
struct next_entry : entry {};
struct map_end : close_brace {};
struct map_open : open_brace {};
struct first_entry : entry {};
struct map_body
    : peg::sor<peg::seq<sep, first_entry, peg::star<sep, comma, peg::must<sep, next_entry>>, peg::must<sep, map_end>>,
               peg::must<sep, map_end>> {};
struct map : peg::seq<map_open, nested<map_body>> {};
struct symbol_value : plain_name {};
struct value : peg::sor<symbol_value, map> {};

// --- Expressions ---
struct expression;
struct cast_end : close_round {};
struct access_end : close_bracket {};
struct operand : peg::seq<expression> {};
struct index : peg::seq<expression> {};
struct root : plain_name {};
struct cast : peg::seq<sep, open_round, nested<peg::must<sep, operand>>, peg::must<sep, cast_end>> {};
struct access : peg::seq<sep, open_bracket, nested<peg::must<sep, index>>, peg::must<sep, access_end>> {};
struct expression : peg::seq<root, peg::opt<cast>, peg::star<access>> {};

// --- Labels ---
struct node : name {};
struct tag_name : name {};
struct rhs_expression : peg::seq<expression> {};
struct any_type : peg::seq<type> {};
struct any_star : star_in_rounds {};
struct any_ahead
    : peg::at<
          peg::sor<open_brace, peg::seq<plain_name, sep, peg::sor<arrow, peg::seq<open_round, sep, peg::one<'*'>>>>>> {
};
struct label_assign_any : peg::seq<any_ahead, peg::must<any_type, sep, any_star>> {};
struct label_assign : peg::seq<peg::must<rhs_expression>> {};
struct label_equal : peg::seq<peg::string<'=', '='>, peg::must<sep, rhs_expression>> {};
struct label_unequal : peg::seq<peg::string<'!', '='>, peg::must<sep, rhs_expression>> {};
struct after_expression
    : peg::sor<label_equal, label_unequal, peg::seq<equals, sep, peg::sor<label_assign_any, label_assign>>> {};
struct reach_from : node {};
struct reach_arrow : arrow {};
struct reach_to : node {};
struct reach_body : peg::must<sep, reach_from, sep, reach_arrow, sep, reach_to> {};
struct label_reachable : peg::seq<peg::one<'?'>, reach_body> {};
struct label_unreachable : peg::seq<peg::one<'!'>, reach_body> {};
struct label_tag_variable : peg::seq<peg::two<'$'>, peg::must<sep, tag_name>> {};
struct label_tag : peg::seq<peg::one<'$'>, peg::must<sep, tag_name>> {};
struct label : peg::sor<peg::seq<expression, peg::must<sep, after_expression>>, label_tag_variable, label_tag,
                        label_reachable, label_unreachable> {};

// --- Items --- The end of an item. If the semicolon is missing, reports the mistake; if the next item begins on a new
// line, nothing is skipped.
struct missing_semicolon {
  using rule_t = missing_semicolon;
  using subs_t = peg::empty_list;

  template <peg::apply_mode, peg::rewind_mode, template <typename...> class, template <typename...> class,
            typename Input, typename State>
  static bool match(Input& in, State& state) {
    state.missing_semicolon(in.current(), in.end());
    return true;
  }
};
struct item_end : peg::seq<sep, peg::one<';'>> {};
struct semicolon : peg::sor<item_end, missing_semicolon> {};

struct defined_name : name {};
struct definition_colon : colon {};
struct definition_type : peg::seq<type> {};
struct definition_equals : equals {};
struct definition_value : peg::seq<value> {};
struct type_def : peg::seq<word_type, peg::must<sep, defined_name, sep, definition_equals, sep, definition_type>> {};
struct typed_definition : peg::must<sep, defined_name, sep, definition_colon, sep, definition_type, sep,
                                    definition_equals, sep, definition_value> {};
struct const_def : peg::seq<word_const, typed_definition> {};
struct var_def : peg::seq<word_var, typed_definition> {};

struct edge_source : node {};
struct edge_comma : comma {};
struct edge_target : node {};
struct edge_colon : colon {};
struct edge
    : peg::seq<edge_source, peg::must<sep, edge_comma, sep, edge_target, sep, edge_colon>, peg::opt<sep, label>> {};

// --- Pragmas ---
struct some_name : name {};
struct more_names : peg::star<sep, name> {};
struct pragma_colon : colon {};
struct number : peg::seq<peg::plus<peg::digit>, boundary> {};
struct pragma_names : peg::seq<peg::must<sep, some_name>, more_names> {};

struct apply_open : open_bracket {};
struct apply_close : close_bracket {};
struct apply_tag_name : name {};
struct apply_tag_type : peg::seq<type> {};
struct apply_tag : peg::seq<apply_tag_name, peg::opt<sep, colon, peg::must<sep, apply_tag_type>>> {};
struct next_apply_tag : apply_tag {};
struct apply_equals : equals {};
struct apply_effect : peg::seq<expression, peg::must<sep, apply_equals, sep, rhs_expression>> {};
struct next_apply_effect : apply_effect {};
struct apply_body : peg::seq<peg::must<sep, some_name, sep, some_name, sep, apply_open>,
                             peg::opt<sep, apply_tag, peg::star<sep, comma, peg::must<sep, next_apply_tag>>>,
                             peg::must<sep, apply_close>,
                             peg::opt<sep, apply_effect, peg::star<sep, comma, peg::must<sep, next_apply_effect>>>> {};

struct pragma_artificial_tag : word<'a', 'r', 't', 'i', 'f', 'i', 'c', 'i', 'a', 'l', 'T', 'a', 'g'> {};
struct pragma_disjoint : word<'d', 'i', 's', 'j', 'o', 'i', 'n', 't'> {};
struct pragma_disjoint_exhaustive
    : word<'d', 'i', 's', 'j', 'o', 'i', 'n', 't', 'E', 'x', 'h', 'a', 'u', 's', 't', 'i', 'v', 'e'> {};
struct pragma_integer : word<'i', 'n', 't', 'e', 'g', 'e', 'r'> {};
struct pragma_iterator : word<'i', 't', 'e', 'r', 'a', 't', 'o', 'r'> {};
struct pragma_repeat : word<'r', 'e', 'p', 'e', 'a', 't'> {};
struct pragma_simple_apply : word<'s', 'i', 'm', 'p', 'l', 'e', 'A', 'p', 'p', 'l', 'y'> {};
struct pragma_simple_apply_exhaustive
    : word<'s', 'i', 'm', 'p', 'l', 'e', 'A', 'p', 'p', 'l', 'y', 'E', 'x', 'h', 'a', 'u', 's', 't', 'i', 'v', 'e'> {};
struct pragma_tag_index : word<'t', 'a', 'g', 'I', 'n', 'd', 'e', 'x'> {};
struct pragma_tag_max_index : word<'t', 'a', 'g', 'M', 'a', 'x', 'I', 'n', 'd', 'e', 'x'> {};
struct pragma_translated_from_rbg
    : word<'t', 'r', 'a', 'n', 's', 'l', 'a', 't', 'e', 'd', 'F', 'r', 'o', 'm', 'R', 'b', 'g'> {};
struct pragma_unique : word<'u', 'n', 'i', 'q', 'u', 'e'> {};

struct pragma_word : peg::sor<pragma_artificial_tag, pragma_disjoint, pragma_disjoint_exhaustive, pragma_integer,
                              pragma_iterator, pragma_repeat, pragma_simple_apply, pragma_simple_apply_exhaustive,
                              pragma_tag_index, pragma_tag_max_index, pragma_translated_from_rbg, pragma_unique> {};
struct known_pragma
    : peg::sor<peg::seq<peg::sor<pragma_artificial_tag, pragma_unique>, pragma_names>,
               peg::seq<peg::sor<pragma_disjoint, pragma_disjoint_exhaustive>,
                        peg::must<sep, some_name, sep, pragma_colon>, pragma_names>,
               peg::seq<pragma_integer, peg::must<sep, number, sep, pragma_colon>, pragma_names>,
               peg::seq<pragma_iterator,
                        peg::must<sep, some_name, sep, some_name, sep, some_name, sep, pragma_colon, sep, some_name>>,
               peg::seq<pragma_repeat, pragma_names, peg::must<sep, pragma_colon>, more_names>,
               peg::seq<peg::sor<pragma_simple_apply, pragma_simple_apply_exhaustive>, apply_body>,
               peg::seq<peg::sor<pragma_tag_index, pragma_tag_max_index>, pragma_names,
                        peg::must<sep, pragma_colon, sep, number>>,
               pragma_translated_from_rbg> {};
struct unknown_text : peg::star<peg::not_one<';'>> {};
struct unknown_end : peg::one<';'> {};
struct pragma_at : peg::one<'@'> {};
struct known_item : peg::seq<sep, known_pragma> {};
struct unknown_item : peg::seq<unknown_text, peg::must<unknown_end>> {};
struct pragma : peg::seq<pragma_at, peg::sor<peg::seq<known_item, semicolon>, unknown_item>> {};

struct definition : peg::seq<peg::sor<type_def, const_def, var_def>, semicolon> {};
struct edge_item : peg::seq<edge, semicolon> {};
struct item : peg::sor<edge_item, definition, pragma> {};

// --- Recovery ---
struct item_ahead : peg::sor<keyword, peg::one<'@'>, peg::seq<plain_name, sep, comma, sep, plain_name, sep, colon>> {};
struct line_of_item : peg::seq<peg::one<'\r', '\n'>, peg::star<peg::one<' ', '\t', '\r', '\n'>>, peg::at<item_ahead>> {
};
struct skip_to_item : peg::until<peg::sor<peg::one<';'>, line_of_item, peg::eof>, peg::sor<comment, peg::any>> {};
// Moves to the place of the mistake.
struct to_mistake {
  using rule_t = to_mistake;
  using subs_t = peg::empty_list;

  template <peg::apply_mode, peg::rewind_mode, template <typename...> class, template <typename...> class,
            typename Input, typename State>
  static bool match(Input& in, State& state) {
    in.bump(state.distance_to_mistake(in.current()));
    return true;
  }
};
struct recover : peg::seq<to_mistake, skip_to_item> {};

// Thrown and caught within a single parse.
struct Mistake {};

struct byte_order_mark : peg::string<'\xef', '\xbb', '\xbf'> {};
struct guarded_item : peg::try_catch_type<Mistake, peg::must<item>> {};
struct file
    : peg::seq<peg::opt<byte_order_mark>, peg::until<peg::seq<sep, peg::eof>, sep, peg::sor<guarded_item, recover>>> {};

}  // namespace rgtrans::rg::grammar
