// Builds boards. join() adds every edge together with its reverse, and only if both directions are free, so a board is
// always consistent.
#include "frontends/linegames/board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numbers>
#include <set>

#include "core/support/letters.hpp"
#include "core/support/reach.hpp"
#include "frontends/linegames/limits.hpp"

namespace rgtrans::linegames {
namespace {

using enum Direction;

const std::vector<Direction> kOrthogonal = {north, east, south, west};
const std::vector<Direction> kEight = {north, east, south, west, northeast, northwest, southeast, southwest};

// Names that the generated program uses itself. A point with such a name would be misread.
bool is_reserved(std::string_view name) {
  static const std::set<std::string_view> reserved = {
      "board",     "branch",     "const",     "domain",   "else",     "empty",  "end",      "goals",    "graph",
      "if",        "in",         "keeper",    "lead",     "leader",   "loop",   "me",       "next",     "null",
      "opponent",  "or",         "piece",     "pieces",   "player",   "pos",    "random",   "repeat",   "reusable",
      "rules",     "stagnation", "start",     "then",     "turn",     "type",   "var",      "visible",  "where",
      "while",     "white",      "black",     "border",   "man",      "owner",  "gain",     "true",     "false",
      "not",       "reachable",  "check",     "break",    "continue", "return", "whiteMan", "blackMan", "whiteKing",
      "blackKing", "whitePawn",  "blackPawn", "promoted", "reached",  "steps",  "jumps",    "flies",    "tooFew",
      "fewer",     "nextTurn",   "longer",    "wins"};
  return reserved.contains(name) || direction_from(name).has_value();
}

void check_range(std::string_view parameter, int value, int low, int high, std::string_view what) {
  if (value >= low && value <= high) return;
  throw ArgumentError(std::string(parameter),
                      value > high ? fmt::format("{} is too large: {}", parameter, value)
                                   : fmt::format("{} must be {}, not {}", parameter, what, value),
                      fmt::format("allowed: {} to {}", low, high));
}

void check_odd(std::string_view parameter, int value) {
  check_range(parameter, value, 1, Board::kMaxSide + 1, "an odd number");
  if (value % 2 == 1) return;
  throw ArgumentError(std::string(parameter), fmt::format("{} must be odd, not {}", parameter, value),
                      fmt::format("allowed: 1, 3, 5, ... {}", Board::kMaxSide + 1));
}

std::string cell_name(int row, int column) { return fmt::format("cy{}x{}", row, column); }

Place vector_of(Direction direction) {
  static constexpr std::array<Place, 8> kVectors = {
      {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}};
  return is_compass(direction) ? kVectors[static_cast<std::size_t>(direction)]
                               : Place{direction == right ? 0.7 : -0.7, 0.7};
}

// Boards can be rotated by multiples of 15 degrees.
constexpr int kDegreesOfStep = 15;

double cosine(int steps) {
  using std::numbers::sqrt2;
  using std::numbers::sqrt3;
  static constexpr std::array<double, 7> kQuarter = {1,   sqrt2 * (sqrt3 + 1) / 4, sqrt3 / 2, sqrt2 / 2,
                                                     0.5, sqrt2 * (sqrt3 - 1) / 4, 0};
  steps = std::abs(steps) % 24;
  if (steps > 12) steps = 24 - steps;
  return steps <= 6 ? kQuarter[static_cast<std::size_t>(steps)] : -kQuarter[static_cast<std::size_t>(12 - steps)];
}

Place turned(Place p, int degrees) {
  const double x = cosine(degrees / kDegreesOfStep);
  const double y = cosine(degrees / kDegreesOfStep - 6);
  return {p.x * x - p.y * y, p.x * y + p.y * x};
}

// Rounds to a quarter of the grid's unit.
std::pair<long, long> rounded(Place p) {
  const auto quarters = [](double value) { return static_cast<long>(value * 4 + (value < 0 ? -0.5 : 0.5)); };
  return {quarters(p.x), quarters(p.y)};
}

std::vector<Direction> spoke_directions(int spokes) {
  switch (spokes) {
    case 2:
      return {north, south};
    case 4:
      return {north, east, south, west};
    case 6:
      return {north, northeast, east, south, southwest, west};
    default:
      return {north, northeast, east, southeast, south, southwest, west, northwest};
  }
}

}  // namespace

ArgumentError::ArgumentError(std::string parameter, const std::string& message, std::string hint)
    : Error(message, std::move(hint)), parameter_(std::move(parameter)) {}

std::string_view name_of(Board::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"custom", "point", "grid", "alquerque", "square_with_diagonals",
                                                      "circle"};
  return kNames[static_cast<std::size_t>(kind)];
}

