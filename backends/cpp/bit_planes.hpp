// Maps of the state that are kept twice: as cells, and as bit planes, for each bit of the contents the set of cells
// that have it. With the contents empty 0, white 1 and black 2, a board has two planes, and `board[x] == white` for all
// x is `planes[0] & ~planes[1]`. A processor that has just written a cell waits before it reads a vector with it; a
// plane it has at once.
//
// Each write of a cell changes all planes. So they are kept only for maps of few contents of which a move changes few
// cells, and for large maps only if walks do not write and restore them.
#pragma once

#include <string>
#include <vector>

#include "backends/cpp/facts.hpp"
#include "backends/cpp/techniques.hpp"

namespace rgtrans::cpp {

// Of a map: how many planes it has, of so many words; without planes the reason.
struct BitPlanes {
  std::uint32_t bits = 0, words = 0;
  std::string reason;
  [[nodiscard]] explicit operator bool() const { return bits > 0; }
};

// By variable.
std::vector<BitPlanes> choose_bit_planes(const NumberedGame& model, const GameFacts& facts,
                                         const Techniques& techniques);

}  // namespace rgtrans::cpp
