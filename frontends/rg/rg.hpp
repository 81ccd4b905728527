// The front end of RG itself: the text form of the intermediate representation, and its JSON form. Both are read into
// the same syntax tree (ast::Program) and lowered by the same code.
#pragma once

#include <string>
#include <string_view>

#include "frontends/frontend.hpp"
#include "frontends/rg/ast.hpp"  // IWYU pragma: export
#include "frontends/rg/limits.hpp"

namespace rgtrans::rg {

// The rows for the table of front ends.
const Frontend& frontend();
const Frontend& json_frontend();

// Text -> syntax tree. Mistakes go to `diagnostics`; the tree then lacks the items in which they were found.
ast::Program parse(const Sources::File& file, Diagnostics& diagnostics, bool keep_comments = false);
// The same for the JSON form.
ast::Program parse_json(const Sources::File& file, Diagnostics& diagnostics);
// Syntax tree -> game, built-ins added.
ir::Game lower(const ast::Program& program, Diagnostics& diagnostics);

// The text in canonical layout, comments kept; empty when there were mistakes.
std::string format(const Sources::File& file, Diagnostics& diagnostics);

// For tests and embedding: parse and lower, throwing Error with all mistakes.
ir::Game parse_game(std::string_view text, std::string name = "game.rg");
ir::Game parse_json_game(std::string_view text, std::string name = "game.json");

// How deep types, values and expressions may be nested. No game comes near it; the stack of whoever walks them
// recursively is safe.
inline const Limit& kMaxNesting = limits::nesting;

}  // namespace rgtrans::rg
