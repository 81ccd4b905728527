// The grammar of HRG. Every token includes the white space and comments after it. The parser never backtracks over a
// rule with an action: its first token or a preceding at<> selects each alternative. must<> turns every later mismatch
// into an error at its place. A mark matches nothing; its action records a begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tao/pegtl.hpp>

#include "core/support/unicode.hpp"

namespace rgtrans::hrg::grammar {

namespace p = tao::pegtl;

struct mark : p::success {};

// --- White space, words, names. ---

struct comment : p::seq<p::two<'/'>, p::until<p::at<p::sor<p::one<'\n', '\r'>, p::eof>>>> {};
struct sep : p::star<p::sor<p::plus<p::one<' ', '\t', '\n', '\r'>>, comment>> {};
template <class R>
struct token : p::seq<R, sep> {};

// A letter or digit of another script. A custom rule, because it uses Unicode character classes.
struct foreign_char {
  using rule_t = foreign_char;
  using subs_t = p::empty_list;

  template <typename Input>
  static bool match(Input& in) {
    std::uint32_t code_point = 0;
    const std::size_t length = decode_utf8(in.current(), in.end(), code_point);
    if (length < 2 || !is_letter_or_digit(code_point)) return false;
    in.bump(length);
    return true;
  }
};
struct name_char : p::sor<p::ranges<'a', 'z', 'A', 'Z', '0', '9', '_'>, foreign_char> {};
template <char... Cs>
struct word : p::seq<p::string<Cs...>, p::not_at<name_char>> {};

struct word_domain : word<'d', 'o', 'm', 'a', 'i', 'n'> {};
struct word_graph : word<'g', 'r', 'a', 'p', 'h'> {};
struct word_reusable : word<'r', 'e', 'u', 's', 'a', 'b', 'l', 'e'> {};
struct word_branch : word<'b', 'r', 'a', 'n', 'c', 'h'> {};
struct word_or : word<'o', 'r'> {};
struct word_loop : word<'l', 'o', 'o', 'p'> {};
struct word_repeat : word<'r', 'e', 'p', 'e', 'a', 't'> {};
struct word_while : word<'w', 'h', 'i', 'l', 'e'> {};
struct word_if : word<'i', 'f'> {};
struct word_then : word<'t', 'h', 'e', 'n'> {};
struct word_else : word<'e', 'l', 's', 'e'> {};
struct word_in : word<'i', 'n'> {};
struct word_where : word<'w', 'h', 'e', 'r', 'e'> {};
struct word_forall : word<'f', 'o', 'r', 'a', 'l', 'l'> {};
struct word_const : word<'c', 'o', 'n', 's', 't'> {};
struct word_type : word<'t', 'y', 'p', 'e'> {};
struct word_var : word<'v', 'a', 'r'> {};

struct reserved
    : p::seq<p::at<p::one<'b', 'c', 'd', 'e', 'g', 'i', 'l', 'o', 'r', 't', 'v', 'w'>>,
             p::sor<word_domain, word_graph, word_reusable, word_branch, word_or, word_loop, word_repeat, word_while,
                    word_if, word_then, word_else, word_in, word_where, word_const, word_type, word_var>> {};
struct name_text : p::seq<p::not_at<reserved>, p::plus<name_char>> {};
struct name : token<name_text> {};
struct number_text : p::seq<p::plus<p::digit>, p::not_at<name_char>> {};
struct number : token<number_text> {};
// Only the exact token _ is the wildcard.
struct wildcard_text : p::seq<p::one<'_'>, p::not_at<name_char>> {};
// A name that begins with an upper-case letter is a variable in patterns, and a constructor before a parenthesis.
struct upper_start : p::sor<p::range<'A', 'Z'>, p::utf8::ranges<0xc0, 0xd6, 0xd8, 0xde, 0x391, 0x3a9, 0x400, 0x42f>> {};

// --- Punctuation. ---

struct comma : token<p::one<','>> {};
struct semicolon : token<p::one<';'>> {};
struct colon : token<p::one<':'>> {};
struct equals : token<p::seq<p::one<'='>, p::not_at<p::one<'='>>>> {};
struct dots : token<p::two<'.'>> {};
struct bar : token<p::seq<p::one<'|'>, p::not_at<p::one<'|'>>>> {};
struct arrow : token<p::string<'-', '>'>> {};
struct star_sign : token<p::one<'*'>> {};
struct open_paren : token<p::one<'('>> {};
struct close_paren_text : p::one<')'> {};
struct close_paren : token<close_paren_text> {};
struct open_bracket : token<p::one<'['>> {};
struct close_bracket_text : p::one<']'> {};
struct close_bracket : token<close_bracket_text> {};
struct open_brace : token<p::one<'{'>> {};
struct close_brace_text : p::one<'}'> {};
struct close_brace : token<close_brace_text> {};

struct kw_domain : token<word_domain> {};
struct kw_graph : token<word_graph> {};
struct kw_or : token<word_or> {};
struct kw_then : token<word_then> {};
struct kw_else : token<word_else> {};
struct kw_in : token<word_in> {};
struct kw_where : token<word_where> {};

// Matches R and limits its nesting; beyond the limit the whole text is refused. Defined in parser.cpp.
template <class R>
struct nested;

// --- where X in 0..3, Y in { a, b } ---

struct range_first : token<number_text> {};
struct range_last : token<number_text> {};
struct range_numbers : p::seq<range_first, p::must<dots, range_last>> {};
struct range_names : p::seq<open_brace, p::opt<p::list_must<name, comma>>, p::must<close_brace>> {};
struct range_values : p::sor<range_numbers, range_names> {};
struct where_range : p::seq<mark, name, p::must<kw_in, range_values>> {};
struct where : p::seq<kw_where, p::must<p::list_must<where_range, comma>>> {};

// --- Domains. ---

struct element_args : p::seq<open_paren, p::opt<p::list_must<name, comma>>, p::must<close_paren>> {};
struct element : p::seq<mark, name, p::opt<element_args>, p::opt<where>> {};
struct domain : p::seq<p::at<word_domain>, mark, kw_domain, p::must<name, equals, p::list_must<element, bar>>> {};

// --- Types. ---

struct type;
struct set_type : p::seq<p::at<open_brace>, mark, open_brace, p::must<p::list_must<name, comma>, close_brace>> {};
struct type_name : name {};
struct arrow_tail : p::seq<arrow, p::must<nested<type>>> {};
struct type : p::sor<set_type, p::seq<type_name, p::opt<arrow_tail>>> {};
// The same without actions, for lookahead.
struct type_shape : p::seq<p::sor<p::seq<open_brace, p::list<name, comma>, close_brace>, name>,
                           p::star<arrow, p::sor<p::seq<open_brace, p::list<name, comma>, close_brace>, name>>> {};

// --- Patterns. ---

struct pattern;
struct pattern_wildcard : token<wildcard_text> {};
struct pattern_constructor
    : p::seq<mark, name, open_paren, p::opt<p::list_must<nested<pattern>, comma>>, p::must<close_paren>> {};
struct pattern_name_text : name_text {};
struct pattern_name : token<pattern_name_text> {};
struct pattern : p::sor<pattern_wildcard, p::if_then_else<p::at<name, open_paren>, pattern_constructor, pattern_name>> {
};

// --- Expressions. ---

struct expr;

struct entry_default : p::seq<p::at<colon>, mark, colon, p::must<nested<expr>>> {};
struct entry_plain : p::seq<mark, pattern, p::must<equals, nested<expr>>, p::opt<where>> {};
struct map_entry : p::sor<entry_default, entry_plain> {};
struct map : p::seq<p::at<open_brace>, mark, open_brace,
                    p::opt<p::not_at<close_brace>, p::must<p::list_must<map_entry, semicolon>>>, p::must<close_brace>> {
};

struct word_if_expr : word_if {};
struct kw_if_expr : token<word_if_expr> {};
struct conditional : p::seq<kw_if_expr, p::must<nested<expr>, kw_then, nested<expr>, kw_else, nested<expr>>> {};

struct arguments : p::list_must<nested<expr>, comma> {};
struct optional_arguments : p::opt<p::not_at<close_paren>, p::must<arguments>> {};
struct constructor : p::seq<p::at<upper_start, p::star<name_char>, sep, open_paren>, mark, name, open_paren,
                            optional_arguments, p::must<close_paren>> {};
struct plain_name_text : name_text {};
struct plain_name : token<plain_name_text> {};
struct parenthesised : p::seq<open_paren, p::must<nested<expr>, close_paren>> {};
struct negation_sign_text : p::seq<p::one<'!'>, p::not_at<p::one<'='>>> {};
struct negation_sign : token<negation_sign_text> {};
struct postfix;
struct negation : p::seq<negation_sign, p::must<nested<postfix>>> {};
struct primary : p::sor<conditional, map, constructor, plain_name, parenthesised, negation> {};
struct index : p::seq<open_bracket, p::must<nested<expr>, close_bracket>> {};
struct call_arguments : p::seq<p::at<open_paren>, mark, open_paren, optional_arguments, p::must<close_paren>> {};
struct postfix : p::seq<primary, p::star<p::sor<index, call_arguments>>> {};

struct add_operator_text : p::sor<p::one<'+'>, p::seq<p::one<'-'>, p::not_at<p::one<'>'>>>, p::one<'%'>, word_in> {};
struct add_operator : token<add_operator_text> {};
struct add_step : p::seq<add_operator, p::must<postfix>> {};
struct add_expr : p::seq<postfix, p::star<add_step>> {};
struct compare_operator_text : p::sor<p::string<'=', '='>, p::string<'!', '='>, p::string<'<', '='>,
                                      p::string<'>', '='>, p::one<'<'>, p::one<'>'>> {};
struct compare_operator : token<compare_operator_text> {};
struct compare_step : p::seq<compare_operator, p::must<add_expr>> {};
struct compare_expr : p::seq<add_expr, p::star<compare_step>> {};
struct and_sign : token<p::two<'&'>> {};
struct or_sign : token<p::two<'|'>> {};
struct and_expr : p::seq<mark, p::list_must<compare_expr, and_sign>> {};
struct or_expr : p::seq<mark, p::list_must<and_expr, or_sign>> {};
struct expr : p::seq<or_expr> {};

// --- Functions and variables, which differ in the part after the type. ---

struct function_case : p::seq<p::at<name, open_paren>, mark, name, open_paren,
                              p::opt<p::list_must<nested<pattern>, comma>>, p::must<close_paren, equals, expr>> {};
struct function_tail : p::plus<function_case> {};
struct variable_tail : p::opt<equals, p::must<expr>> {};
struct value_declaration : p::seq<mark, name, p::must<colon, type>, p::sor<function_tail, variable_tail>> {};

// --- Statements. ---

struct statement;
struct block
    : p::seq<mark, open_brace, p::star<p::not_at<close_brace>, p::must<nested<statement>>>, p::must<close_brace>> {};

// All of these begin with a mark.
struct branch_arms : p::seq<p::at<open_brace>, p::must<block>, p::star<kw_or, p::must<block>>> {};
struct loop_head : p::must<name, kw_in, type> {};
struct branch_in : p::seq<loop_head, p::must<block>> {};
struct branch : p::seq<token<word_branch>, p::sor<branch_arms, branch_in>> {};
struct loop : p::seq<token<word_loop>, p::must<block>> {};
struct repeat_number : token<number_text> {};
struct repeat_count : p::seq<p::at<number, open_brace>, repeat_number, p::must<block>> {};
struct repeat_in : p::seq<loop_head, p::must<block>> {};
struct repeat : p::seq<token<word_repeat>, p::sor<repeat_count, repeat_in>> {};
struct while_loop : p::seq<token<word_while>, p::must<expr, block>> {};
// forall x : T { … }, the syntax of the paper.
struct forall : p::seq<p::at<token<word_forall>, name, colon>, token<word_forall>, p::must<name, colon, type, block>> {
};
struct if_statement;
struct else_if : p::seq<p::at<word_if>, mark, mark, p::must<nested<if_statement>>> {};
struct else_part : p::seq<kw_else, p::sor<else_if, p::must<block>>> {};
struct if_statement : p::seq<token<word_if>, p::must<expr, block>, p::opt<else_part>> {};

struct tag_name : name {};
struct artificial_sign : p::one<'_'> {};
struct tag_part : p::sor<p::seq<open_paren, p::must<p::plus<name>, close_paren>>, p::must<tag_name>> {};
struct tag : p::seq<p::one<'$'>, p::opt<artificial_sign>, sep, tag_part> {};
struct variable_tag : p::seq<token<p::two<'$'>>, p::must<name>> {};

struct graph_call : p::seq<p::at<name, open_paren>, name, open_paren, optional_arguments, p::must<close_paren>> {};
struct any_value : p::seq<p::at<type_shape, open_paren, star_sign>, type, open_paren, star_sign, p::must<close_paren>> {
};
struct plain_value : p::must<expr> {};
struct target_index : p::seq<open_bracket, p::must<nested<expr>, close_bracket>> {};
struct assignment : p::seq<name, p::star<target_index>, p::must<equals>, p::sor<any_value, plain_value>> {};

struct simple_statement : p::sor<variable_tag, tag, forall, graph_call, assignment> {};
struct statement : p::seq<mark, p::sor<branch, loop, repeat, while_loop, if_statement, simple_statement>> {};

// --- Graphs and the whole text. ---

struct param : p::seq<name, p::must<colon, type>> {};
struct reusable_word : token<word_reusable> {};
struct graph
    : p::seq<p::at<p::sor<word_graph, word_reusable>>, mark, p::opt<reusable_word>, p::must<kw_graph, name, open_paren>,
             p::opt<p::list_must<param, comma>>, p::must<close_paren, block>> {};

struct declaration : p::sor<domain, graph, value_declaration> {};
// After an error, parsing resumes at the next line that begins like a declaration.
struct declaration_start : p::sor<word_domain, word_graph, word_reusable, p::seq<name, colon>> {};
struct resume;
struct skipped : p::seq<resume, p::until<p::sor<p::at<p::eof>, p::seq<p::one<'\n', '\r'>, p::at<declaration_start>>>>> {
};
struct SyntaxError {};
struct item : p::sor<p::try_catch_type<SyntaxError, p::must<declaration>>, skipped> {};
struct file : p::seq<p::opt<p::utf8::bom>, sep, p::until<p::eof, item>> {};

}  // namespace rgtrans::hrg::grammar
