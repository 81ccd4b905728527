// The JSON form of a game, as other tools of the Regular Games world read it. (The front end in frontends/rg reads it
// back.)
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::json {

// One line, object keys in alphabetical order. Throws Error when it would be larger than kMaxText.
std::string print(const ir::Game& game);
constexpr std::size_t kMaxText = std::size_t{4} << 30U;

// The JSON Schema of that form.
std::string schema();

}  // namespace rgtrans::json
