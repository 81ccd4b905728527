// What an effect reads and changes, so that its parts can act in sequence where they do not disturb each other.
#pragma once

#include <cstdint>

#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

enum Part : std::uint32_t {
  kBoard = 1,
  kScore = 2,
  kVar = 4,
  kPending = 8,
  kNext = 16,
  kCounter = 32,
  kMemory = 64,
  kTrigger = 128,
  kPlayerValue = 256,
  kToClear = 512,
  kEverything = 1023
};

struct Touches {
  std::uint32_t reads = 0, writes = 0;
};
// `elsewhere`: without what is read on the site of an iterator, which no other round of a loop changes.
Touches touches(const Node& node, bool elsewhere = false);

}  // namespace rgtrans::ludii
