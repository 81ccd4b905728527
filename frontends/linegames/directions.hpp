// Directions of lines. Captures follow one direction name, so straight lines are defined by these names, not by
// geometry.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rgtrans::linegames {

// Compass directions clockwise from north, then both directions around a circle.
enum class Direction : std::uint8_t {
  north,
  northeast,
  east,
  southeast,
  south,
  southwest,
  west,
  northwest,
  right,  // clockwise around a circle
  left,
};

inline constexpr std::size_t kDirectionCount = 10;
inline constexpr std::array<Direction, kDirectionCount> kDirections = {
    Direction::north,     Direction::northeast, Direction::east,      Direction::southeast, Direction::south,
    Direction::southwest, Direction::west,      Direction::northwest, Direction::right,     Direction::left};

std::string_view name_of(Direction direction);
// "north", "N", "right", "R" ...; none for other texts.
std::optional<Direction> direction_from(std::string_view name);
bool is_compass(Direction direction);
Direction reversed(Direction direction);
// Rotates a compass direction clockwise by a multiple of 45 degrees.
Direction rotated(Direction direction, int degrees);
// For messages: all names, or only the eight compass names.
std::string allowed_directions(bool compass_only);

}  // namespace rgtrans::linegames
