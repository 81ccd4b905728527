// Finds symmetries of a game as automorphisms of the graph of its parts. Two vertices can be images of each other only
// if their neighbourhoods look alike, so colours are refined by those of the neighbours until nothing changes. If
// several vertices share a colour, the search distinguishes one on a first copy of the graph and another on a second
// copy, and compares the refinements. Once all colours differ, vertices of equal colour are images. The result is then
// checked arc by arc.

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "backends/search/search.hpp"
#include "core/form/form.hpp"
#include "core/ir/ir.hpp"
#include "core/support/sorted.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

using form::PartGraph;
using Arc = PartGraph::Arc;
using Vertex = PartGraph::Vertex;
using Colours = std::vector<std::uint64_t>;

// The parts of an automorphism that people of states ask for.
Renaming renaming(const ir::Game& game, const PartGraph& graph, const std::vector<Vertex>& image) {
  Renaming out;
  const auto rename = [&](PartGraph::Kind kind, std::size_t count, auto& list) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::optional<Vertex> vertex = graph.find(kind, i);
      list.emplace_back(vertex ? graph.part(image[*vertex]).second : i);
    }
  };
  rename(PartGraph::symbol, game.symbols.size(), out.symbol);
  rename(PartGraph::variable, game.variables().size(), out.variable);
  rename(PartGraph::node, game.graph.node_bound(), out.node);
  return out;
}

struct TooMuch {};

class Search {
 public:
  Search(const PartGraph& graph, std::size_t most, std::uint64_t most_work)
      : graph_(graph), most_(most), work_(most_work) {}

  // Generators: with some symbols held in place, every image of the next one.
  std::vector<std::vector<Vertex>> run() {
    std::vector<std::vector<Vertex>> found;
    try {
      Colours fixed = graph_.colours();
      refine(fixed);
      for (;;) {
        const std::vector<Vertex> cell = next_cell(fixed, true);
        if (cell.empty()) break;
        for (std::size_t i = 1; i < cell.size() && found.size() < most_; ++i) {
          if (auto image = match(fixed, fixed, cell[0], cell[i])) found.push_back(std::move(*image));
        }
        fixed[cell[0]] = mark(fixed[cell[0]]);
        refine(fixed);
      }
    } catch (const TooMuch&) {
      // The members found so far are valid.
    }
    return found;
  }

 private:
  static std::uint64_t mark(std::uint64_t colour) { return mix_hash(colour ^ 0x1d1f); }

  void refine(Colours& colours) {
    std::size_t known = count(colours);
    for (;;) {
      Colours next(colours.size());
      for (Vertex v = 0; v < colours.size(); ++v) {
        std::uint64_t sum = 0;
        for (const Arc& arc : graph_.arcs(v)) sum += mix_hash(colours[arc.to] + std::uint64_t{2} * arc.role + 1);
        for (const Arc& arc : graph_.back(v)) sum += mix_hash(~colours[arc.to] + std::uint64_t{2} * arc.role);
        const std::uint64_t looks = 1 + graph_.arcs(v).size() + graph_.back(v).size();
        if (work_ < looks) throw TooMuch();
        work_ -= looks;
        next[v] = mix_hash(colours[v] * 3 + sum);
      }
      colours = std::move(next);
      const std::size_t now = count(colours);
      if (now == known) return;
      known = now;
    }
  }
  static std::size_t count(const Colours& colours) {
    Colours sorted = colours;
    sort_unique(sorted);
    return sorted.size();
  }
  // The vertices of a colour that several share (only symbols if so wished): of the smallest such class.
  std::vector<Vertex> next_cell(const Colours& colours, bool symbols) const {
    std::map<std::uint64_t, std::vector<Vertex>> cells;
    for (Vertex v = 0; v < colours.size(); ++v) {
      if (!symbols || graph_.is_symbol(v)) cells[colours[v]].push_back(v);
    }
    const std::vector<Vertex>* best = nullptr;
    for (const auto& [colour, members] : cells) {
      if (members.size() > 1 && (best == nullptr || members.size() < best->size())) best = &members;
    }
    return best == nullptr ? std::vector<Vertex>() : *best;
  }

  // An automorphism that takes a to b and agrees with the colours so far.
  std::optional<std::vector<Vertex>> match(Colours left, Colours right, Vertex a, Vertex b) {
    constexpr std::size_t kTries = 8;
    left[a] = mark(left[a]);
    right[b] = mark(right[b]);
    refine(left);
    refine(right);
    Colours sorted_left = left, sorted_right = right;
    std::ranges::sort(sorted_left);
    std::ranges::sort(sorted_right);
    if (sorted_left != sorted_right) return std::nullopt;
    const std::vector<Vertex> cell = next_cell(left, false);
    if (cell.empty()) return images(left, right);
    std::size_t tries = 0;
    for (Vertex v = 0; v < right.size() && tries < kTries; ++v) {
      if (right[v] != left[cell[0]]) continue;
      ++tries;
      if (auto image = match(left, right, cell[0], v)) return image;
    }
    return std::nullopt;
  }
  std::optional<std::vector<Vertex>> images(const Colours& left, const Colours& right) const {
    std::map<std::uint64_t, Vertex> by_colour;
    for (Vertex v = 0; v < right.size(); ++v) by_colour[right[v]] = v;
    std::vector<Vertex> image(left.size());
    for (Vertex v = 0; v < left.size(); ++v) image[v] = by_colour.at(left[v]);
    // Colours are hashes, so every arc is compared with its image.
    std::vector<Arc> mapped;
    for (Vertex v = 0; v < left.size(); ++v) {
      if (graph_.colours()[v] != graph_.colours()[image[v]]) return std::nullopt;
      mapped.clear();
      for (const Arc& arc : graph_.arcs(v)) mapped.push_back({arc.role, image[arc.to]});
      std::ranges::sort(mapped);
      if (!std::ranges::equal(mapped, graph_.arcs(image[v]))) return std::nullopt;
    }
    std::vector<Vertex> sorted = image;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) return std::nullopt;
    return image;
  }

  const PartGraph& graph_;
  std::size_t most_;
  std::uint64_t work_;
};

}  // namespace

std::vector<Renaming> symmetries(const ir::Game& game, std::size_t most, std::uint64_t most_work) {
  const PartGraph graph(game, PartGraph::Names::players);
  const std::vector<std::vector<Vertex>> generators = Search(graph, most, most_work).run();
  // The group that they generate, up to the limit.
  std::vector<Vertex> identity(graph.size());
  for (Vertex v = 0; v < identity.size(); ++v) identity[v] = v;
  std::vector<std::vector<Vertex>> group = {identity};
  std::set<std::vector<Vertex>> known = {identity};
  for (std::size_t i = 0; i < group.size() && group.size() <= most; ++i) {
    for (const std::vector<Vertex>& generator : generators) {
      std::vector<Vertex> product(graph.size());
      for (Vertex v = 0; v < product.size(); ++v) product[v] = generator[group[i][v]];
      if (known.insert(product).second) group.push_back(std::move(product));
    }
  }
  // A part of a group would not give every position one representative.
  if (group.size() > most) return {};
  std::vector<Renaming> out;
  for (std::size_t i = 1; i < group.size(); ++i) out.push_back(renaming(game, graph, group[i]));
  return out;
}

}  // namespace rgtrans::search