// --- Building blocks. ---

std::uint32_t Board::add(std::string name, Place place) {
  if (points_.size() >= limits::points) {
    throw ArgumentError("board", fmt::format("more than {} points", limits::points), limits::points.advice());
  }
  const auto id = static_cast<std::uint32_t>(points_.size());
  Point point;
  point.name = std::move(name);
  point.next.fill(kNone);
  point.place = place;
  index_.emplace(point.name, id);
  points_.push_back(std::move(point));
  return id;
}

void Board::join(std::uint32_t from, std::uint32_t to, Direction direction) {
  points_[from].next[static_cast<std::size_t>(direction)] = to;
  points_[to].next[static_cast<std::size_t>(reversed(direction))] = from;
}

void Board::check_free(std::string_view parameter, std::uint32_t point, Direction direction) const {
  const std::uint32_t there = points_[point].next[static_cast<std::size_t>(direction)];
  if (there == kNone) return;
  throw ArgumentError(std::string(parameter),
                      fmt::format("'{}' already has a line to the {} (to '{}')", points_[point].name,
                                  linegames::name_of(direction), points_[there].name),
                      "each point has at most one neighbour per direction; use another direction");
}

void Board::check_name(std::string_view name) const {
  const bool plain = !name.empty() && name.size() <= kMaxNameLength && is_lower(name[0]) && all_word(name);
  if (!plain || name.find("__") != std::string_view::npos) {
    throw ArgumentError(
        "name", fmt::format("'{}' cannot be the name of a point", name),
        fmt::format("allowed: a lower-case letter, then letters, digits and single '_', at most {} characters",
                    kMaxNameLength));
  }
  if (is_reserved(name)) {
    throw ArgumentError("name",
                        fmt::format("'{}' cannot be the name of a point, it means something else in the game", name));
  }
  if (find(name) != kNone) throw ArgumentError("name", fmt::format("there is already a point '{}'", name));
}

std::uint32_t Board::cell(int row, int column) const { return find(cell_name(row, column)); }

// Joins each cell with its east and south neighbours at distance `stride`, if they exist.
void Board::join_orthogonally(int stride) {
  for (std::uint32_t id = 0; id < points_.size(); ++id) {
    const std::uint32_t to_east = cell(points_[id].row, points_[id].column + stride);
    const std::uint32_t to_south = cell(points_[id].row + stride, points_[id].column);
    if (to_east != kNone) join(id, to_east, east);
    if (to_south != kNone) join(id, to_south, south);
  }
}

// --- Ready-made boards. ---

Board Board::custom(std::vector<Direction> directions) {
  Board board;
  board.base_directions_ = std::move(directions);
  return board;
}

Board Board::point() {
  Board board;
  board.kind_ = Kind::point;
  board.width_ = board.height_ = 1;
  board.base_directions_ = kEight;
  const std::uint32_t id = board.add(cell_name(0, 0), {});
  board.points_[id].row = board.points_[id].column = 0;
  return board;
}

