// Writes the boxes as Graphviz text with fixed sizes and without labels, and reads the positions that Graphviz
// computes.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "backends/drawing/drawing.hpp"
#include "core/support/support.hpp"

namespace rgtrans::drawing {

namespace {

constexpr double kPointsAnInch = 72;

// Parses "x,y".
Point point_of(const std::string& text) {
  Point point;
  const std::size_t comma = text.find(',');
  point.x = std::stod(text);
  point.y = std::stod(text.substr(comma + 1));
  return point;
}

}  // namespace

std::string graphviz_text(const Drawing& drawing) {
  std::string out =
      "digraph {\n"
      "  graph [nodesep=0.3, ranksep=0.38, fontname=\"Courier\", fontsize=11];\n"
      "  node [shape=box, fixedsize=true, label=\"\"];\n";
  for (std::size_t f = 0; f < drawing.frames.size(); ++f) {
    // The title only reserves space.
    if (f > 0) {
      fmt::format_to(std::back_inserter(out), "  subgraph cluster_{} {{ label=\"{}\";\n", f,
                     std::string(drawing.frames[f].title.size(), 'x'));
    }
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
      const Box& box = drawing.boxes[i];
      if (box.frame != f) continue;
      fmt::format_to(std::back_inserter(out), "  n{} [width={:.3f}, height={:.3f}];\n", i, box.width / kPointsAnInch,
                     box.height / kPointsAnInch);
    }
    if (f > 0) out += "  }\n";
  }
  for (std::size_t i = 0; i < drawing.arrows.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "  n{} -> n{} [id=\"{}\"];\n", drawing.arrows[i].from, drawing.arrows[i].to,
                   i);
  }
  return out + "}\n";
}

void place_as(Drawing& drawing, std::string_view graphviz_json) {
  const nlohmann::json graph = nlohmann::json::parse(graphviz_json);
  std::istringstream whole(graph.at("bb").get<std::string>());
  char comma = 0;
  double left = 0;
  double bottom = 0;
  whole >> left >> comma >> bottom >> comma >> drawing.width >> comma >> drawing.height;
  const double height = drawing.height;
  auto turned = [&](Point p) { return Point{p.x, height - p.y}; };  // Graphviz counts from the bottom
  for (const auto& object : graph.value("objects", nlohmann::json::array())) {
    const auto name = object.at("name").get<std::string>();
    if (name.starts_with("cluster_")) {
      Frame& frame = drawing.frames.at(std::stoul(name.substr(8)));
      if (!object.contains("bb")) continue;  // an empty cluster
      std::istringstream box(object.at("bb").get<std::string>());
      Point low;
      Point high;
      box >> low.x >> comma >> low.y >> comma >> high.x >> comma >> high.y;
      frame.place = turned({low.x, high.y});
      frame.width = high.x - low.x;
      frame.height = high.y - low.y;
    } else if (name.starts_with("n")) {
      Box& box = drawing.boxes.at(std::stoul(name.substr(1)));
      const Point middle = turned(point_of(object.at("pos").get<std::string>()));
      box.place = {middle.x - box.width / 2, middle.y - box.height / 2};
    }
  }
  for (const auto& edge : graph.value("edges", nlohmann::json::array())) {
    Arrow& arrow = drawing.arrows.at(std::stoul(edge.at("id").get<std::string>()));
    std::istringstream text(edge.at("pos").get<std::string>());
    std::string tip;
    arrow.points.clear();
    for (std::string word; text >> word;) {
      if (word.starts_with("e,")) {
        tip = word.substr(2);
      } else {
        arrow.points.push_back(turned(point_of(word)));
      }
    }
    // Graphviz ends the curve before the tip of the arrow.
    if (!tip.empty() && !arrow.points.empty()) {
      const Point last = arrow.points.back();
      const Point end = turned(point_of(tip));
      arrow.points.insert(arrow.points.end(), {last, end, end});
    }
  }
}

}  // namespace rgtrans::drawing
