// The canonical layout of an HRG text.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::hrg {

// Comments, the order of everything, line breaks within expressions and single blank lines are kept; the rest of
// the white space is replaced. Formatting twice changes nothing. Empty after a syntax error.
std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::hrg
