// The parts of a topology that follow from its shape: rows and columns, perimeter, corners, sides, centre, phases.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "frontends/ludii/board/numbers.hpp"
#include "frontends/ludii/board/topology.hpp"

namespace rgtrans::ludii {

namespace {

constexpr std::array<std::string_view, kMarks> kMarkNames = {
    "Corners",    "ConvexCorners", "ConcaveCorners", "Outer",  "Perimeter", "Inner", "Top",
    "Bottom",     "Left",          "Right",          "Centre", "Major",     "Minor", "Axial",
    "Horizontal", "Vertical",      "Angled",         "Slash",  "Slosh"};

struct Clusters {
  std::vector<int> bucket;  // by point
  double error = 0;
};

// Groups points by their distance to a line.
Clusters cluster(const std::vector<Vector>& points, const Vector& a, double angle, bool thin, double margin) {
  std::vector<double> score;
  const Vector b = a + Vector{std::cos(angle), std::sin(angle), 0};
  for (const Vector p : points) score.push_back(thin ? flat_length(p - a) : distance_to_line(p, a, b));
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return score[nth(i)]; });
  Clusters result{std::vector<int>(points.size()), 0};
  int number = -1, size = 0;
  double sum = 0, last = 0;
  const auto close = [&] {
    if (size > 0) result.error += (sum / size - last) * (sum / size - last) / size + 0.01;
  };
  for (const int i : order) {
    if (size == 0 || std::abs(score[nth(i)] - sum / size) > margin) {
      close();
      ++number;
      sum = size = 0;
    }
    sum += score[nth(i)];
    ++size;
    last = score[nth(i)];
    result.bucket[nth(i)] = number;
  }
  close();
  return result;
}

std::string letters(int column) {
  std::string result(1, static_cast<char>('A' + column % 26));
  if (column >= 26) result.insert(result.begin(), static_cast<char>('A' + (column / 26 - 1) % 26));
  return result;
}

// The ranks of the values among the distinct values of the points on the ground.
std::vector<int> ranks(const std::vector<double>& values, const std::vector<Vector>& points) {
  std::vector<double> distinct;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(points[i].z) < 0.001) distinct.push_back(values[i]);
  }
  std::ranges::sort(distinct);
  std::vector<double> kept;
  for (const double value : distinct) {
    if (kept.empty() || value - kept.back() > 0.001) kept.push_back(value);
  }
  std::vector<int> result;
  for (const double value : values) {
    int rank = 0;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (std::abs(kept[k] - value) <= 0.001) rank = static_cast<int>(k);
    }
    result.push_back(rank);
  }
  return result;
}

}  // namespace

std::optional<Mark> find_mark(std::string_view name) {
  const auto found = std::ranges::find(kMarkNames, name);
  if (found == kMarkNames.end()) return std::nullopt;
  return static_cast<Mark>(found - kMarkNames.begin());
}

