// Converts a source text to a Description: tokens, macros, sections and their static checks.
#pragma once

#include <optional>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

// None if there was an error; `diagnostics` has the messages.
std::optional<Description> parse(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
