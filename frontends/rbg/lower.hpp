// Lowers a Description to RG. Adds sets of pieces that arise in the process to the description.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

ir::Game lower(Description& description, Diagnostics& diagnostics, bool claims = false);

}  // namespace rgtrans::rbg