void Topology::find_coordinates() {
  double row_angle = 0, column_angle = kPi / 2;
  for (const SiteType type : kSiteTypes) {
    std::vector<Vector> points;
    for (const Site& site : sites(type)) points.push_back(site.at);
    if (points.empty()) continue;
    const auto [least, most] = bounds_of(points, std::identity());
    const double w = most.x - least.x, h = most.y - least.y;
    const double margin = 0.6 * (w + h) / (2 * std::sqrt(static_cast<double>(points.size())));
    const auto best = [&](const Vector& a, std::vector<double> angles, double& chosen) {
      Clusters result;
      for (std::size_t i = 0; i < angles.size(); ++i) {
        Clusters found = cluster(points, a, angles[i], w < 1e-9, margin);
        if (i > 0 && found.error > result.error - 1e-9) continue;
        result = std::move(found);
        chosen = angles[i];
      }
      return result;
    };
    const double degree = kPi / 180;
    const Vector below = {least.x + w / 2, least.y - h, 0}, beside = {least.x - w, least.y + h / 2, 0};
    std::vector<double> row_angles = {row_angle}, column_angles = {column_angle};
    if (type != SiteType::edge) row_angles = {0, 15 * degree, 30 * degree, 45 * degree, 60 * degree};
    const Clusters rows = best(below, row_angles, row_angle);
    if (type != SiteType::edge)
      column_angles = {row_angle + 90 * degree, row_angle + 105 * degree, row_angle + 120 * degree};
    const Clusters columns = best(beside, column_angles, column_angle);
    std::vector<double> heights;
    for (const Vector p : points) heights.push_back(p.z);
    std::vector<double> levels = heights;
    std::ranges::sort(levels);
    std::vector<double> distinct;
    for (const double z : levels) {
      if (distinct.empty() || z - distinct.back() > 0.001) distinct.push_back(z);
    }
    std::set<std::string> labels;
    bool unique = true;
    for (int i = 0; i < count(type); ++i) {
      Site& site = at(type, i);
      site.row = rows.bucket[nth(i)];
      site.column = columns.bucket[nth(i)];
      for (std::size_t k = 0; k < distinct.size(); ++k) {
        if (heights[nth(i)] >= distinct[k] - 0.0005) site.layer = static_cast<int>(k);
      }
      site.label = fmt::format("{}{}", letters(site.column), site.row + 1);
      if (distinct.size() > 1) site.label += fmt::format("/{}", site.layer);
      unique = labels.insert(site.label).second && unique;
    }
    if (unique) continue;
    std::vector<double> xs, ys;
    for (const Vector p : points) {
      xs.push_back(p.x);
      ys.push_back(p.y);
    }
    const std::vector<int> new_rows = ranks(ys, points), new_columns = ranks(xs, points);
    for (int i = 0; i < count(type); ++i) {
      Site& site = at(type, i);
      site.row = new_rows[nth(i)];
      site.column = new_columns[nth(i)];
      site.label = fmt::format("{}{}", letters(site.column), site.row + 1);
    }
  }
}

