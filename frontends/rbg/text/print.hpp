// Prints a description in the low-level form.
#pragma once

#include <string>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

std::string print(const Description& description);

}  // namespace rgtrans::rbg
