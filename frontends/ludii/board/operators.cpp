// Operators on graphs, and the table of all graph functions.
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

Graph next_graph(Arguments& arguments, SiteType use) { return make_graph(arguments.need("a graph"), use); }

std::vector<Graph> next_graphs(Arguments& arguments, SiteType use) {
  std::vector<Graph> graphs;
  while (const Node* const node = arguments.next()) {
    if (node->is_array()) {
      for (const Node& item : node->items) graphs.push_back(make_graph(item, use));
    } else {
      graphs.push_back(make_graph(*node, use));
    }
  }
  if (graphs.empty()) throw Refused(arguments.clause().where, "a graph is expected");
  return graphs;
}

Graph joined(Arguments& arguments, SiteType use, bool fuse) {
  const bool connect = arguments.flag("connect");
  Graph result;
  for (const Graph& graph : next_graphs(arguments, use)) result.append(graph, !fuse);
  if (fuse) {
    result.fuse();
    result.make_faces(false);
  }
  if (connect) result.connect();
  return result;
}

Graph merge(Arguments& arguments, SiteType use) { return joined(arguments, use, true); }
Graph unite(Arguments& arguments, SiteType use) { return joined(arguments, use, false); }

Graph intersect(Arguments& arguments, SiteType use) {
  std::vector<Graph> graphs = next_graphs(arguments, use);
  Graph result = std::move(graphs.front());
  std::vector<bool> gone(result.vertices.size()), gone_edges(result.edges.size());
  constexpr double kNear = 0.01;
  for (std::size_t g = 1; g < graphs.size(); ++g) {
    const auto there = [&](int v) { return graphs[g].find_vertex(result.vertices[nth(v)].at, kNear); };
    for (std::size_t v = 0; v < gone.size(); ++v) gone[v] = gone[v] || there(static_cast<int>(v)) < 0;
    for (std::size_t e = 0; e < gone_edges.size(); ++e) {
      const int a = there(result.edges[e].a), b = there(result.edges[e].b);
      gone_edges[e] = gone_edges[e] || a < 0 || b < 0 || graphs[g].find_edge(a, b) < 0;
    }
  }
  result.remove_edges(gone_edges);
  result.remove_vertices(gone);
  result.make_faces(false);
  return result;
}

std::vector<std::vector<Vector>> point_lists(const Node& array) {
  std::vector<std::vector<Vector>> lists;
  for (const Node& item : array.items) {
    std::vector<Vector> list;
    for (const Node& at : item.items) list.push_back(coordinates(at));
    lists.push_back(std::move(list));
  }
  return lists;
}

bool has_coordinates(const Node& array) {
  return array.begins_with_array() && !array.item(0).items.empty() && array.item(0).item(0).is_array();
}

std::vector<int> vertex_numbers(const Node& array, const Graph& graph) {
  std::vector<int> numbers = dimensions(array);
  for (const int v : numbers) {
    if (v < 0 || v >= graph.count(SiteType::vertex))
      throw Refused(array.where, fmt::format("there is no vertex {}", v));
  }
  return numbers;
}

void add_edges(Graph& graph, const Node* array, bool curved, bool by_coordinates) {
  if (array == nullptr || has_coordinates(*array) != by_coordinates) return;
  for (const Node& item : array->items) {
    std::vector<int> ends;
    if (by_coordinates) {
      for (const Node& at : item.items) ends.push_back(graph.find_or_add_vertex(coordinates(at)));
    } else {
      ends = vertex_numbers(item, graph);
    }
    // A curved edge has two tangents after its ends.
    if (ends.size() < 2 || ends[0] == ends[1]) throw Refused(item.where, "an edge has two ends");
    graph.find_or_add_edge(ends[0], ends[1], curved);
  }
}

Graph add(Arguments& arguments, SiteType use) {
  const Node* const vertices = arguments.named("vertices");
  const Node* const edges = arguments.named("edges");
  const Node* const curved = arguments.named("edgesCurved");
  const Node* const cells = arguments.named("cells");
  const bool connect = arguments.flag("connect");
  Graph graph;
  if (arguments.peek() != nullptr) graph = next_graph(arguments, use);
  if (curved != nullptr) {
    for (const Node& item : curved->items) {
      if (item.items.size() < 2) throw Refused(item.where, "a curved edge has two ends");
      if (item.item(0).is_array()) {
        graph.find_or_add_edge(graph.find_or_add_vertex(coordinates(item.item(0))),
                               graph.find_or_add_vertex(coordinates(item.item(1))), true);
      } else {
        Node ends = item;
        ends.items.resize(2);
        const std::vector<int> pair = vertex_numbers(ends, graph);
        graph.find_or_add_edge(pair[0], pair[1], true);
      }
    }
  }
  if (vertices != nullptr) {
    for (const Node& at : vertices->items) graph.find_or_add_vertex(coordinates(at));
  }
  add_edges(graph, edges, false, true);
  if (cells != nullptr && has_coordinates(*cells)) {
    for (const std::vector<Vector>& corners : point_lists(*cells)) {
      std::vector<int> numbers;
      for (const Vector at : corners) numbers.push_back(graph.find_or_add_vertex(at));
      for (std::size_t i = 0; i < numbers.size(); ++i)
        graph.find_or_add_edge(numbers[i], numbers[(i + 1) % numbers.size()]);
      graph.find_or_add_face(numbers);
    }
  }
  add_edges(graph, edges, false, false);
  if (cells != nullptr && !has_coordinates(*cells)) {
    for (const Node& item : cells->items) graph.find_or_add_face(vertex_numbers(item, graph));
  }
  graph.link();
  if (connect) graph.connect();
  return graph;
}

