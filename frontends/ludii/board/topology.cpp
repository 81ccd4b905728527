#include "frontends/ludii/board/topology.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace rgtrans::ludii {

namespace {

constexpr Directions kOrthogonal = bit(Direction::orthogonal) | bit(Direction::adjacent) | bit(Direction::all);
constexpr Directions kDiagonal = bit(Direction::diagonal) | bit(Direction::all);
constexpr Directions kOffDiagonal = bit(Direction::off_diagonal) | bit(Direction::adjacent) | bit(Direction::all);
constexpr double kEqual = 1e-6;

// The direction among 8 or 16 of the compass, or in space. `unit`: the mean length of an edge.
Direction direction_of(const Vector& by, double unit, bool fine) {
  const int vertical = by.z < -0.1 * unit ? -1 : by.z > 0.1 * unit ? 1 : 0;
  const int n = fine ? 16 : 8;
  // Clockwise from the north.
  int number = (n / 4 - sector_of(by, n) + n) % n;
  if (vertical == 0) return static_cast<Direction>(fine ? number : 2 * number);
  const Direction base = vertical < 0 ? Direction::d : Direction::u;
  if (flat_length(by) < 0.1 * unit) return base;
  if (fine) number = number % 4 == 0 ? number / 2 : 2 * (number / 4) + 1;
  return static_cast<Direction>(static_cast<int>(base) + 1 + number);
}

}  // namespace

Topology::Topology(Graph graph) : graph_(std::move(graph)), unit_(0) {
  graph_.link();
  unit_ = graph_.mean_edge_length();
  for (const SiteType type : kSiteTypes) {
    sites_[nth(type)].resize(nth(graph_.count(type)));
    for (int i = 0; i < graph_.count(type); ++i) at(type, i).at = graph_.place(type, i);
  }
  for (const SiteType type : kSiteTypes) {
    for (int i = 0; i < graph_.count(type); ++i) find_steps(type, i);
  }
  find_coordinates();
  find_perimeters();
  for (const SiteType type : kSiteTypes) {
    find_extremes(type);
    find_centre(type);
    find_phases(type);
  }
  orient_edges();
}

std::vector<Topology::Raw> Topology::steps_of_vertex(int v) const {
  std::vector<Raw> steps;
  const Graph::Vertex& vertex = graph_.vertices[nth(v)];
  for (const int e : vertex.edges) steps.push_back({SiteType::vertex, graph_.edges[nth(e)].other(v), kOrthogonal});
  for (const int f : vertex.faces) {
    const Graph::Face& face = graph_.faces[nth(f)];
    if (face.vertices.size() < 4) continue;
    const Vector centre = site(SiteType::cell, f).at;
    int best = -1;
    double least = 0;
    for (const int t : face.vertices) {
      if (t == v) continue;
      const double distance = distance_to_line(centre, vertex.at, graph_.vertices[nth(t)].at);
      if (best >= 0 && distance > least - kEqual) continue;
      best = t;
      least = distance;
    }
    if (best >= 0) steps.push_back({SiteType::vertex, best, kDiagonal});
  }
  for (const int e : vertex.edges) steps.push_back({SiteType::edge, e, kOrthogonal});
  for (const int f : vertex.faces) steps.push_back({SiteType::cell, f, kOrthogonal});
  return steps;
}

std::vector<Topology::Raw> Topology::steps_of_edge(int e) const {
  std::vector<Raw> steps;
  const Graph::Edge& edge = graph_.edges[nth(e)];
  for (const int v : {edge.a, edge.b}) {
    for (const int other : graph_.vertices[nth(v)].edges) {
      if (other != e) steps.push_back({SiteType::edge, other, kOrthogonal});
    }
  }
  for (const int v : {edge.a, edge.b}) steps.push_back({SiteType::vertex, v, kOrthogonal});
  for (const int f : {edge.left, edge.right}) {
    if (f >= 0) steps.push_back({SiteType::cell, f, kOrthogonal});
  }
  for (const int v : {edge.a, edge.b}) {
    for (const int f : graph_.vertices[nth(v)].faces) {
      if (f != edge.left && f != edge.right) steps.push_back({SiteType::cell, f, kOrthogonal});
    }
  }
  return steps;
}

