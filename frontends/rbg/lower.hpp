// From a Description to RG. Sets of pieces that come up on the way are added to the description.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

ir::Game lower(Description& description, Diagnostics& diagnostics, bool claims = false);

}  // namespace rgtrans::rbg
