#include "frontends/ludax/board.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rgtrans::ludax {

namespace {

using enum Direction;

constexpr Directions kVertical = bit(up) | bit(down);
constexpr Directions kHorizontal = bit(left) | bit(right);
constexpr Directions kForward = bit(up_right) | bit(down_left);
constexpr Directions kBack = bit(up_left) | bit(down_right);
constexpr Directions kHexagonal = kHorizontal | kForward | kBack;

constexpr std::array<std::pair<std::string_view, Directions>, 7> kGroups = {{{"vertical", kVertical},
                                                                             {"horizontal", kHorizontal},
                                                                             {"orthogonal", kVertical | kHorizontal},
                                                                             {"diagonal", kForward | kBack},
                                                                             {"back_diagonal", kBack},
                                                                             {"forward_diagonal", kForward},
                                                                             {"any", 0xff}}};

// The step of each direction in (row, x). Columns of hexagonal boards are doubled.
std::pair<int, int> offset(Shape shape, Direction d) {
  const int index = static_cast<int>(d);
  const int row = index < 3 ? -1 : index < 5 ? 0 : 1;
  switch (shape) {
    case Shape::hexagon:
      return {row, d == left ? -2 : d == right ? 2 : d == up_left || d == down_left ? -1 : 1};
    case Shape::hex_rectangle:  // each row is shifted right by half a cell
      return {row, d == left || d == down_left ? -1 : d == right || d == up_right ? 1 : 0};
    case Shape::square:
    case Shape::rectangle:
      break;
  }
  return {row, d == up || d == down ? 0 : d == left || d == up_left || d == down_left ? -1 : 1};
}

}  // namespace

std::vector<Direction> list_of(Directions set) {
  std::vector<Direction> list;
  for (std::size_t d = 0; d < kDirections; ++d) {
    if (contains(set, static_cast<Direction>(d))) list.push_back(static_cast<Direction>(d));
  }
  return list;
}

Directions directions_of_word(std::string_view word) {
  const auto group = std::ranges::find(kGroups, word, [](const auto& entry) { return entry.first; });
  if (group != kGroups.end()) return group->second;
  const auto one = std::ranges::find(kDirectionNames, word);
  return one == kDirectionNames.end() ? Directions(0) : bit(static_cast<Direction>(one - kDirectionNames.begin()));
}

bool is_orientation(std::string_view word) {
  return std::ranges::find(kGroups, word, [](const auto& entry) { return entry.first; }) != kGroups.end();
}

Board::Board(Shape shape, int rows, int columns) : shape_(shape) {
  const bool hexagon = shape == Shape::hexagon;
  const int half = (rows - 1) / 2;
  CellNumber next = 0;
  for (int row = 0; row < rows; ++row) {
    const int width = hexagon ? columns - std::abs(row - half) : columns;
    std::vector<CellNumber>& cells = rows_.emplace_back();
    for (int i = 0; i < width; ++i) cells.push_back(next++);
  }
  directions_ = hexagon || shape == Shape::hex_rectangle ? kHexagonal : Directions(0xff);
  neighbours_.resize(next);
  for (int row = 0; row < rows; ++row) {
    const int first = hexagon ? std::abs(row - half) : 0;
    for (std::size_t i = 0; i < rows_[static_cast<std::size_t>(row)].size(); ++i) {
      const int x = hexagon ? first + 2 * static_cast<int>(i) : static_cast<int>(i);
      const CellNumber cell = rows_[static_cast<std::size_t>(row)][i];
      for (std::size_t d = 0; d < kDirections; ++d) {
        const auto [down_by, right_by] = offset(shape, static_cast<Direction>(d));
        neighbours_[cell][d] =
            contains(directions_, static_cast<Direction>(d)) ? at(row + down_by, x + right_by) : kNone;
      }
    }
  }
  std::vector<std::size_t> corner_rows = {0, rows_.size() - 1};
  if (hexagon) corner_rows = {0, static_cast<std::size_t>(half), rows_.size() - 1};
  for (std::size_t row : corner_rows) {
    for (const CellNumber corner : {rows_[row].front(), rows_[row].back()}) {
      if (std::ranges::find(corners_, corner) == corners_.end()) corners_.push_back(corner);
    }
  }
  edges_ = {Edge::top, Edge::bottom};
  if (hexagon) {
    edges_.insert(edges_.end(), {Edge::top_left, Edge::top_right, Edge::bottom_left, Edge::bottom_right});
  } else {
    edges_.insert(edges_.end(), {Edge::left, Edge::right});
  }
  count_lines();
}

