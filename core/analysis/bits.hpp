// Sets of bits under the name that analyses use.
#pragma once

#include "core/support/bits.hpp"  // IWYU pragma: export

namespace rgtrans::analysis {

using rgtrans::Bits;
using rgtrans::BitsHash;

}  // namespace rgtrans::analysis