Board Board::grid(int width, int height) {
  check_range("width", width, 1, kMaxSide + 1, "a positive number");
  check_range("height", height, 1, kMaxSide + 1, "a positive number");
  Board board;
  board.kind_ = Kind::grid;
  board.width_ = width;
  board.height_ = height;
  board.base_directions_ = kOrthogonal;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const std::uint32_t id = board.add(cell_name(row, column), {double(column), double(row)});
      board.points_[id].row = row;
      board.points_[id].column = column;
    }
  }
  board.join_orthogonally(1);
  return board;
}

Board Board::alquerque(int width, int height) {
  check_odd("width", width);
  check_odd("height", height);
  Board board = grid(width, height);
  board.kind_ = Kind::alquerque;
  board.base_directions_ = kEight;
  for (std::uint32_t id = 0; id < board.points_.size(); ++id) {
    const int row = board.points_[id].row;
    const int column = board.points_[id].column;
    if ((row + column) % 2 != 0) continue;
    if (const std::uint32_t to = board.cell(row + 1, column + 1); to != kNone) board.join(id, to, southeast);
    if (const std::uint32_t to = board.cell(row + 1, column - 1); to != kNone) board.join(id, to, southwest);
  }
  return board;
}

Board Board::square_with_diagonals(int squares_x, int squares_y) {
  check_range("squares_x", squares_x, 1, kMaxSide / 2, "a positive number");
  check_range("squares_y", squares_y, 1, kMaxSide / 2, "a positive number");
  Board board;
  board.kind_ = Kind::square_with_diagonals;
  board.width_ = 2 * squares_x + 1;
  board.height_ = 2 * squares_y + 1;
  board.base_directions_ = kEight;
  for (int row = 0; row < board.height_; ++row) {
    for (int column = row % 2; column < board.width_; column += 2) {
      const std::uint32_t id = board.add(cell_name(row, column), {column / 2.0, row / 2.0});
      board.points_[id].row = row;
      board.points_[id].column = column;
    }
  }
  for (std::uint32_t id = 0; id < board.points_.size(); ++id) {
    const int row = board.points_[id].row;
    const int column = board.points_[id].column;
    if (const std::uint32_t to = board.cell(row + 1, column + 1); to != kNone) board.join(id, to, southeast);
    if (const std::uint32_t to = board.cell(row + 1, column - 1); to != kNone) board.join(id, to, southwest);
    if (row % 2 == 1) continue;  // centres of squares have diagonals only
    if (const std::uint32_t to = board.cell(row, column + 2); to != kNone) board.join(id, to, east);
    if (const std::uint32_t to = board.cell(row + 2, column); to != kNone) board.join(id, to, south);
  }
  return board;
}

Board Board::circle(int spokes, int rings) {
  if (spokes != 2 && spokes != 4 && spokes != 6 && spokes != 8) {
    throw ArgumentError("spokes", fmt::format("spokes must be an even number up to 8, not {}", spokes),
                        "allowed: 2, 4, 6, 8");
  }
  check_range("rings", rings, 1, kMaxSide, "a positive number");
  Board board;
  board.kind_ = Kind::circle;
  board.width_ = spokes;
  board.height_ = rings + 1;
  const std::vector<Direction> outward = spoke_directions(spokes);
  board.base_directions_ = outward;
  board.base_directions_.push_back(right);
  board.base_directions_.push_back(left);
  const std::uint32_t centre = board.add(cell_name(0, 0), {});
  board.points_[centre].row = board.points_[centre].column = 0;
  for (int ring = 1; ring <= rings; ++ring) {
    const auto first = static_cast<std::uint32_t>(board.points_.size());
    for (int spoke = 0; spoke < spokes; ++spoke) {
      const std::uint32_t id = board.add(cell_name(ring, spoke), turned({0, double(-ring)}, 360 * spoke / spokes));
      board.points_[id].row = ring;
      board.points_[id].column = spoke;
      board.join(ring == 1 ? centre : board.cell(ring - 1, spoke), id, outward[static_cast<std::size_t>(spoke)]);
    }
    for (int spoke = 0; spoke < spokes; ++spoke) {
      board.join(first + static_cast<std::uint32_t>(spoke), first + static_cast<std::uint32_t>((spoke + 1) % spokes),
                 right);
    }
  }
  return board;
}

