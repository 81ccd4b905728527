// The directions and relations of steps, as bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rgtrans::ludii {

// The compass clockwise from N, directions about a pivot, directions in space, and relations. A step has one direction
// and several relations.
enum class Direction : std::uint8_t {
  n,
  nne,
  ne,
  ene,
  e,
  ese,
  se,
  sse,
  s,
  ssw,
  sw,
  wsw,
  w,
  wnw,
  nw,
  nnw,
  out,
  cw,
  in,
  ccw,
  d,
  dn,
  dne,
  de,
  dse,
  ds,
  dsw,
  dw,
  dnw,
  u,
  un,
  une,
  ue,
  use,
  us,
  usw,
  uw,
  unw,
  all,
  adjacent,
  orthogonal,
  diagonal,
  off_diagonal,
  same_layer,
  upward,
  downward,
  rotational,
};
inline constexpr int kDirections = static_cast<int>(Direction::rotational) + 1;
inline constexpr int kCompass = 16;

using Directions = std::uint64_t;
constexpr Directions bit(Direction direction) { return Directions{1} << static_cast<unsigned>(direction); }
constexpr bool has(Directions set, Direction direction) { return (set & bit(direction)) != 0; }
constexpr bool is_compass(Direction direction) { return static_cast<int>(direction) < kCompass; }
constexpr bool is_relation(Direction direction) { return direction >= Direction::all; }
constexpr bool is_rotational(Direction direction) { return direction >= Direction::out && direction <= Direction::ccw; }
constexpr Direction turned(Direction compass, int by) {
  return static_cast<Direction>((static_cast<int>(compass) + by + 4 * kCompass) % kCompass);
}

std::optional<Direction> find_direction(std::string_view name);
std::string_view name_of(Direction direction);
// In the order above.
std::vector<Direction> list_of(Directions set);

}  // namespace rgtrans::ludii
