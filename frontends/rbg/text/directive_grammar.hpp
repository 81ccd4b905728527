// The grammar of a directive's head over token classes: "# rules =", "# m =" or "# m ( a ; b ) =".
#pragma once

#include <tao/pegtl.hpp>

#include "frontends/rbg/text/tokens.hpp"

namespace rgtrans::rbg::syntax {

namespace p = tao::pegtl;

struct section_name : p::one<token::kSection> {};
struct macro_name : p::one<token::kIdentifier> {};
struct directive_name : p::sor<section_name, macro_name> {};
struct parameter : p::one<token::kIdentifier> {};
struct parameters_end : p::one<')'> {};
struct parameter_list
    : p::if_must<p::one<'('>, parameter, p::star<p::if_must<p::one<';'>, parameter>>, parameters_end> {};
struct equals : p::one<'='> {};
struct directive_head : p::if_must<p::one<'#'>, directive_name, p::opt<parameter_list>, equals> {};

template <class>
inline constexpr const char* expected = "something else";
template <>
inline constexpr const char* expected<directive_name> =
    "a section (players, pieces, variables, board, rules) or a macro name";
template <>
inline constexpr const char* expected<parameter> = "a parameter name";
template <>
inline constexpr const char* expected<parameters_end> = "';' or ')' in the list of parameters";
template <>
inline constexpr const char* expected<equals> = "'='";

}  // namespace rgtrans::rbg::syntax
