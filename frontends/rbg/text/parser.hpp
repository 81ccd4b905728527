// From a source text to a Description: tokens, macros, the sections and their static checks.
#pragma once

#include <optional>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

// None when there was an error (everything found is in `diagnostics`).
std::optional<Description> parse(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
