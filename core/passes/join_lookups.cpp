// join-lookups: merges two parallel assignments of lookups in constant maps with the same indices. A comparison must
// follow, and for each key at most one of the two values may pass it; a new constant map holds the passing values.
//
// Example: a loop goes to the next cell of a row, or else to the first cell of the next row. It then has one path
// instead of two and needs no search.
//
//   a, b: x = right[x];   a, b: x = down[x];   b, c: x != none;
//                                           =>      a, b: x = right_or_down[x];   b, c: x != none;
#include <optional>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;
using ir::ValueId;

namespace {

class JoinLookups {
 public:
  explicit JoinLookups(ir::Game& game) : game_(game), graph_(game.graph), ends_(game) {}

  std::size_t run() {
    for (std::uint32_t i = 0; i < graph_.node_bound(); ++i) {
      const NodeId node(i);
      if (!graph_.alive(node) || graph_.out_degree(node) != 1 || graph_.in_degree(node) < 2 || ends_.target(node))
        continue;
      const ir::Label condition = graph_.label(*graph_.out_edges(node).begin());
      if (const auto* compare = std::get_if<ir::Compare>(&condition)) join_ways_to(node, *compare);
    }
    return changes_;
  }

 private:
  // An edge that assigns a lookup in a constant map to a variable.
  struct Lookup {
    EdgeId edge;
    ExprId variable, constant;
    std::vector<ExprId> indices;
  };

  void join_ways_to(NodeId node, const ir::Compare& compare) {
    std::vector<Lookup> lookups;
    for (const EdgeId edge : graph_.in_edges(node)) {
      if (std::optional<Lookup> lookup = lookup_of(edge); lookup && passed_by(compare, *lookup))
        lookups.push_back(*lookup);
    }
    for (std::size_t i = 0; i < lookups.size(); ++i) {
      for (std::size_t k = i + 1; k < lookups.size();) {
        if (join(lookups[i], lookups[k], compare)) {
          lookups.erase(lookups.begin() + static_cast<std::ptrdiff_t>(k));
        } else {
          ++k;
        }
      }
    }
  }

  std::optional<Lookup> lookup_of(EdgeId edge) const {
    const ir::Expressions& e = game_.expressions();
    const auto* assign = std::get_if<ir::Assign>(&graph_.label(edge));
    if (assign == nullptr || e.kind(assign->lhs) != ir::ExprKind::variable) return {};
    const ExprId root = e.root(assign->rhs);
    if (e.kind(root) != ir::ExprKind::constant || e.kind(assign->rhs) != ir::ExprKind::access) return {};
    return Lookup{edge, assign->lhs, root, ir::indices_of(e, assign->rhs)};
  }

  // Whether the following comparison reads only the assigned variable.
  [[nodiscard]] bool passed_by(const ir::Compare& compare, const Lookup& lookup) const {
    return reads_only(game_, compare, game_.expressions().variable(lookup.variable));
  }

  // Merges b into a; the edge of b disappears.
  bool join(Lookup& a, const Lookup& b, const ir::Compare& compare) {
    if (graph_.source(a.edge) != graph_.source(b.edge) || a.variable != b.variable || a.indices != b.indices)
      return false;
    const ir::Expressions& e = game_.expressions();
    const ir::Constant& f = game_.constant(e.constant(a.constant));
    const ir::Constant& g = game_.constant(e.constant(b.constant));
    const ir::TypeId type = f.type;
    if (game_.resolve(g.type) != game_.resolve(type)) return false;
    const std::optional<ValueId> value = joined(f.value, g.value, a.indices.size(), compare);
    if (!value) return false;
    claim_one_passes(a, b, compare);
    const std::string stem = game_.symbols.str(f.name) + "_or_" + game_.symbols.str(g.name);
    a.constant = named_constant(game_, stem, type, *value, f.where);
    ExprId lookup = a.constant;
    for (const ExprId index : a.indices) lookup = game_.access(lookup, index);
    graph_.set_label(a.edge, ir::Assign{a.variable, lookup});
    graph_.remove_edge(b.edge);
    ++changes_;
    return true;
  }

  // Claims that at most one of the two values passes the following comparison, unless they are equal.
  void claim_one_passes(const Lookup& a, const Lookup& b, const ir::Compare& compare) {
    if (!game_.claims.wanted()) return;
    ir::Holds never{a.edge, {}, {}};
    std::vector<ExprId> values;
    for (const Lookup* lookup : {&a, &b}) {
      values.push_back(lookup->constant);
      for (const ExprId index : lookup->indices) values.back() = game_.access(values.back(), index);
      const auto passed = substitute(game_, compare, game_.expressions().variable(lookup->variable), values.back());
      never.premises.push_back(std::get<ir::Compare>(*passed));
    }
    never.premises.push_back({values[0], values[1], true});
    game_.claims.add("join-lookups", std::move(never), graph_.where(a.edge));
  }

  // The passing values of two maps at each key, inside and outside of the type; none if both pass for some key.
  std::optional<ValueId> joined(ValueId f, ValueId g, std::size_t depth, const ir::Compare& compare) {
    if (depth == 0) {
      if (!game_.values.is_symbol(f) || !game_.values.is_symbol(g)) return {};
      const bool second = holds_for(game_, compare, game_.values.as_symbol(g));
      if (second && f != g && holds_for(game_, compare, game_.values.as_symbol(f))) return {};
      return second ? g : f;
    }
    std::vector<SymbolId> keys;
    for (const ValueId map : {f, g}) {
      for (const auto& entry : game_.values.exceptions(map)) keys.push_back(entry.key);
    }
    const auto otherwise = joined(game_.values.default_of(f), game_.values.default_of(g), depth - 1, compare);
    if (!otherwise) return {};
    std::vector<ir::Values::Entry> entries;
    for (const SymbolId key : keys) {
      const auto value = joined(game_.values.at(f, key), game_.values.at(g, key), depth - 1, compare);
      if (!value) return {};
      entries.push_back({key, *value});
    }
    return game_.values.map(*otherwise, entries);
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  analysis::EndPoints ends_;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t join_lookups(ir::Game& game, const PassContext&) { return JoinLookups(game).run(); }

}  // namespace rgtrans::passes
