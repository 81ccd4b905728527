// See planner.hpp.
#include "backends/cpp/planner.hpp"

#include <algorithm>
#include <bit>

namespace rgtrans::cpp {

MoveLayout::MoveLayout(std::size_t tags, std::uint32_t most, bool as_numbers) {
  constexpr std::uint32_t kRoom = 254;  // for moves of any length
  bits = std::max(static_cast<std::uint32_t>(std::bit_width(tags - 1)), 1U);
  capacity = std::max(most, 1U);
  packed = as_numbers && bits * capacity <= 128;
  wide = packed && bits * capacity > 64;
  if (!packed && most >= kManyTags) capacity = kRoom;
}

}  // namespace rgtrans::cpp
