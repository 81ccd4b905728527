// The front end of RG itself: the text form of the intermediate representation, and its JSON form. Both are parsed into
// the same syntax tree (ast::Program) and lowered by the same code.
#pragma once

#include <string>
#include <string_view>

#include "frontends/frontend.hpp"
#include "frontends/rg/ast.hpp"  // IWYU pragma: export
#include "frontends/rg/limits.hpp"

namespace rgtrans::rg {

// The entries in the table of front ends.
const Frontend& frontend();
const Frontend& json_frontend();

// Parses a text. Reports mistakes to `diagnostics`; the tree omits items with mistakes.
ast::Program parse(const Sources::File& file, Diagnostics& diagnostics, bool keep_comments = false);
// The same for the JSON form.
ast::Program parse_json(const Sources::File& file, Diagnostics& diagnostics);
// Converts a syntax tree to a game and adds built-ins.
ir::Game lower(const ast::Program& program, Diagnostics& diagnostics);

// The text in canonical layout with its comments; empty if there were mistakes.
std::string format(const Sources::File& file, Diagnostics& diagnostics);

// For tests and embedding: parses and lowers. Throws Error with all mistakes.
ir::Game parse_game(std::string_view text, std::string name = "game.rg");
ir::Game parse_json_game(std::string_view text, std::string name = "game.json");

// Limit on the nesting of types, values and expressions. Games stay far below it; it protects the stack of recursive
// functions.
inline const Limit& kMaxNesting = limits::nesting;

}  // namespace rgtrans::rg
