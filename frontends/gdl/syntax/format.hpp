// The canonical layout of a description in its own notation.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

// Puts each statement and each condition of a rule on its own line and keeps comments. Formatting is idempotent. Syntax
// errors go to `diagnostics`, and the returned text must not be used then.
std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