std::vector<Topology::Raw> Topology::steps_of_cell(int f) const {
  std::vector<Raw> steps;
  std::vector<int> used = {f};
  const Graph::Face& face = graph_.faces[nth(f)];
  const Vector centre = site(SiteType::cell, f).at;
  const auto is_used = [&](int g) { return std::ranges::find(used, g) != used.end(); };
  const auto use = [&](int g, Directions kinds) {
    steps.push_back({SiteType::cell, g, kinds});
    used.push_back(g);
  };
  for (const int e : face.edges) {
    const Graph::Edge& edge = graph_.edges[nth(e)];
    for (const int g : {edge.left, edge.right}) {
      if (g >= 0 && !is_used(g)) use(g, kOrthogonal);
    }
  }
  for (const int v : face.vertices) {
    int best = -1;
    double least = 0;
    for (const int g : graph_.vertices[nth(v)].faces) {
      if (is_used(g)) continue;
      const double distance = distance_to_line(graph_.vertices[nth(v)].at, centre, site(SiteType::cell, g).at);
      if (best >= 0 && distance > least - kEqual) continue;
      best = g;
      least = distance;
    }
    if (best >= 0) use(best, kDiagonal | bit(Direction::adjacent));
  }
  for (const int v : face.vertices) {
    for (const int g : graph_.vertices[nth(v)].faces) {
      if (!is_used(g)) use(g, kOffDiagonal);
    }
  }
  for (const int v : face.vertices) {
    const Graph::Vertex& corner = graph_.vertices[nth(v)];
    if (corner.edges.size() != 3) continue;
    for (const int e : corner.edges) {
      if (std::ranges::find(face.edges, e) != face.edges.end()) continue;
      const int w = graph_.edges[nth(e)].other(v);
      for (const int g : graph_.vertices[nth(w)].faces) {
        if (is_used(g)) continue;
        const Vector other = site(SiteType::cell, g).at;
        const double off =
            distance_to_line(corner.at, centre, other) + distance_to_line(graph_.vertices[nth(w)].at, centre, other);
        if (off / flat_length(other - centre) <= 0.1) use(g, kDiagonal);
      }
    }
  }
  for (const int v : face.vertices) steps.push_back({SiteType::vertex, v, kOrthogonal});
  for (const int e : face.edges) steps.push_back({SiteType::edge, e, kOrthogonal});
  return steps;
}

int Topology::pivot_of(SiteType type, int number) const {
  if (type == SiteType::vertex) return graph_.vertices[nth(number)].pivot;
  std::vector<int> corners;
  if (type == SiteType::edge) {
    corners = {graph_.edges[nth(number)].a, graph_.edges[nth(number)].b};
  } else {
    corners = graph_.faces[nth(number)].vertices;
  }
  for (const int v : corners) {
    if (graph_.vertices[nth(v)].pivot >= 0) return graph_.vertices[nth(v)].pivot;
  }
  return -1;
}

Directions Topology::around_pivot(SiteType type, int from, int to) const {
  const int pivot = pivot_of(type, from);
  if (pivot < 0) return 0;
  if (type == SiteType::vertex && pivot == from) return bit(Direction::out) | bit(Direction::rotational);
  const Vector here = site(type, from).at, there = site(type, to).at, centre = graph_.vertices[nth(pivot)].at;
  const double product =
      dot(there - here, centre - here) / std::max(flat_length(there - here) * flat_length(centre - here), 1e-12);
  if (product > 0.9) return bit(Direction::in) | bit(Direction::rotational);
  if (product < -0.9) return bit(Direction::out) | bit(Direction::rotational);
  // Trap: elements of any type are compared with the numbers of vertices.
  const int vertices = graph_.count(SiteType::vertex);
  const int edge = from < vertices && to < vertices ? graph_.find_edge(from, to) : -1;
  if (edge < 0 || !graph_.edges[nth(edge)].curved) return 0;
  const bool left = cross(there - centre, here - centre) > 0;
  return bit(left ? Direction::cw : Direction::ccw) | bit(Direction::rotational);
}

void Topology::find_steps(SiteType type, int number) {
  std::vector<Raw> raw = type == SiteType::vertex ? steps_of_vertex(number)
                         : type == SiteType::edge ? steps_of_edge(number)
                                                  : steps_of_cell(number);
  // Of steps to the same target, the first counts.
  std::set<std::pair<SiteType, int>> seen;
  std::erase_if(raw, [&](const Raw& step) { return !seen.emplace(step.type, step.to).second; });
  const Vector here = site(type, number).at;
  std::set<Direction> coarse;
  bool fine = false;
  for (const Raw& step : raw)
    fine = !coarse.insert(direction_of(site(step.type, step.to).at - here, unit_, false)).second || fine;
  std::vector<std::pair<double, Neighbour>> found;
  for (const Raw& step : raw) {
    if (step.type != type) continue;
    const Vector by = site(type, step.to).at - here;
    const Direction direction = direction_of(by, unit_, fine);
    Directions kinds = step.kinds | bit(direction);
    if (by.z < -0.1 * unit_) {
      kinds |= bit(Direction::downward);
    } else if (by.z > 0.1 * unit_) {
      kinds |= bit(Direction::upward);
    } else {
      kinds |= bit(Direction::same_layer);
    }
    if (!has(kinds, Direction::diagonal)) kinds |= around_pivot(type, number, step.to);
    double angle = kPi / 2 - std::atan2(by.y, by.x) + 0.0001;
    if (angle < 0) angle += 2 * kPi;
    found.push_back({angle, {step.to, kinds}});
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first - 1e-9; });
  for (const auto& [angle, step] : found) at(type, number).steps.push_back(step);
}

