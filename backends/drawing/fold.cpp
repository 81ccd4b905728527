// Converts an automaton to boxes and arrows. A node inside a chain has one incoming and one outgoing edge and is no
// landmark. It is not begin or end or an end of a check, has no pragma that a box shows, and is in the frame of its
// neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <map>

#include "backends/drawing/drawing.hpp"
#include "backends/rg/rg.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::drawing {

namespace {

using ir::EdgeId;
using ir::NodeId;

constexpr double kLetter = 6.7;
constexpr double kLineHeight = 15;
constexpr std::size_t kLongestLine = 56;  // characters

void shorten(LabelLine& line) {
  if (count_characters(line.text) <= kLongestLine) return;
  line.whole = line.text;
  std::size_t end = 0;
  for (std::size_t seen = 0; seen < kLongestLine; ++end) {
    if (begins_character(line.text[end])) ++seen;
  }
  while (end > 0 && !begins_character(line.text[end - 1])) --end;
  line.text.resize(end > 0 ? end - 1 : 0);
  line.text += "…";
  line.cut = true;
}

class Folder {
 public:
  Folder(const ir::Game& game, const std::function<bool(EdgeId)>& filter, const std::vector<bool>& landmarks)
      : game_(game),
        wanted_(landmarks),
        names_(game.node_names()),
        parts_(parts_of(game)),
        box_of_(game.graph.node_bound(), kNone),
        in_(game.graph.node_bound()),
        out_(game.graph.node_bound()) {
    for (const EdgeId edge : game.graph.edges()) {
      if (filter && !filter(edge)) continue;
      edges_.push_back(edge);
      ++out_[game.graph.source(edge).value];
      ++in_[game.graph.target(edge).value];
    }
    whole_ = !filter;
  }

  Drawing run() {
    drawing_.frames.resize(parts_.checks.size() + 1);
    for (std::size_t i = 0; i < parts_.checks.size(); ++i) {
      const Parts::Check& check = parts_.checks[i];
      drawing_.frames[i + 1].title = fmt::format("check {} -> {}", names_[check.from.value], names_[check.to.value]);
    }
    find_landmarks();
    for (const NodeId node : game_.graph.nodes()) {
      if (landmark_[node.value]) box_of_[node.value] = add_node(node, parts_.part[node.value]);
    }
    for (const EdgeId edge : edges_) {
      if (box_of_[game_.graph.source(edge).value] != kNone) add_chain(edge);
    }
    return std::move(drawing_);
  }

 private:
  void find_landmarks() {
    landmark_.assign(game_.graph.node_bound(), false);
    for (const NodeId node : game_.graph.nodes()) {
      const std::uint32_t in = in_[node.value];
      const std::uint32_t out = out_[node.value];
      const bool drawn = in + out > 0 || (whole_ && parts_.shown[node.value]);
      const bool wanted = node.value < wanted_.size() && wanted_[node.value];
      landmark_[node.value] = drawn && (wanted || in != 1 || out != 1 || node == game_.begin() || node == game_.end());
    }
    for (const Parts::Check& check : parts_.checks) {
      for (const NodeId node : {check.from, check.to}) {
        if (whole_ || in_[node.value] + out_[node.value] > 0) landmark_[node.value] = true;
      }
    }
    for (const EdgeId edge : edges_) {
      const NodeId source = game_.graph.source(edge);
      const NodeId target = game_.graph.target(edge);
      if (parts_.part[source.value] != parts_.part[target.value] || source == target) landmark_[target.value] = true;
    }
    break_circles();
  }

  // A cycle of chain nodes only needs one box to start from.
  void break_circles() {
    std::vector<bool> reached(game_.graph.node_bound());
    auto follow = [&](NodeId node) {
      while (!landmark_[node.value] && !reached[node.value]) {
        reached[node.value] = true;
        node = game_.graph.target(next(node));
      }
    };
    for (const EdgeId edge : edges_) {
      if (landmark_[game_.graph.source(edge).value]) follow(game_.graph.target(edge));
    }
    for (const EdgeId edge : edges_) {
      const NodeId node = game_.graph.source(edge);
      if (landmark_[node.value] || reached[node.value]) continue;
      landmark_[node.value] = true;
      follow(game_.graph.target(edge));
    }
  }

  // The only drawn edge out of a node inside a chain.
  EdgeId next(NodeId node) const {
    for (const EdgeId edge : game_.graph.out_edges(node)) {
      if (whole_ || std::ranges::binary_search(edges_, edge)) return edge;
    }
    return {};
  }

  std::uint32_t add_node(NodeId node, std::uint32_t frame) {
    Box box;
    box.node = node;
    box.lines = {{.text = names_[node.value]}};
    shorten(box.lines[0]);
    box.look = parts_.looks[node.value];
    box.terminal = node == game_.begin() || node == game_.end();
    box.frame = frame;
    box.stub = frame != parts_.part[node.value];
    box.width = static_cast<double>(std::max<std::size_t>(count_characters(box.lines[0].text), 2)) * kLetter + 12;
    box.height = kLineHeight + 3;
    drawing_.boxes.push_back(std::move(box));
    return static_cast<std::uint32_t>(drawing_.boxes.size() - 1);
  }

  // The box of a node in a frame. A node of another frame appears as a stub, so that no arrow leaves a frame.
  std::uint32_t box_in(std::uint32_t frame, NodeId node) {
    if (parts_.part[node.value] == frame) return box_of_[node.value];
    const auto [it, fresh] = stubs_.try_emplace({frame, node});
    if (fresh) it->second = add_node(node, frame);
    return it->second;
  }

