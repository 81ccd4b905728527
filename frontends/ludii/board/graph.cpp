#include "frontends/ludii/board/graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rgtrans::ludii {

double length(const Vector& a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
double flat_length(const Vector& a) { return std::sqrt(a.x * a.x + a.y * a.y); }
double cross(const Vector& a, const Vector& b) { return a.x * b.y - a.y * b.x; }
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y; }

double distance_to_line(const Vector& p, const Vector& a, const Vector& b) {
  const double size = flat_length(b - a);
  return size < 1e-12 ? flat_length(p - a) : std::abs(cross(b - a, p - a)) / size;
}

int sector_of(const Vector& by, int n) {
  const double angle = std::atan2(by.y, by.x) / (2 * kPi) * n;
  return (static_cast<int>(std::floor(angle + 0.5 + 1e-9)) + n) % n;
}

bool segments_cross(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  const auto side = [](const Vector& p, const Vector& q, const Vector& r) { return cross(q - p, r - p); };
  const double s1 = side(a, b, c), s2 = side(a, b, d), s3 = side(c, d, a), s4 = side(c, d, b);
  constexpr double kNear = 1e-6;
  return ((s1 > kNear && s2 < -kNear) || (s1 < -kNear && s2 > kNear)) &&
         ((s3 > kNear && s4 < -kNear) || (s3 < -kNear && s4 > kNear));
}

int Graph::add_vertex(const Vector& at) {
  vertices.push_back({at, -1, {}, {}});
  return static_cast<int>(vertices.size()) - 1;
}

int Graph::find_vertex(const Vector& at, double tolerance) const {
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vector by = vertices[v].at - at;
    if (std::abs(by.x) + std::abs(by.y) + std::abs(by.z) < tolerance) return static_cast<int>(v);
  }
  return -1;
}

int Graph::find_or_add_vertex(const Vector& at) {
  const int found = find_vertex(at);
  return found >= 0 ? found : add_vertex(at);
}

int Graph::find_edge(int a, int b) const {
  const auto found = by_ends_.find(key(a, b));
  return found == by_ends_.end() ? -1 : found->second;
}

int Graph::find_or_add_edge(int a, int b, bool curved) {
  const auto [at, is_new] = by_ends_.try_emplace(key(a, b), static_cast<int>(edges.size()));
  if (is_new) {
    edges.push_back({a, b, curved, -1, -1});
    vertices[nth(a)].edges.push_back(at->second);
    vertices[nth(b)].edges.push_back(at->second);
  }
  return at->second;
}

int Graph::find_or_add_face(const std::vector<int>& corners) {
  std::vector<int> sorted = corners;
  std::ranges::sort(sorted);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    std::vector<int> known = faces[f].vertices;
    std::ranges::sort(known);
    if (known == sorted) return static_cast<int>(f);
  }
  Face face{corners, {}};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const int edge = find_edge(corners[i], corners[(i + 1) % corners.size()]);
    if (edge < 0) return -1;
    face.edges.push_back(edge);
  }
  faces.push_back(std::move(face));
  return static_cast<int>(faces.size()) - 1;
}

void Graph::index_edges() {
  by_ends_.clear();
  for (Vertex& vertex : vertices) vertex.edges.clear();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    by_ends_.try_emplace(key(edges[e].a, edges[e].b), static_cast<int>(e));
    vertices[nth(edges[e].a)].edges.push_back(static_cast<int>(e));
    vertices[nth(edges[e].b)].edges.push_back(static_cast<int>(e));
  }
}

void Graph::link() {
  index_edges();
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const auto angle = [&](int e) {
      const Vector by = vertices[nth(edges[nth(e)].other(static_cast<int>(v)))].at - vertices[v].at;
      return std::atan2(by.y, by.x);
    };
    std::ranges::stable_sort(vertices[v].edges, {}, angle);
    vertices[v].faces.clear();
  }
  for (Edge& edge : edges) edge.left = edge.right = -1;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Face& face = faces[f];
    for (std::size_t i = 0; i < face.vertices.size(); ++i) {
      vertices[nth(face.vertices[i])].faces.push_back(static_cast<int>(f));
      Edge& edge = edges[nth(face.edges[i])];
      (edge.a == face.vertices[i] ? edge.right : edge.left) = static_cast<int>(f);
    }
  }
}

bool Graph::crosses_earlier(int number) const {
  const auto ends = [&](const Edge& edge) { return std::pair(vertices[nth(edge.a)].at, vertices[nth(edge.b)].at); };
  const Edge& edge = edges[nth(number)];
  const auto [a, b] = ends(edge);
  for (int e = 0; e < number; ++e) {
    const Edge& earlier = edges[nth(e)];
    if (earlier.a == edge.a || earlier.a == edge.b || earlier.b == edge.a || earlier.b == edge.b) continue;
    const auto [c, d] = ends(earlier);
    if (segments_cross(a, b, c, d)) return true;
  }
  return false;
}

