// The low-level text of a description.
#pragma once

#include <string>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

std::string print(const Description& description);

}  // namespace rgtrans::rbg
