// Finds symmetries of a game as automorphisms of a graph. Its vertices are symbols, values, types, declarations,
// expressions, nodes and edges; its arcs say which vertex is which part of another. Two vertices can be images of each
// other only if their neighbourhoods look alike, so colours are refined by those of the neighbours until nothing
// changes. If several vertices share a colour, the search distinguishes one on a first copy of the graph and another on
// a second copy, and compares the refinements. Once all colours differ, vertices of equal colour are images. The result
// is then checked arc by arc.

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "backends/search/search.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"
#include "core/support/sorted.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

using ir::ExprId;
using ir::ExprKind;

using analysis::Flow;
using analysis::Liveness;
using Vertex = std::uint32_t;
using Colours = std::vector<std::uint64_t>;

struct Arc {
  std::uint32_t role;
  Vertex to;
  auto operator<=>(const Arc&) const = default;
};

// Kinds of vertices and arcs. The numbers only have to differ.
enum Kind : std::uint32_t { kSymbol, kSet, kArrow, kMap, kEntry, kConstant, kVariable, kAccess, kCast, kNode, kEdge };

class Structure {
 public:
  explicit Structure(const ir::Game& game) : game_(game), flow_(game), live_(game, flow_) {
    fix_symbols();
    for (const ir::NodeId node : game.graph.nodes()) vertex_of(node);
    begin_ = vertex_of(game.begin());
    colour_[begin_] = fresh();
    colour_[vertex_of(game.end())] = fresh();
    for (const ir::VarId id : {game.player(), game.goals(), game.visible()}) colour_[vertex_of(id)] = fresh();
    for (const ir::VarId id : game.living_variables()) vertex_of(id);
    for (const ir::EdgeId edge : game.graph.edges()) add(edge);
    for (auto& arcs : arcs_) std::ranges::sort(arcs);
    back_.resize(arcs_.size());
    for (Vertex v = 0; v < arcs_.size(); ++v) {
      for (const Arc& arc : arcs_[v]) back_[arc.to].push_back({arc.role, v});
    }
  }

  [[nodiscard]] std::size_t size() const { return arcs_.size(); }
  [[nodiscard]] const Colours& colours() const { return colour_; }
  [[nodiscard]] const std::vector<Arc>& arcs(Vertex v) const { return arcs_[v]; }
  [[nodiscard]] const std::vector<Arc>& back(Vertex v) const { return back_[v]; }
  [[nodiscard]] bool is_symbol(Vertex v) const { return part_[v].first == kSymbol; }