void Graph::walk_face(int start, int first, bool check) {
  constexpr std::size_t kMostCorners = 32;
  Face face;
  int vertex = start, edge = first;
  const double level = vertices[nth(start)].at.z;
  while (face.vertices.size() <= kMostCorners) {
    const auto& around = vertices[nth(vertex)].edges;
    const auto last = std::ranges::find(around, edge) - around.begin();
    int next = -1;
    for (std::size_t i = 1; i < around.size(); ++i) {
      const int candidate = around[(static_cast<std::size_t>(last) + i) % around.size()];
      const int far = edges[nth(candidate)].other(vertex);
      if (std::abs(vertices[nth(far)].at.z - level) < 0.0001) {
        next = candidate;
        break;
      }
    }
    if (next < 0 || (check && crosses_earlier(next))) return;
    face.vertices.push_back(vertex);
    face.edges.push_back(next);
    vertex = edges[nth(next)].other(vertex);
    edge = next;
    if (vertex == start) break;
    if (std::ranges::find(face.vertices, vertex) != face.vertices.end()) return;
  }
  if (vertex != start || face.vertices.size() < 3) return;
  double area = 0;
  for (std::size_t i = 0; i < face.vertices.size(); ++i) {
    area += cross(vertices[nth(face.vertices[i])].at, vertices[nth(face.vertices[(i + 1) % face.vertices.size()])].at);
  }
  if (area >= 0) return;
  // The same face from another corner has the same edges.
  std::vector<int> sorted = face.edges;
  std::ranges::sort(sorted);
  for (const int known : vertices[nth(start)].faces) {
    std::vector<int> others = faces[nth(known)].edges;
    std::ranges::sort(others);
    if (others == sorted) return;
  }
  for (const int v : face.vertices) vertices[nth(v)].faces.push_back(static_cast<int>(faces.size()));
  faces.push_back(std::move(face));
}

void Graph::make_faces(bool check) {
  faces.clear();
  link();
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const std::vector<int> around = vertices[v].edges;
    for (const int edge : around) walk_face(static_cast<int>(v), edge, check);
  }
  link();
}

Vector Graph::place(SiteType type, int index) const {
  const auto i = static_cast<std::size_t>(index);
  switch (type) {
    case SiteType::vertex:
      return vertices[i].at;
    case SiteType::edge:
      return (vertices[nth(edges[i].a)].at + vertices[nth(edges[i].b)].at) * 0.5;
    case SiteType::cell: {
      Vector sum;
      for (const int v : faces[i].vertices) sum = sum + vertices[nth(v)].at;
      const auto n = static_cast<double>(faces[i].vertices.size());
      return {sum.x / n, sum.y / n, sum.z / n};
    }
  }
  return {};
}

int Graph::count(SiteType type) const {
  return static_cast<int>(type == SiteType::vertex ? vertices.size()
                          : type == SiteType::edge ? edges.size()
                                                   : faces.size());
}

namespace {

// The old numbers in their new order.
std::vector<int> order_by_place(const Graph& graph, SiteType type, bool sorted) {
  std::vector<int> order(static_cast<std::size_t>(graph.count(type)));
  std::iota(order.begin(), order.end(), 0);
  if (!sorted) return order;
  std::vector<double> score;
  for (const int i : order) {
    const Vector at = graph.place(type, i);
    // Equal up to rounding noise is equal.
    score.push_back(std::round((at.y * 100 + at.x) * 1e6) / 1e6);
  }
  std::ranges::stable_sort(order, {}, [&](int i) { return score[nth(i)]; });
  return order;
}

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[nth(order[i])] = static_cast<int>(i);
  return result;
}

template <class Item>
std::vector<Item> picked(const std::vector<Item>& items, const std::vector<int>& order) {
  std::vector<Item> result;
  result.reserve(order.size());
  for (const int i : order) result.push_back(items[nth(i)]);
  return result;
}

}  // namespace

void Graph::reorder(bool of_vertices, bool of_edges, bool of_faces) {
  const auto by_vertex = order_by_place(*this, SiteType::vertex, of_vertices);
  const auto by_edge = order_by_place(*this, SiteType::edge, of_edges);
  const auto by_face = order_by_place(*this, SiteType::cell, of_faces);
  const auto new_vertex = inverse(by_vertex), new_edge = inverse(by_edge);
  vertices = picked(vertices, by_vertex);
  edges = picked(edges, by_edge);
  faces = picked(faces, by_face);
  for (Vertex& vertex : vertices) {
    if (vertex.pivot >= 0) vertex.pivot = new_vertex[nth(vertex.pivot)];
  }
  for (Edge& edge : edges) {
    edge.a = new_vertex[nth(edge.a)];
    edge.b = new_vertex[nth(edge.b)];
  }
  for (Face& face : faces) {
    for (int& v : face.vertices) v = new_vertex[nth(v)];
    for (int& e : face.edges) e = new_edge[nth(e)];
  }
  link();
}