void Topology::find_perimeters() {
  const int n = count(SiteType::vertex);
  std::vector<bool> covered(nth(n));
  std::vector<std::vector<int>> perimeters;
  const auto position = [&](int v) { return graph_.vertices[nth(v)].at; };
  const auto outline = [&](const std::vector<int>& cycle) {
    Polygon result;
    for (const int v : cycle) result.corners.push_back(position(v));
    return result;
  };
  while (true) {
    int start = -1;
    for (int v = 0; v < n; ++v) {
      if (!covered[nth(v)] && (start < 0 || position(v).x < position(start).x - 1e-9)) start = v;
    }
    if (start < 0) break;
    std::vector<int> cycle = {start};
    const auto& around = graph_.vertices[nth(start)].edges;
    if (!around.empty()) {
      const auto downward = [&](int e) {
        const Vector by = position(graph_.edges[nth(e)].other(start)) - position(start);
        return std::atan2(std::abs(by.x) < 1e-9 ? 0 : by.x, -by.y);
      };
      int edge = *std::ranges::min_element(around, {}, downward);
      int vertex = graph_.edges[nth(edge)].other(start);
      while (vertex != start && cycle.size() < 4 * nth(n)) {
        cycle.push_back(vertex);
        const auto& next = graph_.vertices[nth(vertex)].edges;
        const auto arrived = static_cast<std::size_t>(std::ranges::find(next, edge) - next.begin());
        edge = next[(arrived + 1) % next.size()];
        vertex = graph_.edges[nth(edge)].other(vertex);
      }
    }
    for (const int v : cycle) covered[nth(v)] = true;
    if (cycle.size() >= 3) {
      const Polygon polygon = outline(cycle);
      for (int v = 0; v < n; ++v) {
        if (polygon.contains(position(v))) covered[nth(v)] = true;
      }
    }
    perimeters.push_back(std::move(cycle));
  }
  for (std::size_t i = perimeters.size(); i-- > 0;) {
    const Vector first = position(perimeters[i].front());
    const bool inside = std::ranges::any_of(perimeters, [&](const std::vector<int>& other) {
      return &other != &perimeters[i] && other.size() >= 3 && outline(other).contains(first);
    });
    if (inside) perimeters.erase(perimeters.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (const std::vector<int>& cycle : perimeters) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      mark(SiteType::vertex, cycle[i], Mark::perimeter);
      const int e = graph_.find_edge(cycle[i], cycle[(i + 1) % cycle.size()]);
      if (e < 0) continue;
      mark(SiteType::edge, e, Mark::perimeter);
      const Graph::Edge& edge = graph_.edges[nth(e)];
      const int face = edge.left >= 0 ? edge.left : edge.right;
      if (face >= 0) mark(SiteType::cell, face, Mark::perimeter);
    }
  }
  const auto on_perimeter = [&](int v) { return is_marked(SiteType::vertex, v, Mark::perimeter); };
  for (int f = 0; f < count(SiteType::cell); ++f) {
    if (std::ranges::any_of(graph_.faces[nth(f)].vertices, on_perimeter)) mark(SiteType::cell, f, Mark::perimeter);
  }
  for (int e = 0; e < count(SiteType::edge); ++e) {
    const Graph::Edge& edge = graph_.edges[nth(e)];
    if (on_perimeter(edge.a) && on_perimeter(edge.b) && (edge.left < 0 || edge.right < 0))
      mark(SiteType::edge, e, Mark::perimeter);
  }
  for (const SiteType type : kSiteTypes) {
    for (int i = 0; i < count(type); ++i)
      mark(type, i, is_marked(type, i, Mark::perimeter) ? Mark::outer : Mark::inner);
  }
  for (const std::vector<int>& cycle : perimeters) find_corners(cycle);
  for (const std::vector<int>& cycle : perimeters) find_sides(cycle);
  spread_marks();
}

void Topology::find_corners(const std::vector<int>& cycle) {
  const int n = static_cast<int>(cycle.size());
  const auto corner = [&](int i, Mark kind) {
    mark(SiteType::vertex, cycle[nth(i)], Mark::corners);
    mark(SiteType::vertex, cycle[nth(i)], kind);
  };
  if (n < 6) {
    for (int i = 0; i < n; ++i) corner(i, Mark::convex_corners);
    return;
  }
  const auto p = [&](int i) { return graph_.vertices[nth(cycle[nth((i + 4 * n) % n)])].at; };
  std::vector<double> raw(nth(n)), score(nth(n));
  for (int i = 0; i < n; ++i) {
    for (int k = 1; k <= 3; ++k) {
      const double distance = distance_to_line(p(i), p(i - k), p(i + k)) / k;
      raw[nth(i)] += cross(p(i) - p(i - k), p(i + k) - p(i)) <= 1e-12 ? -distance : distance;
    }
  }
  const auto around = [n](const std::vector<double>& values, int i) { return values[nth((i + n) % n)]; };
  for (int i = 0; i < n; ++i) score[nth(i)] = (4 * raw[nth(i)] + around(raw, i + 1) + around(raw, i - 1)) / 6;
  constexpr double kNear = 1e-9;
  std::set<int> kept;
  for (int i = 0; i < n; ++i) {
    const double s = score[nth(i)];
    const double before = around(score, i - 1), behind = around(score, i + 1);
    if (s >= 0.32 - kNear && s >= before - 0.001 - kNear && s >= behind - 0.001 - kNear) kept.insert(i);
    if (s <= -0.25 + kNear && s <= before + 0.001 + kNear && s <= behind + 0.001 + kNear)
      corner(i, Mark::concave_corners);
  }
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    for (const int by : {n - 1, 1}) {
      const int other = (*it + by) % n;
      if (score[nth(other)] >= 0.95 * score[nth(*it)] - kNear) kept.insert(other);
    }
  }
  for (const int i : kept) corner(i, Mark::convex_corners);
}

