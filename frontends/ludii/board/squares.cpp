// Boards of squares, with and without diagonals, and pyramids.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "frontends/ludii/board/functions.hpp"
#include "frontends/ludii/board/numbers.hpp"
#include "frontends/ludii/limits.hpp"

namespace rgtrans::ludii {

namespace {

// Vertices at whole coordinates, by their place.
class Grid {
 public:
  void add(int row, int column) {
    const Vector at{static_cast<double>(column), static_cast<double>(row), 0};
    numbers_[{row, column}] = graph.add_vertex(at);
    rows = std::max(rows, row + 1);
    columns = std::max(columns, column + 1);
  }
  [[nodiscard]] int find(int row, int column) const {
    const auto found = numbers_.find({row, column});
    return found == numbers_.end() ? -1 : found->second;
  }
  void join_neighbours() {
    for (const auto& [at, vertex] : numbers_) {
      for (const int other : {find(at.first + 1, at.second), find(at.first, at.second + 1)}) {
        if (other >= 0) graph.find_or_add_edge(vertex, other);
      }
    }
  }
  void add_diagonals(const Node& kind);

  Graph graph;
  int rows = 0, columns = 0;

 private:
  std::map<std::pair<int, int>, int> numbers_;
};

void Grid::add_diagonals(const Node& kind) {
  const std::string& name = kind.text;
  if (name == "Implied") return;
  if (name == "Radiating") {
    const int row = rows / 2, column = columns / 2;
    for (int step = 0; step < std::max(rows, columns); ++step) {
      for (const auto& [dr, dc] : {std::pair(1, 1), {1, -1}, {-1, 1}, {-1, -1}}) {
        const int a = find(row + dr * step, column + dc * step),
                  b = find(row + dr * (step + 1), column + dc * (step + 1));
        if (a >= 0 && b >= 0) graph.find_or_add_edge(a, b);
      }
    }
    return;
  }
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      const int a = find(r, c), b = find(r + 1, c), d = find(r, c + 1), e = find(r + 1, c + 1);
      if (a < 0 || b < 0 || d < 0 || e < 0) continue;
      const bool low = r < rows / 2, left = c < columns / 2;
      if (name == "Alternating") {
        (r + c) % 2 == 0 ? graph.find_or_add_edge(a, e) : graph.find_or_add_edge(b, d);
      } else if (name == "Solid") {
        const int middle = graph.add_vertex({c + 0.5, r + 0.5, 0});
        for (const int corner : {a, b, e, d}) graph.find_or_add_edge(middle, corner);
      } else if (name == "SolidNoSplit") {
        graph.find_or_add_edge(a, e);
        graph.find_or_add_edge(b, d);
      } else if (name == "Concentric") {
        low == left ? graph.find_or_add_edge(b, d) : graph.find_or_add_edge(a, e);
      } else {
        refuse(kind);
      }
    }
  }
}

void add_pyramid(Graph& graph, int rows, int columns) {
  for (int layer = 1; layer < std::max(rows, columns); ++layer) {
    for (int r = 0; r < rows - layer; ++r) {
      for (int c = 0; c < columns - layer; ++c)
        graph.add_vertex({layer / 2.0 + c, layer / 2.0 + r, layer / std::sqrt(2.0)});
    }
  }
  for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
    for (std::size_t j = i + 1; j < graph.vertices.size(); ++j) {
      if (std::abs(length(graph.vertices[i].at - graph.vertices[j].at) - 1) < 0.05)
        graph.find_or_add_edge(static_cast<int>(i), static_cast<int>(j));
    }
  }
}

Graph grid(const Node& where, int rows, int columns, const Node* diagonals, bool pyramid,
           const std::function<bool(int, int)>& fits) {
  if (rows < 1 || columns < 1) throw Refused(where.where, "a board has a row and a column at least");
  if (static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns) > limits::sites)
    throw Refused(where.where, "the board is too large", limits::sites.advice());
  Grid result;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (fits(r, c)) result.add(r, c);
    }
  }
  result.join_neighbours();
  if (pyramid) add_pyramid(result.graph, rows, columns);
  if (diagonals != nullptr) result.add_diagonals(*diagonals);
  result.graph.make_faces(false);
  result.graph.reorder();
  return std::move(result.graph);
}

bool everywhere(int, int) { return true; }

Graph polygonal(const Node& where, const Polygon& outline, const Node* diagonals) {
  const Polygon wide = outline.inflated();
  const auto [least, most] = bounds_of(outline.corners, std::identity());
  if (most.x - least.x > 1000 || most.y - least.y > 1000) throw Refused(where.where, "the board is too large");
  const int left = static_cast<int>(std::floor(least.x)), low = static_cast<int>(std::floor(least.y));
  const auto fits = [&](int r, int c) {
    return wide.contains({static_cast<double>(c + left), static_cast<double>(r + low), 0});
  };
  Graph graph = grid(where, static_cast<int>(std::ceil(most.y)) - low + 1,
                     static_cast<int>(std::ceil(most.x)) - left + 1, diagonals, false, fits);
  graph.translate({static_cast<double>(left), static_cast<double>(low), 0});
  return graph;
}

}  // namespace

Graph square(Arguments& arguments, SiteType use) {
  const Node* const diagonals = arguments.named("diagonals");
  const bool pyramid = arguments.flag("pyramidal");
  const Node& where = arguments.clause();
  if (const Node* const outline = arguments.take_clause("poly")) return polygonal(where, polygon(*outline), diagonals);
  if (arguments.peek() != nullptr && arguments.peek()->is_array()) {
    // Sides: from (0, 0) to the north; a positive length turns right, a negative one left.
    Polygon outline;
    int x = 0, y = 0, heading = -1;
    for (const int side : dimensions(*arguments.next())) {
      heading = (heading + (side < 0 ? 3 : 1)) % 4;
      const int by = std::abs(side);
      (heading % 2 == 0 ? y : x) += heading == 0 || heading == 1 ? by : -by;
      outline.corners.push_back({static_cast<double>(x), static_cast<double>(y), 0});
    }
    if (outline.corners.size() < 3) throw Refused(where.where, "a polygon has three sides or more");
    return polygonal(where, outline, diagonals);
  }
  const bool diamond = arguments.take("Diamond"), limping = !diamond && arguments.take("Limping");
  if (!diamond && !limping) arguments.take("Square");
  const int n = dimension(arguments.need("a size"));
  if (diamond) {
    const auto fits = [n](int r, int c) { return r + c >= n - 1 && c - r <= n && r - c <= n && r + c < 3 * n; };
    return grid(where, 2 * n, 2 * n, diagonals, pyramid, fits);
  }
  const int more = use == SiteType::cell ? 1 : 0;
  return grid(where, n + more, n + more + (limping ? 1 : 0), diagonals, pyramid, everywhere);
}

Graph rectangle(Arguments& arguments, SiteType use) {
  const Node* const diagonals = arguments.named("diagonals");
  const int more = use == SiteType::cell ? 1 : 0;
  const int rows = dimension(arguments.need("a number of rows"));
  const int columns = arguments.peek() == nullptr ? rows : dimension(*arguments.next());
  return grid(arguments.clause(), rows + more, columns + more, diagonals, false, everywhere);
}

}  // namespace rgtrans::ludii
