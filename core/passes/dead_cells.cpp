// dead-cells: empties an assignment to a cell of a map if on every path the cell is written again before it is read.
//
// Two left sides denote the same cell if they are equal and no assignment between them changes a variable in their
// indices. An access of the map may read the cell, unless some constant keys of both differ. `goals` is read at `end`,
// `visible` at the tags of a move, and all cells at the end of a move of random (see random_moves.hpp). A cell that is
// read only to compute its own new value is needed only if it is needed afterwards. dead-stores removes assignments to
// maps that are never read again.
//
//   a, b: m[x] = 1;   b, c: y = 2;   c, d: m[x] = y;      =>      a, b: ;   b, c: y = 2;   c, d: m[x] = y;
//   m[1] = f[m[1]];   m[2] == x;                          =>      (empty)   m[2] == x;
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::passes {

using ir::ExprId;
using ir::VarId;

namespace {

// Backward analysis: which of the written cells may be read before they are written again.
struct NeededCells {
  using Domain = Bits;

  NeededCells(const ir::Game& g, const analysis::Flow& f) : game(g), flow(f), random(g, f) {
    of_map.resize(game.variables().size());
    by_index.resize(game.variables().size());
    for (const analysis::FlowEdge& e : flow.edges()) {
      if (!e.edge.valid() || e.call) continue;
      const ir::Label& label = game.graph.label(e.edge);
      if (!ir::is_assignment(label) || ir::writes_whole(game, label)) continue;
      const ExprId lhs = ir::left_side(label);
      const auto number = static_cast<std::uint32_t>(cells.size());
      if (!cells.try_emplace(lhs, number).second) continue;
      keys.push_back(constant_keys(lhs));
      of_map[game.assigned_variable(lhs).value].push_back(number);
      ir::for_each_index_variable(game, lhs, [&](VarId v) { by_index[v.value].push_back(number); });
    }
  }

  Domain boundary(std::uint32_t at) const {
    Domain needed(cells.size());
    const ir::NodeId node = flow.node(at);
    if (!node.valid()) return needed;
    if (node == game.end() && game.goals().valid()) add(needed, of_map[game.goals().value]);
    if (random.ends[at]) {
      random.end_written[at].for_each([&](std::size_t v) { add(needed, of_map[v]); });
    }
    return needed;
  }

  void transfer(const analysis::FlowEdge& edge, const Domain& after, Domain& before) const {
    if (!edge.edge.valid() || edge.call) {
      before |= after;
      return;
    }
    const ir::Label& label = game.graph.label(edge.edge);
    Domain passed = after;
    const ExprId lhs = ir::left_side(label);
    if (const VarId written = ir::written_variable(game, label); written.valid()) {
      if (ir::writes_whole(game, label)) {
        for (const std::uint32_t cell : of_map[written.value]) passed.reset(cell);
      } else if (!computes_itself(label)) {
        passed.reset(cells.at(lhs));
      }
      // Before this assignment, left sides that use the variable as an index denote other cells.
      add(passed, by_index[written.value]);
    }
    if (lhs.valid()) {
      ir::for_each_index(game.expressions(), lhs, [&](ExprId index) { add_reads(passed, index, {}); });
      if (const auto* assign = std::get_if<ir::Assign>(&label)) add_reads(passed, assign->rhs, lhs);
    } else {
      ir::for_each_expression(label, [&](ExprId expression) { add_reads(passed, expression, {}); });
    }
    if (ir::is_tag(label) && game.visible().valid()) add(passed, of_map[game.visible().value]);
    before |= passed;
  }

  static void add(Domain& needed, const std::vector<std::uint32_t>& list) {
    for (const std::uint32_t cell : list) needed.set(cell);
  }

  // The keys of an access from its root on: the constant ones that belong to the type, and none for the others.
  std::vector<std::optional<SymbolId>> constant_keys(ExprId access) const {
    const ir::Expressions& e = game.expressions();
    const std::vector<ir::TypeId> types = game.keys(game.variable(e.variable(e.root(access))).type);
    std::vector<std::optional<SymbolId>> result;
    for (const ExprId index : ir::indices_of(e, access)) {
      const std::optional<SymbolId> key = game.constant_symbol(index);
      const bool own = key && game.index_of(types[result.size()], *key) >= 0;
      result.push_back(own ? key : std::nullopt);
    }
    return result;
  }

  // Whether the assigned value depends on the cell's old value.
  bool computes_itself(const ir::Label& label) const {
    const auto* assign = std::get_if<ir::Assign>(&label);
    bool found = false;
    if (assign == nullptr) return found;
    ir::visit_parts(game.expressions(), assign->rhs, [&](ExprId part) {
      found = found || part == assign->lhs;
      return !found;
    });
    return found;
  }

  // Marks the cells that an expression reads, except the cell that the surrounding assignment writes.
  void add_reads(Domain& needed, ExprId expression, ExprId written) const {
    const ir::Expressions& e = game.expressions();
    ir::visit_parts(e, expression, [&](ExprId part) {
      if (part == written) return false;
      const ExprId root = e.root(part);
      if (e.kind(root) != ir::ExprKind::variable) return true;
      add_cells(needed, part, e.variable(root));
      ir::for_each_index(e, part, [&](ExprId index) { add_reads(needed, index, written); });
      return false;
    });
  }

  // Marks the cells that an access of a variable may denote.
  void add_cells(Domain& needed, ExprId access, VarId map) const {
    if (of_map[map.value].empty()) return;
    const auto [known, fresh] = meant.try_emplace(access);
    if (fresh) {
      const std::vector<std::optional<SymbolId>> read = constant_keys(access);
      for (const std::uint32_t cell : of_map[map.value]) {
        if (!differ(read, keys[cell])) known->second.push_back(cell);
      }
    }
    add(needed, known->second);
  }

  static bool differ(const std::vector<std::optional<SymbolId>>& a, const std::vector<std::optional<SymbolId>>& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (a[i] && b[i] && *a[i] != *b[i]) return true;
    }
    return false;
  }

  const ir::Game& game;
  const analysis::Flow& flow;
  const analysis::RandomMoves random;
  std::unordered_map<ExprId, std::uint32_t> cells;                       // numbers of left sides
  std::vector<std::vector<std::optional<SymbolId>>> keys;                // by cell: its constant keys
  mutable std::unordered_map<ExprId, std::vector<std::uint32_t>> meant;  // cells that an access may denote
  std::vector<std::vector<std::uint32_t>> of_map;                        // by variable: its cells
  std::vector<std::vector<std::uint32_t>> by_index;                      // by variable: cells whose indices read it
};

}  // namespace

std::size_t dead_cells(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  NeededCells problem(game, flow);
  // Limits the memory for the sets at all nodes.
  constexpr std::size_t kMost = 40'000'000;
  if (problem.cells.empty() || problem.cells.size() * flow.size() > kMost) return 0;
  const std::vector<Bits> needed = analysis::solve_backward(flow, problem);
  std::size_t changes = 0;
  for (const analysis::FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call) continue;
    const ir::Label& label = game.graph.label(e.edge);
    if (!ir::is_assignment(label) || ir::writes_whole(game, label)) continue;
    if (needed[e.to].test(problem.cells.at(ir::left_side(label)))) continue;
    game.claims.add("dead-cells", ir::Unread{e.edge, {}, {}}, game.graph.where(e.edge));
    game.graph.set_label(e.edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
