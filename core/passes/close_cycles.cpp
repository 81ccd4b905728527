// close-cycles: replaces walks on a cycle by a single choice. If the cycle's edges depend on only one variable, such as
// `pos = left[pos]` and `pos = right[pos]`, the pass computes the values reachable from each value. The cycle becomes
// one choice for each entry and one table for each exit. During play, engines no longer traverse the cycle.
//
// An edge can belong to such a cycle if it is empty, an artificial tag, an assignment to the variable or a comparison,
// and if it reads no other variable. No check may start or end on the cycle. No move of random may pass it, because the
// new variable, which stores the old value, would distinguish its results. Runs only on request; the C++ back end
// requests it.
//
//   a, a: pos = left[pos];   a, a: pos = right[pos];   a, end: $$ pos;
//   =>   a, 1: old = pos;   1, 2: pos = T(*);   2, 3: reach[old][pos] == 1;   3, end: $$ pos;
#include <algorithm>
#include <map>
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;
using ir::ValueId;
using ir::VarId;

namespace {

constexpr std::size_t kMostValues = 256;
constexpr std::size_t kMostTables = 64;

struct Cycle {
  VarId variable;
  std::set<NodeId> nodes;
  std::vector<EdgeId> edges;
};

class CloseCycles {
 public:
  CloseCycles(ir::Game& game, const analysis::Flow& flow)
      : game_(game), flow_(flow), ends_(game), random_(game, flow), artificial_(ir::artificial_tags(game)) {}

  std::size_t run() {
    std::vector<Cycle> cycles;
    std::set<NodeId> taken;  // cycles do not share nodes
    for (const VarId x : variables()) {
      for (Cycle& cycle : cycles_of(x)) {
        const auto bad = [&](NodeId node) {
          return taken.contains(node) || !ends_.inner(node) || random_.inside[flow_.index(node)];
        };
        if (std::ranges::any_of(cycle.nodes, bad)) continue;
        taken.insert(cycle.nodes.begin(), cycle.nodes.end());
        cycles.push_back(std::move(cycle));
      }
    }
    return static_cast<std::size_t>(std::ranges::count_if(cycles, [&](const Cycle& cycle) { return close(cycle); }));
  }

 private:
  // The only variable that an edge reads and writes; none if it reads and writes no variable.
  struct About {
    bool simple = false;  // the edge can belong to a cycle
    bool moves = false;   // the edge changes the variable
    VarId variable;
  };
  [[nodiscard]] About about(EdgeId edge) const {
    const ir::Label& label = game_.graph.label(edge);
    About found;
    const auto* tag = std::get_if<ir::Tag>(&label);
    const auto* compare = std::get_if<ir::Compare>(&label);
    found.moves = std::holds_alternative<ir::Assign>(label) && ir::writes_whole(game_, label) &&
                  game_.is_set(game_.expressions().type(ir::left_side(label))) && !game_.is_player_assignment(label);
    found.simple = std::holds_alternative<ir::Empty>(label) || (tag != nullptr && artificial_[tag->symbol.value]) ||
                   (compare != nullptr && game_.is_set(game_.expressions().type(compare->lhs))) || found.moves;
    if (found.moves) found.variable = ir::written_variable(game_, label);
    ir::for_each_read(game_, label, [&](VarId v) {
      found.simple = found.simple && (!found.variable.valid() || found.variable == v);
      found.variable = v;
    });
    return found;
  }

  // The variables that change on some cycle of simple edges, ignoring the other variables of those edges.
  std::set<VarId> variables() {
    for (std::uint32_t i = 1; i < flow_.size(); ++i) {
      for (const EdgeId edge : game_.graph.out_edges(flow_.node(i))) {
        if (const About found = about(edge); found.simple) simple_.emplace_back(edge, found);
      }
    }
    std::set<VarId> variables;
    const std::vector<std::uint32_t> component = components(simple_);
    for (const auto& [edge, about] : simple_) {
      if (about.moves && inside(component, edge)) variables.insert(about.variable);
    }
    return variables;
  }