  // The parts of an automorphism that people of states ask for.
  [[nodiscard]] Renaming renaming(const std::vector<Vertex>& image) const {
    Renaming out;
    const auto rename = [&](Kind kind, std::size_t count, auto& list) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto it = vertices_.find({kind, i});
        list.emplace_back(it == vertices_.end() ? i : part_[image[it->second]].second);
      }
    };
    rename(kSymbol, game_.symbols.size(), out.symbol);
    rename(kVariable, game_.variables().size(), out.variable);
    rename(kNode, game_.graph.node_bound(), out.node);
    return out;
  }

 private:
  std::uint64_t fresh() { return mix_hash(0x5eed + ++fresh_); }
  // A new vertex, coloured by its kind.
  Vertex add_vertex(std::uint64_t colour) {
    arcs_.emplace_back();
    part_.emplace_back(kEdge, 0);
    colour_.push_back(mix_hash(colour + 1));
    return static_cast<Vertex>(arcs_.size() - 1);
  }
  // The vertex of a part of the game; add_arcs(vertex) where it is new.
  template <class Tag, class AddArcs>
  Vertex vertex(Kind kind, Id<Tag> id, AddArcs&& add_arcs) {
    const auto [it, is_new] = vertices_.try_emplace({kind, id.value}, 0);
    if (!is_new) return it->second;
    const Vertex v = it->second = add_vertex(kind);
    part_[v] = {kind, id.value};
    add_arcs(v);
    return v;
  }
  void arc(Vertex from, std::uint32_t role, Vertex to) { arcs_[from].push_back({role, to}); }

  // Fixes the symbols that results or people depend on, and those of artificial tags.
  void fix_symbols() {
    const auto fix = [&](SymbolId symbol) { colour_[vertex_of(symbol)] = fresh(); };
    for (const SymbolId symbol : game_.players()) fix(symbol);
    for (const SymbolId symbol : game_.scores()) fix(symbol);
    fix(game_.keeper());
    fix(game_.random());
    for (const char* name : {"0", "1"}) {
      if (const SymbolId symbol = game_.symbols.find(name); symbol.valid()) fix(symbol);
    }
    for (const ir::Pragma& pragma : game_.pragmas) {
      if (const auto* artificial = std::get_if<ir::ArtificialTag>(&pragma.content)) {
        for (const SymbolId tag : artificial->tags) fix(tag);
      }
    }
  }

  Vertex vertex_of(SymbolId symbol) {
    return vertex(kSymbol, symbol, [](Vertex) {});
  }
  Vertex vertex_of(ir::NodeId node) {
    return vertex(kNode, node, [](Vertex) {});
  }
  Vertex vertex_of(ir::TypeId written) {
    const ir::TypeId type = game_.resolve(written);
    const bool set = game_.types.kind(type) == ir::TypeKind::set;
    return vertex(set ? kSet : kArrow, type, [&](Vertex v) {
      if (set) {
        for (const SymbolId member : game_.types.members(type)) arc(v, 0, vertex_of(member));
      } else {
        arc(v, 0, vertex_of(game_.types.from(type)));
        arc(v, 1, vertex_of(game_.types.to(type)));
      }
    });
  }
  Vertex vertex_of(ir::ValueId value) {
    if (game_.values.is_symbol(value)) return vertex_of(game_.values.as_symbol(value));
    return vertex(kMap, value, [&](Vertex v) {
      arc(v, 0, vertex_of(game_.values.default_of(value)));
      const auto exceptions = game_.values.exceptions(value);
      for (const ir::Values::Entry& entry : std::vector(exceptions.begin(), exceptions.end())) {
        const Vertex e = add_vertex(kEntry);
        arc(v, 1, e);
        arc(e, 0, vertex_of(entry.key));
        arc(e, 1, vertex_of(entry.value));
      }
    });
  }
  Vertex vertex_of(ir::VarId id) {
    return vertex(kVariable, id, [&](Vertex v) {
      arc(v, 0, vertex_of(game_.variable(id).type));
      // The initial value of a variable that is written before it is read does not matter.
      if (live_.live(id, game_.begin())) arc(v, 1, vertex_of(game_.variable(id).initial));
    });
  }
  Vertex vertex_of(ir::ConstId id) {
    return vertex(kConstant, id, [&](Vertex v) {
      arc(v, 0, vertex_of(game_.constant(id).type));
      arc(v, 1, vertex_of(game_.constant(id).value));
    });
  }
  Vertex vertex_of(ExprId id) {
    const ir::Expressions& e = game_.expressions();
    switch (e.kind(id)) {
      case ExprKind::symbol:
        return vertex_of(e.symbol(id));
      case ExprKind::constant:
        return vertex_of(e.constant(id));
      case ExprKind::variable:
        return vertex_of(e.variable(id));
      case ExprKind::access:
        return vertex(kAccess, id, [&](Vertex v) {
          arc(v, 0, vertex_of(e.map(id)));
          arc(v, 1, vertex_of(e.index(id)));
        });
      case ExprKind::cast:
        break;
    }
    return vertex(kCast, id, [&](Vertex v) {
      arc(v, 0, vertex_of(e.operand(id)));
      arc(v, 1, vertex_of(e.cast_type(id)));
    });
  }

  void add(ir::EdgeId edge) {
    const ir::Label& label = game_.graph.label(edge);
    const Vertex v = add_vertex(kEdge + 16 * (label.index() + 1));
    arc(v, 0, vertex_of(game_.graph.source(edge)));
    arc(v, 1, vertex_of(game_.graph.target(edge)));
    std::visit(ir::Overloaded{[](const ir::Empty&) {},
                              [&](const ir::Compare& l) {
                                arc(v, l.negated ? 3 : 2, vertex_of(l.lhs));
                                arc(v, 4, vertex_of(l.rhs));
                              },
                              [&](const ir::Assign& l) {
                                arc(v, 2, vertex_of(l.lhs));
                                arc(v, 4, vertex_of(l.rhs));
                              },
                              [&](const ir::AssignAny& l) {
                                arc(v, 2, vertex_of(l.lhs));
                                arc(v, 4, vertex_of(l.type));
                              },
                              [&](const ir::Reachability& l) {
                                arc(v, l.negated ? 3 : 2, vertex_of(l.from));
                                arc(v, 4, vertex_of(l.to));
                              },
                              [&](const ir::Tag& l) { arc(v, 2, vertex_of(l.symbol)); },
                              [&](const ir::TagVariable& l) { arc(v, 2, vertex_of(l.variable)); }},
               label);
  }

  const ir::Game& game_;
  Flow flow_;
  Liveness live_;
  std::uint64_t fresh_ = 0;
  Vertex begin_ = 0;
  Colours colour_;
  std::vector<std::vector<Arc>> arcs_, back_;
  std::vector<std::pair<Kind, std::uint32_t>> part_;  // by vertex: the kind and the number of the part it represents
  std::map<std::pair<Kind, std::uint32_t>, Vertex> vertices_;
};

struct TooMuch {};

class Search {
 public:
  Search(const Structure& graph, std::size_t most, std::uint64_t most_work)
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
      if (mapped != graph_.arcs(image[v])) return std::nullopt;
    }
    std::vector<Vertex> sorted = image;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) return std::nullopt;
    return image;
  }

  const Structure& graph_;
  std::size_t most_;
  std::uint64_t work_;
};

}  // namespace

std::vector<Renaming> symmetries(const ir::Game& game, std::size_t most, std::uint64_t most_work) {
  const Structure graph(game);
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
  for (std::size_t i = 1; i < group.size(); ++i) out.push_back(graph.renaming(group[i]));
  return out;
}

}  // namespace rgtrans::search
