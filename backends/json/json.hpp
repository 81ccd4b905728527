// The JSON form of a game, as other tools of the Regular Games project read it. The front end in frontends/rg reads it,
// too.
#pragma once

#include <string>

#include "core/ir/ir.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::json {

// A single line, with object keys in alphabetical order. Throws Error if the values have more than kMaxSymbols symbols
// when written in full.
std::string print(const ir::Game& game);
inline const Limit& kMaxSymbols = limits::json_text_symbols;

// The JSON Schema of that form.
std::string schema();

}  // namespace rgtrans::json
