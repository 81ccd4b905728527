// The PEGTL grammar that splits characters into tokens by longest match.
#pragma once

#include <tao/pegtl.hpp>

namespace rgtrans::rbg::lexical {

namespace p = tao::pegtl;

struct space : p::plus<p::one<' ', '\t', '\r', '\n', '\v', '\f'>> {};
struct line_comment : p::seq<p::string<'/', '/'>, p::until<p::at<p::sor<p::eof, p::one<'\n'>>>>> {};
struct block_comment : p::seq<p::string<'/', '*'>, p::until<p::string<'*', '/'>>> {};
struct open_comment : p::seq<p::string<'/', '*'>, p::until<p::eof>> {};
struct byte_order_mark : p::string<'\xEF', '\xBB', '\xBF'> {};

struct letter : p::alpha {};
// The language has no underscore in names, but low-level files of other tools use it.
struct word : p::seq<p::sor<letter, p::one<'_'>>, p::star<p::sor<letter, p::digit, p::one<'_'>>>> {};
struct number : p::plus<p::digit> {};
struct quoted : p::seq<p::one<'"'>, p::until<p::one<'"'>>> {};
struct open_quoted : p::seq<p::one<'"'>, p::until<p::eof>> {};
struct punctuation : p::sor<p::string<'-', '>', '>'>, p::string<'-', '>'>, p::string<'+', '>'>, p::string<'{', '?'>,
                            p::string<'{', '!'>, p::string<'{', '$'>, p::string<'[', '$'>, p::string<'!', '='>,
                            p::string<'=', '='>, p::string<'<', '='>, p::string<'>', '='>,
                            p::one<'(', ')', '[', ']', '{', '}', '~', '#', '-', '+', '^', '/', '*', '.', ',', ';', ':',
                                   '$', '=', '!', '?', '<', '>'>> {};
// A run of bytes that begin no token, reported as one mistake.
struct stray : p::plus<p::not_at<p::sor<space, word, number, p::one<'"'>, punctuation>>, p::any> {};

struct text : p::seq<p::opt<byte_order_mark>,
                     p::star<p::sor<space, line_comment, block_comment, open_comment, word, number, quoted, open_quoted,
                                    punctuation, stray>>,
                     p::eof> {};

}  // namespace rgtrans::rbg::lexical
