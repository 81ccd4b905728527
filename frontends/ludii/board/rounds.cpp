// Boards on circles and concentric polygons, and those that are listed point by point.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "frontends/ludii/board/functions.hpp"
#include "frontends/ludii/board/numbers.hpp"
#include "frontends/ludii/limits.hpp"

namespace rgtrans::ludii {

namespace {

Vector on_circle(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle), 0}; }

int limited(int n, int least, const Node& where) {
  if (n < least || static_cast<std::uint64_t>(std::abs(n)) > limits::sites)
    throw Refused(where.where, "this is no size of a board");
  return n;
}

Graph ring(int n, bool star, SiteType use) {
  Graph graph;
  const double start = kPi / 2 - (n == 4 ? kPi / 4 : 0);
  for (int j = 0; j < n; ++j) graph.add_vertex(on_circle(n / (2 * kPi), start + 2 * kPi * j / n));
  for (int j = 0; j < n; ++j) {
    if (n > 1) graph.find_or_add_edge(j, (j + (star ? (n - 1) / 2 : 1)) % n);
  }
  if (use == SiteType::cell) graph.make_faces(false);
  graph.link();
  graph.reorder();
  return graph;
}

// The angles of a ring of n points, ascending: just behind the north first, the north last.
std::vector<double> angles_of(int n, bool shifted) {
  std::vector<double> angles;
  for (int j = 0; j < n; ++j) angles.push_back(kPi / 2 - 2 * kPi * j / n + (shifted ? kPi / n : 0));
  std::ranges::sort(angles);
  return angles;
}

Graph circles(std::vector<int> sizes, bool stagger) {
  Graph graph;
  if (sizes.front() > 1) sizes.insert(sizes.begin(), 0);
  std::vector<std::vector<int>> rings;
  int centre = -1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int n = std::abs(sizes[i]);
    std::vector<int> ring;
    if (i == 0 && n == 1) {
      centre = graph.add_vertex({});
      ring.push_back(centre);
    } else {
      for (const double angle : angles_of(n, stagger && i % 2 == 1))
        ring.push_back(graph.add_vertex(on_circle(static_cast<double>(i), angle)));
    }
    rings.push_back(std::move(ring));
  }
  for (std::size_t i = 0; i < rings.size(); ++i) {
    if (sizes[i] < 2) continue;
    for (std::size_t j = 0; j < rings[i].size(); ++j)
      graph.find_or_add_edge(rings[i][j], rings[i][(j + 1) % rings[i].size()], true);
  }
  if (centre >= 0 && rings.size() > 1) {
    for (const int v : rings[1]) graph.find_or_add_edge(centre, v);
  }
  if (centre >= 0) {
    for (Graph::Vertex& vertex : graph.vertices) vertex.pivot = centre;
  }
  for (std::size_t i = 1; i + 1 < rings.size(); ++i) {
    for (const int v : rings[i]) {
      for (const int w : rings[i + 1]) {
        const Vector a = graph.vertices[nth(v)].at, b = graph.vertices[nth(w)].at;
        if (std::abs(cross(a, b)) > 0.001 * flat_length(a) * flat_length(b) || dot(a, b) < 0) continue;
        graph.find_or_add_edge(v, w);
        if (centre >= 0) continue;
        // The inner end of a spoke is the pivot of both ends.
        graph.vertices[nth(v)].pivot = v;
        graph.vertices[nth(w)].pivot = v;
      }
    }
  }
  graph.link();
  return graph;
}

