// From a Description to RG.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

ir::Game lower(const Description& description, const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
