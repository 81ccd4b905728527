// The limits of this front end.
#pragma once

#include <span>

#include "core/support/limits.hpp"

namespace rgtrans::ludii::limits {

extern constinit Limit nesting, expansions, characters, sites, define_files, instances;

std::span<Limit* const> all();

}  // namespace rgtrans::ludii::limits