std::vector<bool> marked(const std::vector<int>& numbers, int count) {
  std::vector<bool> result(static_cast<std::size_t>(count));
  for (const int n : numbers) {
    if (n >= 0 && n < count) result[nth(n)] = true;
  }
  return result;
}

std::vector<bool> vertices_inside(const Graph& graph, const Polygon& outline, bool inside) {
  std::vector<bool> result;
  for (const Graph::Vertex& vertex : graph.vertices) result.push_back(outline.contains(vertex.at) == inside);
  return result;
}

Graph removed(Arguments& arguments, SiteType use) {
  const Node* const cells = arguments.named("cells");
  const Node* const edges = arguments.named("edges");
  const Node* const vertices = arguments.named("vertices");
  const bool trim = arguments.flag("trimEdges", true);
  Graph graph = next_graph(arguments, use);
  if (const Node* const outline = arguments.take_clause("poly"))
    graph.remove_vertices(vertices_inside(graph, polygon(*outline), true));
  if (cells != nullptr) graph.remove_faces_and_edges(marked(dimensions(*cells), graph.count(SiteType::cell)), trim);
  if (edges != nullptr) {
    std::vector<int> numbers;
    for (const Node& item : edges->items) {
      if (!item.is_array()) {
        numbers.push_back(dimension(item));
        continue;
      }
      std::vector<int> ends;
      if (item.begins_with_array()) {
        for (const Node& at : item.items) ends.push_back(graph.find_vertex(coordinates(at)));
      } else {
        ends = vertex_numbers(item, graph);
      }
      if (ends.size() != 2) throw Refused(item.where, "an edge has two ends");
      numbers.push_back(graph.find_edge(ends[0], ends[1]));
    }
    graph.remove_edges(marked(numbers, graph.count(SiteType::edge)));
  }
  if (vertices != nullptr) graph.remove_vertices(marked(dimensions(*vertices), graph.count(SiteType::vertex)));
  return graph;
}

Graph hole(Arguments& arguments, SiteType use) {
  Graph graph = next_graph(arguments, use);
  const Polygon outline = polygon(arguments.need("a polygon")).inflated();
  std::vector<bool> gone;
  for (int f = 0; f < graph.count(SiteType::cell); ++f)
    gone.push_back(outline.contains(graph.place(SiteType::cell, f)));
  graph.remove_faces_and_edges(gone, true);
  return graph;
}

Graph cut(Arguments& arguments, SiteType use, bool inside) {
  Graph graph = next_graph(arguments, use);
  graph.remove_vertices(vertices_inside(graph, polygon(arguments.need("a polygon")).inflated(), inside));
  graph.make_faces(false);
  return graph;
}
Graph keep(Arguments& arguments, SiteType use) { return cut(arguments, use, false); }
Graph clip(Arguments& arguments, SiteType use) { return cut(arguments, use, true); }

// The numbers before a graph.
std::vector<double> factors(Arguments& arguments, std::size_t least, std::size_t most) {
  std::vector<double> numbers;
  while (numbers.size() < most && arguments.peek() != nullptr) {
    const Node& node = *arguments.peek();
    static constexpr std::array<std::string_view, 8> kArithmetic = {"+", "-", "*", "/", "%", "abs", "min", "max"};
    if (!node.is_number() && !(node.is_clause() && std::ranges::find(kArithmetic, node.text) != kArithmetic.end()))
      break;
    numbers.push_back(real(*arguments.next()));
  }
  if (numbers.size() < least) throw Refused(arguments.clause().where, "a number is missing");
  return numbers;
}

Graph shift(Arguments& arguments, SiteType use) {
  std::vector<double> by = factors(arguments, 2, 3);
  by.resize(3);
  Graph graph = next_graph(arguments, use);
  graph.translate({by[0], by[1], by[2]});
  return graph;
}

