// What an effect reads and changes, so that its parts can act in sequence where they do not disturb each other.
#pragma once

#include <cstdint>

#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

struct Touches {
  std::uint32_t reads = 0, writes = 0;
};
// `elsewhere`: without what is read on the site of an iterator, which no other round of a loop changes.
Touches touches(const Node& node, bool elsewhere = false);

}  // namespace rgtrans::ludii