// --- Additions. ---

std::uint32_t Board::triangle_root(Direction side) const {
  if (kind_ == Kind::point) return 0;
  if (!has_rows()) {
    throw ArgumentError("root", fmt::format("a {} board has no sides and corners", linegames::name_of(kind_)),
                        "name the point that the triangle hangs from: root");
  }
  const Place v = vector_of(side);
  const auto along = [](double v_part, int size) { return v_part < 0 ? 0 : v_part > 0 ? size - 1 : size / 2; };
  const std::uint32_t root = cell(along(v.y, height_), along(v.x, width_));
  if (root == kNone) {
    throw ArgumentError("side",
                        fmt::format("the middle of the {} side is not a point of this board", linegames::name_of(side)),
                        "name the point that the triangle hangs from: root");
  }
  return root;
}

Board& Board::attach_triangle(Direction side, int rows, std::string_view root_name) {
  if (!is_compass(side)) {
    throw ArgumentError("side", fmt::format("a triangle cannot point to the {}", linegames::name_of(side)),
                        allowed_directions(true));
  }
  check_range("rows", rows, 1, kMaxSide, "a positive number");
  const std::uint32_t root = root_name.empty() ? triangle_root(side) : require("root", root_name);
  const int turn = (static_cast<int>(side) - static_cast<int>(south)) * 45;
  const std::array<Direction, 3> down = {rotated(southwest, turn), side, rotated(southeast, turn)};
  for (const Direction d : down) check_free("side", root, d);
  const std::string prefix = fmt::format("t{}v", linegames::name_of(side));
  // A second triangle towards the same side includes its root's name in the names of its points.
  const std::string unique =
      find(prefix + "y1x0") == kNone ? prefix : fmt::format("t{}{}v", linegames::name_of(side), points_[root].name);
  if (find(unique + "y1x0") != kNone) throw ArgumentError("side", "there is already such a triangle");
  const auto number = static_cast<int>(triangles_.size());
  triangles_.push_back({side, root, rows});
  std::array<std::uint32_t, 3> above = {root, root, root};
  for (int row = 1; row <= rows; ++row) {
    std::array<std::uint32_t, 3> here{};
    for (std::size_t column = 0; column < 3; ++column) {
      const std::uint32_t id = add(fmt::format("{}y{}x{}", unique, row, column), {});
      points_[id].row = row;
      points_[id].column = static_cast<int>(column);
      points_[id].triangle = number;
      join(above[column], id, down[column]);
      here[column] = id;
    }
    join(here[0], here[1], rotated(east, turn));
    join(here[1], here[2], rotated(east, turn));
    above = here;
  }
  spread_overlapping_triangles();
  return *this;
}

// Triangles are drawn as wide as high, or narrower if two would overlap.
void Board::spread_overlapping_triangles() {
  for (const double spread : {1.0, 0.6, 0.35}) {
    std::set<std::pair<long, long>> seen;
    bool overlap = false;
    for (Point& point : points_) {
      if (point.triangle >= 0) {
        const Triangle& t = triangles_[static_cast<std::size_t>(point.triangle)];
        const double stretch = static_cast<int>(t.side) % 2 == 1 ? std::numbers::sqrt2 : 1;
        const Place offset = turned({(point.column - 1) * spread * point.row, double(point.row)},
                                    (static_cast<int>(t.side) - static_cast<int>(south)) * 45);
        point.place = {points_[t.root].place.x + offset.x * stretch, points_[t.root].place.y + offset.y * stretch};
      }
      overlap |= !seen.insert(rounded(point.place)).second;
    }
    if (!overlap) return;
  }
}

