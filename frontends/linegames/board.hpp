// A board: points joined by edges with direction names. Ready-made boards, attached triangles, single points and lines
// can be combined. Every step is checked, so a board is always consistent.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/linegames/directions.hpp"

namespace rgtrans::linegames {

// An invalid value for `parameter`. The hint lists the allowed values.
class ArgumentError : public Error {
 public:
  ArgumentError(std::string parameter, const std::string& message, std::string hint = {});
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

using Edges = std::vector<std::pair<Direction, std::string>>;

struct Place {
  double x = 0;  // towards the east
  double y = 0;  // towards the south
};

class Board {
 public:
  enum class Kind : std::uint8_t { custom, point, grid, alquerque, square_with_diagonals, circle };
  static constexpr int kMaxSide = 64;
  static constexpr std::size_t kMaxNameLength = 64;

  struct Point {
    std::string name;
    std::array<std::uint32_t, kDirectionCount> next;  // index of the neighbour, or kNone
    Place place;
    int row = -1;  // in the ready-made part of the board
    int column = -1;
    int triangle = -1;  // index into triangles()
  };
  struct Triangle {
    Direction side;
    std::uint32_t root;
    int rows;
  };

  // --- Ready-made boards. --- A board without points; `directions` come first in directions().
  static Board custom(std::vector<Direction> directions = {});
  static Board point();
  static Board grid(int width, int height);
  // Orthogonal lines everywhere, and diagonals through points with an even sum of coordinates. Sizes must be odd.
  static Board alquerque(int width, int height);
  // Squares with both diagonals. Their centres are points with odd coordinates.
  static Board square_with_diagonals(int squares_x, int squares_y);
  // Concentric circles, with spokes that meet in a common centre.
  static Board circle(int spokes, int rings);

  // --- Additions. --- Attaches three columns of `rows` points to a point of the ready-made part: the middle of that
  // side, its corner, or the point `root`.
  Board& attach_triangle(Direction side, int rows, std::string_view root = {});
  Board& add_point(std::string_view name, const Edges& edges, std::optional<Place> place = std::nullopt);
  Board& add_line(std::string_view from, std::string_view to, Direction direction);
  Board& remove_point(std::string_view name);
  // Adds all points of `other`, renamed with `prefix`. A point in `glue` is identified with the named point of this
  // board.
  Board& merge(const Board& other, const std::map<std::string, std::string>& glue, std::string_view prefix);

  // --- Queries. ---
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
  [[nodiscard]] std::size_t edge_count() const;  // each line segment counts twice
  // The index of a point, or kNone.
  [[nodiscard]] std::uint32_t find(std::string_view name) const;
  // The same, but throws an ArgumentError that suggests a name.
  std::uint32_t require(std::string_view parameter, std::string_view name) const;
  [[nodiscard]] const std::string& at(int row, int column) const;
  [[nodiscard]] const std::string& triangle_point(Direction side, int row, int column) const;
  // Rows and columns of the ready-made part. Spokes are columns; circles are rows.
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] bool has_rows() const {
    return kind_ == Kind::grid || kind_ == Kind::alquerque || kind_ == Kind::square_with_diagonals;
  }
  // The directions that edges may have, in the order of their numbers in labels of moves.
  [[nodiscard]] std::vector<Direction> directions() const;
  // Each maximal straight line once, as indices of points. A closed circle repeats its first point.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> lines() const;
  // Throws ArgumentError unless there are at least two points and all are connected.
  void check() const;

 private:
  std::uint32_t add(std::string name, Place place);
  void join(std::uint32_t from, std::uint32_t to, Direction direction);
  void check_free(std::string_view parameter, std::uint32_t point, Direction direction) const;
  void check_name(std::string_view name) const;
  [[nodiscard]] std::uint32_t triangle_root(Direction side) const;
  [[nodiscard]] std::uint32_t cell(int row, int column) const;
  void join_orthogonally(int stride);
  void spread_overlapping_triangles();

  Kind kind_ = Kind::custom;
  int width_ = 0;
  int height_ = 0;
  std::vector<Direction> base_directions_;
  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

std::string_view name_of(Board::Kind kind);

}  // namespace rgtrans::linegames
