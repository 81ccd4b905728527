// Directions of lines. A capture runs along one direction name, so these names, not geometry, say what is
// straight.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rgtrans::linegames {

// Compass directions clockwise from north, then the two ways round a circle.
enum class Direction : std::uint8_t {
  north,
  northeast,
  east,
  southeast,
  south,
  southwest,
  west,
  northwest,
  right,  // clockwise round a circle
  left,
};

inline constexpr std::size_t kDirectionCount = 10;
inline constexpr std::array<Direction, kDirectionCount> kDirections = {
    Direction::north,     Direction::northeast, Direction::east,      Direction::southeast, Direction::south,
    Direction::southwest, Direction::west,      Direction::northwest, Direction::right,     Direction::left};

std::string_view name_of(Direction direction);
// "north", "N", "right", "R" ...; none for anything else.
std::optional<Direction> direction_from(std::string_view name);
bool is_compass(Direction direction);
Direction reversed(Direction direction);
// Turned clockwise by a multiple of 45 degrees; `direction` must be a compass direction.
Direction rotated(Direction direction, int degrees);
// For messages: all names, or the eight compass names.
std::string allowed_directions(bool compass_only);

}  // namespace rgtrans::linegames
