// Converts the tree to a description: the sections of a game in order.
#pragma once

#include <optional>

#include "frontends/ludax/ast.hpp"

namespace rgtrans::ludax {

// None if there were errors.
std::optional<ast::Description> read_description(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::ludax