  void add_chain(EdgeId edge) {
    const NodeId start = game_.graph.source(edge);
    Box box;
    box.kind = Box::Kind::chain;
    box.node = start;
    box.frame = parts_.part[start.value];
    NodeId end;
    EdgeId last;
    for (EdgeId at = edge;; at = next(end)) {
      last = at;
      LabelLine line{.text = rg::print_label(game_, game_.graph.label(at), names_), .edge = at};
      if (at != edge) line.node = names_[game_.graph.source(at).value];
      shorten(line);
      if (!line.text.empty()) box.lines.push_back(std::move(line));
      end = game_.graph.target(at);
      if (box_of_[end.value] != kNone) break;
    }
    if (box.lines.empty()) {
      add_arrow(box_of_[start.value], box_in(box.frame, end), last);
      return;
    }
    std::size_t names = 0;
    std::size_t labels = 0;
    for (const LabelLine& line : box.lines) {
      names = std::max(names, count_characters(line.node));
      labels = std::max(labels, count_characters(line.text));
    }
    box.width = static_cast<double>(labels) * kLetter + 14 + (names > 0 ? static_cast<double>(names) * kLetter + 8 : 0);
    box.height = static_cast<double>(box.lines.size()) * kLineHeight + 7;
    box.end = end;
    const auto index = static_cast<std::uint32_t>(drawing_.boxes.size());
    drawing_.boxes.push_back(std::move(box));
    add_arrow(box_of_[start.value], index, {});
    add_arrow(index, box_in(drawing_.boxes[index].frame, end), {});
  }

  void add_arrow(std::uint32_t from, std::uint32_t to, EdgeId edge) {
    drawing_.arrows.push_back({.from = from, .to = to, .edge = edge});
  }

  const ir::Game& game_;
  const std::vector<bool>& wanted_;
  std::vector<std::string> names_;
  Parts parts_;
  std::vector<EdgeId> edges_;  // drawn edges, by increasing id
  std::vector<std::uint32_t> box_of_;
  std::vector<std::uint32_t> in_, out_;
  std::map<std::pair<std::uint32_t, NodeId>, std::uint32_t> stubs_;
  std::vector<bool> landmark_;
  bool whole_ = true;
  Drawing drawing_;
};

}  // namespace

Parts parts_of(const ir::Game& game) {
  const ir::Automaton& graph = game.graph;
  Parts parts;
  parts.shown.resize(graph.node_bound());
  parts.part.resize(graph.node_bound());
  parts.looks.resize(graph.node_bound());
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* p = std::get_if<ir::Repeat>(&pragma.content)) {
      for (const NodeId node : p->nodes) parts.looks[node.value].repeat = true;
    } else if (const auto* p = std::get_if<ir::Unique>(&pragma.content)) {
      for (const NodeId node : p->nodes) parts.looks[node.value].unique = true;
    } else if (const auto* p = std::get_if<ir::TagIndex>(&pragma.content); p != nullptr && !p->maximum) {
      for (const NodeId node : p->nodes) parts.looks[node.value].index = p->index + 1;
    }
  }
  for (const NodeId node : graph.nodes()) parts.shown[node.value] = graph.out_degree(node) + graph.in_degree(node) > 0;
  for (const EdgeId edge : graph.edges()) {
    const auto* check = std::get_if<ir::Reachability>(&graph.label(edge));
    if (check == nullptr) continue;
    parts.shown[check->from.value] = parts.shown[check->to.value] = true;
    const bool known = std::ranges::any_of(parts.checks, [&](const Parts::Check& c) { return c.from == check->from; });
    if (!known) parts.checks.push_back({check->from, check->to});
  }

  // Visits the main automaton first, then the nodes that each check adds.
  struct Marker : boost::default_bfs_visitor {
    std::vector<std::uint32_t>* part;
    std::uint32_t mark;
    void discover_vertex(NodeId node, const ir::Automaton&) { (*part)[node.value] = mark; }
  };
  std::vector<boost::default_color_type> colours(num_vertices(graph));
  auto visit = [&](NodeId start, std::uint32_t mark) {
    if (colours[start.value] != boost::color_traits<boost::default_color_type>::white()) return;
    Marker marker;
    marker.part = &parts.part;
    marker.mark = mark;
    boost::queue<NodeId> queue;
    boost::breadth_first_visit(graph, start, queue, marker,
                               boost::make_iterator_property_map(colours.begin(), get(boost::vertex_index, graph)));
  };
  visit(game.begin(), 0);
  for (std::size_t i = 0; i < parts.checks.size(); ++i) visit(parts.checks[i].from, static_cast<std::uint32_t>(i + 1));
  return parts;
}

Drawing fold(const ir::Game& game, const std::function<bool(ir::EdgeId)>& filter, const std::vector<bool>& landmarks) {
  return Folder(game, filter, landmarks).run();
}

std::vector<ir::EdgeId> edges_in(const Drawing& drawing) {
  std::vector<ir::EdgeId> edges;
  for (const Arrow& arrow : drawing.arrows) {
    if (arrow.edge.valid()) edges.push_back(arrow.edge);
  }
  for (const Box& box : drawing.boxes) {
    if (box.kind != Box::Kind::chain) continue;
    for (const LabelLine& line : box.lines) edges.push_back(line.edge);
  }
  return edges;
}

}  // namespace rgtrans::drawing
