// Canonical layout of a description in its own notation.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

// One statement a line, the conditions of a rule on lines of their own, comments kept. Mistakes of syntax go to
// `diagnostics`, and then the text is of no use. Formatting twice gives the same as once.
std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