std::vector<Board::Place> Board::places() const {
  std::vector<Place> places(neighbours_.size());
  const double half = (static_cast<double>(rows_.size()) - 1) / 2;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const auto y = static_cast<double>(row);
    const double shift = shape_ == Shape::hexagon ? std::abs(y - half) / 2 : shape_ == Shape::hex_rectangle ? y / 2 : 0;
    for (std::size_t i = 0; i < rows_[row].size(); ++i) places[rows_[row][i]] = {shift + static_cast<double>(i), y};
  }
  return places;
}

CellNumber Board::at(int row, int x) const {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return kNone;
  const std::vector<CellNumber>& cells = rows_[static_cast<std::size_t>(row)];
  if (shape_ == Shape::hexagon) {
    const int half = (static_cast<int>(rows_.size()) - 1) / 2;
    x -= std::abs(row - half);
    if (x < 0 || x % 2 != 0) return kNone;
    x /= 2;
  }
  return x < 0 || x >= static_cast<int>(cells.size()) ? kNone : cells[static_cast<std::size_t>(x)];
}

std::string_view Board::shape_name() const {
  static constexpr std::array<std::string_view, 4> kNames = {"square", "rectangle", "hexagon", "hex_rectangle"};
  return kNames[static_cast<std::size_t>(shape_)];
}

Cells Board::edge(Edge edge) const {
  Cells cells = none();
  if (std::ranges::find(edges_, edge) == edges_.end()) return cells;
  const auto add = [&](CellNumber cell) { cells[cell] = true; };
  const std::size_t half = (rows_.size() - 1) / 2;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const bool upper = row <= half, lower = row >= half;
    if ((edge == Edge::top && row == 0) || (edge == Edge::bottom && row + 1 == rows_.size())) {
      for (const CellNumber cell : rows_[row]) add(cell);
    }
    if (edge == Edge::left || (edge == Edge::top_left && upper) || (edge == Edge::bottom_left && lower)) {
      add(rows_[row].front());
    }
    if (edge == Edge::right || (edge == Edge::top_right && upper) || (edge == Edge::bottom_right && lower)) {
      add(rows_[row].back());
    }
  }
  return cells;
}

std::vector<Direction> Board::axes(Directions set) {
  std::vector<Direction> axes;
  for (Direction d : {right, down_left, down, down_right}) {
    if (contains(set, d) && contains(set, opposite(d))) axes.push_back(d);
  }
  return axes;
}

std::vector<std::vector<CellNumber>> Board::lines(Direction axis, int length) const {
  std::vector<std::vector<CellNumber>> lines;
  for (CellNumber first = 0; first < size(); ++first) {
    std::vector<CellNumber> cells;
    for (CellNumber cell = first; cell != kNone && static_cast<int>(cells.size()) < length; cell = step(cell, axis)) {
      cells.push_back(cell);
    }
    if (static_cast<int>(cells.size()) == length) lines.push_back(std::move(cells));
  }
  return lines;
}

void Board::count_lines() {
  for (Direction axis : axes(directions_)) {
    std::vector<std::int64_t>& counts = line_counts_[static_cast<std::size_t>(axis)];
    for (CellNumber first = 0; first < size(); ++first) {
      std::size_t length = 0;
      for (CellNumber cell = first; cell != kNone; cell = step(cell, axis)) {
        if (counts.size() == length) counts.push_back(0);
        ++counts[length++];
      }
    }
  }
}

std::int64_t Board::line_count(Directions set, std::int64_t length) const {
  std::int64_t count = 0;
  for (Direction axis : axes(static_cast<Directions>(set & directions_))) {
    const std::vector<std::int64_t>& counts = line_counts_[static_cast<std::size_t>(axis)];
    if (length <= static_cast<std::int64_t>(counts.size())) count += counts[static_cast<std::size_t>(length - 1)];
  }
  return count;
}

bool Board::lines_are_apart(Direction axis, std::int64_t length) const {
  // A longer line would contain two overlapping ones.
  return line_count(static_cast<Directions>(bit(axis) | bit(opposite(axis))), length + 1) == 0;
}

}  // namespace rgtrans::ludax