  using Edges = std::vector<std::pair<EdgeId, About>>;
  [[nodiscard]] std::vector<std::uint32_t> components(const Edges& edges) const {
    Arcs arcs;
    for (const auto& [edge, about] : edges)
      arcs.emplace_back(game_.graph.source(edge).value, game_.graph.target(edge).value);
    return strong_components(game_.graph.node_bound(), arcs).of;
  }
  [[nodiscard]] bool inside(const std::vector<std::uint32_t>& component, EdgeId edge) const {
    return component[game_.graph.source(edge).value] == component[game_.graph.target(edge).value];
  }

  std::vector<Cycle> cycles_of(VarId x) const {
    const std::span<const SymbolId> members = game_.members(game_.variable(x).type);
    if (members.size() > kMostValues) return {};
    Edges edges;
    for (const auto& row : simple_) {
      const bool fits = !row.second.variable.valid() || row.second.variable == x;
      if (fits && std::ranges::all_of(members, [&](SymbolId s) { return effect(row.first, x, s).known; }))
        edges.push_back(row);
    }
    const std::vector<std::uint32_t> component = components(edges);
    std::map<std::uint32_t, Cycle> cycles;
    std::set<std::uint32_t> moving;
    for (const auto& [edge, about] : edges) {
      if (!inside(component, edge)) continue;
      const NodeId source = game_.graph.source(edge);
      Cycle& cycle = cycles[component[source.value]];
      cycle.variable = x;
      cycle.edges.push_back(edge);
      cycle.nodes.insert({source, game_.graph.target(edge)});
      if (about.moves) moving.insert(component[source.value]);
    }
    std::vector<Cycle> result;
    for (auto& [number, cycle] : cycles) {
      if (moving.contains(number)) result.push_back(std::move(cycle));
    }
    return result;
  }

  // The effect of an edge on a value of x: a new value, or none if the edge is blocked. Unknown for values outside the
  // type.
  struct PassEffect {
    bool known = false;
    SymbolId value;
  };
  [[nodiscard]] PassEffect effect(EdgeId edge, VarId x, SymbolId value) const {
    const ir::Label& label = game_.graph.label(edge);
    const ir::Expressions& e = game_.expressions();
    const auto bound = [&](ExprId part) {
      return e.kind(part) == ir::ExprKind::variable ? ir::Folded{value, {}} : ir::Folded{};
    };
    if (const auto* assign = std::get_if<ir::Assign>(&label)) {
      const SymbolId after = ir::fold(game_, assign->rhs, bound).symbol;
      return {after.valid() && game_.index_of(game_.variable(x).type, after) >= 0, after};
    }
    if (const auto* compare = std::get_if<ir::Compare>(&label)) {
      const SymbolId left = ir::fold(game_, compare->lhs, bound).symbol;
      const SymbolId right = ir::fold(game_, compare->rhs, bound).symbol;
      return {left.valid() && right.valid(), (left == right) != compare->negated ? value : SymbolId()};
    }
    return {true, value};
  }

  bool close(const Cycle& cycle) {
    const std::set<EdgeId> edges(cycle.edges.begin(), cycle.edges.end());
    std::set<NodeId> entries, exits;
    for (const NodeId node : cycle.nodes) {
      for (const EdgeId e : game_.graph.in_edges(node)) {
        if (!edges.contains(e)) entries.insert(node);
      }
      for (const EdgeId e : game_.graph.out_edges(node)) {
        if (!edges.contains(e)) exits.insert(node);
      }
    }
    if (entries.size() * exits.size() > kMostTables) return false;
    const ir::Variable variable = game_.variable(cycle.variable);
    const ir::TypeId type = game_.resolve(variable.type);
    const SymbolId no = game_.symbols.intern("0"), yes = game_.symbols.intern("1");
    const ir::TypeId relation = game_.types.arrow(type, game_.types.arrow(type, game_.types.set(std::vector{no, yes})));
    const std::string name = game_.symbols.str(variable.name);
    const VarId old = game_.define_variable(fresh("old_" + name), type, variable.initial);
    const ExprId x = game_.variable_ref(cycle.variable);
    if (game_.claims.wanted()) claim(cycle, entries, exits, x);
    std::map<NodeId, NodeId> behind;
    for (const NodeId exit : exits) behind[exit] = game_.graph.add_node({}, game_.graph.where(exit));
    for (const NodeId entry : entries) {
      const Range where = game_.graph.where(entry);
      const NodeId first = game_.graph.add_node({}, where);
      const NodeId second = game_.graph.add_node({}, where);
      const NodeId third = game_.graph.add_node({}, where);
      game_.graph.add_edge(first, second, ir::Assign{game_.variable_ref(old), x}, where);
      game_.graph.add_edge(second, third, ir::AssignAny{x, type}, where);
      for (const NodeId exit : exits) {
        const ir::ConstId reach =
            game_.define_constant(fresh("reach_" + name), relation, reachable(cycle, entry, exit, no, yes));
        const ExprId row = game_.access(game_.constant_ref(reach), game_.variable_ref(old));
        game_.graph.add_edge(third, behind[exit], ir::Compare{game_.access(row, x), game_.symbol(yes), false}, where);
      }
      for (const EdgeId e : game_.graph.in_edge_list(entry)) {
        if (!edges.contains(e)) game_.graph.set_target(e, first);
      }
    }
    for (const NodeId exit : exits) {
      for (const EdgeId e : game_.graph.out_edge_list(exit)) {
        if (!edges.contains(e)) game_.graph.set_source(e, behind[exit]);
      }
    }
    for (const EdgeId e : cycle.edges) game_.graph.remove_edge(e);
    for (const NodeId node : cycle.nodes) remove_if_isolated(game_, node, ends_);
    return true;
  }