Board& Board::add_point(std::string_view name, const Edges& edges, std::optional<Place> place) {
  check_name(name);
  std::set<Direction> used;
  for (const auto& [direction, target] : edges) {
    check_free("edges", require("edges", target), reversed(direction));
    if (!used.insert(direction).second) {
      throw ArgumentError("edges", fmt::format("direction {} is given twice", linegames::name_of(direction)));
    }
  }
  if (!place) {
    place = Place{static_cast<double>(points_.size()), 0};
    if (!edges.empty()) {
      const Place there = points_[find(edges.front().second)].place;
      const Place step = vector_of(edges.front().first);
      place = Place{there.x - step.x, there.y - step.y};
    }
  }
  const std::uint32_t id = add(std::string(name), *place);
  for (const auto& [direction, target] : edges) {
    // Two directions of the new point may lead to one point, but not with the same reverse direction.
    const std::uint32_t to = find(target);
    join(id, to, direction);
  }
  return *this;
}

Board& Board::add_line(std::string_view from, std::string_view to, Direction direction) {
  const std::uint32_t a = require("from", from);
  const std::uint32_t b = require("to", to);
  if (a == b) throw ArgumentError("to", fmt::format("a line from '{}' to itself", from), "name two different points");
  check_free("direction", a, direction);
  check_free("direction", b, reversed(direction));
  join(a, b, direction);
  return *this;
}

Board& Board::remove_point(std::string_view name) {
  const std::uint32_t removed = require("name", name);
  if (std::ranges::any_of(triangles_, [&](const Triangle& t) { return t.root == removed; })) {
    throw ArgumentError("name", fmt::format("'{}' carries a triangle", name),
                        "remove points before attaching triangles");
  }
  points_.erase(points_.begin() + removed);
  index_.clear();
  for (std::uint32_t id = 0; id < points_.size(); ++id) {
    index_.emplace(points_[id].name, id);
    for (std::uint32_t& next : points_[id].next) {
      if (next == removed)
        next = kNone;
      else if (next != kNone && next > removed)
        --next;
    }
  }
  for (Triangle& t : triangles_) {
    if (t.root > removed) --t.root;
  }
  return *this;
}

Board& Board::merge(const Board& other, const std::map<std::string, std::string>& glue, std::string_view prefix) {
  if (&other == this) {
    const Board copy = other;  // NOLINT(performance-unnecessary-copy-initialization): merge(copy) changes `other`
    return merge(copy, glue, prefix);
  }
  Board result = *this;  // a copy, so that this board is unchanged after an error
  Place shift{};
  std::set<std::uint32_t> glued;
  for (const auto& [theirs, ours] : glue) {
    const Place from = other.points_[other.require("glue", theirs)].place;
    const std::uint32_t target = require("glue", ours);
    if (!glued.insert(target).second) throw ArgumentError("glue", fmt::format("two points are glued to '{}'", ours));
    shift = {points_[target].place.x - from.x, points_[target].place.y - from.y};
  }
  std::vector<std::uint32_t> image(other.points_.size());
  for (std::uint32_t id = 0; id < other.points_.size(); ++id) {
    const Point& point = other.points_[id];
    if (const auto it = glue.find(point.name); it != glue.end()) {
      image[id] = find(it->second);
      continue;
    }
    const std::string name = std::string(prefix) + point.name;
    result.check_name(name);
    image[id] = result.add(name, {point.place.x + shift.x, point.place.y + shift.y});
  }
  for (std::uint32_t id = 0; id < other.points_.size(); ++id) {
    for (const Direction d : kDirections) {
      const std::uint32_t to = other.points_[id].next[static_cast<std::size_t>(d)];
      if (to == kNone) continue;
      const std::uint32_t present = result.points_[image[id]].next[static_cast<std::size_t>(d)];
      if (present == image[to]) continue;
      result.check_free("glue", image[id], d);
      result.check_free("glue", image[to], reversed(d));
      result.join(image[id], image[to], d);
    }
  }
  *this = std::move(result);
  return *this;
}

// --- Queries. ---

