// See part_graph.hpp.
#include "core/form/part_graph.hpp"

#include <algorithm>

#include "core/support/digest.hpp"

namespace rgtrans::form {

PartGraph::PartGraph(const ir::Game& game, Names names)
    : game_(game), flow_(game), live_(game, flow_), vertices_(edge + 1) {
  const bool all = names == Names::players;
  keep_names(names);
  for (const ir::NodeId id : game.graph.nodes()) {
    if (all || flow_.reached(id)) vertex_of(id);
  }
  mark(vertex_of(game.begin()), begin);
  mark(vertex_of(game.end()), end);
  mark(vertex_of(game.player()), player);
  mark(vertex_of(game.goals()), goals);
  mark(vertex_of(game.visible()), visible);
  if (all) {
    for (const ir::VarId id : game.living_variables()) vertex_of(id);
  }
  for (const ir::EdgeId id : game.graph.edges()) {
    if (all || flow_.reached(game.graph.source(id))) add(id);
  }
  forward_.build(size(), rows_, false);
  backward_.build(size(), rows_, true);
  colour();
}

void PartGraph::Arcs::build(std::size_t vertices, const std::vector<Row>& rows, bool reversed) {
  begin_.assign(vertices + 1, 0);
  for (const Row& row : rows) ++begin_[(reversed ? row.arc.to : row.from) + 1];
  for (std::size_t v = 0; v < vertices; ++v) begin_[v + 1] += begin_[v];
  arcs_.resize(rows.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const Row& row : rows) {
    arcs_[next[reversed ? row.arc.to : row.from]++] = {row.arc.role, reversed ? row.from : row.arc.to};
  }
  for (std::size_t v = 0; v < vertices; ++v) std::sort(arcs_.begin() + begin_[v], arcs_.begin() + begin_[v + 1]);
}

std::string PartGraph::kept_name(Vertex v) const {
  return kept_[v].valid() ? game_.symbols.str(kept_[v]) : std::string();
}

std::optional<PartGraph::Vertex> PartGraph::find(Kind kind, std::uint32_t number) const {
  const std::vector<Vertex>& known = vertices_[kind];
  if (number >= known.size() || known[number] == kNone) return std::nullopt;
  return known[number];
}

PartGraph::Vertex PartGraph::add_vertex(Kind kind, std::uint32_t number, std::uint32_t sort) {
  parts_.emplace_back(kind, number);
  sorts_.push_back(sort);
  kept_.emplace_back();
  colours_.push_back(0);
  return static_cast<Vertex>(parts_.size() - 1);
}

std::pair<PartGraph::Vertex, bool> PartGraph::vertex(Kind kind, std::uint32_t number) {
  std::vector<Vertex>& known = vertices_[kind];
  if (number >= known.size()) known.resize(number + std::size_t{1} + known.size(), kNone);
  const bool is_new = known[number] == kNone;
  if (is_new) known[number] = add_vertex(kind, number, kind);
  return {known[number], is_new};
}

void PartGraph::keep_name(SymbolId name) {
  if (name.valid()) kept_[vertex_of(name)] = name;
}

void PartGraph::keep_names(Names names) {
  for (const SymbolId name : game_.scores()) keep_name(name);
  keep_name(game_.keeper());
  keep_name(game_.random());
  for (const char* name : {"0", "1"}) keep_name(game_.symbols.find(name));
  if (names == Names::players) {
    for (const SymbolId name : game_.players()) keep_name(name);
  }
  for (const ir::Pragma& pragma : game_.pragmas) {
    const auto* list = std::get_if<ir::ArtificialTag>(&pragma.content);
    if (list == nullptr) continue;
    for (const SymbolId tag : list->tags) {
      if (names == Names::players) {
        keep_name(tag);
      } else {
        mark(vertex_of(tag), artificial);
      }
    }
  }
}

PartGraph::Vertex PartGraph::vertex_of(ir::TypeId written) {
  const ir::TypeId type = game_.resolve(written);
  if (game_.types.kind(type) == ir::TypeKind::set) {
    const auto listed = game_.types.members(type);
    std::vector<SymbolId> members(listed.begin(), listed.end());
    std::ranges::sort(members);
    const auto [it, is_new] = sets_.try_emplace(std::move(members), 0);
    if (is_new) {
      it->second = add_vertex(set, type.value, set);
      for (const SymbolId member : it->first) arc(it->second, 0, vertex_of(member));
    }
    return it->second;
  }
  const auto [v, is_new] = vertex(arrow, type.value);
  if (is_new) {
    arc(v, 0, vertex_of(game_.types.from(type)));
    arc(v, 1, vertex_of(game_.types.to(type)));
  }
  return v;
}

PartGraph::Vertex PartGraph::vertex_of(ir::ValueId value) {
  if (game_.values.is_symbol(value)) return vertex_of(game_.values.as_symbol(value));
  const auto [v, is_new] = vertex(map, value.value);
  if (is_new) {
    arc(v, 0, vertex_of(game_.values.default_of(value)));
    for (const ir::Values::Entry& pair : game_.values.exceptions(value)) {
      const Vertex e = add_vertex(entry, 0, entry);
      arc(v, 1, e);
      arc(e, 0, vertex_of(pair.key));
      arc(e, 1, vertex_of(pair.value));
    }
  }
  return v;
}

PartGraph::Vertex PartGraph::vertex_of(ir::VarId id) {
  const auto [v, is_new] = vertex(variable, id.value);
  if (is_new) {
    arc(v, 0, vertex_of(game_.variable(id).type));
    // The initial value of a variable that is written before it is read does not matter.
    if (live_.live(id, game_.begin())) arc(v, 1, vertex_of(game_.variable(id).initial));
  }
  return v;
}

PartGraph::Vertex PartGraph::vertex_of(ir::ConstId id) {
  const auto [v, is_new] = vertex(constant, id.value);
  if (is_new) {
    arc(v, 0, vertex_of(game_.constant(id).type));
    arc(v, 1, vertex_of(game_.constant(id).value));
  }
  return v;
}

PartGraph::Vertex PartGraph::vertex_of(ir::ExprId id) {
  const ir::Expressions& e = game_.expressions();
  switch (e.kind(id)) {
    case ir::ExprKind::symbol:
      return vertex_of(e.symbol(id));
    case ir::ExprKind::constant:
      return vertex_of(e.constant(id));
    case ir::ExprKind::variable:
      return vertex_of(e.variable(id));
    case ir::ExprKind::access: {
      const auto [v, is_new] = vertex(access, id.value);
      if (is_new) {
        arc(v, 0, vertex_of(e.map(id)));
        arc(v, 1, vertex_of(e.index(id)));
      }
      return v;
    }
    case ir::ExprKind::cast:
      break;
  }
  const auto [v, is_new] = vertex(cast, id.value);
  if (is_new) {
    arc(v, 0, vertex_of(e.operand(id)));
    arc(v, 1, vertex_of(e.cast_type(id)));
  }
  return v;
}

void PartGraph::add(ir::EdgeId id) {
  const ir::Label& label = game_.graph.label(id);
  const Vertex v = add_vertex(edge, id.value, labels + static_cast<std::uint32_t>(label.index()));
  arc(v, 0, vertex_of(game_.graph.source(id)));
  arc(v, 1, vertex_of(game_.graph.target(id)));
  std::visit(ir::Overloaded{[](const ir::Empty&) {},
                            [&](const ir::Compare& l) {
                              // Its sides can be swapped.
                              arc(v, l.negated ? 3 : 2, vertex_of(l.lhs));
                              arc(v, l.negated ? 3 : 2, vertex_of(l.rhs));
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

void PartGraph::colour() {
  for (Vertex v = 0; v < size(); ++v) {
    colours_[v] = mix_hash(sorts_[v] + 1);
    if (kept_[v].valid()) colours_[v] = combine_hash(colours_[v], Digest().add(game_.symbols.text(kept_[v])).number());
  }
}

}  // namespace rgtrans::form
