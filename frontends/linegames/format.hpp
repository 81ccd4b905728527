// The canonical layout of a definition.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::linegames {

std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::linegames
