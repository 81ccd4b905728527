// The JSON form of a game, as other tools of the Regular Games world read it. (The front end in frontends/rg reads it
// back.)
#pragma once

#include <cstdint>
#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::json {

// One line, object keys in alphabetical order. Throws Error when the values, written out, would have more than
// kMaxSymbols symbols.
std::string print(const ir::Game& game);
constexpr std::uint64_t kMaxSymbols = 20'000'000;

// The JSON Schema of that form.
std::string schema();

}  // namespace rgtrans::json