Graph scale(Arguments& arguments, SiteType use) {
  std::vector<double> by = factors(arguments, 1, 3);
  if (by.size() == 1) by.push_back(by[0]);
  by.resize(3, 1.0);
  Graph graph = next_graph(arguments, use);
  for (Graph::Vertex& vertex : graph.vertices)
    vertex.at = {vertex.at.x * by[0], vertex.at.y * by[1], vertex.at.z * by[2]};
  graph.link();
  return graph;
}

Graph rotate(Arguments& arguments, SiteType use) {
  const double angle = factors(arguments, 1, 1)[0] * kPi / 180;
  Graph graph = next_graph(arguments, use);
  const auto [least, most] = bounds_of(graph.vertices, &Graph::Vertex::at);
  const Vector centre = (least + most) * 0.5;
  for (Graph::Vertex& vertex : graph.vertices) {
    const Vector by = vertex.at - centre;
    vertex.at = {centre.x + by.x * std::cos(angle) - by.y * std::sin(angle),
                 centre.y + by.x * std::sin(angle) + by.y * std::cos(angle), vertex.at.z};
  }
  graph.link();
  return graph;
}

Graph skew(Arguments& arguments, SiteType use) {
  const double by = factors(arguments, 1, 1)[0];
  Graph graph = next_graph(arguments, use);
  const double low = bounds_of(graph.vertices, &Graph::Vertex::at)[0].y;
  for (Graph::Vertex& vertex : graph.vertices) vertex.at.x += by * (vertex.at.y - low);
  graph.link();
  return graph;
}

Graph dual(Arguments& arguments, SiteType use) {
  const Graph graph = next_graph(arguments, use);
  Graph result;
  for (int f = 0; f < graph.count(SiteType::cell); ++f) result.add_vertex(graph.place(SiteType::cell, f));
  for (const Graph::Edge& edge : graph.edges) {
    if (edge.left >= 0 && edge.right >= 0) result.find_or_add_edge(edge.left, edge.right);
  }
  result.make_faces(false);
  result.reorder();
  return result;
}

Graph renumber(Arguments& arguments, SiteType use) {
  const bool of_vertices = arguments.take("Vertex"), of_edges = arguments.take("Edge"),
             of_cells = arguments.take("Cell");
  const bool all = !of_vertices && !of_edges && !of_cells;
  Graph graph = next_graph(arguments, use);
  graph.reorder(all || of_vertices, all || of_edges, all || of_cells);
  return graph;
}

Graph trim(Arguments& arguments, SiteType use) {
  Graph graph = next_graph(arguments, use);
  std::vector<bool> gone(graph.edges.size());
  std::vector<std::size_t> degree;
  for (const Graph::Vertex& vertex : graph.vertices) degree.push_back(vertex.edges.size());
  for (std::size_t e = graph.edges.size(); e-- > 0;) {
    std::size_t& a = degree[nth(graph.edges[e].a)];
    std::size_t& b = degree[nth(graph.edges[e].b)];
    gone[e] = a == 1 || b == 1;
    if (!gone[e]) continue;
    --a;
    --b;
  }
  graph.remove_edges(gone);
  std::vector<bool> alone;
  for (const Graph::Vertex& vertex : graph.vertices) alone.push_back(vertex.edges.empty());
  graph.remove_vertices(alone);
  return graph;
}

Graph with_faces(Arguments& arguments, SiteType use) {
  Graph graph = next_graph(arguments, use);
  graph.make_faces(true);
  return graph;
}

// Takes the edge away and puts one from each of its ends to the middle.
void split(Graph& graph, const std::vector<int>& numbers, int middle) {
  std::vector<int> ends;
  for (const int e : numbers) {
    ends.push_back(graph.edges[nth(e)].a);
    ends.push_back(graph.edges[nth(e)].b);
  }
  graph.remove_edges(marked(numbers, graph.count(SiteType::edge)));
  for (const int v : ends) graph.find_or_add_edge(v, middle);
}

bool split_one_crossing(Graph& graph) {
  const int n = graph.count(SiteType::edge);
  const auto at = [&](int v) { return graph.vertices[nth(v)].at; };
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      const Graph::Edge e = graph.edges[nth(i)], f = graph.edges[nth(j)];
      if (e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b) continue;
      const Vector a = at(e.a), b = at(e.b), c = at(f.a), d = at(f.b);
      if (!segments_cross(a, b, c, d)) continue;
      const double t = cross(c - a, d - c) / cross(b - a, d - c);
      const int middle = graph.find_or_add_vertex(a + (b - a) * t);
      split(graph, {i, j}, middle);
      return true;
    }
  }
  return false;
}

