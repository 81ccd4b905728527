// The error message for each `must` in the grammar: the expected text and a hint. A rule without an entry here does not
// compile.
#pragma once

#include "frontends/rg/grammar.hpp"

namespace rgtrans::rg {

template <typename Rule>
struct Expected;

#define RGTRANS_EXPECTED(rule, what_text, hint_text) \
  template <>                                        \
  struct Expected<grammar::rule> {                   \
    static constexpr const char* what = what_text;   \
    static constexpr const char* hint = hint_text;   \
  }

RGTRANS_EXPECTED(sep, "white space", "");
RGTRANS_EXPECTED(item, "a definition, an edge or a pragma", "");
RGTRANS_EXPECTED(set_member, "a member of the set", "a set has at least one member: { a, b }");
RGTRANS_EXPECTED(next_member, "another member of the set", "remove the comma, or write the member that follows it");
RGTRANS_EXPECTED(set_end, "',' or '}' in the set", "members are separated by commas: { a, b }");
RGTRANS_EXPECTED(arrow_target, "a type after '->'", "a map type is written A -> B; types have no parentheses");
RGTRANS_EXPECTED(value, "a value", "a value is a symbol or a map such as { a: 1, :0 }");
RGTRANS_EXPECTED(entry_colon, "':' after the key of the entry", "a map is written { key: value, :default }");
RGTRANS_EXPECTED(next_entry, "another entry of the map", "remove the comma, or write the entry that follows it");
RGTRANS_EXPECTED(map_end, "an entry or '}' in the map", "a map is written { key: value, :default }");
RGTRANS_EXPECTED(operand, "an expression in the cast", "a cast is written Type(expression)");
RGTRANS_EXPECTED(cast_end, "')' after the expression of the cast", "a cast is written Type(expression)");
RGTRANS_EXPECTED(index, "an index", "an access is written map[index]");
RGTRANS_EXPECTED(access_end, "']' after the index", "an access is written map[index]");
RGTRANS_EXPECTED(any_type, "a type", "");
RGTRANS_EXPECTED(any_star, "'(*)' after the type", "an assignment of any member is written x = Type(*)");
RGTRANS_EXPECTED(rhs_expression, "an expression", "x == y compares, x != y too, x = y assigns");
RGTRANS_EXPECTED(after_expression, "'=', '==' or '!=' after the expression",
                 "a label is x = y, x = T(*), x == y, x != y, ? a -> b, ! a -> b, $ tag, $$ variable or nothing");
RGTRANS_EXPECTED(reach_from, "the node where the check starts", "a reachability check is written ? a -> b or ! a -> b");
RGTRANS_EXPECTED(reach_arrow, "'->' after the node", "a reachability check is written ? a -> b or ! a -> b");
RGTRANS_EXPECTED(reach_to, "the node that is to be reached", "a reachability check is written ? a -> b or ! a -> b");
RGTRANS_EXPECTED(tag_name, "a name after the tag sign", "a tag is written $ symbol or $$ variable");
RGTRANS_EXPECTED(defined_name, "the name that is defined", "");
RGTRANS_EXPECTED(definition_colon, "':' and a type after the name", "write const NAME: TYPE = VALUE; or var NAME: …");
RGTRANS_EXPECTED(definition_type, "a type",
                 "a type is a name, a set such as { a, b }, or a map type such as A -> B; there are no parentheses");
RGTRANS_EXPECTED(definition_equals, "'='", "");
RGTRANS_EXPECTED(definition_value, "a value", "a value is a symbol or a map such as { a: 1, :0 }");
RGTRANS_EXPECTED(edge_comma, "',' after the node",
                 "an edge is written a, b: label; a definition begins with type, const or var");
RGTRANS_EXPECTED(edge_target, "the node where the edge ends", "an edge is written a, b: label;");
RGTRANS_EXPECTED(edge_colon, "':' after the second node", "an edge is written a, b: label;");
RGTRANS_EXPECTED(some_name, "a name", "");
RGTRANS_EXPECTED(pragma_colon, "a name or ':'", "");
RGTRANS_EXPECTED(number, "a number", "");
RGTRANS_EXPECTED(apply_open, "'[' after the nodes", "write @simpleApply a b [tag, name: Type] x = y;");
RGTRANS_EXPECTED(apply_close, "',' or ']' after the tags", "write @simpleApply a b [tag, name: Type] x = y;");
RGTRANS_EXPECTED(apply_tag_type, "the type of the tag", "write @simpleApply a b [tag, name: Type] x = y;");
RGTRANS_EXPECTED(next_apply_tag, "another tag", "remove the comma, or write the tag that follows it");
RGTRANS_EXPECTED(apply_equals, "'=' after the expression", "write @simpleApply a b [tag, name: Type] x = y;");
RGTRANS_EXPECTED(next_apply_effect, "another assignment", "remove the comma, or write the assignment that follows it");
RGTRANS_EXPECTED(unknown_end, "';' after the pragma", "");

#undef RGTRANS_EXPECTED

}  // namespace rgtrans::rg
