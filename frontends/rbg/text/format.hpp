// The formatter: spaces and indentation in one style, line breaks and comments as they are.
#pragma once

#include <string>

#include "core/support/support.hpp"

namespace rgtrans::rbg {

std::string format(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
