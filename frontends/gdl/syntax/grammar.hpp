// The grammars of the prefix notation (KIF) and of the infix notation. Their actions are in actions.hpp.
#pragma once

#include <tao/pegtl.hpp>

namespace rgtrans::gdl::grammar {

namespace p = tao::pegtl;

// A line ends with LF, CR LF or CR, and a comment ends with its line.
struct comment : p::seq<p::one<';'>, p::until<p::at<p::sor<p::one<'\n', '\r'>, p::eof>>>> {};
struct space : p::one<' ', '\t', '\r', '\n', '\f', '\v'> {};
struct blanks : p::star<p::sor<space, comment>> {};
struct begin : p::seq<p::star<p::sor<space, p::utf8::bom>>, blanks> {};

namespace prefix {

struct word : p::plus<p::not_one<' ', '\t', '\r', '\n', '\f', '\v', '(', ')', ';'>> {};
struct open : p::one<'('> {};
struct close : p::one<')'> {};
struct unclosed : p::failure {};
struct item;
struct list : p::seq<open, blanks, p::star<item>, p::sor<close, p::must<unclosed>>> {};
struct item : p::seq<p::sor<list, word>, blanks> {};
// A superfluous closing parenthesis: reported and skipped.
struct stray : p::one<')'> {};
struct statement : p::sor<list, word> {};
struct description : p::seq<begin, p::star<p::sor<statement, stray>, blanks>, p::must<p::eof>> {};

}  // namespace prefix

namespace infix {

struct word : p::plus<p::sor<p::alnum, p::one<'+', '-', '<', '>', '_'>>> {};
struct open : p::one<'('> {};
struct close : p::one<')'> {};
struct comma : p::one<','> {};
struct tilde : p::one<'~'> {};
struct literal;
struct arguments : p::if_must<open, blanks, p::list<p::seq<literal, blanks>, p::seq<comma, blanks>>, close> {};
struct term : p::seq<word, p::opt<arguments>> {};
struct negation : p::if_must<tilde, blanks, literal> {};
struct literal : p::sor<negation, term> {};
struct implied : p::string<':', '-'> {};
struct ampersand : p::one<'&'> {};
struct body : p::if_must<implied, blanks, literal, blanks, p::star<p::if_must<ampersand, blanks, literal, blanks>>> {};
struct rule : p::seq<term, blanks, p::opt<body>> {};
struct description : p::seq<begin, p::star<rule>, p::must<p::eof>> {};

}  // namespace infix

}  // namespace rgtrans::gdl::grammar
