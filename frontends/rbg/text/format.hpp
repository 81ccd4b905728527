// The formatter: unifies spaces and indentation; keeps line breaks and comments.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::rbg {

std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