Sites Topology::neighbours(SiteType type, int from, Direction relation) const {
  Sites result;
  for (const Neighbour& step : site(type, from).steps) {
    if (has(step.kinds, relation)) result.push_back(step.to);
  }
  std::ranges::sort(result);
  return result;
}

Directions Topology::supported(SiteType type, Direction relation, int only) const {
  constexpr Directions kNamed = bit(Direction::all) - 1;
  const auto of_site = [&](const Site& one) {
    Directions result = 0;
    for (const Neighbour& step : one.steps) {
      if (has(step.kinds, relation)) result |= step.kinds & kNamed;
    }
    return result;
  };
  if (only >= 0) return of_site(site(type, only));
  const auto [it, is_new] = supported_.try_emplace({type, relation}, 0);
  if (is_new) {
    for (const Site& one : sites(type)) it->second |= of_site(one);
  }
  return it->second;
}

Radial Topology::follow(SiteType type, Direction direction, int from, const Neighbour& first) const {
  Radial radial = {from, first.to};
  const double most = std::tan(0.25);
  while (true) {
    const Vector here = site(type, radial.back()).at, last = here - site(type, radial[radial.size() - 2]).at;
    int next = -1;
    double least = most;
    for (const Neighbour& step : site(type, radial.back()).steps) {
      if (!has(step.kinds, direction)) continue;
      if (is_rotational(direction)) {
        next = step.to;
        break;
      }
      const Vector by = site(type, step.to).at - here;
      const double straight = by.x * last.x + by.y * last.y + by.z * last.z;
      if (straight <= 0) continue;
      const Vector c = {last.y * by.z - last.z * by.y, last.z * by.x - last.x * by.z, last.x * by.y - last.y * by.x};
      const double deviation = length(c) / straight;
      if (deviation >= least - 1e-9) continue;
      least = deviation;
      next = step.to;
    }
    if (next < 0 || std::ranges::find(radial, next) != radial.end()) return radial;
    radial.push_back(next);
  }
}

std::vector<std::vector<Radial>> Topology::make_radials(SiteType type, Direction direction) const {
  std::vector<std::vector<Radial>> result(nth(count(type)));
  const auto collect = [&](Direction one) {
    for (int i = 0; i < count(type); ++i) {
      for (const Neighbour& step : site(type, i).steps) {
        if (!has(step.kinds, one)) continue;
        Radial radial = follow(type, one, i, step);
        auto& known = result[nth(i)];
        if (std::ranges::find(known, radial) == known.end()) known.push_back(std::move(radial));
      }
    }
  };
  if (direction != Direction::rotational) {
    collect(direction);
    return result;
  }
  for (const Direction one : {Direction::in, Direction::out, Direction::cw, Direction::ccw}) collect(one);
  for (std::vector<Radial>& list : result) {
    const std::vector<Radial> all = list;
    std::erase_if(list, [&](const Radial& radial) {
      return std::ranges::any_of(all, [&](const Radial& other) {
        return other.size() > radial.size() && std::equal(radial.begin(), radial.end(), other.begin());
      });
    });
  }
  return result;
}

const std::vector<Radial>& Topology::radials(SiteType type, Direction direction, int from) const {
  const auto [found, is_new] = radials_.try_emplace({type, direction});
  if (is_new) found->second = make_radials(type, direction);
  return found->second[nth(from)];
}

int Topology::find_label(SiteType type, std::string_view label) const {
  const auto found = std::ranges::find(sites(type), label, &Site::label);
  return found == sites(type).end() ? -1 : static_cast<int>(found - sites(type).begin());
}

Sites Topology::marked(SiteType type, Mark mark) const {
  Sites result;
  for (int i = 0; i < count(type); ++i) {
    if (is_marked(type, i, mark)) result.push_back(i);
  }
  return result;
}

Sites Topology::side(SiteType type, Direction direction) const {
  Sites result;
  for (int i = 0; i < count(type); ++i) {
    if (((site(type, i).sides >> static_cast<unsigned>(direction)) & 1U) != 0) result.push_back(i);
  }
  return result;
}

}  // namespace rgtrans::ludii
