// The grammar of the expanded text: clauses, arrays, words, strings and labels. The readers of boards, equipment and
// rules decide which ludeme may stand where, because they know the words for a mistake.
#pragma once

#include <tao/pegtl.hpp>

namespace rgtrans::ludii::grammar {

namespace p = tao::pegtl;

struct blanks : p::star<p::one<' ', '\t', '\r', '\n', '\f'>> {};
struct letter
    : p::sor<p::alnum, p::one<'_', '-', '.', '+', '*', '/', '%', '=', '!', '^', '~', '<', '>', '&', '|', '#'>> {};
struct word : p::plus<letter> {};
struct label_letter : p::sor<p::alnum, p::one<'_', '-'>> {};
struct label : p::seq<p::plus<label_letter>, p::one<':'>> {};
struct string : p::if_must<p::one<'"'>, p::star<p::sor<p::string<'\\', '"'>, p::not_one<'"'>>>, p::one<'"'>> {};
struct head : p::plus<letter> {};
struct open : p::one<'('> {};
struct close : p::one<')'> {};
struct open_array : p::one<'{'> {};
struct close_array : p::one<'}'> {};
struct unclosed : p::failure {};
struct item;
struct clause : p::seq<open, blanks, p::opt<head>, blanks, p::star<item>, p::sor<close, p::must<unclosed>>> {};
struct array : p::seq<open_array, blanks, p::star<item>, p::sor<close_array, p::must<unclosed>>> {};
// A label takes the next item, white space between them or not; at the end of a clause it is dropped.
struct value : p::seq<p::sor<clause, array, string, word>, blanks> {};
struct labelled : p::seq<p::plus<label, blanks>, p::sor<value, p::at<p::one<')', '}'>>>> {};
struct item : p::sor<labelled, value> {};
struct description : p::seq<blanks, p::star<item>, p::must<p::eof>> {};

}  // namespace rgtrans::ludii::grammar
