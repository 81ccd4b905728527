// The bounds of a board, and turning a board for the player on the opposite side. Works on layouts and on pictures.
#pragma once

#include <algorithm>

#include "backends/scene/picture.hpp"

namespace rgtrans::scene {

struct Bounds {
  double low_x = 1e9, low_y = 1e9, high_x = -1e9, high_y = -1e9;

  [[nodiscard]] double turned_x(double x) const { return low_x + high_x - x; }
  [[nodiscard]] double turned_y(double y) const { return low_y + high_y - y; }
};

// Of cells or spots.
template <class Places>
Bounds bounds(const Places& places) {
  Bounds b;
  for (const auto& place : places) {
    b.low_x = std::min(b.low_x, place.x);
    b.high_x = std::max(b.high_x, place.x);
    b.low_y = std::min(b.low_y, place.y);
    b.high_y = std::max(b.high_y, place.y);
  }
  return b;
}

// The places and labels of a layout or a board.
template <class Places>
void turn(Places& places, std::vector<Label>& columns, std::vector<Label>& rows) {
  const Bounds b = bounds(places);
  for (auto& place : places) {
    place.x = b.turned_x(place.x);
    place.y = b.turned_y(place.y);
  }
  for (Label& label : columns) {
    label.at = b.turned_x(label.at);
    if (label.across) label.across = b.turned_y(*label.across);
  }
  for (Label& label : rows) label.at = b.turned_y(label.at);
}

}  // namespace rgtrans::scene
