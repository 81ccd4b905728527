// The relations of a finished board: steps with their directions, lines of steps (radials), rows and columns, labels,
// phases, and the regions that follow from the shape.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/ludii/board/directions.hpp"
#include "frontends/ludii/board/graph.hpp"

namespace rgtrans::ludii {

struct Neighbour {
  int to = 0;
  Directions kinds = 0;  // its direction and its relations
};

// Sites in a straight line; the first one is the start.
using Radial = std::vector<int>;
using Sites = std::vector<int>;  // ascending

enum class Mark : std::uint8_t {
  corners,
  convex_corners,
  concave_corners,
  outer,
  perimeter,
  inner,
  top,
  bottom,
  left,
  right,
  centre,
  major,
  minor,
  axial,
  horizontal,
  vertical,
  angled,
  slash,
  slosh,
};
inline constexpr int kMarks = static_cast<int>(Mark::slosh) + 1;
std::optional<Mark> find_mark(std::string_view name);

class Topology {
 public:
  explicit Topology(Graph graph);

  struct Site {
    Vector at;
    int row = 0, column = 0, layer = 0, phase = 0;
    std::string label;
    std::vector<Neighbour> steps;  // to sites of the same type, clockwise from the north
    std::uint32_t marks = 0;       // by Mark
    std::uint16_t sides = 0;       // by compass direction
  };

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] int count(SiteType type) const { return graph_.count(type); }
  [[nodiscard]] const std::vector<Site>& sites(SiteType type) const { return sites_[nth(type)]; }
  [[nodiscard]] const Site& site(SiteType type, int number) const { return sites(type)[nth(number)]; }

  [[nodiscard]] Sites marked(SiteType type, Mark mark) const;
  [[nodiscard]] Sites side(SiteType type, Direction direction) const;
  [[nodiscard]] Sites neighbours(SiteType type, int site, Direction relation) const;
  // The directions that steps of the relation have, of any site or of one.
  [[nodiscard]] Directions supported(SiteType type, Direction relation, int site = -1) const;
  // All lines from the site in a direction or relation.
  [[nodiscard]] const std::vector<Radial>& radials(SiteType type, Direction direction, int site) const;
  [[nodiscard]] int find_label(SiteType type, std::string_view label) const;  // -1: none

 private:
  struct Raw {
    SiteType type;
    int to;
    Directions kinds;
  };
  [[nodiscard]] Site& at(SiteType type, int number) { return sites_[nth(type)][nth(number)]; }
  void mark(SiteType type, int number, Mark mark) { at(type, number).marks |= 1U << static_cast<unsigned>(mark); }
  [[nodiscard]] bool is_marked(SiteType type, int number, Mark mark) const {
    return ((site(type, number).marks >> static_cast<unsigned>(mark)) & 1U) != 0;
  }
  [[nodiscard]] std::vector<Raw> steps_of_vertex(int v) const;
  [[nodiscard]] std::vector<Raw> steps_of_edge(int e) const;
  [[nodiscard]] std::vector<Raw> steps_of_cell(int f) const;
  void find_steps(SiteType type, int number);
  [[nodiscard]] Directions around_pivot(SiteType type, int from, int to) const;
  [[nodiscard]] int pivot_of(SiteType type, int number) const;
  [[nodiscard]] std::vector<std::vector<Radial>> make_radials(SiteType type, Direction direction) const;
  [[nodiscard]] Radial follow(SiteType type, Direction direction, int from, const Neighbour& first) const;
  void find_coordinates();
  void find_perimeters();
  void find_corners(const std::vector<int>& perimeter);
  void find_sides(const std::vector<int>& perimeter);
  void spread_marks();
  void find_extremes(SiteType type);
  void find_centre(SiteType type);
  void find_phases(SiteType type);
  void orient_edges();

  Graph graph_;
  double unit_;
  std::array<std::vector<Site>, 3> sites_;
  mutable std::map<std::pair<SiteType, Direction>, std::vector<std::vector<Radial>>> radials_;
  mutable std::map<std::pair<SiteType, Direction>, Directions> supported_;
};

}  // namespace rgtrans::ludii