std::size_t Board::edge_count() const {
  std::size_t count = 0;
  for (const Point& point : points_)
    count += point.next.size() - static_cast<std::size_t>(std::ranges::count(point.next, kNone));
  return count;
}

std::uint32_t Board::find(std::string_view name) const {
  const auto it = index_.find(std::string(name));
  return it == index_.end() ? kNone : it->second;
}

std::uint32_t Board::require(std::string_view parameter, std::string_view name) const {
  const std::uint32_t id = find(name);
  if (id != kNone) return id;
  std::vector<std::string_view> names;
  for (const Point& point : points_) names.push_back(point.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty())
    hint = fmt::format("the board has {} points, such as '{}'", names.size(), names.empty() ? "" : names.front());
  throw ArgumentError(std::string(parameter), fmt::format("there is no point '{}'", name), std::move(hint));
}

const std::string& Board::at(int row, int column) const {
  const std::uint32_t id = cell(row, column);
  if (id != kNone) return points_[id].name;
  throw ArgumentError("row", fmt::format("there is no point at row {}, column {}", row, column),
                      fmt::format("the {} board has rows 0 to {} and columns 0 to {}", linegames::name_of(kind_),
                                  height_ - 1, width_ - 1));
}

const std::string& Board::triangle_point(Direction side, int row, int column) const {
  for (const Point& point : points_) {
    if (point.triangle >= 0 && triangles_[static_cast<std::size_t>(point.triangle)].side == side && point.row == row &&
        point.column == column) {
      return point.name;
    }
  }
  throw ArgumentError(
      "side",
      fmt::format("there is no triangle to the {} with row {}, column {}", linegames::name_of(side), row, column),
      "rows count from 1 at the root's side, columns are 0, 1, 2");
}

std::vector<Direction> Board::directions() const {
  std::vector<Direction> result = base_directions_;
  for (const Direction d : kDirections) {
    if (std::ranges::find(result, d) != result.end()) continue;
    const auto has = [&](const Point& p) { return p.next[static_cast<std::size_t>(d)] != kNone; };
    if (std::ranges::any_of(points_, has)) result.push_back(d);
  }
  return result;
}

std::vector<std::vector<std::uint32_t>> Board::lines() const {
  std::vector<std::vector<std::uint32_t>> result;
  // One direction of each opposite pair.
  for (const Direction d : {north, northeast, east, southeast, right}) {
    const auto ahead = static_cast<std::size_t>(d);
    const auto behind = static_cast<std::size_t>(reversed(d));
    std::vector<bool> seen(points_.size());
    const auto follow = [&](std::uint32_t start) {
      std::vector<std::uint32_t> line;
      std::uint32_t id = start;
      for (; id != kNone && !seen[id]; id = points_[id].next[ahead]) {
        seen[id] = true;
        line.push_back(id);
      }
      if (id != kNone) line.push_back(id);
      if (line.size() > 1) result.push_back(std::move(line));
    };
    for (std::uint32_t id = 0; id < points_.size(); ++id) {
      if (points_[id].next[behind] == kNone) follow(id);
    }
    for (std::uint32_t id = 0; id < points_.size(); ++id) {
      if (!seen[id]) follow(id);  // closed circles
    }
  }
  return result;
}

void Board::check() const {
  if (points_.size() < 2) throw ArgumentError("board", "a board needs at least two points");
  const std::uint32_t first[] = {0};
  const std::vector<bool> seen = reached_from(points_.size(), first, [&](std::uint32_t id, auto&& reach) {
    for (const std::uint32_t next : points_[id].next)
      if (next != kNone) reach(next);
  });
  const auto it = std::ranges::find(seen, false);
  if (it == seen.end()) return;
  throw ArgumentError("board",
                      fmt::format("no line leads from '{}' to '{}'", points_[0].name,
                                  points_[static_cast<std::size_t>(it - seen.begin())].name),
                      "connect all parts of the board with add_line or with the edges of add_point");
}

}  // namespace rgtrans::linegames
