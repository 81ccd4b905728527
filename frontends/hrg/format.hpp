// The canonical layout of an HRG text.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::hrg {

// Keeps comments, the order of the text, line breaks within expressions and single blank lines; normalizes all other
// white space. Formatting is idempotent. Returns an empty text after a syntax error.
std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::hrg