Graph Graph::from_points(const std::vector<Vector>& points) {
  Graph graph;
  for (const Vector point : points) {
    const auto rounded = [](double value) { return static_cast<double>(static_cast<float>(value)); };
    graph.add_vertex({rounded(point.x), rounded(point.y), rounded(point.z)});
  }
  for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
    for (std::size_t j = i + 1; j < graph.vertices.size(); ++j) {
      const Vector by = graph.vertices[i].at - graph.vertices[j].at;
      if (std::abs(by.x) < 1.1 && std::abs(by.y) < 1.1 && std::abs(flat_length(by) - 1) < 0.01)
        graph.find_or_add_edge(static_cast<int>(i), static_cast<int>(j));
    }
  }
  graph.make_faces(false);
  return graph;
}

double Graph::mean_edge_length() const {
  if (edges.empty()) return 0;
  double sum = 0;
  for (const Edge& edge : edges) sum += length(vertices[nth(edge.a)].at - vertices[nth(edge.b)].at);
  return sum / static_cast<double>(edges.size());
}

void Graph::connect() {
  const double most = 1.1 * mean_edge_length();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    for (std::size_t j = i + 1; j < vertices.size(); ++j) {
      if (length(vertices[i].at - vertices[j].at) < most) find_or_add_edge(static_cast<int>(i), static_cast<int>(j));
    }
  }
  make_faces(true);
}

void Graph::translate(const Vector& by) {
  for (Vertex& vertex : vertices) vertex.at = vertex.at + by;
}

namespace {

// New numbers of those that stay, -1 for the others.
std::vector<int> renumbered(const std::vector<bool>& gone) {
  std::vector<int> numbers(gone.size(), -1);
  int next = 0;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (!gone[i]) numbers[i] = next++;
  }
  return numbers;
}

template <class Item>
void drop(std::vector<Item>& items, const std::vector<bool>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) items[kept] = std::move(items[i]);
    ++kept;
  }
  items.resize(kept);
}

}  // namespace

void Graph::remove_faces(const std::vector<bool>& gone) {
  drop(faces, gone);
  link();
}

void Graph::remove_edges(const std::vector<bool>& gone) {
  std::vector<bool> dead(faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    dead[f] = std::ranges::any_of(faces[f].edges, [&](int e) { return gone[nth(e)]; });
  drop(faces, dead);
  const auto numbers = renumbered(gone);
  drop(edges, gone);
  for (Face& face : faces) {
    for (int& e : face.edges) e = numbers[nth(e)];
  }
  link();
}

void Graph::remove_vertices(const std::vector<bool>& gone) {
  std::vector<bool> dead(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) dead[e] = gone[nth(edges[e].a)] || gone[nth(edges[e].b)];
  remove_edges(dead);
  const auto numbers = renumbered(gone);
  drop(vertices, gone);
  for (Vertex& vertex : vertices) {
    if (vertex.pivot >= 0) vertex.pivot = numbers[nth(vertex.pivot)];
  }
  for (Edge& edge : edges) {
    edge.a = numbers[nth(edge.a)];
    edge.b = numbers[nth(edge.b)];
  }
  for (Face& face : faces) {
    for (int& v : face.vertices) v = numbers[nth(v)];
  }
  link();
}

void Graph::remove_faces_and_edges(const std::vector<bool>& gone, bool trim_edges) {
  std::vector<bool> dead(edges.size());
  if (trim_edges) {
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (!gone[f]) continue;
      for (const int e : faces[f].edges) dead[nth(e)] = true;
    }
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (gone[f]) continue;
      for (const int e : faces[f].edges) dead[nth(e)] = false;
    }
  }
  remove_faces(gone);
  remove_edges(dead);
}

int Graph::append(const Graph& other, bool with_faces) {
  const int v = static_cast<int>(vertices.size()), e = static_cast<int>(edges.size());
  for (Vertex vertex : other.vertices) {
    if (vertex.pivot >= 0) vertex.pivot += v;
    vertices.push_back(std::move(vertex));
  }
  for (Edge edge : other.edges) {
    edge.a += v;
    edge.b += v;
    edges.push_back(edge);
  }
  if (with_faces) {
    for (Face face : other.faces) {
      for (int& corner : face.vertices) corner += v;
      for (int& edge : face.edges) edge += e;
      faces.push_back(std::move(face));
    }
  }
  link();
  return v;
}

void Graph::fuse() {
  std::vector<int> target(vertices.size());
  std::vector<bool> gone(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    target[i] = static_cast<int>(i);
    for (std::size_t j = 0; j < i; ++j) {
      const Vector by = vertices[i].at - vertices[j].at;
      if (gone[j] || std::abs(by.x) + std::abs(by.y) + std::abs(by.z) >= 0.01) continue;
      target[i] = static_cast<int>(j);
      gone[i] = true;
      break;
    }
  }
  const auto numbers = renumbered(gone);
  const auto moved = [&](int v) { return numbers[nth(target[nth(v)])]; };
  const std::vector<Edge> old = std::move(edges);
  edges.clear();
  faces.clear();
  for (Vertex& vertex : vertices) {
    if (vertex.pivot >= 0) vertex.pivot = moved(vertex.pivot);
  }
  drop(vertices, gone);
  index_edges();
  for (const Edge& edge : old) {
    const int a = moved(edge.a), b = moved(edge.b);
    if (a != b) find_or_add_edge(a, b, edge.curved);
  }
}

}  // namespace rgtrans::ludii