bool split_one_touched(Graph& graph) {
  for (int v = 0; v < graph.count(SiteType::vertex); ++v) {
    const Vector p = graph.vertices[nth(v)].at;
    for (int e = 0; e < graph.count(SiteType::edge); ++e) {
      const Graph::Edge edge = graph.edges[nth(e)];
      if (edge.a == v || edge.b == v) continue;
      const Vector a = graph.vertices[nth(edge.a)].at, b = graph.vertices[nth(edge.b)].at;
      if (distance_to_line(p, a, b) > 0.001 || dot(p - a, b - a) < 0 || dot(p - b, a - b) < 0) continue;
      split(graph, {e}, v);
      return true;
    }
  }
  return false;
}

Graph split_crossings(Arguments& arguments, SiteType use) {
  Graph graph = next_graph(arguments, use);
  std::size_t rounds = 0;
  while (split_one_crossing(graph) || split_one_touched(graph)) {
    if (++rounds > limits::sites)
      throw Refused(arguments.clause().where, "there are too many crossings", limits::sites.advice());
  }
  graph.make_faces(true);
  return graph;
}

Graph subdivide(Arguments& arguments, SiteType use) {
  const Node* const least = arguments.named("min");
  const std::size_t corners = least == nullptr ? 1 : static_cast<std::size_t>(std::max(dimension(*least), 1));
  Graph graph = next_graph(arguments, use);
  for (std::size_t f = graph.faces.size(); f-- > 0;) {
    if (graph.faces[f].vertices.size() < corners) continue;
    const int middle = graph.add_vertex(graph.place(SiteType::cell, static_cast<int>(f)));
    for (const int v : graph.faces[f].vertices) graph.find_or_add_edge(middle, v);
  }
  graph.faces.clear();
  if (use == SiteType::cell) graph.make_faces(false);
  graph.link();
  return graph;
}

Graph complete(Arguments& arguments, SiteType use) {
  if (arguments.flag("eachCell")) refuse(arguments.clause());
  Graph graph = next_graph(arguments, use);
  if (static_cast<std::uint64_t>(graph.vertices.size()) > 200)
    throw Refused(arguments.clause().where, "the graph is too large");
  graph.remove_edges(std::vector<bool>(graph.edges.size(), true));
  for (int a = 0; a < graph.count(SiteType::vertex); ++a) {
    for (int b = a + 1; b < graph.count(SiteType::vertex); ++b) graph.find_or_add_edge(a, b);
  }
  graph.make_faces(true);
  return graph;
}

Graph layers(Arguments& arguments, SiteType use) {
  const int n = dimension(arguments.need("a number of layers"));
  const Graph graph = next_graph(arguments, use);
  if (n < 1 || n > 20) throw Refused(arguments.clause().where, "a graph has 1 to 20 layers");
  Graph result;
  const int size = graph.count(SiteType::vertex);
  for (int layer = 0; layer < n; ++layer) {
    Graph copy = graph;
    copy.translate({0, 0, static_cast<double>(layer)});
    result.append(copy, true);
  }
  for (int v = 0; v < size * (n - 1); ++v) result.find_or_add_edge(v, v + size);
  result.link();
  result.reorder();
  return result;
}

struct Row {
  std::string_view name;
  Graph (*make)(Arguments&, SiteType);
};

constexpr std::array kFunctions = {
    Row{"square", square},
    Row{"rectangle", rectangle},
    Row{"hex", hexagons},
    Row{"tri", triangles},
    Row{"tiling", tiling},
    Row{"concentric", concentric},
    Row{"regular", regular},
    Row{"wedge", wedge},
    Row{"spiral", spiral},
    Row{"repeat", repeated},
    Row{"graph", listed},
    Row{"merge", merge},
    Row{"union", unite},
    Row{"intersect", intersect},
    Row{"add", add},
    Row{"remove", removed},
    Row{"hole", hole},
    Row{"keep", keep},
    Row{"clip", clip},
    Row{"shift", shift},
    Row{"scale", scale},
    Row{"rotate", rotate},
    Row{"skew", skew},
    Row{"dual", dual},
    Row{"renumber", renumber},
    Row{"trim", trim},
    Row{"makeFaces", with_faces},
    Row{"splitCrossings", split_crossings},
    Row{"subdivide", subdivide},
    Row{"complete", complete},
    Row{"layers", layers},
};

}  // namespace

Graph make_graph(const Node& clause, SiteType use) {
  if (!clause.is_clause()) throw Refused(clause.where, "a board is expected, as in (square 8)");
  const auto row = std::ranges::find(kFunctions, clause.text, &Row::name);
  if (row == kFunctions.end()) refuse(clause);
  Arguments arguments(clause);
  Graph graph = row->make(arguments, use);
  arguments.finish();
  if (graph.vertices.size() > limits::sites)
    throw Refused(clause.where, "the board is too large", limits::sites.advice());
  return graph;
}

}  // namespace rgtrans::ludii