void Topology::find_sides(const std::vector<int>& cycle) {
  Vector mean;
  for (const Graph::Vertex& vertex : graph_.vertices) mean = mean + vertex.at;
  mean = mean * (1.0 / static_cast<double>(graph_.vertices.size()));
  const std::size_t n = cycle.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_marked(SiteType::vertex, cycle[i], Mark::corners)) continue;
    std::vector<int> run = {cycle[i]};
    for (std::size_t k = 1; k <= n; ++k) {
      run.push_back(cycle[(i + k) % n]);
      if (is_marked(SiteType::vertex, run.back(), Mark::corners)) break;
    }
    Vector sum;
    for (const int v : run) sum = sum + graph_.vertices[nth(v)].at;
    const Vector by = sum * (1.0 / static_cast<double>(run.size())) - mean;
    const int sector = sector_of(by, kCompass);
    Direction direction = turned(Direction::e, -sector);
    if (sector % 4 != 0) direction = turned(Direction::e, -(sector / 4 * 4 + 2));
    for (const int v : run)
      at(SiteType::vertex, v).sides |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(direction));
  }
}

// From vertices to edges and cells.
void Topology::spread_marks() {
  for (int v = 0; v < count(SiteType::vertex); ++v) {
    const Graph::Vertex& vertex = graph_.vertices[nth(v)];
    const std::uint16_t sides = site(SiteType::vertex, v).sides;
    for (const int e : vertex.edges) at(SiteType::edge, e).sides |= sides;
    for (const int f : vertex.faces) at(SiteType::cell, f).sides |= sides;
    if (!is_marked(SiteType::vertex, v, Mark::corners)) continue;
    const bool convex = is_marked(SiteType::vertex, v, Mark::convex_corners);
    const Mark kind = convex ? Mark::convex_corners : Mark::concave_corners;
    const auto corner = [&](SiteType type, int number) {
      mark(type, number, Mark::corners);
      mark(type, number, kind);
    };
    const auto face_of = [&](int e) {
      const Graph::Edge& edge = graph_.edges[nth(e)];
      return edge.left >= 0 ? edge.left : edge.right;
    };
    bool pair = false;
    for (const int e : vertex.edges) {
      if (!is_marked(SiteType::vertex, graph_.edges[nth(e)].other(v), Mark::corners)) continue;
      pair = true;
      corner(SiteType::edge, e);
      if (face_of(e) >= 0) corner(SiteType::cell, face_of(e));
    }
    if (pair) continue;
    for (const int e : vertex.edges) {
      if (!is_marked(SiteType::edge, e, Mark::perimeter)) continue;
      corner(SiteType::edge, e);
      if (convex && face_of(e) >= 0) corner(SiteType::cell, face_of(e));
    }
    if (convex) continue;
    for (const int f : vertex.faces) {
      const auto outer = [&](int w) { return is_marked(SiteType::vertex, w, Mark::perimeter); };
      if (std::ranges::count_if(graph_.faces[nth(f)].vertices, outer) == 1) corner(SiteType::cell, f);
    }
  }
}

void Topology::find_extremes(SiteType type) {
  if (sites(type).empty()) return;
  const auto [least, most] = bounds_of(sites(type), &Site::at);
  constexpr double kNear = 0.01;
  std::size_t corners = 0;
  for (const Graph::Face& face : graph_.faces) corners = std::max(corners, face.vertices.size());
  for (int i = 0; i < count(type); ++i) {
    const Vector at = site(type, i).at;
    if (at.x < least.x + kNear) mark(type, i, Mark::left);
    if (at.x > most.x - kNear) mark(type, i, Mark::right);
    if (at.y < least.y + kNear) mark(type, i, Mark::bottom);
    if (at.y > most.y - kNear) mark(type, i, Mark::top);
    if (type == SiteType::cell)
      mark(type, i, graph_.faces[nth(i)].vertices.size() == corners ? Mark::major : Mark::minor);
  }
}