// Cells of ring i lie between the radii i - ½ and i + ½.
Graph round_cells(const std::vector<int>& sizes, bool stagger) {
  Graph graph;
  const int centre = graph.add_vertex({});
  const auto number = [&](std::size_t i) { return i < sizes.size() ? std::abs(sizes[i]) : 0; };
  const auto border_angles = [&](std::size_t i) {
    std::vector<double> angles;
    const int n = number(i);
    for (int j = 0; n > 1 && j < n; ++j)
      angles.push_back(kPi / 2 - 2 * kPi * j / n + (stagger && i % 2 == 1 ? kPi / n : 0));
    return angles;
  };
  // Circle k lies between the rings k and k + 1.
  std::vector<std::vector<std::pair<double, int>>> circles(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::vector<double> angles = border_angles(k);
    for (const double angle : border_angles(k + 1)) angles.push_back(angle);
    for (double& angle : angles) {
      while (angle < -kPi - 1e-9) angle += 2 * kPi;
      while (angle > kPi + 1e-9) angle -= 2 * kPi;
    }
    std::ranges::sort(angles);
    for (const double angle : angles) {
      if (!circles[k].empty() && std::abs(circles[k].back().first - angle) < 1e-6) continue;
      circles[k].emplace_back(angle, graph.add_vertex(on_circle(static_cast<double>(k) + 0.5, angle)));
    }
  }
  for (auto& circle : circles) {
    for (std::size_t j = 0; circle.size() > 1 && j < circle.size(); ++j)
      graph.find_or_add_edge(circle[j].second, circle[(j + 1) % circle.size()].second, true);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (const double angle : border_angles(i)) {
      const double r = static_cast<double>(i);
      const int a = i == 0 ? centre : graph.find_vertex(on_circle(r - 0.5, angle));
      const int b = graph.find_vertex(on_circle(r + 0.5, angle));
      if (a >= 0 && b >= 0 && a != b) graph.find_or_add_edge(a, b);
    }
  }
  for (Graph::Vertex& vertex : graph.vertices) vertex.pivot = centre;
  graph.make_faces(true);
  return graph;
}

Graph polygons(int sides, int rings, bool midpoints, bool join_midpoints, bool join_corners, SiteType use) {
  Graph graph;
  const int per_side = midpoints ? 2 : 1;
  std::vector<std::vector<int>> at;
  for (int i = 0; i < rings; ++i) {
    const double radius = sides == 3 ? 1 + 2 * i : 1 + i;
    const auto corner = [&](int j) {
      return on_circle(radius, kPi / 2 + (sides % 2 == 0 ? kPi / sides : 0) + 2 * kPi * j / sides);
    };
    std::vector<int> ring;
    for (int j = 0; j < sides; ++j) {
      ring.push_back(graph.add_vertex(corner(j)));
      if (midpoints) ring.push_back(graph.add_vertex((corner(j) + corner(j + 1)) * 0.5));
    }
    for (std::size_t j = 0; j < ring.size(); ++j) graph.find_or_add_edge(ring[j], ring[(j + 1) % ring.size()]);
    at.push_back(std::move(ring));
  }
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    for (std::size_t j = 0; j < at[i].size(); ++j) {
      const bool is_corner = j % static_cast<std::size_t>(per_side) == 0;
      if (is_corner ? join_corners : join_midpoints) graph.find_or_add_edge(at[i][j], at[i + 1][j]);
    }
  }
  graph.link();
  graph.reorder();
  if (use == SiteType::cell) graph.make_faces(false);
  return graph;
}

}  // namespace

Graph concentric(Arguments& arguments, SiteType use) {
  const Node& where = arguments.clause();
  const bool stagger = arguments.flag("stagger");
  if (arguments.peek() != nullptr && arguments.peek()->is_array()) {
    const std::vector<int> sizes = dimensions(*arguments.next());
    if (sizes.empty()) throw Refused(where.where, "a list of sizes is expected");
    int sum = 0;
    for (const int n : sizes) sum += std::abs(limited(n, -1000, where));
    limited(sum, 1, where);
    if (use == SiteType::cell) return round_cells(sizes, stagger);
    return sizes.size() == 1 ? ring(std::abs(sizes.front()), false, use) : circles(sizes, stagger);
  }
  static const std::map<std::string, int, std::less<>> kSides = {{"Triangle", 3}, {"Square", 4}, {"Hexagon", 6}};
  int sides = 0;
  if (const Node* const number = arguments.named("sides")) {
    sides = dimension(*number);
  } else {
    const Node& name = arguments.need("a shape");
    const auto found = kSides.find(name.text);
    if (found == kSides.end()) refuse(name, fmt::format("`(concentric {}` is not translated yet", name.shown()));
    sides = found->second;
  }
  const Node* const rings = arguments.named("rings");
  const int number = rings == nullptr ? 3 : dimension(*rings);
  const bool midpoints = arguments.flag("midpoints", true), join = arguments.flag("joinMidpoints", true);
  const bool corners = arguments.flag("joinCorners");
  if (sides < 3 || sides > 100 || number < 1 || number > 100) throw Refused(where.where, "this is no size of a board");
  return polygons(sides, number, midpoints, join, corners, use);
}

