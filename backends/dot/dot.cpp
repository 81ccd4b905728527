#include "backends/dot/dot.hpp"

#include <fmt/format.h>

#include <iterator>

#include "backends/drawing/drawing.hpp"
#include "backends/rg/rg.hpp"
#include "core/support/text.hpp"

namespace rgtrans::dot {

namespace {

class Writer {
 public:
  explicit Writer(const ir::Game& game) : game_(game), names_(game.node_names()), parts_(drawing::parts_of(game)) {}

  std::string run() {
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

  std::string name(Node node) const { return dot_quoted(names_[node.value]); }

  void write_ranks() {
    if (game_.graph.out_degree(game_.begin()) > 0)
      out_ += fmt::format("  {{ rank=source; {}; }}\n", name(game_.begin()));
    if (game_.graph.in_degree(game_.end()) > 0) out_ += fmt::format("  {{ rank=sink; {}; }}\n", name(game_.end()));
  }

  void write_node(Node node, std::string_view indent) {
    std::string attributes;
    auto add = [&](const std::string& text) { attributes += (attributes.empty() ? " [" : ", ") + text; };
    const drawing::Parts::Look& look = parts_.looks[node.value];
    if (look.repeat) add("fillcolor=lightyellow");
    if (look.unique) add("fillcolor=lightblue");
    if (look.index > 0) add(fmt::format("penwidth={}", look.index));
    if (!attributes.empty()) attributes += "]";
    out_ += fmt::format("{}{}{};\n", indent, name(node), attributes);
  }

  void write_nodes() {
    std::vector<std::vector<Node>> members(parts_.checks.size() + 1);
    for (Node node : game_.graph.nodes()) {
      if (parts_.shown[node.value]) members[parts_.part[node.value]].push_back(node);
    }
    for (Node node : members[kMain]) write_node(node, "  ");
    for (std::size_t i = 1; i < members.size(); ++i) {
      if (members[i].empty()) continue;
      const drawing::Parts::Check& check = parts_.checks[i - 1];
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
  drawing::Parts parts_;
  std::string out_;
};

}  // namespace

std::string print(const ir::Game& game) { return Writer(game).run(); }

}  // namespace rgtrans::dot