  // Whatever the value at an entry, at an exit it is one of those that were worked out.
  void claim(const Cycle& cycle, const std::set<NodeId>& entries, const std::set<NodeId>& exits, ExprId x) {
    const auto span = game_.members(game_.variable(cycle.variable).type);
    const std::vector<SymbolId> members(span.begin(), span.end());
    for (const NodeId exit : exits) {
      std::set<SymbolId> values;
      for (const NodeId entry : entries)
        for (const SymbolId start : members) values.merge(values_at(cycle, {entry, start}, exit));
      game_.claims.add("close-cycles", ir::OneOf{exit, x, {values.begin(), values.end()}}, game_.graph.where(exit));
    }
  }

  using Place = std::pair<NodeId, SymbolId>;

  // The values that there can be at the exit.
  [[nodiscard]] std::set<SymbolId> values_at(const Cycle& cycle, Place start, NodeId exit) const {
    std::set<SymbolId> values;
    std::set<Place> seen = {start};
    std::vector<Place> work = {start};
    while (!work.empty()) {
      const auto [node, value] = work.back();
      work.pop_back();
      if (node == exit) values.insert(value);
      for (const EdgeId e : cycle.edges) {
        if (game_.graph.source(e) != node) continue;
        const Place next(game_.graph.target(e), effect(e, cycle.variable, value).value);
        if (next.second.valid() && seen.insert(next).second) work.push_back(next);
      }
    }
    return values;
  }

  SymbolId fresh(const std::string& base) {
    for (unsigned i = 1;; ++i) {
      const SymbolId name = game_.symbols.intern(base + "_" + std::to_string(i));
      if (!game_.find_variable(name).valid() && !game_.find_constant(name).valid()) return name;
    }
  }

  // For each value at the entry, the possible values at the exit.
  [[nodiscard]] ValueId reachable(const Cycle& cycle, NodeId entry, NodeId exit, SymbolId no, SymbolId yes) {
    const ValueId zero = game_.values.symbol(no), one = game_.values.symbol(yes);
    const auto span = game_.members(game_.variable(cycle.variable).type);
    std::vector<ir::Values::Entry> rows;
    for (const SymbolId start : std::vector<SymbolId>(span.begin(), span.end())) {
      std::vector<ir::Values::Entry> cells;
      for (const SymbolId value : values_at(cycle, {entry, start}, exit)) cells.push_back({value, one});
      rows.push_back({start, game_.values.map(zero, cells)});
    }
    return game_.values.map(game_.values.map(zero, {}), rows);
  }

  ir::Game& game_;
  const analysis::Flow& flow_;
  const analysis::EndPoints ends_;
  const analysis::RandomMoves random_;
  const std::vector<bool> artificial_;
  Edges simple_;
};

}  // namespace

std::size_t close_cycles(ir::Game& game, const PassContext& context) {
  return CloseCycles(game, context.analyses->flow()).run();
}

}  // namespace rgtrans::passes
