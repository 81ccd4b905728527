// The graph of a board while it is built: vertices, edges and faces. A generator makes one, an operator changes one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace rgtrans::ludii {

constexpr double kPi = 3.14159265358979323846;

enum class SiteType : std::uint8_t { vertex, edge, cell };
inline constexpr std::array kSiteTypes = {SiteType::vertex, SiteType::edge, SiteType::cell};

// The place of a number in a list.
template <class Number>
constexpr std::size_t nth(Number number) {
  return static_cast<std::size_t>(number);
}

struct Vector {
  double x = 0, y = 0, z = 0;
};
inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator*(const Vector& a, double k) { return {a.x * k, a.y * k, a.z * k}; }
double length(const Vector& a);       // in space
double flat_length(const Vector& a);  // in the plane
double cross(const Vector& a, const Vector& b);
double dot(const Vector& a, const Vector& b);
// The distance of p to the infinite line through a and b, in the plane.
double distance_to_line(const Vector& p, const Vector& a, const Vector& b);
// The least and the greatest coordinates of the points.
template <class List, class At>
std::array<Vector, 2> bounds_of(const List& list, At at) {
  std::array<Vector, 2> result{};
  for (bool first = true; const auto& item : list) {
    const Vector p = std::invoke(at, item);
    const auto [a, b] = first ? std::array{p, p} : result;
    result = {Vector{std::min(a.x, p.x), std::min(a.y, p.y), std::min(a.z, p.z)},
              Vector{std::max(b.x, p.x), std::max(b.y, p.y), std::max(b.z, p.z)}};
    first = false;
  }
  return result;
}
// The sector of a vector where the circle has n sectors, the first one about the east.
int sector_of(const Vector& by, int n);
// Whether two segments cross inside of both.
bool segments_cross(const Vector& a, const Vector& b, const Vector& c, const Vector& d);

struct Graph {
  struct Vertex {
    Vector at;
    int pivot = -1;
    std::vector<int> edges;  // sorted by angle after link()
    std::vector<int> faces;
  };
  struct Edge {
    int a = 0, b = 0;
    bool curved = false;
    int left = -1, right = -1;  // faces, after link()
    [[nodiscard]] int other(int v) const { return v == a ? b : a; }
  };
  struct Face {
    std::vector<int> vertices, edges;
  };
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;

  // --- Growth. ---
  int add_vertex(const Vector& at);
  // The first vertex at the place, or -1.
  [[nodiscard]] int find_vertex(const Vector& at, double tolerance = 0.001) const;
  int find_or_add_vertex(const Vector& at);
  [[nodiscard]] int find_edge(int a, int b) const;
  int find_or_add_edge(int a, int b, bool curved = false);
  // The points are not those of a vertex of this graph, which may move to other memory.
  int find_or_add_edge(const Vector& a, const Vector& b) {
    return find_or_add_edge(find_or_add_vertex(a), find_or_add_vertex(b));
  }
  // A face with these corners, whose edges exist; -1 if one does not.
  int find_or_add_face(const std::vector<int>& corners);

  // --- Whole graphs. ---
  // Makes all faces again. `check`: no face across a crossing of edges.
  void make_faces(bool check);
  // Renumbers by position, row by row.
  void reorder(bool of_vertices = true, bool of_edges = true, bool of_faces = true);
  // Sorts the edges of vertices by angle, and finds the faces of vertices and edges.
  void link();
  // Joins all pairs of points at distance 1, and makes faces.
  static Graph from_points(const std::vector<Vector>& points);
  // Joins all pairs closer than 1.1 times the mean length of an edge, and makes faces.
  void connect();
  void translate(const Vector& by);

  // --- Removal. The rest closes up and keeps its order. ---
  void remove_vertices(const std::vector<bool>& gone);  // and their edges and faces
  void remove_edges(const std::vector<bool>& gone);     // and their faces
  void remove_faces(const std::vector<bool>& gone);
  // Removes faces and the edges that belong to no other face.
  void remove_faces_and_edges(const std::vector<bool>& gone, bool trim_edges);

  [[nodiscard]] Vector place(SiteType type, int index) const;
  [[nodiscard]] int count(SiteType type) const;
  [[nodiscard]] double mean_edge_length() const;
  // Concatenates; returns the number of vertices before.
  int append(const Graph& other, bool with_faces);
  // Fuses vertices that lie closer than 0.01 into the earlier one, and equal edges.
  void fuse();

 private:
  static std::uint64_t key(int a, int b) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a < b ? a : b)) << 32U) |
           static_cast<std::uint32_t>(a < b ? b : a);
  }
  void index_edges();
  void walk_face(int start, int first, bool check);
  [[nodiscard]] bool crosses_earlier(int edge) const;
  std::unordered_map<std::uint64_t, int> by_ends_;
};

}  // namespace rgtrans::ludii
