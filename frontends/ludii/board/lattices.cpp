// Boards on lattices: hexagons, triangles and other tilings.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>

#include "frontends/ludii/board/functions.hpp"
#include "frontends/ludii/board/numbers.hpp"
#include "frontends/ludii/limits.hpp"

namespace rgtrans::ludii {

namespace {

const double kRoot3 = std::sqrt(3.0);

struct RowColumn {
  int row = 0, column = 0;
};
using Lattice = Vector (*)(int row, int column);

Vector hex(int r, int c) { return {kRoot3 * (c - 0.5 * r), 1.5 * r, 0}; }
Vector hex_diamond(int r, int c) { return {1.5 * (c - r), kRoot3 / 2 * (r + c), 0}; }
Vector tri(int r, int c) { return {c - 0.5 * r, kRoot3 / 2 * r, 0}; }
Vector tri_diamond(int r, int c) { return {kRoot3 / 2 * (c - r), 0.5 * (r + c), 0}; }

// Shapes of hexagons and triangles alike: cells (r, c) in rows × columns under a condition.
struct Shape {
  int rows = 0, columns = 0;
  bool diamond = false;  // on the lattice that stands on a corner
  std::function<bool(int, int)> fits;
};

Shape hexagon(int d) {
  return {2 * d - 1, 2 * d - 1, false, [d](int r, int c) { return c <= d - 1 + r && r - c <= d - 1; }};
}

Shape star(int d) {
  const int n = 4 * d + 1;
  return {n, n, false, [d, n](int r, int c) {
            if (r < d) return c >= d && c - r <= d;
            if (r <= 2 * d) return r - c <= d && c < n - d;
            if (r <= 3 * d) return c >= d && c - r <= d;
            return c <= 3 * d && r - c <= d;
          }};
}

Shape named_shape(std::string_view name, int a, int b, const Node& where) {
  if (name == "Hexagon") return hexagon(a);
  if (name == "Star") return star(a);
  if (name == "Triangle") return {a, a, false, [](int r, int c) { return r <= c; }};
  if (name == "Diamond" || name == "Rhombus") return {a, a, true, [](int, int) { return true; }};
  if (name == "Square" || name == "Rectangle") {
    return {a, b + a, false, [b](int r, int c) { return c >= (r + 1) / 2 && c < b + r / 2; }};
  }
  if (name == "Prism") return {a + b - 1, a + b - 1, true, [a](int r, int c) { return std::abs(r - c) < a; }};
  refuse(where);
}

std::vector<RowColumn> places(const Shape& shape, const Node& where) {
  std::vector<RowColumn> result;
  if (shape.rows < 1 || shape.rows > 1000) throw Refused(where.where, "this is no size of a board");
  for (int r = 0; r < shape.rows; ++r) {
    for (int c = 0; c < shape.columns; ++c) {
      if (shape.fits(r, c)) result.push_back({r, c});
    }
  }
  if (result.size() > limits::sites) throw Refused(where.where, "the board is too large", limits::sites.advice());
  return result;
}

// The lattice points at the corners of an outline that is given by its sides.
std::vector<RowColumn> corners_of(const std::vector<int>& sides) {
  static constexpr std::array<std::pair<int, int>, 6> kSteps = {{{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}}};
  std::vector<RowColumn> corners = {{0, 0}};
  int row = 0, column = 0, heading = 1;
  for (std::size_t i = 0; i < std::max<std::size_t>(5, sides.size()); ++i) {
    int side = sides[i % sides.size()];
    side += side >= 0 ? -1 : 1;
    heading = (heading + (side < 0 ? 5 : 1)) % 6;
    if (side <= 0) continue;
    row += side * kSteps[nth(heading)].first;
    column += side * kSteps[nth(heading)].second;
    corners.push_back({row, column});
  }
  if (row == 0 && column == 0) corners.pop_back();
  return corners;
}

std::vector<RowColumn> inside(const Polygon& outline, Lattice lattice, RowColumn least, RowColumn most,
                              const Node& where) {
  std::vector<RowColumn> result;
  const Polygon wide = outline.inflated();
  for (int r = least.row; r <= most.row; ++r) {
    for (int c = least.column; c <= most.column; ++c) {
      if (wide.contains(lattice(r, c))) result.push_back({r, c});
    }
    if (result.size() > limits::sites) throw Refused(where.where, "the board is too large", limits::sites.advice());
  }
  return result;
}

std::vector<RowColumn> inside_sides(const std::vector<int>& sides, Lattice lattice, int margin, const Node& where) {
  if (sides.empty()) throw Refused(where.where, "a list of sides is expected");
  for (const int side : sides) {
    if (std::abs(side) > 200) throw Refused(where.where, "the board is too large");
  }
  const auto corners = corners_of(sides);
  if (corners.size() < 3) throw Refused(where.where, "these sides enclose nothing");
  Polygon outline;
  RowColumn least = corners.front(), most = least;
  for (const RowColumn at : corners) {
    outline.corners.push_back(lattice(at.row, at.column));
    least = {std::min(least.row, at.row), std::min(least.column, at.column)};
    most = {std::max(most.row, at.row), std::max(most.column, at.column)};
  }
  least = {least.row - margin, least.column - margin};
  most = {most.row + margin, most.column + margin};
  return inside(outline, lattice, least, most, where);
}

std::vector<RowColumn> inside_polygon(const Polygon& outline, Lattice lattice, const Node& where) {
  double most = 0;
  for (const Vector p : outline.corners) most = std::max({most, std::abs(p.x), std::abs(p.y)});
  if (most > 100) throw Refused(where.where, "the board is too large");
  const int far = 3 + static_cast<int>(2 * most);
  return inside(outline, lattice, {-far, -far}, {far, far}, where);
}

// The arguments of hex and tri: a polygon, sides, or a shape with one or two sizes. `more`: added to sizes of shapes
// whose dimension counts cells.
std::vector<RowColumn> read_places(Arguments& arguments, std::string_view standard, std::array<Lattice, 2> lattices,
                                   int margin, int more, Lattice& lattice) {
  const Node& where = arguments.clause();
  lattice = lattices[0];
  if (const Node* const outline = arguments.take_clause("poly"))
    return inside_polygon(polygon(*outline), lattice, where);
  if (arguments.peek() != nullptr && arguments.peek()->is_array())
    return inside_sides(dimensions(*arguments.next()), lattice, margin, where);
  std::string_view name = standard;
  if (arguments.peek() != nullptr && arguments.peek()->is_word() && !arguments.peek()->is_integer())
    name = arguments.next()->text;
  const int a = dimension(arguments.need("a size"));
  const bool has_second = arguments.peek() != nullptr;
  int b = has_second ? dimension(*arguments.next()) : a;
  if (name == "Limping" || (has_second && name == standard && standard == "Hexagon" && more == 0 && margin == 3)) {
    // Trap: a second number is ignored for Limping.
    if (name == "Limping") b = a + 1;
    return inside_sides({a, b}, lattice, margin, where);
  }
  const Shape shape = named_shape(name, a + (name == "Star" ? 0 : more), b + more, where);
  lattice = lattices[shape.diamond ? 1 : 0];
  return places(shape, where);
}

void add_point(std::vector<Vector>& points, const Vector& at) {
  constexpr double kNear = 0.1;
  for (const Vector p : points) {
    if (std::abs(p.x - at.x) < kNear && std::abs(p.y - at.y) < kNear && flat_length(p - at) < kNear) return;
  }
  points.push_back(at);
}

Graph tiled(const std::vector<Vector>& centres, const std::vector<Vector>& corners, bool sorted = true) {
  std::vector<Vector> points;
  for (const Vector centre : centres) {
    for (const Vector corner : corners) add_point(points, centre + corner);
  }
  Graph graph = Graph::from_points(points);
  if (sorted) graph.reorder();
  return graph;
}

std::vector<Vector> hexagon_corners(bool flat_top) {
  std::vector<Vector> corners = {{0, 1, 0},  {kRoot3 / 2, 0.5, 0},   {kRoot3 / 2, -0.5, 0},
                                 {0, -1, 0}, {-kRoot3 / 2, -0.5, 0}, {-kRoot3 / 2, 0.5, 0}};
  if (flat_top) {
    for (Vector& p : corners) std::swap(p.x, p.y);
  }
  return corners;
}

std::vector<Vector> centres_of(const std::vector<RowColumn>& at, const std::function<Vector(int, int)>& lattice) {
  std::vector<Vector> result;
  for (const RowColumn place : at) result.push_back(lattice(place.row, place.column));
  return result;
}

}  // namespace

Graph hexagons(Arguments& arguments, SiteType) {
  const bool plain =
      arguments.peek() != nullptr && (arguments.peek()->is_integer() || arguments.peek()->is_word("Hexagon"));
  Lattice lattice = nullptr;
  const auto at = read_places(arguments, "Hexagon", {hex, hex_diamond}, 3, 0, lattice);
  Graph graph = tiled(centres_of(at, lattice), hexagon_corners(lattice == hex_diamond));
  if (!plain) return graph;
  // The faces of this shape begin at their lower left corner.
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    Graph::Face& face = graph.faces[f];
    const Vector centre = graph.place(SiteType::cell, static_cast<int>(f));
    for (std::size_t i = 0; i < face.vertices.size(); ++i) {
      const Vector by = graph.vertices[nth(face.vertices[i])].at - centre;
      if (by.x > -0.1 || by.y > -0.1) continue;
      std::rotate(face.vertices.begin(), face.vertices.begin() + static_cast<std::ptrdiff_t>(i), face.vertices.end());
      std::rotate(face.edges.begin(), face.edges.begin() + static_cast<std::ptrdiff_t>(i), face.edges.end());
      break;
    }
  }
  return graph;
}

