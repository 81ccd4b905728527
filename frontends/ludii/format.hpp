// The canonical layout of a description.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::ludii {

std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::ludii
