// The ten directions and their arithmetic. The eight compass points are numbers modulo eight.
#include "frontends/linegames/directions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace rgtrans::linegames {
namespace {

constexpr std::array<std::string_view, kDirectionCount> kNames = {
    "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "right", "left"};
constexpr std::array<std::string_view, kDirectionCount> kShort = {"N", "NE", "E", "SE", "S", "SW", "W", "NW", "R", "L"};
constexpr int kCompass = 8;

int index(Direction direction) { return static_cast<int>(direction); }

}  // namespace

std::string_view name_of(Direction direction) { return kNames[static_cast<std::size_t>(direction)]; }

std::optional<Direction> direction_from(std::string_view name) {
  for (const Direction d : kDirections) {
    const auto i = static_cast<std::size_t>(d);
    if (name == kNames[i] || name == kShort[i]) return d;
  }
  return std::nullopt;
}

bool is_compass(Direction direction) { return index(direction) < kCompass; }

Direction reversed(Direction direction) {
  if (direction == Direction::right) return Direction::left;
  if (direction == Direction::left) return Direction::right;
  return rotated(direction, 180);
}

Direction rotated(Direction direction, int degrees) {
  const int steps = ((degrees / 45) % kCompass + kCompass) % kCompass;
  return static_cast<Direction>((index(direction) + steps) % kCompass);
}

std::string allowed_directions(bool compass_only) {
  const std::span<const std::string_view> names(kNames.data(), compass_only ? kCompass : kDirectionCount);
  return fmt::format("allowed: {}", fmt::join(names, ", "));
}

}  // namespace rgtrans::linegames
