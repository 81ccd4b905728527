#include "frontends/ludii/board/directions.hpp"

#include <algorithm>
#include <array>

namespace rgtrans::ludii {

namespace {

constexpr std::array<std::string_view, kDirections> kNames = {
    "N",          "NNE",      "NE",          "ENE",       "E",      "ESE",      "SE",        "SSE", "S",   "SSW",
    "SW",         "WSW",      "W",           "WNW",       "NW",     "NNW",      "Out",       "CW",  "In",  "CCW",
    "D",          "DN",       "DNE",         "DE",        "DSE",    "DS",       "DSW",       "DW",  "DNW", "U",
    "UN",         "UNE",      "UE",          "USE",       "US",     "USW",      "UW",        "UNW", "All", "Adjacent",
    "Orthogonal", "Diagonal", "OffDiagonal", "SameLayer", "Upward", "Downward", "Rotational"};

}  // namespace

std::optional<Direction> find_direction(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Direction>(found - kNames.begin());
}

std::string_view name_of(Direction direction) { return kNames[static_cast<std::size_t>(direction)]; }

std::vector<Direction> list_of(Directions set) {
  std::vector<Direction> list;
  for (int i = 0; i < kDirections; ++i) {
    if (has(set, static_cast<Direction>(i))) list.push_back(static_cast<Direction>(i));
  }
  return list;
}

}  // namespace rgtrans::ludii
