// The board: cells numbered by rows, their neighbours in eight directions (six on hexagons), regions, and the straight
// lines of each length.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::ludax {

// The opposite of direction d is 7 - d.
enum class Direction : std::uint8_t { up_left, up, up_right, left, right, down_left, down, down_right };
inline constexpr std::size_t kDirections = 8;
inline constexpr std::array<std::string_view, kDirections> kDirectionNames = {
    "up_left", "up", "up_right", "left", "right", "down_left", "down", "down_right"};
constexpr Direction opposite(Direction d) { return static_cast<Direction>(7 - static_cast<int>(d)); }

// A set of directions, one bit each.
using Directions = std::uint8_t;
constexpr Directions bit(Direction d) { return static_cast<Directions>(1U << static_cast<unsigned>(d)); }
constexpr bool contains(Directions set, Direction d) { return (set & bit(d)) != 0; }
constexpr Directions reversed(Directions set) {
  Directions result = 0;
  for (unsigned d = 0; d < kDirections; ++d) {
    if ((set >> d & 1U) != 0) result = static_cast<Directions>(result | 1U << (7 - d));
  }
  return result;
}
std::vector<Direction> list_of(Directions set);

enum class Shape : std::uint8_t { square, rectangle, hexagon, hex_rectangle };
enum class Edge : std::uint8_t { top, bottom, left, right, top_left, top_right, bottom_left, bottom_right };
inline constexpr std::array<std::string_view, 8> kEdgeNames = {"top",      "bottom",    "left",        "right",
                                                               "top_left", "top_right", "bottom_left", "bottom_right"};

using CellNumber = std::uint32_t;  // kNone: no cell
using Cells = std::vector<bool>;   // a set of cells, by number

class Board {
 public:
  Board() = default;
  // For a hexagon, `columns` is the diameter, which is odd. For a square, both are equal.
  Board(Shape shape, int rows, int columns);

  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] std::string_view shape_name() const;
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(neighbours_.size()); }
  // The directions of this shape.
  [[nodiscard]] Directions directions() const { return directions_; }
  [[nodiscard]] CellNumber step(CellNumber cell, Direction d) const {
    return neighbours_[cell][static_cast<std::size_t>(d)];
  }
  struct Place {
    double x = 0, y = 0;
  };
  // Positions for drawing. Adjacent cells of a row, and adjacent rows, are 1 apart; y grows downwards.
  [[nodiscard]] std::vector<Place> places() const;
  [[nodiscard]] CellNumber center() const { return size() % 2 == 1 ? size() / 2 : kNone; }
  [[nodiscard]] const std::vector<CellNumber>& corners() const { return corners_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] Cells edge(Edge edge) const;
  [[nodiscard]] Cells none() const { return Cells(neighbours_.size(), false); }

  // One direction of each opposite pair in the set: the one that leads down or right.
  [[nodiscard]] static std::vector<Direction> axes(Directions set);
  // The cells of each straight line of `length` cells along an axis.
  [[nodiscard]] std::vector<std::vector<CellNumber>> lines(Direction axis, int length) const;
  // The number of such lines along all axes of a set.
  [[nodiscard]] std::int64_t line_count(Directions set, std::int64_t length) const;
  // Whether no two such lines share a cell.
  [[nodiscard]] bool lines_are_apart(Direction axis, std::int64_t length) const;

 private:
  [[nodiscard]] CellNumber at(int row, int x) const;

  Shape shape_ = Shape::square;
  Directions directions_ = 0;
  std::vector<std::vector<CellNumber>> rows_;  // cells by row
  std::vector<std::array<CellNumber, kDirections>> neighbours_;
  void count_lines();

  std::vector<CellNumber> corners_;
  std::vector<Edge> edges_;
  std::array<std::vector<std::int64_t>, kDirections> line_counts_;  // by axis and length
};

// The directions that a word such as `diagonal` or `up` denotes; 0 for an unknown word.
Directions directions_of_word(std::string_view word);
bool is_orientation(std::string_view word);

}  // namespace rgtrans::ludax