Graph triangles(Arguments& arguments, SiteType use) {
  Lattice lattice = nullptr;
  const auto at = read_places(arguments, "Triangle", {tri, tri_diamond}, 2, use == SiteType::cell ? 1 : 0, lattice);
  return tiled(centres_of(at, lattice), {{0, 0, 0}});
}

Graph tiling(Arguments& arguments, SiteType) {
  const Node& kind = arguments.need("the name of a tiling");
  const std::string& name = kind.text;
  const Node& size = arguments.need("a size");
  if (size.is_clause("poly") || size.is_array()) refuse(size);
  const int a = dimension(size);
  const bool has_second = arguments.peek() != nullptr;
  const int b = has_second ? dimension(*arguments.next()) : a;
  const auto rectangular = [&](int rows, int columns) {
    return places({rows, columns, false, [](int, int) { return true; }}, kind);
  };
  const auto at = [&] { return has_second ? rectangular(a, b) : places(hexagon(a), kind); };
  if (name == "T3464") {
    std::vector<Vector> corners = hexagon_corners(true);
    const double radius = (1 + kRoot3 / 2) / std::cos(kPi / 12);
    for (int k = 0; k < 12; ++k) {
      const double angle = kPi / 12 + k * kPi / 6;
      corners.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    }
    const auto lattice = [](int r, int c) { return Vector{(3 + kRoot3) / 2 * (c - r), (1 + kRoot3) / 2 * (r + c), 0}; };
    return tiled(centres_of(at(), lattice), corners);
  }
  if (name == "T3636") {
    const auto where = has_second ? rectangular(2 * a - 1, 2 * b - 1) : places(hexagon(a), kind);
    return tiled(centres_of(where,
                            [](int r, int c) {
                              return Vector{2 * (c - 0.5 * r), kRoot3 * r, 0};
                            }),
                 hexagon_corners(true));
  }
  if (name == "T33434") {
    const double u = 0.5, w = kRoot3 / 2, h = (1 + kRoot3) / 2;
    const std::vector<Vector> corners = {{-u, -u - w, 0}, {u, -u - w, 0},     {-u - w, -w, 0},   {u + w, -w, 0},
                                         {0, -u, 0},      {-2 * u - w, 0, 0}, {2 * u + w, 0, 0}, {-w, 0, 0},
                                         {w, 0, 0},       {0, u, 0},          {-u - w, w, 0},    {u + w, w, 0},
                                         {-u, u + w, 0},  {u, u + w, 0}};
    return tiled(centres_of(rectangular(a, a),
                            [h](int r, int c) {
                              return Vector{h * (c - r), h * (c + r), 0};
                            }),
                 corners);
  }
  if (name == "T488") {
    const double v = 1 + std::sqrt(2.0);
    const std::vector<Vector> corners = {{0.5, v / 2, 0},   {v / 2, 0.5, 0},   {v / 2, -0.5, 0}, {0.5, -v / 2, 0},
                                         {-0.5, -v / 2, 0}, {-v / 2, -0.5, 0}, {-v / 2, 0.5, 0}, {-0.5, v / 2, 0}};
    return tiled(centres_of(rectangular(a, b), [v](int r, int c) { return Vector{c * v, r * v, 0}; }), corners, false);
  }
  if (name == "T33344") {
    const std::vector<Vector> corners = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
    const auto lattice = [](int r, int c) { return Vector{c + 0.5 * r, r * (1 + kRoot3 / 2), 0}; };
    return tiled(centres_of(rectangular(a, b), lattice), corners);
  }
  refuse(kind, fmt::format("`(tiling {}` is not translated yet", name));
}

}  // namespace rgtrans::ludii