Graph regular(Arguments& arguments, SiteType use) {
  const bool star = arguments.take("Star");
  const int n = limited(dimension(arguments.need("a number of corners")), 3, arguments.clause());
  return ring(n, star, use);
}

Graph wedge(Arguments& arguments, SiteType) {
  const Node& where = arguments.clause();
  const int n = limited(dimension(arguments.need("a number of rows")), 2, where);
  const int k = arguments.peek() == nullptr ? 3 : limited(dimension(*arguments.next()), 1, where);
  limited(n * k, 1, where);
  Graph graph;
  const int apex = graph.add_vertex({n - 1.0, n - 1.0, 0});
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j < k; ++j) {
      const double share = k == 1 ? 0.5 : static_cast<double>(j) / (k - 1);
      const int v = graph.add_vertex({n - 1 - i + 2 * i * share, n - 1.0 - i, 0});
      if (i == 1) graph.find_or_add_edge(apex, v);
    }
  }
  const auto at = [k](int i, int j) { return 1 + (i - 1) * k + j; };
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j + 1 < k; ++j) graph.find_or_add_edge(at(i, j), at(i, j + 1));
    for (int j = 0; i + 1 < n && j < k; ++j) graph.find_or_add_edge(at(i, j), at(i + 1, j));
  }
  graph.link();
  return graph;
}

Graph spiral(Arguments& arguments, SiteType) {
  const Node& where = arguments.clause();
  const Node* const turns_node = arguments.named("turns");
  const Node* const sites_node = arguments.named("sites");
  if (turns_node == nullptr || sites_node == nullptr) throw Refused(where.where, "a spiral has turns: and sites:");
  const int turns = limited(dimension(*turns_node), 1, where), sites = limited(dimension(*sites_node), 2, where);
  const bool clockwise = arguments.flag("clockwise", true);
  const auto total = [&](int base) {
    int sum = 1;
    for (int ring = 1; ring < turns; ++ring) sum += base * std::min(1 << std::min(ring - 1, 2), 4);
    return sum;
  };
  int base = 1;
  while (base < sites && total(base + 1) <= sites) ++base;
  std::vector<double> angles = {0};
  for (int ring = 1; static_cast<int>(angles.size()) < sites; ++ring) {
    const int n = base * std::min(1 << std::min(ring - 1, 2), 4);
    for (int k = 0; k < n && static_cast<int>(angles.size()) < sites; ++k)
      angles.push_back(2 * kPi * ring + 2 * kPi * k / n - (ring <= 2 || ring % 2 == 1 ? kPi / n : 0));
  }
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 2; i + 1 < angles.size(); ++i) angles[i] = (angles[i - 1] + angles[i + 1]) / 2;
  }
  if (angles.size() > 2) angles[1] -= (angles[2] - angles[1]) / 2;
  Graph graph;
  graph.add_vertex({});
  for (std::size_t i = 1; i < angles.size(); ++i) {
    Vector at = on_circle(angles[i], angles[i]);
    if (clockwise) at.x = -at.x;
    graph.add_vertex(at);
  }
  for (int i = 0; i + 1 < sites; ++i) graph.find_or_add_edge(i, i + 1, true);
  for (Graph::Vertex& vertex : graph.vertices) vertex.pivot = 0;
  graph.link();
  return graph;
}

