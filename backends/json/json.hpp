// The JSON form of a game, as other tools of the Regular Games world read it. (The front end in frontends/rg reads it
// back.)
#pragma once

#include <string>

#include "core/ir/ir.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::json {

// One line, object keys in alphabetical order. Throws Error when the values, written out, would have more than
// kMaxSymbols symbols.
std::string print(const ir::Game& game);
inline const Limit& kMaxSymbols = limits::json_text_symbols;

// The JSON Schema of that form.
std::string schema();

}  // namespace rgtrans::json