void Topology::find_centre(SiteType type) {
  constexpr int kFew = 100;
  std::vector<Vector> far;
  for (const Mark kind : {Mark::perimeter, Mark::corners}) {
    if (kind == Mark::perimeter && count(type) >= kFew) continue;
    for (const int i : marked(type, kind)) far.push_back(site(type, i).at);
  }
  std::vector<double> sums;
  for (const Site& site : sites(type)) {
    double sum = 0;
    for (const Vector p : far) sum += (p.x - site.at.x) * (p.x - site.at.x) + (p.y - site.at.y) * (p.y - site.at.y);
    sums.push_back(sum);
  }
  const double least = sums.empty() ? 0 : *std::ranges::min_element(sums);
  for (int i = 0; i < count(type); ++i) {
    if (sums[nth(i)] < least + 0.0001) mark(type, i, Mark::centre);
  }
}

void Topology::find_phases(SiteType type) {
  const auto neighbours = [&](int i) {
    std::vector<int> result;
    if (type == SiteType::vertex) {
      for (const int e : graph_.vertices[nth(i)].edges) result.push_back(graph_.edges[nth(e)].other(i));
    } else if (type == SiteType::edge) {
      for (const int v : {graph_.edges[nth(i)].a, graph_.edges[nth(i)].b}) {
        for (const int e : graph_.vertices[nth(v)].edges) {
          if (e != i) result.push_back(e);
        }
      }
    } else {
      for (const int e : graph_.faces[nth(i)].edges) {
        const Graph::Edge& edge = graph_.edges[nth(e)];
        for (const int f : {edge.left, edge.right}) {
          if (f >= 0 && f != i) result.push_back(f);
        }
      }
    }
    return result;
  };
  // A site may get several phases; the least counts.
  std::vector<unsigned> phases(nth(count(type)));
  std::vector<bool> visited(nth(count(type)));
  for (int start = 0; start < count(type); ++start) {
    if (phases[nth(start)] != 0) continue;
    phases[nth(start)] = 1;
    std::deque<int> queue = {start};
    while (!queue.empty()) {
      const int i = queue.front();
      queue.pop_front();
      if (visited[nth(i)]) continue;
      const std::vector<int> around = neighbours(i);
      unsigned used = 0;
      for (const int j : around) used |= phases[nth(j)];
      unsigned phase = 0;
      while (phase < 4 && ((used >> phase) & 1U) != 0) ++phase;
      phases[nth(i)] |= 1U << phase;
      visited[nth(i)] = true;
      for (const int j : around) {
        if (visited[nth(j)]) continue;
        unsigned seen = 0;
        for (const int k : neighbours(j)) seen |= phases[nth(k)];
        const bool several = (seen & (seen - 1)) != 0;
        several ? queue.push_front(j) : queue.push_back(j);
      }
    }
  }
  for (int i = 0; i < count(type); ++i) {
    unsigned phase = 0;
    while (phase < 5 && ((phases[nth(i)] >> phase) & 1U) == 0) ++phase;
    at(type, i).phase = static_cast<int>(phase);
  }
}

void Topology::orient_edges() {
  for (int e = 0; e < count(SiteType::edge); ++e) {
    const Graph::Edge& edge = graph_.edges[nth(e)];
    const Vector by = graph_.vertices[nth(edge.b)].at - graph_.vertices[nth(edge.a)].at;
    const int sector = sector_of(by, kCompass);
    mark(SiteType::edge, e, sector % 4 == 0 ? Mark::axial : Mark::angled);
    const Mark kind = sector % 8 == 0   ? Mark::horizontal
                      : sector % 4 == 0 ? Mark::vertical
                      : sector % 8 < 4  ? Mark::slash
                                        : Mark::slosh;
    mark(SiteType::edge, e, kind);
  }
}

}  // namespace rgtrans::ludii