Graph repeated(Arguments& arguments, SiteType) {
  const Node& where = arguments.clause();
  const Node* const step = arguments.named("step");
  if (step == nullptr || step->items.size() != 2) throw Refused(where.where, "repeat has a step:{{x y}{x y}}");
  const int rows = limited(dimension(arguments.need("rows")), 1, where);
  const int columns = limited(dimension(arguments.need("columns")), 1, where);
  std::vector<Polygon> outlines;
  const Node& shapes = arguments.need("a polygon");
  if (shapes.is_array()) {
    for (const Node& shape : shapes.items) outlines.push_back(polygon(shape));
  } else {
    outlines.push_back(polygon(shapes));
  }
  limited(rows * columns * static_cast<int>(outlines.size()), 1, where);
  const Vector by_column = coordinates(step->item(0)), by_row = coordinates(step->item(1));
  Graph graph;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const Vector by = by_column * c + by_row * r;
      for (const Polygon& outline : outlines) {
        for (std::size_t i = 0; i < outline.corners.size(); ++i)
          graph.find_or_add_edge(outline.corners[i] + by, outline.corners[(i + 1) % outline.corners.size()] + by);
      }
    }
  }
  graph.make_faces(false);
  graph.reorder();
  return graph;
}

Graph listed(Arguments& arguments, SiteType) {
  const Node* const vertices = arguments.named("vertices");
  const Node* const edges = arguments.named("edges");
  Graph graph;
  if (vertices == nullptr) throw Refused(arguments.clause().where, "graph has vertices:{{x y} …}");
  for (const Node& at : vertices->items) graph.add_vertex(coordinates(at));
  for (const Node& ends : edges == nullptr ? std::vector<Node>() : edges->items) {
    const std::vector<int> pair = dimensions(ends);
    if (pair.size() != 2 || std::min(pair[0], pair[1]) < 0 ||
        std::max(pair[0], pair[1]) >= graph.count(SiteType::vertex))
      throw Refused(ends.where, "an edge has two vertices of the list");
    graph.find_or_add_edge(pair[0], pair[1]);
  }
  graph.make_faces(false);
  return graph;
}

Graph mancala(Arguments& arguments) {
  const Node& where = arguments.clause();
  const int rows = limited(dimension(arguments.need("rows")), 1, where);
  const int columns = limited(dimension(arguments.need("columns")), 1, where);
  const Node* const store = arguments.named("store");
  const Node* const stores = arguments.named("numStores");
  if (stores != nullptr && dimension(*stores) != 2) refuse(*stores);
  const bool has_stores = store == nullptr || store->is_word("Outer");
  if (!has_stores && !store->is_word("None")) refuse(*store);
  if (rows < 2 || rows > 6 || columns > 100) throw Refused(where.where, "a mancala board has 2 to 6 rows");
  struct Place {
    double left, short_of, y;
  };
  static constexpr std::array<Place, 5> kStores = {
      {{-0.85, 0.15, 0.5}, {-1, 0, 1}, {-0.9, 0.1, 1.5}, {-1, 0, 2}, {-0.9, 0.1, 2.5}}};
  const Place place = kStores[nth(rows - 2)];
  Graph graph;
  if (has_stores) graph.add_vertex({place.left, place.y, 0});
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const int v = graph.add_vertex({static_cast<double>(c), static_cast<double>(r), 0});
      if (c > 0) graph.find_or_add_edge(v - 1, v);
    }
  }
  if (has_stores) graph.add_vertex({columns - place.short_of, place.y, 0});
  graph.connect();
  return graph;
}

Graph boardless(Arguments& arguments) {
  const Node& shape = arguments.need("a shape");
  const Node* const size_node =
      arguments.peek() != nullptr && arguments.peek()->is_integer() ? arguments.next() : nullptr;
  const bool hexagonal = shape.is_word("Hexagonal");
  const int size = size_node == nullptr ? (hexagonal ? 21 : 41) : dimension(*size_node);
  const std::string_view name = shape.is_word("Square")       ? "square"
                                : hexagonal                   ? "hex"
                                : shape.is_word("Triangular") ? "tri"
                                                              : "";
  if (name.empty()) refuse(shape);
  Node clause{Node::Kind::clause, arguments.clause().where, {}, std::string(name), {}};
  clause.items.push_back({Node::Kind::word, shape.where, {}, fmt::format("{}", size), {}});
  return make_graph(clause, SiteType::cell);
}

}  // namespace rgtrans::ludii
