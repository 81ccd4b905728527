#include "backends/dot/dot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "backends/rg/rg.hpp"
#include "core/support/text.hpp"

namespace rgtrans::dot {

namespace {

class Writer {
 public:
  explicit Writer(const ir::Game& game)
      : game_(game), names_(game.node_names()), shown_(game.graph.node_bound()), clusters_(game.graph.node_bound()) {}

  std::string run() {
    read_pragmas();
    find_shown_nodes();
    find_clusters();
    out_ =
        "digraph {\n"
        "  graph [fontname=\"Helvetica\"];\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\"];\n";
    write_ranks();
    write_nodes();
    write_edges();
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  using Node = ir::NodeId;
  static constexpr std::uint32_t kMain = 0;

  struct Look {
    bool repeat = false;
    bool unique = false;
    std::optional<std::uint32_t> index;
  };
  struct Check {
    Node from, to;
  };

  std::string name(Node node) const { return dot_quoted(names_[node.value]); }

  void read_pragmas() {
    for (const ir::Pragma& pragma : game_.pragmas) {
      if (const auto* p = std::get_if<ir::Repeat>(&pragma.content)) {
        for (Node node : p->nodes) looks_[node].repeat = true;
      } else if (const auto* p = std::get_if<ir::Unique>(&pragma.content)) {
        for (Node node : p->nodes) looks_[node].unique = true;
      } else if (const auto* p = std::get_if<ir::TagIndex>(&pragma.content); p != nullptr && !p->maximum) {
        for (Node node : p->nodes) looks_[node].index = p->index;
      }
    }
  }

  void find_shown_nodes() {
    for (Node node : game_.graph.nodes()) {
      shown_[node.value] = game_.graph.out_degree(node) + game_.graph.in_degree(node) > 0;
    }
    for (ir::EdgeId edge : game_.graph.edges()) {
      const auto* check = std::get_if<ir::Reachability>(&game_.graph.label(edge));
      if (check == nullptr) continue;
      shown_[check->from.value] = shown_[check->to.value] = true;
      const bool known = std::ranges::any_of(checks_, [&](const Check& c) { return c.from == check->from; });
      if (!known) checks_.push_back({check->from, check->to});
    }
  }

  // The main automaton first, then the nodes that a check adds to what is already in a cluster.
  void find_clusters() {
    struct Marker : boost::default_bfs_visitor {
      std::vector<std::uint32_t>* clusters;
      std::uint32_t mark;
      void discover_vertex(Node node, const ir::Automaton&) { (*clusters)[node.value] = mark; }
    };
    std::vector<boost::default_color_type> colours(num_vertices(game_.graph));
    std::ranges::fill(clusters_, kMain);
    auto visit = [&](Node start, std::uint32_t mark) {
      if (colours[start.value] != boost::color_traits<boost::default_color_type>::white()) return;
      Marker marker;
      marker.clusters = &clusters_;
      marker.mark = mark;
      boost::queue<Node> queue;
      boost::breadth_first_visit(
          game_.graph, start, queue, marker,
          boost::make_iterator_property_map(colours.begin(), get(boost::vertex_index, game_.graph)));
    };
    visit(game_.begin(), kMain);
    for (std::size_t i = 0; i < checks_.size(); ++i) visit(checks_[i].from, static_cast<std::uint32_t>(i + 1));
  }

  void write_ranks() {
    if (game_.graph.out_degree(game_.begin()) > 0)
      out_ += fmt::format("  {{ rank=source; {}; }}\n", name(game_.begin()));
    if (game_.graph.in_degree(game_.end()) > 0) out_ += fmt::format("  {{ rank=sink; {}; }}\n", name(game_.end()));
  }

  void write_node(Node node, std::string_view indent) {
    std::string attributes;
    auto add = [&](const std::string& text) { attributes += (attributes.empty() ? " [" : ", ") + text; };
    if (const auto it = looks_.find(node); it != looks_.end()) {
      if (it->second.repeat) add("fillcolor=lightyellow");
      if (it->second.unique) add("fillcolor=lightblue");
      if (it->second.index) add(fmt::format("penwidth={}", std::uint64_t{*it->second.index} + 1));
    }
    if (!attributes.empty()) attributes += "]";
    out_ += fmt::format("{}{}{};\n", indent, name(node), attributes);
  }

  void write_nodes() {
    std::vector<std::vector<Node>> members(checks_.size() + 1);
    for (Node node : game_.graph.nodes()) {
      if (shown_[node.value]) members[clusters_[node.value]].push_back(node);
    }
    for (Node node : members[kMain]) write_node(node, "  ");
    for (std::size_t i = 1; i < members.size(); ++i) {
      if (members[i].empty()) continue;
      const Check& check = checks_[i - 1];
      out_ += fmt::format("  subgraph cluster_{} {{\n    label={};\n    style=\"rounded,dashed\";\n    color=gray;\n",
                          i, dot_quoted(fmt::format("{} -> {}", names_[check.from.value], names_[check.to.value])));
      for (Node node : members[i]) write_node(node, "    ");
      out_ += "  }\n";
    }
  }

  void write_edges() {
    for (ir::EdgeId edge : game_.graph.edges()) {
      const std::string label = rg::print_label(game_, game_.graph.label(edge), names_);
      fmt::format_to(std::back_inserter(out_), "  {} -> {}", name(game_.graph.source(edge)),
                     name(game_.graph.target(edge)));
      if (!label.empty()) fmt::format_to(std::back_inserter(out_), " [label={}]", dot_quoted(label));
      out_ += ";\n";
    }
    for (const ir::Pragma& pragma : game_.pragmas) {
      const auto* apply = std::get_if<ir::SimpleApply>(&pragma.content);
      if (apply == nullptr) continue;
      out_ +=
          fmt::format("  {} -> {} [style=dashed, color=red, constraint=false];\n", name(apply->from), name(apply->to));
    }
  }

  const ir::Game& game_;
  std::vector<std::string> names_;
  std::vector<bool> shown_;
  std::vector<std::uint32_t> clusters_;  // by node: 0, or one more than the check
  std::vector<Check> checks_;            // one for each start
  std::unordered_map<Node, Look> looks_;
  std::string out_;
};

}  // namespace

std::string print(const ir::Game& game) { return Writer(game).run(); }

}  // namespace rgtrans::dot
