// The grammar of the text: parentheses, words, numbers, strings, argument names and comments. The reader (reader.cpp)
// decides where each word may occur, because it can report mistakes in terms of the game: a missing set of cells, or a
// condition in a wrong place. The grammar builds nothing; see actions.hpp.
#pragma once

#include <tao/pegtl.hpp>

namespace rgtrans::ludax::grammar {

namespace p = tao::pegtl;

struct line_end : p::one<'\n', '\r'> {};
// An extension: the published language has no comments.
struct comment
    : p::seq<p::sor<TAO_PEGTL_STRING("//"), TAO_PEGTL_STRING(";;")>, p::until<p::at<p::sor<line_end, p::eof>>>> {};
struct blank : p::sor<p::one<' ', '\t', '\r', '\n', '\f'>, comment> {};
struct blanks : p::star<blank> {};

struct special : p::one<' ', '\t', '\r', '\n', '\f', '(', ')', '"', ':'> {};
struct letter : p::seq<p::not_at<p::sor<special, comment>>, p::any> {};
struct word : p::plus<letter> {};
struct colon : p::one<':'> {};
// The colon is part of the name: no white space may precede it.
struct argument_name : p::seq<p::plus<letter>, colon> {};
struct quote : p::one<'"'> {};
struct character : p::sor<p::seq<p::one<'\\'>, p::not_one<'\n', '\r'>>, p::not_one<'"', '\n', '\r'>> {};
struct string : p::if_must<quote, p::star<character>, p::one<'"'>> {};
struct open : p::one<'('> {};
struct close : p::one<')'> {};
struct unclosed : p::failure {};
struct item;
struct list : p::seq<open, blanks, p::star<item>, p::sor<close, p::must<unclosed>>> {};
struct item : p::seq<p::sor<list, string, argument_name, word>, blanks> {};
struct byte_order_mark : TAO_PEGTL_STRING("\xEF\xBB\xBF") {};
struct description : p::seq<p::opt<byte_order_mark>, blanks, p::star<item>, p::must<p::eof>> {};

}  // namespace rgtrans::ludax::grammar
